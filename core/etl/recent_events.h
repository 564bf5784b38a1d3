// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracedeck::etl {

/// The last events of one processor, by distinct time: which of them a stack belongs to, and whether it is the first
/// stack of that event (the kernel's and the user's part come apart).
///
/// Reaches back as far as TimeWindow does, for the same reasons. Times that come in order are found by halving, from
/// the newest on; others by looking at each.
class RecentEvents {
public:
    static constexpr std::size_t kEvents = 16384; // a power of two
    static constexpr std::uint16_t kNoHook = 0xFFFF;

    struct Owner {
        std::uint16_t hookId = kNoHook; ///< kNoHook: no kernel event
        bool isFirstStack = false;
    };

    void add(Ticks time, std::uint16_t hookId) {
        if (m_count != 0 && time == m_latest) {
            m_hooks[(m_next - 1) & m_mask] = hookId;
            return;
        }
        if (m_count == m_times.size() && m_count < kEvents) {
            grow(); // not wrapped around yet: m_next is the end
        }
        m_isSorted = m_isSorted && (m_count == 0 || time > m_latest);
        m_times[m_next] = time;
        m_hooks[m_next] = hookId;
        m_hasStack[m_next] = 0;
        m_latest = time;
        m_next = (m_next + 1) & m_mask;
        m_count += m_count < kEvents ? 1 : 0;
    }
    /// The event of a stack's EventTimeStamp; empty where there is none.
    [[nodiscard]] std::optional<Owner> takeStack(Ticks time) noexcept;

private:
    void grow();
    /// Index of the time; empty where it is not there.
    [[nodiscard]] std::optional<std::size_t> find(Ticks time) const noexcept;

    std::vector<Ticks> m_times;
    std::vector<std::uint16_t> m_hooks;
    std::vector<std::uint8_t> m_hasStack;
    std::size_t m_mask = 0; ///< size of the above less 1
    std::size_t m_next = 0;
    std::size_t m_count = 0;
    Ticks m_latest = 0;
    bool m_isSorted = true;
};

} // namespace tracedeck::etl
