// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/state.h"

#include <algorithm>
#include <array>

namespace tracedeck::recorder {
namespace {

struct Transition {
    State from;
    State to;
};

constexpr std::array kTransitions{
    Transition{State::Idle, State::Starting},      //
    Transition{State::Starting, State::Recording}, //
    Transition{State::Starting, State::Idle},      // refused, rolled back
    Transition{State::Starting, State::Stopped},   // adopted, and its sessions have ended
    Transition{State::Recording, State::Idle},     // detached: it goes on without this recorder
    Transition{State::Recording, State::Stopping}, //
    Transition{State::Stopping, State::Stopped},   //
    Transition{State::Stopping, State::Idle},      // discarded, or nothing could be kept
    Transition{State::Stopped, State::Saving},     //
    Transition{State::Stopped, State::Idle},       // discarded
    Transition{State::Saving, State::Verifying},   //
    Transition{State::Saving, State::Stopped},     // failed or cancelled
    Transition{State::Verifying, State::Idle},     // saved
    Transition{State::Verifying, State::Stopped},  // failed or cancelled
};

} // namespace

bool mayChange(State from, State to) noexcept {
    return std::any_of(kTransitions.begin(), kTransitions.end(),
                       [&](const Transition& t) { return t.from == from && t.to == to; });
}

bool isAllowed(Command command, State state) noexcept {
    switch (command) {
    case Command::Start:
    case Command::Adopt:
        return state == State::Idle;
    case Command::Detach:
    case Command::Stop:
    case Command::Mark:
        return state == State::Recording;
    case Command::Save:
        return state == State::Stopped;
    case Command::CancelSave:
        return state == State::Saving || state == State::Verifying;
    case Command::Discard:
        return state == State::Recording || state == State::Stopped;
    }
    return false;
}

std::string_view toString(State state) noexcept {
    switch (state) {
    case State::Idle:
        return "Idle";
    case State::Starting:
        return "Starting";
    case State::Recording:
        return "Recording";
    case State::Stopping:
        return "Stopping";
    case State::Stopped:
        return "Stopped";
    case State::Saving:
        return "Saving";
    case State::Verifying:
        return "Verifying";
    }
    return "Idle";
}

std::string_view toString(StopReason reason) noexcept {
    switch (reason) {
    case StopReason::User:
        return "User";
    case StopReason::TimeLimit:
        return "TimeLimit";
    case StopReason::DiskFull:
        return "DiskFull";
    case StopReason::SizeLimit:
        return "SizeLimit";
    case StopReason::WriteFailed:
        return "WriteFailed";
    case StopReason::SourceFailed:
        return "SourceFailed";
    case StopReason::RecorderEnded:
        return "RecorderEnded";
    }
    return "User";
}

std::string_view toString(Command command) noexcept {
    switch (command) {
    case Command::Start:
        return "start";
    case Command::Adopt:
        return "adopt";
    case Command::Detach:
        return "detach";
    case Command::Stop:
        return "stop";
    case Command::Mark:
        return "mark";
    case Command::Save:
        return "save";
    case Command::CancelSave:
        return "cancelSave";
    case Command::Discard:
        return "discard";
    }
    return "start";
}

std::optional<StopReason> reasonToStop(const LiveStatus& status, const plan::RecordingPlan& plan) noexcept {
    Bytes written;
    bool isAtLimit = false;
    for (const SessionStatus& session : status.sessions) {
        const etw::SessionStats& stats = session.stats;
        if (stats.writeError) {
            return stats.writeError->code == ErrorCode::DiskFull ? StopReason::DiskFull : StopReason::WriteFailed;
        }
        if (stats.sourceError) {
            return StopReason::SourceFailed;
        }
        isAtLimit = isAtLimit || stats.isAtSizeLimit;
        written = written + stats.fileSize;
    }
    if (plan.mode == plan::LoggingMode::Memory) {
        return std::nullopt; // nothing is written while it goes on
    }
    Bytes limit;
    for (const plan::PlannedSession& session : plan.sessions) {
        const bool isCircular = (session.config.logFileMode & etlformat::mode::kCircular) != 0; // it ends nothing
        limit = std::max(limit, isCircular ? Bytes{} : mib(session.config.maximumFileSizeMib));
    }
    // One limit for the recording: each session keeps it by itself, here it is kept for all of them together.
    if (isAtLimit || (limit.count > 0 && written >= limit)) {
        return StopReason::SizeLimit;
    }
    return status.disk && status.disk->isExhausted ? std::optional(StopReason::DiskFull) : std::nullopt;
}

} // namespace tracedeck::recorder
