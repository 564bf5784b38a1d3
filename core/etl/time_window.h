// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <cstddef>
#include <vector>

namespace tracedeck::etl {

/// The last distinct event times of one processor: what a stack's EventTimeStamp is looked up in.
///
/// A stack follows its event closely: the kernel part at once, the user part when the thread is back in user mode. A
/// window of 16,384 distinct times (128 KiB) reaches back more than a tenth of a second at 100,000 events a second on
/// that processor; a stack that comes later counts as one without event. Times that come in order (files of ours, and
/// merges) are found by halving, others by looking at each.
class TimeWindow {
public:
    static constexpr std::size_t kTimes = 16384;

    void add(Ticks time) {
        if (m_count != 0 && time == m_latest) {
            return;
        }
        if (m_times.empty()) {
            m_times.resize(kTimes);
        }
        m_isSorted = m_isSorted && (m_count == 0 || time > m_latest);
        m_times[m_next] = time;
        m_latest = time;
        m_next = (m_next + 1) % kTimes;
        m_count += m_count < kTimes ? 1 : 0;
    }
    [[nodiscard]] bool contains(Ticks time) const noexcept;

private:
    std::vector<Ticks> m_times;
    std::size_t m_next = 0;
    std::size_t m_count = 0;
    Ticks m_latest = 0;
    bool m_isSorted = true;
};

} // namespace tracedeck::etl
