// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings that outlive the process that began them, and what is written down for that.
#include "core/etl/summary.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/recorder/recorder_worker.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace tracedeck::recorder {

bool isRunning(const JournalEntry& entry, const std::vector<etw::SessionInfo>& sessions) {
    return std::any_of(entry.sessions.begin(), entry.sessions.end(), [&](const JournalEntry::Session& session) {
        return std::any_of(sessions.begin(), sessions.end(),
                           [&](const etw::SessionInfo& info) { return info.guid == session.guid; });
    });
}

// ---- the journal

JournalEntry RecorderWorker::journalEntry() const {
    const Request& request = m_recording.request;
    JournalEntry entry;
    entry.boot = platform::bootId();
    entry.isHosted = m_environment.sessionsOutliveClient;
    entry.begun = m_environment.clock->wallTime();
    entry.begin = m_recording.begin;
    entry.profiles = request.plan.profiles;
    entry.detail = request.plan.detail;
    entry.mode = request.plan.mode;
    entry.timeLimit = request.timeLimit;
    entry.note = request.note;
    entry.platform = m_recording.capabilities.platform;
    entry.plan = request.planText.empty() ? plan::toJson(request.plan) : request.planText;
    entry.workFolder = request.workFolder;
    entry.targetFolder = request.targetFolder;
    entry.keepsNewest = request.whenDiskShort == WhenDiskShort::KeepNewest;
    entry.marks = m_recording.marks;
    if (m_recording.hasEnded) {
        entry.ended = JournalEntry::Ended{m_recording.reason, m_recording.end};
    }
    for (const Session& session : m_recording.sessions) {
        const etw::SessionConfig& config = session.planned.config;
        entry.sessions.push_back({session.planned.kind, config.name, config.guid, config.logFileMode,
                                  config.maximumFileSizeMib, session.rawFile, session.planned.keywords,
                                  session.planned.stacks});
        entry.sessions.back().minimumFreeDisk = config.minimumFreeDisk;
        for (const etw::ProviderConfig& provider : session.planned.providers) {
            entry.sessions.back().providers.push_back(
                {provider.provider, provider.name, provider.captureOnSave, provider.isCaptureOnly, provider.level});
        }
    }
    for (const RawFiles& raw : m_recording.raws) {
        entry.rawFolders.push_back(raw.folder());
        for (const std::string& path : raw.paths()) {
            const bool isOfSession = std::any_of(m_recording.sessions.begin(), m_recording.sessions.end(),
                                                 [&](const Session& session) { return session.rawFile == path; });
            if (!isOfSession) {
                entry.otherRawFiles.push_back(path);
            }
        }
    }
    return entry;
}

/// A recording without an entry is a recording all the same.
void RecorderWorker::beginJournal() {
    m_hold.reset();
    if (!m_journal.isKept()) {
        return;
    }
    auto hold = m_journal.begin(journalEntry());
    if (!hold) {
        spdlog::warn("recorder: if this program dies the recording is not found again: {}", hold.error().detail);
        return;
    }
    m_hold = std::move(*hold);
}

void RecorderWorker::updateJournal() {
    if (!m_hold) {
        return;
    }
    JournalEntry entry = journalEntry();
    entry.begun = m_hold->entry().begun;
    if (m_recording.isAdopted) {
        entry.boot = m_hold->entry().boot;
        entry.isHosted = m_hold->entry().isHosted;
    }
    if (const tracedeck::Status updated = m_hold->update(std::move(entry)); !updated) {
        spdlog::warn("recorder: the journal is not up to date: {}", updated.error().detail);
    }
}

/// The recording is saved or discarded: what its sessions have left goes too.
void RecorderWorker::forgetRecording() {
    if (m_recording.isAdopted && m_environment.rescue != nullptr) {
        for (const Session& session : m_recording.sessions) {
            const auto discarded = m_environment.rescue->discard(session.planned.config.guid);
            if (!discarded) {
                spdlog::warn("recorder: memory of session {} stays behind: {}", session.planned.config.name,
                             discarded.error().detail);
            }
        }
    }
    if (m_hold) {
        if (const tracedeck::Status forgotten = m_hold->forget(); !forgotten) {
            spdlog::warn("recorder: {}", forgotten.error().detail);
        }
        m_hold.reset();
    }
}

void RecorderWorker::listUnfinished() {
    std::vector<Unfinished> recordings;
    for (JournalEntry& entry : m_journal.left()) {
        recordings.push_back({std::move(entry)});
    }
    if (recordings.empty()) {
        Q_EMIT unfinishedListed(recordings);
        return;
    }
    m_environment.controller->list(postedAnyway<std::vector<etw::SessionInfo>>(
        [this, recordings = std::move(recordings)](const Result<std::vector<etw::SessionInfo>>& listed) mutable {
            if (!listed) {
                spdlog::warn("recorder: which recordings still run: {}", listed.error().detail);
            }
            for (Unfinished& recording : recordings) {
                recording.isRunning = listed && isRunning(recording.entry, *listed);
            }
            Q_EMIT unfinishedListed(recordings);
        }));
}

// ---- leaving it to others

void RecorderWorker::detach() {
    if (!isAllowed(Command::Detach, m_state)) {
        Q_EMIT failed({ErrorCode::WrongState, "detach while " + std::string(toString(m_state)), 0});
        return;
    }
    m_pollTimer.stop();
    m_limitTimer.stop();
    updateJournal();
    ++m_generation; // replies that are under way concern nobody any more
    m_writer.reset();
    m_hold.reset();
    m_recording = Recording();
    changeState(State::Idle);
    Q_EMIT detached();
}

// ---- taking it over

void RecorderWorker::adopt(const std::string& journalId) {
    if (!isAllowed(Command::Adopt, m_state)) {
        Q_EMIT failed({ErrorCode::WrongState, "adopt while " + std::string(toString(m_state)), 0});
        return;
    }
    changeState(State::Starting);
    ++m_generation;
    m_recording = Recording();
    auto hold = m_journal.take(journalId);
    if (!hold) {
        notAdopted(hold.error());
        return;
    }
    m_hold = std::move(*hold);
    if (m_hold->entry().rawFolders.empty()) {
        notAdopted({ErrorCode::ReadFailed, journalId + ": it names no folder", 0});
        return;
    }
    if (m_hold->entry().isHosted && !m_environment.sessionsOutliveClient &&
        m_hold->entry().boot == platform::bootId()) {
        // It may still record: what this controller does not know is not dead.
        notAdopted({ErrorCode::HostUnreachable, "the recording lives in a session host", 0});
        return;
    }
    takeOver(m_hold->entry());
    m_writer = m_environment.writers->registerProvider(std::string(kOwnProviderName));
    m_environment.controller->capabilities(posted<etw::Capabilities>([this](Result<etw::Capabilities> capabilities) {
        if (!capabilities) {
            notAdopted(capabilities.error());
            return;
        }
        m_recording.capabilities = std::move(*capabilities);
        m_environment.controller->list(posted<std::vector<etw::SessionInfo>>(
            [this](Result<std::vector<etw::SessionInfo>> listed) { sessionsListed(std::move(listed)); }));
    }));
}

/// It stays in the journal, for another try.
void RecorderWorker::notAdopted(const Error& error) {
    m_writer.reset();
    m_hold.reset();
    m_recording = Recording();
    changeState(State::Idle);
    Q_EMIT failed(error);
}

/// Makes the recording of what was written down about it.
void RecorderWorker::takeOver(const JournalEntry& entry) {
    m_recording.isAdopted = true;
    m_recording.begin = entry.begin;
    m_recording.end = entry.begin;
    m_recording.marks = entry.marks;
    if (entry.ended) {
        m_recording.hasEnded = true;
        m_recording.reason = entry.ended->reason;
        m_recording.end = entry.ended->end;
    }
    Request& request = m_recording.request;
    request.plan.profiles = entry.profiles;
    request.plan.detail = entry.detail;
    request.plan.mode = entry.mode;
    request.planText = entry.plan;
    request.timeLimit = entry.timeLimit;
    request.note = entry.note;
    request.workFolder = entry.workFolder;
    request.targetFolder = entry.targetFolder;
    request.whenDiskShort = entry.keepsNewest ? WhenDiskShort::KeepNewest : WhenDiskShort::StopAndSave;
    std::vector<std::string> rawFiles = entry.otherRawFiles;
    for (const JournalEntry::Session& session : entry.sessions) {
        plan::PlannedSession planned;
        planned.kind = session.kind;
        planned.config.name = session.name;
        planned.config.guid = session.guid;
        planned.config.logFileMode = session.logFileMode;
        planned.config.maximumFileSizeMib = session.maximumFileSizeMib;
        planned.config.minimumFreeDisk = session.minimumFreeDisk;
        planned.keywords = session.keywords;
        planned.stacks = session.stacks;
        for (const JournalEntry::Provider& provider : session.providers) {
            planned.providers.emplace_back();
            planned.providers.back().provider = provider.id;
            planned.providers.back().name = provider.name;
            planned.providers.back().captureOnSave = provider.captureOnSave;
            planned.providers.back().isCaptureOnly = provider.isCaptureOnly;
            planned.providers.back().level = provider.level;
        }
        request.plan.sessions.push_back(planned);
        m_recording.sessions.push_back(
            {std::move(planned), {}, session.rawFile, SessionMonitor(session.kind, session.name)});
        rawFiles.push_back(session.rawFile);
    }
    for (const std::string& folder : entry.rawFolders) {
        std::vector<std::string> inside;
        std::copy_if(rawFiles.begin(), rawFiles.end(), std::back_inserter(inside),
                     [&](const std::string& path) { return platform::folderOf(path) == folder; });
        m_recording.raws.push_back(RawFiles::adopt(*m_environment.files, folder, std::move(inside)));
    }
}

void RecorderWorker::sessionsListed(Result<std::vector<etw::SessionInfo>> listed) {
    if (!listed) {
        notAdopted(listed.error());
        return;
    }
    bool isRunning = false;
    for (Session& session : m_recording.sessions) {
        const auto found = std::find_if(listed->begin(), listed->end(), [&](const etw::SessionInfo& info) {
            return info.guid == session.planned.config.guid;
        });
        if (found != listed->end()) {
            session.id = found->id;
            session.isRunning = true;
            isRunning = true;
        }
    }
    if (!isRunning) {
        rescueSessions();
        return;
    }
    m_queriesDue = 0;
    changeState(State::Recording);
    Q_EMIT started(m_recording.limitations);
    m_pollTimer.start();
    checkTimeLimit();
}

namespace {

/// Whether its session has completed that file. What a controller has died over is not all that the ring held.
Result<bool> isComplete(FileSystem& files, const std::string& rawFile, const std::stop_token& stop) {
    const auto summary = etl::summarize(files, rawFile, stop);
    if (!summary) {
        const ErrorCode why = summary.error().code;
        const bool isKnown =
            why != ErrorCode::Cancelled && why != ErrorCode::OutOfMemory && why != ErrorCode::ReadFailed;
        return isKnown ? Result<bool>(false) : fail(summary.error()); // not even a beginning of a file is there
    }
    return std::none_of(summary->findings.begin(), summary->findings.end(), [](const etl::Finding& each) {
        return each.code == etl::Finding::Code::NotClosed || each.severity == etl::Finding::Severity::Error;
    });
}

/// Puts what a ring has left into its raw file, in the place of half a file that is there.
Status rescueRing(etw::Rescue& rescue, FileSystem& files, const Guid& session, const std::string& rawFile,
                  const std::stop_token& stop) {
    if (!files.open(rawFile)) {
        const auto saved = rescue.save(session, rawFile);
        return saved ? Status() : fail(saved.error());
    }
    const auto complete = isComplete(files, rawFile, stop);
    if (!complete || *complete) {
        return complete ? Status() : fail(complete.error());
    }
    const std::string anew = rawFile + ".left";
    if (files.open(anew)) { // of a try that was cut off, too
        if (Status removed = files.remove(anew); !removed) {
            return removed;
        }
    }
    const auto saved = rescue.save(session, anew);
    if (!saved) {
        return fail(saved.error());
    }
    return *saved ? files.rename(anew, rawFile, FileSystem::Existing::Replace) : Status();
}

} // namespace

/// The sessions have ended with their controller. What they had in memory is written into raw files, and those tell
/// when the recording has ended, on a thread of its own.
void RecorderWorker::rescueSessions() {
    if (!m_recording.hasEnded) {
        m_recording.reason = StopReason::RecorderEnded;
    }
    struct Left {
        Guid session;
        std::string rawFile;
        bool isRing = false;
    };
    std::vector<Left> left;
    for (const Session& session : m_recording.sessions) {
        left.push_back({session.planned.config.guid, session.rawFile, session.isRing()});
    }
    auto run = [this, left = std::move(left), rescue = m_environment.rescue, files = m_environment.files,
                begin = m_recording.begin](const std::stop_token& stop) {
        Result<Ticks> end = begin;
        for (const Left& each : left) {
            if (each.isRing && rescue != nullptr) {
                if (const auto rescued = rescueRing(*rescue, *files, each.session, each.rawFile, stop); !rescued) {
                    end = fail(rescued.error());
                    break;
                }
            }
            if (const auto summary = etl::summarize(*files, each.rawFile, stop)) {
                end = std::max(*end, summary->last);
            }
        }
        QMetaObject::invokeMethod(
            this,
            [this, end] {
                m_saver.join(); // it has nothing left to do
                m_saver = std::jthread();
                sessionsRescued(end);
            },
            Qt::QueuedConnection);
    };
    try {
        m_saver = std::jthread(std::move(run));
    } catch (const std::system_error& error) {
        notAdopted({ErrorCode::OutOfMemory, std::string("a thread for what is left: ") + error.what(),
                    static_cast<std::uint32_t>(error.code().value())});
    }
}

/// `end`: the time of the last event that was found.
void RecorderWorker::sessionsRescued(const Result<Ticks>& end) {
    if (!end) {
        // What is in memory stays there: another try may find a folder, or room.
        notAdopted(end.error());
        return;
    }
    const bool wasStopped = std::exchange(m_recording.hasEnded, true);
    m_recording.end = wasStopped ? m_recording.end : *end;
    const bool wantsRundown =
        !wasStopped && m_recording.request.plan.mode == plan::LoggingMode::Memory &&
        m_hold->entry().boot == platform::bootId() &&
        std::any_of(m_recording.sessions.begin(), m_recording.sessions.end(), [this](const Session& session) {
            return session.planned.kind == plan::PlannedSession::Kind::System &&
                   m_environment.files->open(session.rawFile).has_value();
        });
    if (wantsRundown) {
        recordRundown([this] { adoptedStopped(); });
    } else {
        adoptedStopped();
    }
}

/// A ring whose process was killed has no rundown: the processes and images that are still there say who was who.
void RecorderWorker::recordRundown(std::function<void()> whenDone) {
    RawFiles& raw = m_recording.raws.front();
    etw::SessionConfig config;
    config.name = m_recording.sessions.front().planned.config.name + "_rundown";
    config.logFileMode = etlformat::mode::kSequential | etlformat::mode::kSystemLogger;
    config.kernelGroups.set(etlformat::group::kProcess);
    config.kernelGroups.set(etlformat::group::kThread);
    config.kernelGroups.set(etlformat::group::kLoader);
    config.logFileName = raw.add(plan::PlannedSession::Kind::System);
    m_environment.controller->start(
        config,
        posted<etw::StartedSession>([this, whenDone = std::move(whenDone)](Result<etw::StartedSession> started) {
            if (!started) {
                spdlog::warn("recorder: no rundown of what still runs: {}", started.error().detail);
                whenDone();
                return;
            }
            m_environment.controller->stop(started->id, std::string(),
                                           posted<etw::SessionStats>([whenDone](Result<etw::SessionStats> stats) {
                                               if (!stats) {
                                                   spdlog::warn("recorder: the rundown: {}", stats.error().detail);
                                               }
                                               whenDone();
                                           }));
        }));
}

void RecorderWorker::adoptedStopped() {
    m_writer.reset();
    describeResult();
    if (m_recording.result.rawFiles.empty()) {
        const Error nothing{ErrorCode::NothingToRecord,
                            "nothing is left of the recording in " + m_recording.raws.front().folder(), 0};
        if (const tracedeck::Status removed = removeRawFiles(); !removed) {
            spdlog::debug("recorder: {}", removed.error().detail); // somebody has removed the folder before
        }
        forgetRecording();
        changeState(State::Idle);
        Q_EMIT failed(nothing);
        return;
    }
    updateJournal();
    changeState(State::Stopped);
    Q_EMIT stopped(m_recording.result);
}

} // namespace tracedeck::recorder
