// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/session_table.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace tracedeck::etw::remote {
namespace {

/// As the embedded engine raises what is asked for.
constexpr std::uint32_t kBuffersPerProcessor = 2;
constexpr std::uint32_t kMoreBuffersOfFiles = 20;
constexpr std::uint32_t kMostBuffers = std::numeric_limits<std::uint32_t>::max();

bool isSameName(std::string_view a, std::string_view b) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool isRing(const SessionConfig& config) noexcept {
    return (config.logFileMode & etlformat::mode::kBuffering) != 0;
}

tl::unexpected<Error> beyond(const SessionConfig& config, const std::string& what) {
    return fail(ErrorCode::SessionLimit, "session " + config.name + ": " + what, win32::kNoSystemResources);
}

} // namespace

bool SessionTable::Entry::isSystemLogger() const noexcept {
    return (asked.logFileMode & etlformat::mode::kSystemLogger) != 0;
}

Bytes SessionTable::heldOtherwise(std::uint32_t owner) const {
    return m_heldOtherwise ? m_heldOtherwise(owner) : Bytes{0};
}

Bytes SessionTable::memoryLeft(std::uint32_t owner) const {
    std::uint64_t used = heldOtherwise(owner).count;
    for (const auto& [id, entry] : m_sessions) {
        used += entry.owner == owner ? entry.memory.count : 0;
    }
    return {m_limits.bufferMemory.count - std::min(used, m_limits.bufferMemory.count)};
}

Status SessionTable::checkNumbers(std::uint32_t owner, const SessionConfig& config) const {
    std::size_t own = 0;
    std::size_t system = 0;
    for (const auto& [id, entry] : m_sessions) {
        if (isSameName(entry.asked.name, config.name) || (!config.guid.isNull() && entry.asked.guid == config.guid)) {
            return fail(ErrorCode::SessionNameTaken, "session " + config.name + " is running already",
                        win32::kAlreadyExists);
        }
        own += entry.owner == owner ? 1U : 0U;
        system += entry.isSystemLogger() ? 1U : 0U;
    }
    const bool isSystem = (config.logFileMode & etlformat::mode::kSystemLogger) != 0;
    if (m_sessions.size() >= kMaximumSessions || (isSystem && system >= kMaximumSystemSessions)) {
        return beyond(config, "as many sessions are running as there can be");
    }
    if (own >= m_limits.sessions) {
        return beyond(config, std::to_string(own) + " sessions of this user are running, which is the limit");
    }
    return {};
}

Result<SessionId> SessionTable::reserve(std::uint32_t owner, SessionConfig& config) {
    if (Status room = checkNumbers(owner, config); !room) {
        return fail(std::move(room).error());
    }
    // Sizes that the backend refuses for themselves need no memory.
    const std::uint64_t size = kib(std::clamp(config.bufferSizeKib, kSmallestBufferKib, kLargestBufferKib)).count;
    const std::uint64_t more = isRing(config) ? 0 : kMoreBuffersOfFiles;
    const std::uint64_t least = std::uint64_t{kBuffersPerProcessor} * m_processors + more;
    const std::uint64_t fitting = std::min<std::uint64_t>(memoryLeft(owner).count / size, kMostBuffers);
    if (least > fitting) {
        const std::uint64_t held = heldOtherwise(owner).count >> 20U;
        return beyond(config, "its " + std::to_string(least) + " buffers are more than what is left of this user's " +
                                  std::to_string(m_limits.bufferMemory.count >> 20U) + " MiB" +
                                  (held == 0 ? std::string()
                                             : ", of which " + std::to_string(held) +
                                                   " MiB hold recordings that were cut off: save or discard them"));
    }
    if (config.guid.isNull()) {
        config.guid = randomGuid();
    }
    Entry entry;
    entry.owner = owner;
    entry.asked = config;
    const auto held = [](std::uint32_t number, std::uint64_t most) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, most));
    };
    config.minimumBuffers = held(config.minimumBuffers, fitting - more);
    config.maximumBuffers = held(config.maximumBuffers, fitting);
    const std::uint64_t minimum = std::max<std::uint64_t>(config.minimumBuffers + more, least);
    const std::uint64_t maximum = isRing(config) ? minimum : std::max<std::uint64_t>(config.maximumBuffers, minimum);
    entry.memory = {maximum * size};
    entry.grantedMinimum = config.minimumBuffers;
    entry.grantedMaximum = config.maximumBuffers;
    const SessionId id{++m_lastId};
    m_sessions.emplace(id, std::move(entry));
    return id;
}

void SessionTable::confirm(SessionId id, SessionId inBackend, const SessionStats& stats) {
    if (const auto found = m_sessions.find(id); found != m_sessions.end()) {
        found->second.inBackend = inBackend;
        updated(id, stats);
    }
}

void SessionTable::updated(SessionId id, const SessionStats& stats) {
    if (const auto found = m_sessions.find(id); found != m_sessions.end()) {
        found->second.memory = kib(stats.bufferSizeKib) * std::max(stats.maximumBuffers, stats.numberOfBuffers);
    }
}

void SessionTable::release(SessionId id) {
    m_sessions.erase(id);
}

SessionTable::Entry* SessionTable::find(SessionId id, std::uint32_t user) {
    const auto found = m_sessions.find(id);
    const bool isVisible =
        found != m_sessions.end() && found->second.inBackend.value != 0 && (user == 0 || found->second.owner == user);
    return isVisible ? &found->second : nullptr;
}

std::vector<SessionInfo> SessionTable::list(std::uint32_t user) const {
    std::vector<SessionInfo> infos;
    for (const auto& [id, entry] : m_sessions) {
        if (entry.inBackend.value != 0 && (user == 0 || entry.owner == user)) {
            infos.push_back({id, entry.asked.name, entry.asked.logFileMode, entry.asked.logFileName, entry.asked.guid});
        }
    }
    return infos;
}

void SessionTable::holdToMemory(const Entry& entry, SessionConfig& config) const {
    // As asked for at the start: no change.
    if (config.minimumBuffers == entry.asked.minimumBuffers) {
        config.minimumBuffers = entry.grantedMinimum;
    }
    if (config.maximumBuffers == entry.asked.maximumBuffers) {
        config.maximumBuffers = entry.grantedMaximum;
        return;
    }
    const std::uint64_t size = kib(std::max(entry.asked.bufferSizeKib, kSmallestBufferKib)).count;
    const std::uint64_t fitting = (memoryLeft(entry.owner).count + entry.memory.count) / size;
    config.maximumBuffers = static_cast<std::uint32_t>(std::min<std::uint64_t>(config.maximumBuffers, fitting));
}

bool SessionTable::hasSessionsOf(std::uint32_t owner) const noexcept {
    return std::any_of(m_sessions.begin(), m_sessions.end(),
                       [&](const auto& each) { return each.second.owner == owner; });
}

} // namespace tracedeck::etw::remote
