// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/recorder/recorder.h"

#include <QObject>

namespace tracedeck::cli {

/// Begins a recording and leaves it to itself.
///
/// Threading: the main thread, with its event loop running.
/// Errors: printed; done() says how it ended, exactly once.
class StartCommand final : public QObject {
    Q_OBJECT
public:
    StartCommand(recorder::Request request, std::vector<etw::Limitation> toldLimitations,
                 recorder::Recorder::Environment environment, Console& console);
    void start();

public Q_SLOTS:
    /// Nothing is recorded then.
    void interrupt();

Q_SIGNALS:
    void done(tracedeck::cli::ExitCode code);

private:
    void onStarted(const std::vector<etw::Limitation>& limitations);
    void onFailed(const Error& error);
    void end(ExitCode code);

    recorder::Request m_request;
    const std::vector<etw::Limitation> m_toldLimitations;
    Console& m_console;
    recorder::Recorder m_recorder;
    bool m_isUnwanted = false;
    bool m_hasEnded = false;
};

/// Goes on with a recording that has begun: marks it, stops and saves it, or discards it.
///
/// Threading and errors: as StartCommand.
class BackgroundCommand final : public QObject {
    Q_OBJECT
public:
    /// `output`: of Task::Stop.
    BackgroundCommand(BackgroundArguments arguments, std::string journalId, std::string output,
                      recorder::Recorder::Environment environment, Console& console);
    void start();

public Q_SLOTS:
    /// While it is being saved: leaves it stopped, for another time.
    void interrupt();

Q_SIGNALS:
    void done(tracedeck::cli::ExitCode code);

private:
    void onAdopted();
    void onStopped(const recorder::Stopped& recording);
    void onFinished(const recorder::Outcome& outcome);
    void onFailed(const Error& error);
    void check(const Status& asked);
    void end(ExitCode code);

    const BackgroundArguments m_arguments;
    const std::string m_journalId;
    const std::string m_output;
    Console& m_console;
    recorder::Recorder m_recorder;
    bool m_isInterrupted = false;
    bool m_hasEnded = false;
};

/// What `status` prints. `running`: the sessions that a controller has.
[[nodiscard]] std::string statusText(const std::vector<recorder::JournalEntry>& entries,
                                     const std::vector<etw::SessionInfo>& running, FileTime now);

} // namespace tracedeck::cli
