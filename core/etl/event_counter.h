// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/etl/event_view.h"
#include "core/etl/hook_counters.h"
#include "core/etl/summary.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etl {

/// Counts events by name without making a string for each: kernel events by hook id, the others in an
/// open-addressing table by provider, id and event name.
///
/// Memory is bounded: beyond kMostNames different names the further ones are counted together as "(other events)".
class EventCounter {
public:
    static constexpr std::size_t kMostNames = 65536;

    EventCounter();
    void count(const EventView& event, const ExtendedData& extended);
    /// Most frequent first, equal counts by name.
    [[nodiscard]] std::vector<EventCount> result() const;
    /// By id; without the events beyond kMostNames.
    [[nodiscard]] std::vector<ProviderCount> providers() const;
    /// An event of the kernel has a stack, the first one of it.
    void countStack(std::uint16_t hookId) { ++m_hooks[hookId].withStack; }
    /// By hook id, those that occur.
    [[nodiscard]] std::vector<HookCount> hooks() const;

private:
    struct Entry {
        std::uint64_t hash = 0;
        Guid guid;
        std::uint32_t id = 0; ///< event id, opcode or message number
        EventKind kind = EventKind::Other;
        std::string eventName;    ///< of TraceLogging events
        std::string providerName; ///< where the first such event carried it
        std::uint64_t events = 0;
    };
    struct Key {
        Guid guid;
        std::uint32_t id = 0;
        EventKind kind = EventKind::Other;
        std::string_view eventName;
    };
    void countNamed(const Key& key, std::string_view providerName);
    void grow();
    [[nodiscard]] static std::string nameOf(const Entry& entry);

    HookCounters m_hooks;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots; ///< index into m_entries plus 1; 0 is empty
    std::uint64_t m_others = 0;
};

} // namespace tracedeck::etl
