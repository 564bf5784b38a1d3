// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/time_window.h"

#include <algorithm>

namespace tracedeck::etl {

bool TimeWindow::contains(Ticks time) const noexcept {
    if (m_count == 0) {
        return false;
    }
    if (time == m_latest) {
        return true;
    }
    const auto begin = m_times.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(m_count);
    if (!m_isSorted) {
        return std::find(begin, end, time) != end;
    }
    // The ring is sorted from its oldest time on: two sorted halves.
    const auto oldest = m_count < kTimes ? begin : begin + static_cast<std::ptrdiff_t>(m_next);
    return std::binary_search(oldest, end, time) || std::binary_search(begin, oldest, time);
}

} // namespace tracedeck::etl
