// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over the standard library of C++20
#include "core/base/file.h"
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "core/etw/controller.h"
#include "core/etw/event_writer.h"
#include "core/etw/rescue.h"
#include "core/plan/plan.h"
#include "core/recorder/journal.h"
#include "core/recorder/stop_reason.h"
#endif

#include <QMetaType>
#include <QObject>
#include <QString>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QThread;

/// Values that cross threads in queued signals, and the recorder itself.
namespace tracedeck::recorder {

class RecorderWorker;
enum class Command : std::uint8_t;

/// Idle → Starting → Recording → Stopping → Stopped → Saving → Verifying → Idle.
/// Stopped keeps the raw files until save() or discard(), and with them the memory of sessions whose raw file could not
/// be written (Stopped::inMemory): save() writes those first, into the folder of its target. A failed start goes back
/// to Idle, a failed or cancelled save back to Stopped: nothing that was recorded is lost. An adopted recording goes
/// from Starting to Recording or, where its sessions have ended, to Stopped; a detached one from Recording to Idle.
enum class State : std::uint8_t { Idle, Starting, Recording, Stopping, Stopped, Saving, Verifying };

/// What happens to a recording in files for which the disks get too small; see DiskRoom.
enum class WhenDiskShort : std::uint8_t {
    StopAndSave, ///< it stops while there is still room to save it: StopReason::DiskFull
    /// It goes on, with newer events in the place of the oldest. The files are begun as circular ones for that, so that
    /// it works without the recorder, too, after detach(). Those that have a largest size of the plan's stay as they
    /// are; with one of these that is not circular the recording stops as above.
    KeepNewest,
};

/// What to record.
struct Request {
    plan::RecordingPlan plan;
    std::string workFolder;                 ///< for the raw files; must exist and be writable
    std::chrono::milliseconds timeLimit{0}; ///< 0: until stopped
    std::string note;                       ///< known before: what is being recorded
    std::string planText{};                 ///< as it is kept in the trace; empty: plan::toJson() of the plan
    std::string targetFolder{};             ///< where the file will be saved, as far as known; empty: workFolder
    WhenDiskShort whenDiskShort = WhenDiskShort::StopAndSave;
};

/// One session while it runs.
struct SessionStatus {
    plan::PlannedSession::Kind kind = plan::PlannedSession::Kind::System;
    std::string name;
    etw::SessionStats stats;
    double eventsPerSecond = 0;
    double bytesPerSecond = 0;
};

/// What the disks still hold of a recording in files. disk_guard.h has the arithmetic.
struct DiskRoom {
    Bytes left{0}; ///< that can be recorded until what Request::whenDiskShort says happens
    std::optional<std::chrono::milliseconds> timeLeft; ///< at the rate of the last seconds, where there is one
    bool isShort = false;                              ///< little is left: to be told to people; does not flicker
    bool isOfTarget = false;    ///< it is the volume of the target folder, another one than the work folder's
    bool isExhausted = false;   ///< the recording stops now
    bool keepsNewest = false;   ///< it does not stop, but overwrites its oldest events
    bool isOverwriting = false; ///< and has begun to
};

/// Four times a second while recording.
struct LiveStatus {
    std::chrono::milliseconds elapsed{0};
    std::vector<SessionStatus> sessions;
    std::uint32_t marks = 0;      ///< that the recording was given, also by programs that had it before
    Bytes freeDisk{0};            ///< of the work folder's volume, 0 where it cannot be told
    std::optional<DiskRoom> disk; ///< in memory mode nothing, and where it cannot be told
};

/// While stopping and saving.
struct Progress {
    State stage = State::Stopping;
    double fraction = 0; ///< 0…1 of this stage, negative where it cannot be told
};

/// "Recording": for logs.
[[nodiscard]] std::string_view toString(State state) noexcept;

/// A stopped recording, waiting to be saved or discarded.
struct Stopped {
    StopReason reason = StopReason::User;
    std::chrono::milliseconds length{0}; ///< RecorderEnded: to the last event that was found
    LiveStatus last;
    std::vector<std::string> rawFiles;
    /// Names of the sessions whose recording is still in memory, because their raw file could not be written (the
    /// folder is gone, the disk is full): writeError says why. Empty in an Outcome.
    std::vector<std::string> inMemory;
    std::optional<Error> writeError; ///< why the raw files are not complete, if they are not
    /// Why sessions are in memory. Where nothing else is wrong writeError says so, too; nothing is lost by it yet.
    std::optional<Error> memoryError;
    std::vector<etw::Limitation> limitations; ///< with their last counts

    /// Whether writeError says no more than that sessions are in memory.
    [[nodiscard]] bool isMerelyInMemory() const { return !inMemory.empty() && writeError == memoryError; }
};

/// What a recorder leaves behind that closes before its recording was saved.
struct Remains {
    std::vector<std::string> rawFiles; ///< those of the work folder, and what was in memory and could be written
    std::vector<std::string> lost;     ///< names of the sessions whose memory no folder took
    std::optional<Error> error;        ///< why they are lost
};

struct SaveRequest {
    std::string path;
    bool replace = false;
    std::string problemDescription; ///< UTF-8, kept in the trace
};

/// A saved recording.
struct Outcome {
    std::string path;
    etl::MergeResult merge;
    etl::Summary summary; ///< of the file as read back
    Stopped recording;
};

/// A recording that an earlier process, or this one, has begun and left.
struct Unfinished {
    JournalEntry entry;
    bool isRunning = false; ///< its sessions still record
};

/// Whether one of the controller's sessions is this recording's.
[[nodiscard]] bool isRunning(const JournalEntry& entry, const std::vector<etw::SessionInfo>& sessions);

/// Records in the background, one recording at a time.
///
/// Threading: use from the thread that created it; every signal arrives there, queued. No call but close() blocks.
/// Ownership: owns its worker and its thread. `controller`, `writers` and `files` must outlive it. The destructor
/// closes. Errors: a call in a wrong state returns WrongState at once and changes nothing; everything later arrives as
/// failed().
class Recorder final : public QObject {
    Q_OBJECT
public:
    struct Environment {
        etw::Controller* controller = nullptr;
        etw::EventWriterFactory* writers = nullptr;
        FileSystem* files = nullptr;
        const Clock* clock = nullptr;
        std::string journalFolder{};   ///< see Journal; empty: a recording whose process dies is not found again
        etw::Rescue* rescue = nullptr; ///< of sessions whose controller has died; may be null
        /// The controller's sessions outlive this process: detach() is possible.
        bool sessionsOutliveClient = false;
    };
    explicit Recorder(Environment environment, QObject* parent = nullptr);
    ~Recorder() override;

    [[nodiscard]] State state() const noexcept;
    /// A running recording can be left to go on: detach().
    [[nodiscard]] bool canDetach() const noexcept { return m_canDetach; }

    /// In any state: looks for recordings that were left and that no process has in its hands. Ends with
    /// unfinishedListed(); where the controller does not tell its sessions none of them is said to run.
    [[nodiscard]] tracedeck::Status listUnfinished();

    /// At once: InvalidArgument for a plan without an event session or with a session that nothing goes into,
    /// NotSupported for sessions of other kinds than the system's and events.
    [[nodiscard]] tracedeck::Status start(Request request);
    /// Goes on with a recording that another process has begun and left: to Recording where its sessions still run, to
    /// Stopped (RecorderEnded) where they have ended, with what there is in raw files and what they had in memory.
    /// Later, as failed(): FileNotFound, WrongState where another process has it in its hands; HostUnreachable where
    /// its sessions live in a session host and this recorder's do not; NothingToRecord where nothing is left of it,
    /// which is then forgotten.
    [[nodiscard]] tracedeck::Status adopt(std::string journalId);
    /// Recording: lets it go on without this process, for adopt() by anybody of this user. Ends with detached().
    /// NotSupported where the sessions end with the process.
    [[nodiscard]] tracedeck::Status detach();
    [[nodiscard]] tracedeck::Status stop();
    /// A mark in the trace, stamped when the worker and the controller come to it: a moment after the call.
    [[nodiscard]] tracedeck::Status mark(std::string text);
    /// Stopped only. The file must pass verification before the raw files go. What is still in memory is written into
    /// the target's folder first; where that fails it stays in memory, and another folder can be tried.
    [[nodiscard]] tracedeck::Status save(SaveRequest request);
    /// While Saving or Verifying: back to Stopped.
    [[nodiscard]] tracedeck::Status cancelSave();
    /// Recording or Stopped: drops what was recorded. Ends with discarded(), or with failed() where a file of it could
    /// not be removed.
    [[nodiscard]] tracedeck::Status discard();
    /// Stops a running recording, cancels a save, and waits for that: the one call that blocks. Raw files that were not
    /// saved stay in the work folder; what is still in memory is written into the folder for temporary files. No signal
    /// comes afterwards, and every other call is WrongState. Only the first call says what is left.
    [[nodiscard]] Remains close();

Q_SIGNALS:
    void stateChanged(tracedeck::recorder::State state);
    void statusChanged(const tracedeck::recorder::LiveStatus& status);
    void progressChanged(const tracedeck::recorder::Progress& progress);
    /// The sessions run: what of the plan this machine does not give.
    void started(const std::vector<tracedeck::etw::Limitation>& limitations);
    /// The first loss of a session, once per session and recording.
    void eventsLost(const QString& session, const tracedeck::etw::LossCount& loss);
    void stopped(const tracedeck::recorder::Stopped& recording);
    /// Saved and verified.
    void finished(const tracedeck::recorder::Outcome& outcome);
    /// Start, stop or save failed; state() says where that left the recording.
    void failed(const tracedeck::Error& error);
    void discarded();
    void detached();
    /// Oldest first.
    void unfinishedListed(const std::vector<tracedeck::recorder::Unfinished>& recordings);

private:
    std::unique_ptr<QThread> m_thread;
    [[nodiscard]] tracedeck::Status checkAllowed(Command command) const;
    void connectWorker();
    template <class Call>
    void post(Call call);

    const bool m_canDetach;
    RecorderWorker* m_worker = nullptr; // lives on m_thread, deleted there
    State m_state = State::Idle;        // the worker's last report, or what an accepted call makes of it
    bool m_isDiscarding = false;        // until the worker has dealt with it nothing else is accepted
    bool m_isClosed = false;
};

} // namespace tracedeck::recorder
