// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/enabling.h"

#include "core/base/utf.h"
#include "core/etw/engine/current_thread.h"

#include <algorithm>
#include <set>

namespace tracedeck::etw::engine {
namespace {

using Kind = EventFilter::Kind;

// evntprov.h
constexpr std::size_t kMostIds = 64;      // MAX_EVENT_FILTER_EVENT_ID_COUNT
constexpr std::size_t kMostProcesses = 8; // MAX_EVENT_FILTER_PID_COUNT
constexpr std::size_t kMostData = 1024;   // MAX_EVENT_FILTER_DATA_SIZE, bytes
constexpr std::size_t kNameHeader = 0x14; // EVENT_FILTER_EVENT_NAME without its names
constexpr std::size_t kMostNameData =
    0xFFFF; // an EVENT_FILTER_HEADER's payload; MAX_EVENT_FILTER_DATA_SIZE is not asked

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isSameProgram(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Why a filter is refused; empty: it is not.
std::string complaint(const EventFilter& filter, bool capturesStack) {
    const bool isOfStacks = filter.kind == Kind::StackEventId || filter.kind == Kind::StackEventName ||
                            filter.kind == Kind::StackKeywordLevel;
    if (isOfStacks && !capturesStack) {
        return "a filter of stacks, and no stacks";
    }
    std::size_t names = 0; // bytes, zeros included
    std::size_t units = 0;
    for (const std::string& name : filter.names) {
        if (name.empty() || name.find('\0') != std::string::npos) {
            return "an empty name";
        }
        names += name.size() + 1;
        units += toUtf16(name).size() + 1;
    }
    switch (filter.kind) {
    case Kind::EventId:
    case Kind::StackEventId:
        return filter.ids.empty() || filter.ids.size() > kMostIds ? std::to_string(filter.ids.size()) + " event ids"
                                                                  : std::string();
    case Kind::EventName:
    case Kind::StackEventName:
        return names == 0 || kNameHeader + names > kMostNameData ? "names of " + std::to_string(names) + " bytes"
                                                                 : std::string();
    case Kind::ExecutableName:
        return units == 0 || units * sizeof(char16_t) > kMostData || !filter.isFilterIn
                   ? "program names of " + std::to_string(units * sizeof(char16_t)) + " bytes"
                   : std::string();
    case Kind::ProcessId:
        return filter.processIds.empty() || filter.processIds.size() > kMostProcesses || !filter.isFilterIn
                   ? std::to_string(filter.processIds.size()) + " process ids"
                   : std::string();
    case Kind::StackKeywordLevel:
        break;
    }
    return {};
}

} // namespace

Result<Enabling> Enabling::of(Session& session, const ProviderConfig& config) {
    std::set<Kind> kinds;
    for (const EventFilter& filter : config.filters) {
        std::string what = complaint(filter, config.captureStack);
        if (what.empty() && !kinds.insert(filter.kind).second) {
            what = "two filters of a kind";
        }
        if (!what.empty()) {
            return fail(ErrorCode::SessionBadParameters,
                        "provider " + toString(config.provider) + " " + config.name + ": " + what,
                        win32::kInvalidParameter);
        }
    }
    Enabling enabling;
    enabling.m_session = &session;
    enabling.m_level = config.level;
    enabling.m_matchAny = config.matchAnyKeyword;
    enabling.m_matchAll = config.matchAllKeyword;
    enabling.m_ignoresKeyword0 = (config.enableProperties & enable_property::kIgnoreKeyword0) != 0;
    for (const EventFilter& filter : config.filters) {
        enabling.take(filter);
    }
    return enabling;
}

void Enabling::take(const EventFilter& filter) {
    switch (filter.kind) {
    case Kind::EventId:
        m_ids = filter.ids;
        std::sort(m_ids.begin(), m_ids.end());
        m_isIdIn = filter.isFilterIn;
        break;
    case Kind::EventName:
        m_names = filter.names;
        std::sort(m_names.begin(), m_names.end());
        m_isNameIn = filter.isFilterIn;
        m_nameLevel = filter.level;
        m_nameKeyword = filter.keyword;
        break;
    case Kind::ExecutableName: {
        const std::string program = currentProgram();
        m_concernsThisProcess =
            m_concernsThisProcess && std::any_of(filter.names.begin(), filter.names.end(),
                                                 [&](const auto& name) { return isSameProgram(name, program); });
        break;
    }
    case Kind::ProcessId:
        m_concernsThisProcess = m_concernsThisProcess && std::find(filter.processIds.begin(), filter.processIds.end(),
                                                                   currentProcessId()) != filter.processIds.end();
        break;
    case Kind::StackEventId:
    case Kind::StackEventName:
    case Kind::StackKeywordLevel:
        break; // which events carry a stack; none does here, which is told as StackNotServed
    }
}

bool Enabling::hasId(std::uint16_t id) const noexcept {
    return std::binary_search(m_ids.begin(), m_ids.end(), id);
}

bool Enabling::hasName(std::string_view name, std::uint8_t level, std::uint64_t keyword) const noexcept {
    return (m_nameLevel == 0 || level <= m_nameLevel) && (m_nameKeyword == 0 || (keyword & m_nameKeyword) != 0) &&
           std::binary_search(m_names.begin(), m_names.end(), name, std::less<>());
}

} // namespace tracedeck::etw::engine
