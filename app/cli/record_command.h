// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/recorder/recorder.h"

#include <QObject>

namespace tracedeck::cli {

/// One recording from start to file, driven by the recorder's signals and by Ctrl+C.
///
/// Threading: the main thread, with its event loop running.
/// Errors: printed; done() says how it ended, exactly once.
class RecordCommand final : public QObject {
    Q_OBJECT
public:
    RecordCommand(RecordArguments arguments, plan::RecordingPlan plan, std::string output,
                  std::vector<etw::Limitation> toldLimitations, recorder::Recorder::Environment environment,
                  Console& console);
    /// Begins; done() may come before this returns.
    void start();

public Q_SLOTS:
    /// Ctrl+C: the first one stops and saves, or lets the saving go on that is under way already; the second one
    /// discards.
    void interrupt();
    /// Stops and saves, however often it is asked.
    void terminate();

Q_SIGNALS:
    /// It records no more; saving or discarding follows.
    void ended(const tracedeck::recorder::Stopped& recording);
    void done(tracedeck::cli::ExitCode code);

private:
    enum class Wish : std::uint8_t { GoOn, Save, Discard };

    void onStarted(const std::vector<etw::Limitation>& limitations);
    std::vector<etw::Limitation> news(const std::vector<etw::Limitation>& limitations);
    void onStatus(const recorder::LiveStatus& status);
    void onEventsLost(const QString& session, const etw::LossCount& loss);
    void onStopped(const recorder::Stopped& recording);
    void onFinished(const recorder::Outcome& outcome);
    void onFailed(const Error& error);
    void saveElsewhere();
    /// The last word about a recording that could not be saved.
    void tellRemains();
    /// Does what the user wishes as far as the recorder's state allows; called again when that changes.
    void followWish();
    [[nodiscard]] Status discard();
    void end(ExitCode code);

    const RecordArguments m_arguments;
    const plan::RecordingPlan m_plan;
    std::string m_output;
    std::vector<etw::Limitation> m_toldLimitations; ///< with the counts that were told
    Console& m_console;
    recorder::Recorder m_recorder;
    Wish m_wish = Wish::GoOn;
    int m_interrupts = 0;
    bool m_isDiscarding = false; ///< the recorder has been asked to, which it wants once
    bool m_hasStopped = false;   ///< raw files are there
    bool m_hasEnded = false;
    bool m_hasToldShort = false;
    bool m_hasToldOverwriting = false;
    std::vector<std::string> m_inMemory; ///< sessions that no file could be written of
    bool m_savesElsewhere = false;       ///< in the folder for temporary files, as the last resort
};

} // namespace tracedeck::cli
