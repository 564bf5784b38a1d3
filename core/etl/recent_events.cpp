// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/recent_events.h"

#include <algorithm>

namespace tracedeck::etl {

void RecentEvents::grow() {
    constexpr std::size_t kFirst = 64;
    const std::size_t size = m_times.empty() ? kFirst : m_times.size() * 2;
    m_next = m_count;
    m_times.resize(size);
    m_hooks.resize(size);
    m_hasStack.resize(size);
    m_mask = size - 1;
}

std::optional<std::size_t> RecentEvents::find(Ticks time) const noexcept {
    if (m_count == 0) {
        return std::nullopt;
    }
    if (!m_isSorted) {
        const auto end = m_times.begin() + static_cast<std::ptrdiff_t>(m_count);
        const auto found = std::find(m_times.begin(), end, time);
        return found != end ? std::optional(static_cast<std::size_t>(found - m_times.begin())) : std::nullopt;
    }
    // By age: the newest has age 0. Most stacks follow their event at once.
    const auto at = [this](std::size_t age) { return (m_next - 1 - age) & m_mask; };
    std::size_t newer = 0;
    std::size_t older = m_count; // the first age that is too old
    for (std::size_t step = 1; newer < older; step *= 2) {
        const std::size_t age = std::min(newer + step - 1, older - 1);
        if (m_times[at(age)] <= time) {
            older = age + 1;
            break;
        }
        newer = age + 1;
    }
    while (newer < older) {
        const std::size_t middle = newer + (older - newer) / 2;
        if (m_times[at(middle)] == time) {
            return at(middle);
        }
        if (m_times[at(middle)] > time) {
            newer = middle + 1;
        } else {
            older = middle;
        }
    }
    return std::nullopt;
}

std::optional<RecentEvents::Owner> RecentEvents::takeStack(Ticks time) noexcept {
    const auto found = find(time);
    if (!found) {
        return std::nullopt;
    }
    const bool isFirst = m_hasStack[*found] == 0;
    m_hasStack[*found] = 1;
    return Owner{m_hooks[*found], isFirst};
}

} // namespace tracedeck::etl
