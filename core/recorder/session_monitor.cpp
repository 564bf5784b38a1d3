// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/session_monitor.h"

#include <algorithm>
#include <utility>

namespace tracedeck::recorder {
namespace {

double rate(std::uint64_t before, std::uint64_t now, std::chrono::nanoseconds time) {
    const std::uint64_t difference = now > before ? now - before : 0;
    return static_cast<double>(difference) / std::chrono::duration<double>(time).count();
}

std::uint64_t lostBy(const etw::SessionStats& stats, etw::LossCause cause) {
    const auto found = std::find_if(stats.losses.begin(), stats.losses.end(),
                                    [&](const etw::LossCount& loss) { return loss.cause == cause; });
    return found == stats.losses.end() ? 0 : found->events;
}

} // namespace

SessionMonitor::SessionMonitor(plan::PlannedSession::Kind kind, std::string name) {
    m_status.kind = kind;
    m_status.name = std::move(name);
}

std::vector<NewLoss> SessionMonitor::update(const etw::SessionStats& stats, std::chrono::nanoseconds elapsed) {
    std::vector<NewLoss> news;
    for (const etw::LossCount& loss : stats.losses) {
        const std::uint64_t before = lostBy(m_status.stats, loss.cause);
        if (loss.events > before) {
            news.push_back({{loss.cause, loss.events - before, loss.first}, !std::exchange(m_hasLost, true)});
        }
    }
    const bool isFirst = m_rated.count() < 0;
    if (!isFirst && elapsed - m_rated >= kShortestInterval) {
        m_status.eventsPerSecond = rate(m_ratedEvents, stats.eventsProduced, elapsed - m_rated);
        m_status.bytesPerSecond = rate(m_ratedBytes, stats.bytesProduced, elapsed - m_rated);
    }
    if (isFirst || elapsed - m_rated >= kShortestInterval) {
        m_rated = elapsed;
        m_ratedEvents = stats.eventsProduced;
        m_ratedBytes = stats.bytesProduced;
    }
    m_status.stats = stats;
    return news;
}

} // namespace tracedeck::recorder
