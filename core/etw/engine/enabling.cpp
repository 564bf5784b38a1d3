// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/enabling.h"

#include "core/base/utf.h"

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
    enabling.m_items = config.enableProperties & enable_property::kItems;
    if (config.captureStack) {
        enabling.m_items |= enable_property::kStackTrace;
    }
    enabling.m_ignoresKeyword0 = (config.enableProperties & enable_property::kIgnoreKeyword0) != 0;
    for (const EventFilter& filter : config.filters) {
        enabling.take(filter);
    }
    return enabling;
}

void Enabling::take(const EventFilter& filter) {
    const auto idFilter = [&] {
        IdFilter ids{filter.ids, filter.isFilterIn};
        std::sort(ids.ids.begin(), ids.ids.end());
        return ids;
    };
    const auto nameFilter = [&] {
        NameFilter names{filter.names, {filter.level, filter.keyword, filter.isFilterIn}};
        std::sort(names.names.begin(), names.names.end());
        return names;
    };
    switch (filter.kind) {
    case Kind::EventId:
        m_ids = idFilter();
        break;
    case Kind::EventName:
        m_names = nameFilter();
        break;
    case Kind::ExecutableName:
        m_programs = filter.names;
        break;
    case Kind::ProcessId:
        m_processIds = filter.processIds;
        break;
    case Kind::StackEventId:
        m_stackIds = idFilter();
        break;
    case Kind::StackEventName:
        m_stackNames = nameFilter();
        break;
    case Kind::StackKeywordLevel:
        m_stackLevel = {filter.level, filter.keyword, filter.isFilterIn};
        break;
    }
}

bool Enabling::concerns(const Process& process) const noexcept {
    const bool isIdIn =
        m_processIds.empty() || std::find(m_processIds.begin(), m_processIds.end(), process.id) != m_processIds.end();
    return isIdIn && (m_programs.empty() || std::any_of(m_programs.begin(), m_programs.end(), [&](const auto& name) {
                          return isSameProgram(name, process.program);
                      }));
}

} // namespace tracedeck::etw::engine
