// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/event_items.h"
#include "core/etw/types.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etw::engine {

class Session;

/// EVENT_FILTER_EVENT_ID, of events or of their stacks: those with the ids, or all but those. Without ids: all.
struct IdFilter {
    std::vector<std::uint16_t> ids; ///< sorted
    bool isIn = true;

    [[nodiscard]] bool passes(std::uint16_t id) const noexcept {
        return ids.empty() || std::binary_search(ids.begin(), ids.end(), id) == isIn;
    }
};

/// EVENT_FILTER_LEVEL_KW: up to a level (0: all), with one of the keywords (0: all).
struct LevelFilter {
    std::uint8_t level = 0;
    std::uint64_t keyword = 0;
    bool isIn = true;

    [[nodiscard]] bool has(std::uint8_t ofLevel, std::uint64_t ofKeyword) const noexcept {
        return (level == 0 || ofLevel <= level) && (keyword == 0 || (ofKeyword & keyword) != 0);
    }
    [[nodiscard]] bool passes(std::uint8_t ofLevel, std::uint64_t ofKeyword) const noexcept {
        return has(ofLevel, ofKeyword) == isIn;
    }
};

/// EVENT_FILTER_EVENT_NAME: events with one of the names, up to the filter's level and with one of its keywords, are
/// meant: they alone, or all but they. Without names: all.
struct NameFilter {
    std::vector<std::string> names; ///< sorted
    LevelFilter where;

    [[nodiscard]] bool passes(std::string_view name, std::uint8_t level, std::uint64_t keyword) const noexcept {
        return names.empty() || (where.has(level, keyword) &&
                                 std::binary_search(names.begin(), names.end(), name, std::less<>())) == where.isIn;
    }
};

/// What one session wants of one provider: EnableTraceEx2's arguments, ready to be asked by writers. Never changed once
/// writers can see it.
class Enabling {
public:
    /// Checks as EnableTraceEx2 does; the codes are in session_rules.h.
    [[nodiscard]] static Result<Enabling> of(Session& session, const ProviderConfig& config);

    [[nodiscard]] Session& session() const noexcept { return *m_session; }
    [[nodiscard]] std::uint8_t level() const noexcept { return m_level; } ///< 0: every level
    [[nodiscard]] std::uint64_t matchAny() const noexcept { return m_matchAny; }
    [[nodiscard]] std::uint64_t matchAll() const noexcept { return m_matchAll; }
    /// False where a filter keeps the process out: no event of its providers passes.
    [[nodiscard]] bool concerns(const Process& process) const noexcept;

    /// The rule of the providers' own libraries: level 0 of the session means all, level 0 of an event always passes,
    /// so does an event without keywords, unless the session wants none of those; a session's "any" of 0 means all.
    [[nodiscard]] bool passes(std::uint8_t level, std::uint64_t keyword) const noexcept {
        if (m_level != 0 && level > m_level) {
            return false;
        }
        if (keyword == 0) {
            return !m_ignoresKeyword0;
        }
        return (m_matchAny == 0 || (keyword & m_matchAny) != 0) && (keyword & m_matchAll) == m_matchAll;
    }
    /// EVENT_FILTER_TYPE_EVENT_ID: of events that have an id; self-describing ones have none.
    [[nodiscard]] bool passesId(std::uint16_t id) const noexcept { return m_ids.passes(id); }
    /// EVENT_FILTER_TYPE_EVENT_NAME: of self-describing events.
    [[nodiscard]] bool passesName(std::string_view name, std::uint8_t level, std::uint64_t keyword) const noexcept {
        return m_names.passes(name, level, keyword);
    }

    /// Of enable_property::kItems, what an event gets that passes: stacks by the filters of stacks. Where there are
    /// several, an event has to pass all of them: that by ids is asked of events that have one, that by names of
    /// self-describing ones.
    [[nodiscard]] std::uint32_t itemsOfId(std::uint16_t id, std::uint8_t level, std::uint64_t keyword) const noexcept {
        return m_items == 0 ? 0 : itemsFor(m_stackIds.passes(id) && m_stackLevel.passes(level, keyword));
    }
    [[nodiscard]] std::uint32_t itemsOfName(std::string_view name, std::uint8_t level,
                                            std::uint64_t keyword) const noexcept {
        return m_items == 0
                   ? 0
                   : itemsFor(m_stackNames.passes(name, level, keyword) && m_stackLevel.passes(level, keyword));
    }

private:
    Enabling() = default;
    [[nodiscard]] std::uint32_t itemsFor(bool hasStack) const noexcept {
        return hasStack ? m_items : m_items & ~enable_property::kStackTrace;
    }
    void take(const EventFilter& filter);

    Session* m_session = nullptr;
    std::uint8_t m_level = 0xFF;
    std::uint64_t m_matchAny = 0;
    std::uint64_t m_matchAll = 0;
    std::uint32_t m_items = 0; ///< of enable_property::kItems
    bool m_ignoresKeyword0 = false;
    IdFilter m_ids;
    NameFilter m_names;
    IdFilter m_stackIds;
    NameFilter m_stackNames;
    LevelFilter m_stackLevel;
    std::vector<std::uint32_t> m_processIds; ///< empty: all
    std::vector<std::string> m_programs;     ///< empty: all
};

} // namespace tracedeck::etw::engine
