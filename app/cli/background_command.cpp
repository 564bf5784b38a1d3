// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/background_command.h"

#include "app/cli/command_loop.h"
#include "app/cli/format.h"
#include "app/cli/missing_report.h"
#include "app/cli/output_file.h"
#include "app/cli/prepared_recording.h"
#include "app/cli/recording_report.h"
#include "core/etw/wait.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracedeck::cli {

using recorder::JournalEntry;
using recorder::Recorder;
using recorder::State;
using Task = BackgroundArguments::Task;

// ---- start

StartCommand::StartCommand(recorder::Request request, std::vector<etw::Limitation> toldLimitations,
                           Recorder::Environment environment, Console& console)
    : m_request(std::move(request)), m_toldLimitations(std::move(toldLimitations)), m_console(console),
      m_recorder(environment) {
    connect(&m_recorder, &Recorder::started, this, &StartCommand::onStarted);
    connect(&m_recorder, &Recorder::failed, this, &StartCommand::onFailed);
    connect(&m_recorder, &Recorder::discarded, this, [this] {
        m_console.note("Discarded: nothing was kept.");
        end(ExitCode::Discarded);
    });
    connect(&m_recorder, &Recorder::detached, this, [this] {
        m_console.print("Recording in the background.\n"
                        "  save it:     tracedeck-cli stop FILE\n"
                        "  discard it:  tracedeck-cli cancel\n");
        end(ExitCode::Ok);
    });
}

void StartCommand::start() {
    if (const Status started = m_recorder.start(m_request); !started) {
        onFailed(started.error());
    }
}

void StartCommand::onStarted(const std::vector<etw::Limitation>& limitations) {
    std::vector<etw::Limitation> news;
    std::copy_if(limitations.begin(), limitations.end(), std::back_inserter(news), [&](const etw::Limitation& each) {
        return std::find(m_toldLimitations.begin(), m_toldLimitations.end(), each) == m_toldLimitations.end();
    });
    m_console.print(limitationsText({}, news, ForeignObjects::Counted));
    const Status asked = m_isUnwanted ? m_recorder.discard() : m_recorder.detach();
    if (!asked) {
        onFailed(asked.error());
    }
}

void StartCommand::interrupt() {
    m_isUnwanted = true; // onStarted() is still to come, or it is too late
}

void StartCommand::onFailed(const Error& error) {
    m_console.error(error);
    end(exitCodeOf(error));
}

void StartCommand::end(ExitCode code) {
    if (!std::exchange(m_hasEnded, true)) {
        Q_EMIT done(code);
    }
}

// ---- mark, stop, cancel

BackgroundCommand::BackgroundCommand(BackgroundArguments arguments, std::string journalId, std::string output,
                                     Recorder::Environment environment, Console& console)
    : m_arguments(std::move(arguments)), m_journalId(std::move(journalId)), m_output(std::move(output)),
      m_console(console), m_recorder(environment) {
    connect(&m_recorder, &Recorder::started, this, &BackgroundCommand::onAdopted);
    connect(&m_recorder, &Recorder::stopped, this, &BackgroundCommand::onStopped);
    connect(&m_recorder, &Recorder::finished, this, &BackgroundCommand::onFinished);
    connect(&m_recorder, &Recorder::failed, this, &BackgroundCommand::onFailed);
    connect(&m_recorder, &Recorder::progressChanged, this,
            [this](const recorder::Progress& progress) { m_console.progress(progressLine(progress)); });
    connect(&m_recorder, &Recorder::discarded, this, [this] {
        m_console.print("Discarded.\n");
        end(ExitCode::Ok);
    });
    connect(&m_recorder, &Recorder::detached, this, [this] { end(ExitCode::Ok); });
}

void BackgroundCommand::start() {
    check(m_recorder.adopt(m_journalId));
}

void BackgroundCommand::onAdopted() {
    switch (m_arguments.task) {
    case Task::Stop:
        check(m_recorder.stop());
        break;
    case Task::Cancel:
        check(m_recorder.discard());
        break;
    case Task::Mark:
        check(m_recorder.mark(m_arguments.mark));
        check(m_recorder.detach());
        break;
    case Task::Status:
        break; // adopts nothing
    }
}

void BackgroundCommand::onStopped(const recorder::Stopped& recording) {
    if (m_arguments.task == Task::Cancel) {
        check(m_recorder.discard());
        return;
    }
    if (m_arguments.task == Task::Mark) {
        m_console.note("It records no more. tracedeck-cli stop FILE saves what there is.");
        end(ExitCode::NothingRecorded);
        return;
    }
    if (recording.reason == recorder::StopReason::RecorderEnded) {
        m_console.note("The program that recorded it was ended; saving what there is.");
    } else if (recording.writeError && !recording.isMerelyInMemory()) {
        m_console.error(*recording.writeError);
    }
    if (m_isInterrupted) {
        onFailed({ErrorCode::Cancelled, m_output, 0});
        return;
    }
    check(m_recorder.save({m_output, m_arguments.replace, m_arguments.description}));
}

void BackgroundCommand::onFinished(const recorder::Outcome& outcome) {
    m_console.print(foundText(outcome.recording.limitations));
    m_console.print(outcomeText(outcome));
    const bool isWhole = outcome.summary.verdict() == etl::Summary::Verdict::Good && !outcome.recording.writeError &&
                         outcome.recording.reason != recorder::StopReason::RecorderEnded;
    end(isWhole ? ExitCode::Ok : ExitCode::Problems);
}

void BackgroundCommand::onFailed(const Error& error) {
    if (error.code == ErrorCode::NothingToRecord) { // what it means for a recording that begins is not meant
        m_console.note("Nothing is left of this recording: " + printable(error.detail));
    } else {
        m_console.error(error);
    }
    if (m_recorder.state() == State::Stopped) {
        m_console.note("  The recording is stopped and kept; tracedeck-cli stop FILE saves it another time.");
    }
    end(exitCodeOf(error));
}

void BackgroundCommand::interrupt() {
    m_isInterrupted = true;
    const State state = m_recorder.state();
    if (state == State::Saving || state == State::Verifying) {
        check(m_recorder.cancelSave());
    }
}

void BackgroundCommand::check(const Status& asked) {
    if (!asked && !m_hasEnded) {
        onFailed(asked.error());
    }
}

void BackgroundCommand::end(ExitCode code) {
    if (!std::exchange(m_hasEnded, true)) {
        Q_EMIT done(code);
    }
}

namespace {

std::string profilesOf(const JournalEntry& entry) {
    return printable(listed(entry.profiles, 3));
}

ExitCode refuse(Console& console, const Error& error) {
    console.error(error);
    return exitCodeOf(error);
}

/// The one that is meant; nothing where that is not clear, which is said.
const JournalEntry* chosen(const std::vector<JournalEntry>& entries, std::uint32_t number, Console& console) {
    if (entries.empty()) {
        console.note("There is no recording in the background, and none that was cut off.");
        return nullptr;
    }
    if (number == 0 && entries.size() > 1) {
        console.note(fmt::format("There are {} recordings: choose one with --recording, as \"tracedeck-cli status\" "
                                 "numbers them.",
                                 entries.size()));
        return nullptr;
    }
    if (number > entries.size()) {
        console.note(
            fmt::format("There is no recording {}; \"tracedeck-cli status\" shows those that there are.", number));
        return nullptr;
    }
    return &entries[number == 0 ? 0 : number - 1];
}

} // namespace

std::string statusText(const std::vector<JournalEntry>& entries, const std::vector<etw::SessionInfo>& running,
                       FileTime now) {
    if (entries.empty()) {
        return "No recording in the background, and none that was cut off.\n";
    }
    std::string text;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const JournalEntry& entry = entries[i];
        text += fmt::format("{}  {}", i + 1, profilesOf(entry));
        text += entry.mode == plan::LoggingMode::File ? ", in a file" : ", in memory";
        if (recorder::isRunning(entry, running)) {
            const auto since = std::chrono::milliseconds(std::max<FileTime>(0, now - entry.begun) / 10'000);
            text += fmt::format("\n   recording since {} ({})\n", dateTime(entry.begun), length(since));
        } else {
            text += fmt::format("\n   begun {}, {}\n", dateTime(entry.begun),
                                entry.ended ? "stopped, not saved yet" : "cut off: its program was ended");
        }
        if (!entry.note.empty()) {
            text += "   " + printable(entry.note) + "\n";
        }
    }
    const std::string number = entries.size() > 1 ? " --recording N" : "";
    text += "\nSave it:     tracedeck-cli stop FILE" + number + "\nDiscard it:  tracedeck-cli cancel" + number + "\n";
    return text;
}

ExitCode start(const StartArguments& arguments, app::Wiring& wiring, Console& console) {
    const Recorder::Environment environment = wiring.environment();
    if (!environment.sessionsOutliveClient) {
        return refuse(console, {ErrorCode::NotSupported,
                                "start: the session host does not run, so that the recording "
                                "would end with this program",
                                0});
    }
    profile::Catalog catalog = loadCatalog(console);
    auto prepared = prepare(arguments.recording, wiring, catalog, console);
    if (!prepared) {
        return refuse(console, prepared.error());
    }
    std::string folder = arguments.rawFolder;
    if (folder.empty()) {
        folder = platform::recordingsFolder();
        if (const Status created = platform::createFolders(folder); !created) {
            return refuse(console, created.error());
        }
    }
    console.print(
        limitationsText(prepared->plan.diagnostics, prepared->capabilities.limitations, ForeignObjects::Counted));
    std::vector<etw::Limitation> told = toldLimitations(*prepared);
    recorder::Request request;
    request.plan = std::move(prepared->plan);
    request.workFolder = folder;
    request.targetFolder = arguments.rawFolder.empty() ? std::string() : platform::recordingsFolder();
    request.timeLimit = arguments.recording.timeLimit;
    request.note = arguments.recording.note;
    request.whenDiskShort = arguments.recording.whenDiskShort;
    StartCommand command(std::move(request), std::move(told), environment, console);
    return runCommand(command, &StartCommand::interrupt);
}

ExitCode background(const BackgroundArguments& arguments, app::Wiring& wiring, Console& console) {
    const Recorder::Environment environment = wiring.environment();
    const std::vector<JournalEntry> entries = recorder::Journal(environment.journalFolder).left();
    if (arguments.task == Task::Status) {
        const auto running = etw::await<std::vector<etw::SessionInfo>>(
            [&](etw::Completion<std::vector<etw::SessionInfo>> done) { wiring.controller().list(std::move(done)); });
        if (!running) {
            return refuse(console, running.error());
        }
        console.print(statusText(entries, *running, wiring.clock().wallTime()));
        return ExitCode::Ok;
    }
    const JournalEntry* const entry = chosen(entries, arguments.number, console);
    if (entry == nullptr) {
        return arguments.number == 0 && !entries.empty() ? ExitCode::Usage : ExitCode::NothingRecorded;
    }
    Result<std::string> output = arguments.output;
    if (const Status checked = output->empty() ? Status() : checkOutput(*output, arguments.replace); !checked) {
        return refuse(console, checked.error());
    }
    if (output->empty() && arguments.task == Task::Stop) {
        output =
            newOutput(entry->profiles.empty() ? std::string("recording") : entry->profiles.front(), wiring.clock());
    }
    if (!output) {
        return refuse(console, output.error());
    }
    BackgroundCommand command(arguments, entry->id, *output, environment, console);
    return runCommand(command, &BackgroundCommand::interrupt);
}

} // namespace tracedeck::cli
