// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/event_items.h"

#include "core/etlformat/kernel_events.h"
#include "core/etw/engine/current_thread.h"

#include <cstring>
#ifdef __linux__
#include <fstream>
#include <iterator>
#include <sstream>
#endif

namespace tracedeck::etw::engine {
namespace {

using etlformat::ExtendedItem;
using etlformat::ExtendedType;

#ifdef __linux__

std::string contentOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::uint32_t> sessionIdOf(const std::string& folder) {
    constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    std::istringstream text(contentOf(folder + "/sessionid"));
    std::uint32_t id = kNone;
    text >> id;
    return text && id != kNone ? std::optional(id) : std::nullopt;
}

/// "… Uid: real effective …"
std::vector<std::byte> sidOf(const std::string& folder) {
    const std::string status = contentOf(folder + "/status");
    const std::size_t line = status.find("\nUid:");
    if (line == std::string::npos) {
        return {};
    }
    std::istringstream fields(status.substr(line + 5));
    std::uint32_t real = 0;
    std::uint32_t effective = 0;
    fields >> real >> effective;
    return fields ? etlformat::encodeSid(etlformat::sidOfUnixUser(effective)) : std::vector<std::byte>();
}

/// Field 22 of stat, counted behind the name, which may hold anything.
std::optional<std::uint64_t> startKeyOf(const std::string& folder, std::uint32_t id) {
    constexpr int kBetween = 19;
    constexpr unsigned kIdBits = 22; // PID_MAX_LIMIT
    const std::string stat = contentOf(folder + "/stat");
    const std::size_t name = stat.rfind(')');
    if (name == std::string::npos) {
        return std::nullopt;
    }
    std::istringstream fields(stat.substr(name + 1));
    std::string field;
    for (int i = 0; i < kBetween; ++i) {
        fields >> field;
    }
    std::uint64_t ticks = 0;
    fields >> ticks;
    return fields ? std::optional(ticks << kIdBits | id) : std::nullopt;
}

void describe(Process& process, const std::string& folder) {
    process.sid = sidOf(folder);
    process.sessionId = sessionIdOf(folder);
    process.startKey = startKeyOf(folder, process.id);
}

#endif

} // namespace

Process Process::self() {
    Process process;
    process.id = currentProcessId();
    process.program = currentProgram();
#ifdef __linux__
    describe(process, "/proc/self");
#endif
    return process;
}

Process Process::other(std::uint32_t id) {
    Process process;
    process.id = id;
    process.isThis = false;
#ifdef __linux__
    process.program = programOf(id);
    describe(process, "/proc/" + std::to_string(id));
#endif
    return process;
}

std::uint32_t Process::missingItems() const noexcept {
    std::uint32_t missing = kCanWalkStacks && isThis ? 0 : enable_property::kStackTrace;
    missing |= sid.empty() ? enable_property::kSid : 0U;
    missing |= sessionId ? 0U : enable_property::kTerminalSessionId;
    missing |= startKey ? 0U : enable_property::kProcessStartKey;
    return missing;
}

EventItems::EventItems(std::uint32_t wanted, const Process& process, const void* frame,
                       std::uint64_t eventKey) noexcept {
    wanted &= ~process.missingItems();
    const auto isWanted = [wanted](std::uint32_t property) { return (wanted & property) != 0; };
    if (isWanted(enable_property::kSid) && process.sid.size() <= kMostSid) {
        add(ExtendedType::Sid, process.sid);
    }
    if (isWanted(enable_property::kTerminalSessionId)) {
        add(ExtendedType::TerminalSessionId, std::as_bytes(std::span(&*process.sessionId, 1)));
    }
    if (isWanted(enable_property::kProcessStartKey)) {
        add(ExtendedType::ProcessStartKey, std::as_bytes(std::span(&*process.startKey, 1)));
    }
    if (isWanted(enable_property::kEventKey)) {
        add(ExtendedType::EventKey, std::as_bytes(std::span(&eventKey, 1)));
    }
    if (isWanted(enable_property::kStackTrace)) {
        addStack(frame);
    }
}

void EventItems::add(ExtendedType type, std::span<const std::byte> data) noexcept {
    if (m_last != kMost) {
        ExtendedItem before;
        std::memcpy(&before, m_bytes.data() + m_last, sizeof before);
        before.linkage = 1;
        std::memcpy(m_bytes.data() + m_last, &before, sizeof before);
    }
    ExtendedItem item;
    item.totalSize = static_cast<std::uint16_t>(etlformat::alignEvent(sizeof item + data.size()));
    item.type = static_cast<std::uint16_t>(type);
    item.dataSize = static_cast<std::uint16_t>(data.size());
    std::byte* const place = m_bytes.data() + m_size;
    std::memcpy(place, &item, sizeof item);
    std::memcpy(place + sizeof item, data.data(), data.size());
    std::memset(place + sizeof item + data.size(), 0, item.totalSize - sizeof item - data.size());
    m_last = m_size;
    m_size += item.totalSize;
}

void EventItems::addStack(const void* frame) noexcept {
    std::array<std::uint64_t, 1 + kMostFrames> stack; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    stack[0] = 0;                                     // match id: there is no other part
    const std::size_t frames = walkStack(frame, std::span(stack).last<kMostFrames>());
    add(ExtendedType::StackTrace64, std::as_bytes(std::span(stack).first(1 + frames)));
}

} // namespace tracedeck::etw::engine
