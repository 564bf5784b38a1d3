// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace tracedeck::recorder {

/// Loss that was not there when the session was asked before.
struct NewLoss {
    etw::LossCount loss;  ///< `events`: the new ones alone
    bool isFirst = false; ///< the session's first loss of all
};

/// Turns a session's counters, asked from time to time, into rates and news of loss.
class SessionMonitor {
public:
    static constexpr std::chrono::milliseconds kShortestInterval{50};
    SessionMonitor(plan::PlannedSession::Kind kind, std::string name);
    /// Takes counters read `elapsed` after the recording's start; returns what was lost since the last call. Rates
    /// are those between two calls, 0 at the first; calls that follow within kShortestInterval leave them as they are,
    /// since counters read a moment apart (at a stop) say nothing about a second.
    [[nodiscard]] std::vector<NewLoss> update(const etw::SessionStats& stats, std::chrono::nanoseconds elapsed);
    [[nodiscard]] const SessionStatus& status() const noexcept { return m_status; }

private:
    SessionStatus m_status;
    std::chrono::nanoseconds m_rated{-1}; ///< when the counters were read that the next rates start from
    std::uint64_t m_ratedEvents = 0;
    std::uint64_t m_ratedBytes = 0;
    bool m_hasLost = false;
};

} // namespace tracedeck::recorder
