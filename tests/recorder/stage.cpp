// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/recorder/stage.h"

#include "core/etlformat/layout.h"

#include <QTest>
#include <QThread>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace tracedeck::test {

using recorder::Recorder;

void needApplication() {
    static int argc = 1;
    static char name[] = "test";
    static char* argv[] = {name, nullptr};
    static const QCoreApplication application(argc, argv);
}

bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor([&] { return condition(); }, 20'000);
}

plan::RecordingPlan makePlan(const PlanOptions& options) {
    using Kind = plan::PlannedSession::Kind;
    plan::RecordingPlan plan;
    plan.profiles = {"CPU.Verbose.File"};
    plan.mode = options.isFileMode ? plan::LoggingMode::File : plan::LoggingMode::Memory;
    const std::uint32_t mode = options.isFileMode ? etlformat::mode::kSequential : etlformat::mode::kBuffering;
    if (options.hasSystemSession) {
        plan::PlannedSession system;
        system.kind = Kind::System;
        system.config.name = "System";
        system.config.logFileMode = mode | etlformat::mode::kSystemLogger;
        system.config.maximumFileSizeMib = options.maximumFileSizeMib;
        plan.sessions.push_back(system);
    }
    plan::PlannedSession events;
    events.kind = Kind::Event;
    events.config.name = "Events";
    events.config.logFileMode = mode;
    etw::ProviderConfig own;
    own.name = "Tracedeck-Recorder";
    own.provider = guidFromProviderName(own.name);
    events.providers.push_back(own);
    if (options.hasForeignProvider) {
        etw::ProviderConfig foreign;
        foreign.name = "Foreign-Provider";
        foreign.provider = guidFromProviderName(foreign.name);
        events.providers.push_back(foreign);
    }
    plan.sessions.push_back(events);
    return plan;
}

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

TemporaryAt::TemporaryAt(const std::string& path) {
    if (const char* before = std::getenv("TMPDIR"); before != nullptr) {
        m_before = before;
    }
    setenv("TMPDIR", path.c_str(), 1);
}

TemporaryAt::~TemporaryAt() {
    if (m_before) {
        setenv("TMPDIR", m_before->c_str(), 1);
    } else {
        unsetenv("TMPDIR");
    }
}

Watched::Watched(Recorder::Environment environment) : recorder((needApplication(), environment)) {
    const auto came = [this](const char* name) {
        signalNames.emplace_back(name);
        wasOnOtherThread = wasOnOtherThread || QThread::currentThread() != recorder.thread();
    };
    // Without a context object the slots run on whatever thread the signal is emitted on.
    QObject::connect(&recorder, &Recorder::stateChanged, [this](recorder::State state) { states.push_back(state); });
    QObject::connect(&recorder, &Recorder::statusChanged,
                     [this](const recorder::LiveStatus& live) { status.push_back(live); });
    QObject::connect(&recorder, &Recorder::progressChanged,
                     [this](const recorder::Progress& step) { progress.push_back(step); });
    QObject::connect(&recorder, &Recorder::started, [this, came](const std::vector<etw::Limitation>& found) {
        limitations = found;
        came("started");
    });
    QObject::connect(&recorder, &Recorder::eventsLost,
                     [this, came](const QString& session, const etw::LossCount& loss) {
                         losses.emplace_back(session.toStdString(), loss);
                         came("eventsLost");
                     });
    QObject::connect(&recorder, &Recorder::stopped, [this, came](const recorder::Stopped& recording) {
        stopped = recording;
        came("stopped");
    });
    QObject::connect(&recorder, &Recorder::finished, [this, came](const recorder::Outcome& saved) {
        outcome = saved;
        came("finished");
    });
    QObject::connect(&recorder, &Recorder::failed, [this, came](const Error& error) {
        errors.push_back(error);
        came("failed");
    });
    QObject::connect(&recorder, &Recorder::discarded, [came] { came("discarded"); });
    QObject::connect(&recorder, &Recorder::detached, [came] { came("detached"); });
}

std::size_t Watched::count(const std::string& signalName) const {
    return static_cast<std::size_t>(std::count(signalNames.begin(), signalNames.end(), signalName));
}

bool Watched::waitForState(recorder::State state) {
    return waitFor([&] { return recorder.state() == state; });
}

bool Watched::waitForSignal(const std::string& signalName) {
    const std::size_t before = count(signalName);
    return before > 0 || waitFor([&] { return count(signalName) > before; });
}

} // namespace tracedeck::test
