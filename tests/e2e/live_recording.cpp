// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/live_recording.h"

#include "core/etw/wait.h"
#include "core/plan/plan.h"
#include "core/profile/document.h"
#include "tests/support/shared_files.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>

namespace tracedeck::test {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::runtime_error asException(const Error& error) {
    return std::runtime_error(std::string(toString(error.code)) + ": " + error.detail);
}

template <class T>
T orThrow(Result<T> result) {
    if (!result) {
        throw asException(result.error());
    }
    return std::move(*result);
}

void orThrow(const tracedeck::Status& status) {
    if (!status) {
        throw asException(status.error());
    }
}

profile::Document profileDocument(const std::string& profile) {
    const std::string file = profile == "CPU" ? "cpu.wprp" : "general.wprp";
    return orThrow(profile::load(std::string(TRACEDECK_SOURCE_DIR) + "/profiles/" + file));
}

} // namespace

std::string LiveRecording::whyNot() {
    const app::Wiring wiring;
    const auto capabilities =
        etw::await<etw::Capabilities>([&](auto done) { wiring.controller().capabilities(std::move(done)); });
    if (!capabilities) {
        return capabilities.error().detail;
    }
    for (const std::uint32_t group :
         {etlformat::group::kProfile, etlformat::group::kContextSwitch, etlformat::group::kDispatcher}) {
        if (!capabilities->kernelGroups.has(group)) {
            std::string reason = "kernel events are refused here:";
            for (const etw::Limitation& limitation : capabilities->limitations) {
                reason += ' ' + std::string(toString(limitation.code)) + ' ' + limitation.detail;
            }
            return reason;
        }
    }
    return {};
}

LiveRecording::Saved LiveRecording::record(const Options& options, const std::function<void()>& work) {
    const app::Wiring wiring;
    const auto capabilities =
        orThrow(etw::await<etw::Capabilities>([&](auto done) { wiring.controller().capabilities(std::move(done)); }));
    const profile::Document document = profileDocument(options.profile);
    plan::Overrides overrides;
    overrides.detail = options.detail;
    overrides.mode = options.mode;
    plan::RecordingPlan plan = orThrow(plan::compose({{&document, options.profile, {}}}, overrides, capabilities));
    if (options.adjust) {
        options.adjust(plan);
    }

    recorder::Recorder recorder(wiring.environment());
    QEventLoop loop;
    std::optional<Error> error;
    std::optional<recorder::Outcome> outcome;
    QObject::connect(&recorder, &recorder::Recorder::failed, &loop, [&](const Error& e) {
        error = e;
        loop.quit();
    });
    QObject::connect(&recorder, &recorder::Recorder::stateChanged, &loop, [&](recorder::State state) {
        if (state == recorder::State::Recording || state == recorder::State::Stopped) {
            loop.quit();
        }
    });
    QObject::connect(&recorder, &recorder::Recorder::finished, &loop, [&](const recorder::Outcome& o) {
        outcome = o;
        loop.quit();
    });
    const auto waitUntil = [&](const std::function<bool()>& reached) {
        while (!reached()) {
            loop.exec();
            if (error) {
                throw asException(*error);
            }
        }
    };

    Saved saved;
    QTimer heartbeat;
    SteadyClock::time_point lastBeat = SteadyClock::now();
    QObject::connect(&heartbeat, &QTimer::timeout, &loop, [&] {
        const SteadyClock::time_point now = SteadyClock::now();
        saved.longestUiGap = std::max<std::chrono::nanoseconds>(saved.longestUiGap, now - lastBeat);
        lastBeat = now;
    });
    heartbeat.setTimerType(Qt::PreciseTimer);
    if (options.hasHeartbeat) {
        heartbeat.start(5);
    }

    recorder::Request request;
    request.plan = plan;
    request.workFolder = m_folder.path();
    orThrow(recorder.start(request));
    waitUntil([&] { return recorder.state() == recorder::State::Recording; });

    std::exception_ptr workFailed;
    bool workDone = false;
    std::jthread worker([&] {
        try {
            work();
        } catch (...) {
            workFailed = std::current_exception();
        }
        QMetaObject::invokeMethod(
            &loop,
            [&] {
                workDone = true;
                loop.quit();
            },
            Qt::QueuedConnection);
    });
    waitUntil([&] { return workDone; });
    worker.join();
    if (workFailed) {
        std::rethrow_exception(workFailed);
    }

    const SteadyClock::time_point stopped = SteadyClock::now();
    orThrow(recorder.stop());
    waitUntil([&] { return recorder.state() == recorder::State::Stopped; });
    saved.path = m_folder.file("recording-" + std::to_string(++m_count) + ".etl");
    recorder::SaveRequest save;
    save.path = saved.path;
    save.problemDescription = "end-to-end test";
    orThrow(recorder.save(save));
    waitUntil([&] { return outcome.has_value(); });
    saved.stopToVerified = SteadyClock::now() - stopped;
    saved.outcome = std::move(*outcome);
    return saved;
}

double unreportedSwitches(const recorder::Outcome& outcome) {
    double count = 0;
    for (const etw::Limitation& limitation : outcome.recording.limitations) {
        const bool isSwitches =
            limitation.code == etw::LimitationCode::EventsUnreported && limitation.detail == "context switches";
        count += isSwitches ? static_cast<double>(limitation.count) : 0;
    }
    return count;
}

std::string runWorkload(const std::string& arguments) {
    const CommandResult result = runCommand(std::string("'") + TRACEDECK_WORKLOAD + "' " + arguments);
    if (result.status != 0) {
        throw std::runtime_error("workload " + arguments + ": " + result.output);
    }
    return result.output;
}

} // namespace tracedeck::test
