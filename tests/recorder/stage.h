// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"
#include "tests/support/temporary_folder.h"

#include <QCoreApplication>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// The application object that queued signals need, made once.
void needApplication();

/// Runs the event loop until `condition` holds, 20 seconds at most.
[[nodiscard]] bool waitFor(const std::function<bool()>& condition);

/// A plan with a system session "System" and an event session "Events".
struct PlanOptions {
    bool isFileMode = true;
    bool hasSystemSession = true;
    bool hasForeignProvider = false; ///< "Foreign-Provider", beside our own
    std::uint32_t maximumFileSizeMib = 0;
};
[[nodiscard]] plan::RecordingPlan makePlan(const PlanOptions& options = {});

/// Names in a folder, hidden ones included.
[[nodiscard]] std::vector<std::string> namesIn(const std::string& folder);

/// The folder for temporary files is another one while this is there.
class TemporaryAt {
public:
    explicit TemporaryAt(const std::string& path);
    ~TemporaryAt();
    TemporaryAt(const TemporaryAt&) = delete;
    TemporaryAt& operator=(const TemporaryAt&) = delete;

private:
    std::optional<std::string> m_before;
};

/// A recorder with everything it says, in order.
class Watched {
public:
    explicit Watched(recorder::Recorder::Environment environment);

    recorder::Recorder recorder;
    std::vector<recorder::State> states;
    std::vector<std::string>
        signalNames; ///< "started", "stopped", "finished", "failed", "discarded", "detached", "eventsLost"
    std::vector<recorder::LiveStatus> status;
    std::vector<recorder::Progress> progress;
    std::vector<etw::Limitation> limitations;
    std::vector<std::pair<std::string, etw::LossCount>> losses;
    std::optional<recorder::Stopped> stopped;
    std::optional<recorder::Outcome> outcome;
    std::vector<Error> errors;
    bool wasOnOtherThread = false;

    [[nodiscard]] std::size_t count(const std::string& signalName) const;
    [[nodiscard]] bool waitForState(recorder::State state);
    [[nodiscard]] bool waitForSignal(const std::string& signalName);
};

} // namespace tracedeck::test
