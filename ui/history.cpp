// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history.h"

#include <algorithm>

namespace tracedeck::ui {

void History::clear() {
    m_samples.clear();
    m_lostBefore = 0;
}

void History::add(const recorder::LiveStatus& status) {
    Sample sample;
    sample.at = status.elapsed;
    std::uint64_t lost = 0;
    for (const recorder::SessionStatus& session : status.sessions) {
        sample.bufferFill = std::max(sample.bufferFill, session.stats.bufferFill());
        sample.eventsPerSecond += session.eventsPerSecond;
        lost += session.stats.eventsLost;
    }
    sample.lost = lost > m_lostBefore ? lost - m_lostBefore : 0;
    m_lostBefore = lost;
    m_samples.push_back(sample);
    while (m_samples.front().at + kSpan < sample.at) {
        m_samples.pop_front();
    }
}

History::Sample History::peak() const noexcept {
    Sample peak;
    for (const Sample& sample : m_samples) {
        peak.at = sample.at;
        peak.bufferFill = std::max(peak.bufferFill, sample.bufferFill);
        peak.eventsPerSecond = std::max(peak.eventsPerSecond, sample.eventsPerSecond);
        peak.lost += sample.lost;
    }
    return peak;
}

} // namespace tracedeck::ui
