// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/wiring/wiring.h"
#include "core/recorder/recorder.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <functional>
#include <string>

class QCoreApplication;

namespace tracedeck::test {

/// Records this machine for real, the way the programs do: profile, plan, Recorder, save. Needs a QCoreApplication.
class LiveRecording {
public:
    struct Options {
        std::string profile = "CPU";
        profile::DetailLevel detail = profile::DetailLevel::Verbose;
        profile::LoggingMode mode = profile::LoggingMode::File;
        std::function<void(plan::RecordingPlan&)> adjust; ///< last changes to the plan, e.g. tiny buffers
        bool hasHeartbeat = true;                         ///< costs about 1 % of a processor
    };
    struct Saved {
        recorder::Outcome outcome;
        std::string path;
        std::chrono::nanoseconds stopToVerified{0};
        std::chrono::nanoseconds longestUiGap{0}; ///< between two beats of a 5 ms timer on the recorder's thread
    };

    /// Why this machine cannot record at all, empty if it can.
    [[nodiscard]] static std::string whyNot();

    /// Records while `work` runs (on a thread of its own), then stops, saves and returns. Throws std::runtime_error
    /// with the recorder's error.
    Saved record(const Options& options, const std::function<void()>& work);

private:
    TemporaryFolder m_folder;
    int m_count = 0;
};

/// Context switches that the kernel kept to itself, by the recording's own count.
double unreportedSwitches(const recorder::Outcome& outcome);

/// Starts the workload program with arguments and returns what it printed; throws where it failed.
std::string runWorkload(const std::string& arguments);

} // namespace tracedeck::test
