// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record_command.h"

#include "app/cli/command_loop.h"
#include "app/cli/format.h"
#include "app/cli/missing_report.h"
#include "app/cli/output_file.h"
#include "app/cli/prepared_recording.h"
#include "app/cli/recording_report.h"
#include "app/wiring/cost_store.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/platform/privileges.h"

#include <algorithm>
#include <utility>

namespace tracedeck::cli {

using recorder::State;

RecordCommand::RecordCommand(RecordArguments arguments, plan::RecordingPlan plan, std::string output,
                             std::vector<etw::Limitation> toldLimitations, recorder::Recorder::Environment environment,
                             Console& console)
    : m_arguments(std::move(arguments)), m_plan(std::move(plan)), m_output(std::move(output)),
      m_toldLimitations(std::move(toldLimitations)), m_console(console), m_recorder(environment) {
    using recorder::Recorder;
    // The recorder's signals are queued already and arrive on this thread.
    connect(&m_recorder, &Recorder::started, this, &RecordCommand::onStarted);
    connect(&m_recorder, &Recorder::eventsLost, this, &RecordCommand::onEventsLost);
    connect(&m_recorder, &Recorder::statusChanged, this, &RecordCommand::onStatus);
    connect(&m_recorder, &Recorder::progressChanged, this,
            [this](const recorder::Progress& progress) { m_console.progress(progressLine(progress)); });
    connect(&m_recorder, &Recorder::stopped, this, &RecordCommand::onStopped);
    connect(&m_recorder, &Recorder::finished, this, &RecordCommand::onFinished);
    connect(&m_recorder, &Recorder::failed, this, &RecordCommand::onFailed);
    connect(&m_recorder, &Recorder::discarded, this, [this] {
        m_console.note("Discarded: nothing was kept.");
        end(ExitCode::Discarded);
    });
}

void RecordCommand::start() {
    recorder::Request request;
    request.plan = m_plan;
    // Beside the output, so that the same volume is used and a folder that cannot be written is found out before.
    request.workFolder = platform::folderOf(m_output);
    request.timeLimit = m_arguments.timeLimit;
    request.note = m_arguments.note;
    request.whenDiskShort = m_arguments.whenDiskShort;
    if (const Status started = m_recorder.start(std::move(request)); !started) {
        onFailed(started.error());
    }
}

void RecordCommand::onStarted(const std::vector<etw::Limitation>& limitations) {
    m_console.print(limitationsText({}, news(limitations), ForeignObjects::Counted));
    if (m_wish == Wish::GoOn) {
        m_console.note("Recording. Ctrl+C stops and saves, a second one discards.");
    }
    followWish();
}

/// Those that were not told yet, or with a smaller count; told from here on.
std::vector<etw::Limitation> RecordCommand::news(const std::vector<etw::Limitation>& limitations) {
    std::vector<etw::Limitation> untold;
    std::copy_if(limitations.begin(), limitations.end(), std::back_inserter(untold), [&](const etw::Limitation& l) {
        return std::none_of(m_toldLimitations.begin(), m_toldLimitations.end(), [&](const etw::Limitation& told) {
            return told.code == l.code && told.detail == l.detail && told.count >= l.count;
        });
    });
    m_toldLimitations.insert(m_toldLimitations.end(), untold.begin(), untold.end());
    return untold;
}

void RecordCommand::onEventsLost(const QString& session, const etw::LossCount& loss) {
    const messages::UserMessage message = messages::messageFor(loss.cause);
    m_console.note("Events are being lost in " + session.toStdString() + " [" + message.code + "]");
    m_console.note("  " + message.what);
    m_console.note("  " + message.action);
}

void RecordCommand::onStatus(const recorder::LiveStatus& status) {
    // Each is said once, however often it comes and goes.
    if (status.disk && status.disk->isShort && !status.disk->isOverwriting && !std::exchange(m_hasToldShort, true)) {
        m_console.note(shortDiskText(*status.disk));
    }
    if (status.disk && status.disk->isOverwriting && !std::exchange(m_hasToldOverwriting, true)) {
        m_console.note("The disk is short: newer events take the place of the oldest from here on.");
    }
    m_console.progress(statusLine(status));
}

void RecordCommand::onStopped(const recorder::Stopped& recording) {
    m_hasStopped = true;
    Q_EMIT ended(recording);
    m_inMemory = recording.inMemory;
    if (recording.isMerelyInMemory()) {
        m_console.note("The folder for raw files takes none (" + printable(recording.memoryError->detail) +
                       "); the recording is in memory and is saved from there.");
    } else if (recording.writeError) {
        m_console.error(*recording.writeError);
    }
    if (m_wish == Wish::GoOn) {
        m_wish = Wish::Save; // the time limit, or a full disk
    }
    followWish();
}

void RecordCommand::onFinished(const recorder::Outcome& outcome) {
    if (m_wish == Wish::Discard) {
        m_console.note("It was saved already; the file stays.");
    }
    m_console.print(foundText(news(outcome.recording.limitations)));
    m_console.print(outcomeText(outcome));
    if (m_savesElsewhere) {
        m_console.note("The recording is saved as " + printable(m_output) + " instead.");
    }
    const bool isCutShort = outcome.recording.reason == recorder::StopReason::DiskFull;
    const bool isComplete =
        outcome.summary.verdict() == etl::Summary::Verdict::Good && !outcome.recording.writeError && !isCutShort;
    if (m_savesElsewhere) {
        end(ExitCode::FileError); // there is a file, but not the one that was asked for
        return;
    }
    end(isComplete ? ExitCode::Ok : ExitCode::Problems);
}

void RecordCommand::onFailed(const Error& error) {
    if (m_wish == Wish::Discard && m_recorder.state() == State::Stopped) {
        followWish(); // the saving was cancelled for that
        return;
    }
    m_console.error(error);
    if (m_recorder.state() == State::Stopped && !m_inMemory.empty() && !m_savesElsewhere) {
        saveElsewhere();
        return;
    }
    end(m_hasStopped ? ExitCode::FileError : exitCodeOf(error));
}

void RecordCommand::tellRemains() {
    const recorder::Remains remains = m_recorder.close();
    if (!remains.rawFiles.empty()) {
        m_console.note("  What was recorded is still there: " +
                       printable(listed(remains.rawFiles, remains.rawFiles.size())));
    }
    if (!remains.lost.empty()) {
        m_console.note("  Lost, because no folder takes it: what was in memory of " +
                       printable(listed(remains.lost, remains.lost.size())));
    }
    if (remains.error) {
        m_console.note("  " + printable(remains.error->detail));
    }
}

/// The recording is in memory and its folder takes no file: this program ends, so it goes where it can.
void RecordCommand::saveElsewhere() {
    m_savesElsewhere = true;
    const std::string folder = platform::temporaryFolder();
    const std::string name = platform::fileNameOf(m_output);
    m_output = platform::join(folder, name);
    if (platform::exists(m_output)) {
        m_output = platform::join(folder, std::to_string(platform::currentProcessId()) + "-" + name);
    }
    m_console.note("  Saving it as " + printable(m_output) + " instead.");
    followWish();
}

void RecordCommand::interrupt() {
    // Counted, not inferred: a recording that ends by itself, or by another signal, is no wish to be rid of it.
    ++m_interrupts;
    if (m_interrupts > 1) {
        m_wish = Wish::Discard;
        m_console.note("Discarding.");
    } else {
        m_console.note(m_wish == Wish::GoOn && !m_hasStopped ? "Stopping; Ctrl+C again discards."
                                                             : "It is being saved already; Ctrl+C again discards.");
        m_wish = Wish::Save;
    }
    followWish();
}

void RecordCommand::terminate() {
    if (m_wish == Wish::GoOn) {
        m_wish = Wish::Save;
        m_console.note("Stopping.");
        followWish();
    }
}

Status RecordCommand::discard() {
    Status asked = m_recorder.discard();
    m_isDiscarding = asked.has_value();
    return asked;
}

void RecordCommand::followWish() {
    if (m_wish == Wish::GoOn || m_hasEnded || m_isDiscarding) {
        return;
    }
    Status asked;
    switch (m_recorder.state()) {
    case State::Recording:
        asked = m_wish == Wish::Discard ? discard() : m_recorder.stop();
        break;
    case State::Stopped:
        asked = m_wish == Wish::Discard ? discard() : m_recorder.save({m_output, m_arguments.replace, std::string()});
        break;
    case State::Saving:
    case State::Verifying:
        if (m_wish == Wish::Discard) {
            asked = m_recorder.cancelSave();
        }
        break;
    case State::Idle:
    case State::Starting:
    case State::Stopping:
        break; // the next signal comes back here
    }
    if (!asked) {
        m_console.error(asked.error());
        end(exitCodeOf(asked.error()));
    }
}

void RecordCommand::end(ExitCode code) {
    if (!std::exchange(m_hasEnded, true)) {
        if (m_recorder.state() != State::Idle) {
            tellRemains();
        }
        Q_EMIT done(code);
    }
}

ExitCode record(const RecordArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    Result<std::string> output = arguments.output;
    if (const Status checked = output->empty() ? Status() : checkOutput(*output, arguments.replace); !checked) {
        console.error(checked.error());
        return exitCodeOf(checked.error());
    }
    auto prepared = prepare(arguments, wiring, catalog, console);
    if (prepared && output->empty()) {
        output = newOutput(prepared->plan.profiles.front(), wiring.clock());
    }
    if (!prepared || !output) {
        const Error& error = prepared ? output.error() : prepared.error();
        console.error(error);
        return exitCodeOf(error);
    }
    app::CostStore costs(wiring.files(), app::CostStore::usualPath());
    const plan::Cost cost = plan::estimate(prepared->plan, prepared->capabilities, costs.history());
    console.print(announcement(prepared->plan, arguments, *output, cost));
    console.print(
        limitationsText(prepared->plan.diagnostics, prepared->capabilities.limitations, ForeignObjects::Counted));
    const plan::RecordingPlan plan = prepared->plan;
    std::vector<etw::Limitation> told = toldLimitations(*prepared);
    RecordCommand command(arguments, std::move(prepared->plan), std::move(*output), std::move(told),
                          wiring.environment(), console);
    QObject::connect(&command, &RecordCommand::ended, &command,
                     [&](const recorder::Stopped& recording) { costs.note(plan, prepared->capabilities, recording); });
    return runCommand(command, &RecordCommand::terminate);
}

} // namespace tracedeck::cli
