// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"

#ifndef Q_MOC_RUN // moc 6.4 stumbles over the standard library of C++20
#include "core/recorder/disk_guard.h"
#include "core/recorder/raw_files.h"
#include "core/recorder/save_job.h"
#include "core/recorder/session_monitor.h"
#include "core/recorder/state.h"

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>
#endif

#include <QObject>
#include <QTimer>

namespace tracedeck::recorder {

/// Carries out what Recorder is asked for.
///
/// Threading: lives on the recorder's worker thread; every function is called there. Nothing here waits: sessions are
/// controlled by completions that are posted back, a file is saved on a thread of its own.
/// Ownership: owns the sessions that it has started, their raw files until they are saved, and the saving thread.
/// Errors: a command that comes in a wrong state, because the recording went on by itself meanwhile, is ignored where
/// nothing is lost by that, and is failed(WrongState) otherwise.
class RecorderWorker final : public QObject {
    Q_OBJECT
public:
    explicit RecorderWorker(Recorder::Environment environment);
    ~RecorderWorker() override;

    void start(Request request);
    void adopt(const std::string& journalId);
    void detach();
    void listUnfinished();
    void stop();
    void mark(const std::string& text);
    void save(const SaveRequest& request);
    void cancelSave();
    void discard();
    /// Stops what runs, keeps the raw files, and ends the thread's event loop when nothing is under way any more.
    /// `remains` is filled before that.
    void shutDown(std::shared_ptr<Remains> remains);

Q_SIGNALS:
    void stateChanged(tracedeck::recorder::State state);
    void statusChanged(const tracedeck::recorder::LiveStatus& status);
    void progressChanged(const tracedeck::recorder::Progress& progress);
    void started(const std::vector<tracedeck::etw::Limitation>& limitations);
    void eventsLost(const QString& session, const tracedeck::etw::LossCount& loss);
    void stopped(const tracedeck::recorder::Stopped& recording);
    void finished(const tracedeck::recorder::Outcome& outcome);
    void failed(const tracedeck::Error& error);
    void discarded();
    void detached();
    void unfinishedListed(const std::vector<tracedeck::recorder::Unfinished>& recordings);
    /// A call of discard() has been dealt with, one way or another.
    void discardEnded();

private:
    struct Session {
        plan::PlannedSession planned;
        etw::SessionId id;
        std::string rawFile;
        SessionMonitor monitor;
        bool isRunning = false;
        bool isKept = false; ///< could not be stopped: the controller still holds what it recorded

        [[nodiscard]] bool isRing() const noexcept;
    };
    /// What belongs to one recording, from start() until it is saved or discarded.
    struct Recording {
        Request request;
        std::vector<RawFiles> raws;    ///< in the work folder; others where what was in memory had to go elsewhere
        std::vector<Session> sessions; ///< in the plan's order
        etw::Capabilities capabilities;
        std::vector<etw::Limitation> limitations;
        std::size_t foreignProviders = 0; ///< enabled ones that are not our own
        DiskGuard diskGuard;
        std::uint32_t marks = 0;
        Ticks begin = 0;
        Ticks end = 0;
        StopReason reason = StopReason::User;
        std::optional<Error> writeError;
        std::optional<Error> keptError; ///< why sessions are kept
        bool isUnwanted = false;        ///< to be discarded when it has stopped
        bool isAdopted = false;         ///< begun by another process
        bool hasEnded = false;          ///< stopped, by `reason`, and not saved yet
        Stopped result;
    };

    /// States that are to be captured, and what comes then.
    struct Capture {
        etw::SessionId session;
        etw::ProviderConfig provider;
        etw::CaptureState state;
    };
    struct Captures {
        std::vector<Capture> due; ///< last one first
        std::function<void()> whenDone;
    };

    void changeState(State to);
    /// A completion that posts `handler` to this thread.
    template <class T>
    [[nodiscard]] etw::Completion<T> postedAnyway(std::function<void(Result<T>)> handler);
    /// The same, dropped where another recording has begun since.
    template <class T>
    [[nodiscard]] etw::Completion<T> posted(std::function<void(Result<T>)> handler);
    void endThreadIfDone();
    [[nodiscard]] std::chrono::nanoseconds elapsed(Ticks until) const;

    // starting
    void startSession(std::size_t step);
    void sessionStarted(std::size_t step, Result<etw::StartedSession> started);
    void enableProvider(std::size_t step, std::size_t provider);
    void providerEnabled(std::size_t step, std::size_t provider, Result<void> enabled);
    void everythingStarted();
    void everythingRuns();
    /// What waits in buffers of files is written: whoever finds the raw files of a killed program needs it.
    enum class Flushed : std::uint8_t { Everything, OwnEvents };
    void flushFiles(Flushed what);
    /// Asks the providers of all running sessions for their state, one after another, as the plan has it.
    void captureStates(std::optional<etw::CaptureState> etw::ProviderConfig::*moment, std::function<void()> whenDone);
    void captureNext(std::shared_ptr<Captures> captures);
    void captureEnded(const std::shared_ptr<Captures>& captures, Result<void> captured);
    void rollBack(Error error);
    void addLimitation(etw::Limitation limitation);
    [[nodiscard]] etw::Limitation whyKernelRefuses(const Error& error) const;

    // adopting
    void takeOver(const JournalEntry& entry);
    void sessionsListed(Result<std::vector<etw::SessionInfo>> listed);
    void rescueSessions();
    void sessionsRescued(const Result<Ticks>& end);
    void recordRundown(std::function<void()> whenDone);
    void adoptedStopped();
    void notAdopted(const Error& error);

    // the journal
    [[nodiscard]] JournalEntry journalEntry() const;
    void beginJournal();
    void updateJournal();
    void forgetRecording();

    // recording
    void poll();
    void queried(std::size_t index, Result<etw::SessionStats> stats);
    void takeStats(Session& session, const etw::SessionStats& stats, Ticks now);
    void checkTimeLimit();
    [[nodiscard]] LiveStatus liveStatus(Ticks now);

    // stopping
    void stopBecause(StopReason reason);
    void stopSession(std::size_t step, std::function<void()> whenAllStopped);
    void sessionStopped(Session& session, Result<etw::SessionStats> stats);
    void everythingStopped();
    void describeResult();
    [[nodiscard]] std::vector<std::string> existingRawFiles() const;
    [[nodiscard]] tracedeck::Status removeRawFiles();
    void throwAway();

    // sessions that could not be stopped
    [[nodiscard]] bool hasKept() const noexcept;
    void dropKept(std::size_t index, std::function<void()> whenDropped);
    void writeKept(std::size_t index, std::function<void(tracedeck::Status)> whenWritten);
    void keptStopped(Session& session, Result<etw::SessionStats> stats);
    void rescueKept();
    void giveUpKept(const Error& error);

    // saving
    void mergeAndVerify(const SaveRequest& request);
    void saveFailed(const Error& error);
    void saved(const std::string& path, Result<SavedFile> result);

    const Recorder::Environment m_environment;
    State m_state = State::Idle;
    std::uint64_t m_generation = 0;     ///< of the recording that completions belong to
    std::size_t m_repliesDue = 0;       ///< completions that have not been posted back
    std::size_t m_queriesDue = 0;       ///< of the current round of statistics
    std::shared_ptr<Remains> m_remains; ///< there when it is shutting down
    bool m_isSaveCancelled = false;     ///< of the save that is under way
    Recording m_recording;
    const Journal m_journal;
    std::unique_ptr<Journal::Hold> m_hold; ///< of the recording
    std::unique_ptr<etw::EventWriter> m_writer;
    QTimer m_pollTimer;
    QTimer m_limitTimer;
    std::jthread m_saver;
};

template <class T>
etw::Completion<T> RecorderWorker::postedAnyway(std::function<void(Result<T>)> handler) {
    ++m_repliesDue;
    // Called on a thread of the controller's, which must not block: it posts and no more. The worker is still there,
    // because its thread does not end while a reply is due.
    return [this, handler = std::move(handler)](Result<T> result) {
        QMetaObject::invokeMethod(
            this,
            [this, handler, result = std::move(result)]() mutable {
                --m_repliesDue;
                handler(std::move(result));
                endThreadIfDone();
            },
            Qt::QueuedConnection);
    };
}

template <class T>
etw::Completion<T> RecorderWorker::posted(std::function<void(Result<T>)> handler) {
    return postedAnyway<T>([this, generation = m_generation, handler = std::move(handler)](Result<T> result) {
        if (generation == m_generation) {
            handler(std::move(result));
        }
    });
}

} // namespace tracedeck::recorder
