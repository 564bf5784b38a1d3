// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/ordered_events.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracedeck::etl {

/// A process and a thread of it; kUnknown where it cannot be told.
struct Actor {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
    std::uint32_t processId = kUnknown;
    std::uint32_t threadId = kUnknown;
};

/// Who an event is of. Most headers say it; the short ones of the kernel's frequent events do not, and consumers tell
/// it from the context switches of the event's processor.
///
/// Threading: one thread at a time.
class ThreadOwners {
public:
    /// Takes from a first reading which process a thread is of: the rundown of a ring stands at its end.
    void learn(const EventView& event);
    /// Called with every event, in order; says who it is of.
    [[nodiscard]] Actor actorOf(const OrderedEvent& event);

private:
    [[nodiscard]] std::uint32_t processOf(std::uint32_t threadId) const;

    std::unordered_map<std::uint32_t, std::uint32_t> m_processes; ///< by thread
    std::vector<Actor> m_running;                                 ///< by processor
};

} // namespace tracedeck::etl
