// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/recorder_worker.h"

#include "core/platform/folders.h"
#include "core/recorder/recorder_events.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace tracedeck::recorder {
namespace {

using namespace std::chrono_literals;
using Kind = plan::PlannedSession::Kind;

constexpr std::chrono::milliseconds kPollInterval = 250ms;
/// A timer's interval is an int of milliseconds; a longer limit takes several.
constexpr std::chrono::milliseconds kLongestWait = 1h;

/// Sessions start with the event sessions, so that our own events are there from the first moment, and stop in the
/// reverse order. `step` counts in start order.
template <class Sessions>
auto& inStartOrder(Sessions& sessions, std::size_t step) {
    const auto events = static_cast<std::size_t>(
        std::count_if(sessions.begin(), sessions.end(), [](const auto& s) { return s.planned.kind == Kind::Event; }));
    const Kind kind = step < events ? Kind::Event : Kind::System;
    std::size_t rest = step < events ? step : step - events;
    const auto found = std::find_if(sessions.begin(), sessions.end(),
                                    [&](const auto& s) { return s.planned.kind == kind && rest-- == 0; });
    assert(found != sessions.end());
    return *found;
}

FileTime wallTimeOf(const Clock& clock, Ticks ticks) {
    const double seconds = static_cast<double>(clock.ticks() - ticks) / static_cast<double>(clock.frequency());
    return clock.wallTime() - static_cast<FileTime>(seconds * 1e7);
}

} // namespace

bool RecorderWorker::Session::isRing() const noexcept {
    return (planned.config.logFileMode & etlformat::mode::kBuffering) != 0;
}

RecorderWorker::RecorderWorker(Recorder::Environment environment)
    : m_environment(environment), m_journal(m_environment.journalFolder), m_pollTimer(this), m_limitTimer(this) {
    m_pollTimer.setInterval(kPollInterval);
    m_limitTimer.setSingleShot(true);
    m_limitTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_pollTimer, &QTimer::timeout, this, &RecorderWorker::poll);
    connect(&m_limitTimer, &QTimer::timeout, this, &RecorderWorker::checkTimeLimit);
}

RecorderWorker::~RecorderWorker() {
    assert(m_repliesDue == 0);
}

void RecorderWorker::changeState(State to) {
    assert(mayChange(m_state, to));
    spdlog::debug("recorder: {} → {}", toString(m_state), toString(to));
    m_state = to;
    Q_EMIT stateChanged(to);
    endThreadIfDone();
}

std::chrono::nanoseconds RecorderWorker::elapsed(Ticks until) const {
    const std::chrono::duration<double> seconds(static_cast<double>(until - m_recording.begin) /
                                                static_cast<double>(m_environment.clock->frequency()));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(seconds);
}

// ---- starting

void RecorderWorker::start(Request request) {
    if (!isAllowed(Command::Start, m_state)) {
        Q_EMIT failed({ErrorCode::WrongState, "start while " + std::string(toString(m_state)), 0});
        return;
    }
    changeState(State::Starting);
    ++m_generation;
    m_recording = Recording();
    m_recording.request = std::move(request);
    // Whoever takes the recording over may be in another folder.
    for (std::string* folder : {&m_recording.request.workFolder, &m_recording.request.targetFolder}) {
        *folder = folder->empty() ? *folder : platform::absolute(*folder);
    }
    const Request& asked = m_recording.request;
    if (asked.whenDiskShort == WhenDiskShort::KeepNewest) {
        const FreeSpace free = freeSpaceOf(*m_environment.files, asked);
        if (const tracedeck::Status possible = keepNewest(m_recording.request.plan, free); !possible) {
            changeState(State::Idle);
            Q_EMIT failed(possible.error());
            return;
        }
    }
    const std::string label = asked.plan.profiles.empty() ? "recording" : asked.plan.profiles.front();
    Result<RawFiles> raw = RawFiles::create(*m_environment.files, asked.workFolder, label);
    if (!raw) {
        changeState(State::Idle);
        Q_EMIT failed(raw.error());
        return;
    }
    m_recording.raws.push_back(std::move(*raw));
    for (plan::PlannedSession planned : asked.plan.sessions) {
        if (planned.config.guid.isNull()) {
            planned.config.guid = randomGuid(); // by which whoever adopts the recording knows it
        }
        const SessionMonitor monitor(planned.kind, planned.config.name);
        const std::string rawFile = m_recording.raws.front().add(planned.kind);
        m_recording.sessions.push_back({std::move(planned), {}, rawFile, monitor});
    }
    m_recording.begin = m_environment.clock->ticks();
    beginJournal();
    // Registered before it is enabled: an embedded controller knows registered providers alone.
    m_writer = m_environment.writers->registerProvider(std::string(kOwnProviderName));
    m_environment.controller->capabilities(posted<etw::Capabilities>([this](Result<etw::Capabilities> capabilities) {
        if (!capabilities) {
            rollBack(std::move(capabilities).error());
            return;
        }
        m_recording.capabilities = std::move(*capabilities);
        startSession(0);
    }));
}

void RecorderWorker::startSession(std::size_t step) {
    if (m_remains) {
        rollBack({ErrorCode::Cancelled, "the recorder is closing", 0});
        return;
    }
    if (step == m_recording.sessions.size()) {
        captureStates(&etw::ProviderConfig::captureOnStart, [this] { everythingStarted(); });
        return;
    }
    const Session& session = inStartOrder(m_recording.sessions, step);
    etw::SessionConfig config = session.planned.config;
    config.logFileName = session.isRing() ? std::string() : session.rawFile;
    m_environment.controller->start(std::move(config),
                                    posted<etw::StartedSession>([this, step](Result<etw::StartedSession> started) {
                                        sessionStarted(step, std::move(started));
                                    }));
}

void RecorderWorker::sessionStarted(std::size_t step, Result<etw::StartedSession> started) {
    Session& session = inStartOrder(m_recording.sessions, step);
    if (!started) {
        // Without the kernel a recording of other providers is still worth having; one of our own notes is not.
        if (started.error().code == ErrorCode::KernelEventsRefused && session.planned.kind == Kind::System &&
            m_recording.foreignProviders > 0) {
            spdlog::warn("recorder: goes on without the kernel's events: {}", started.error().detail);
            addLimitation(whyKernelRefuses(started.error()));
            startSession(step + 1);
            return;
        }
        rollBack(std::move(started).error());
        return;
    }
    session.id = started->id;
    session.isRunning = true;
    for (etw::Limitation& limitation : started->limitations) {
        addLimitation(std::move(limitation));
    }
    enableProvider(step, 0);
}

void RecorderWorker::enableProvider(std::size_t step, std::size_t provider) {
    const Session& session = inStartOrder(m_recording.sessions, step);
    if (provider == session.planned.providers.size()) {
        startSession(step + 1);
        return;
    }
    if (session.planned.providers[provider].isCaptureOnly) {
        enableProvider(step, provider + 1); // captureStates() does, for as long as it takes
        return;
    }
    m_environment.controller->enable(session.id, session.planned.providers[provider],
                                     posted<void>([this, step, provider](Result<void> enabled) {
                                         providerEnabled(step, provider, std::move(enabled));
                                     }));
}

void RecorderWorker::providerEnabled(std::size_t step, std::size_t provider, Result<void> enabled) {
    const etw::ProviderConfig& config = inStartOrder(m_recording.sessions, step).planned.providers[provider];
    const bool isOurs = config.provider == m_writer->providerId();
    if (!enabled && enabled.error().code == ErrorCode::TimedOut) {
        spdlog::warn("recorder: {}", enabled.error().detail); // it is enabled all the same
        enabled = {};
    }
    if (enabled) {
        m_recording.foreignProviders += isOurs ? 0 : 1;
    } else if (enabled.error().code == ErrorCode::ProviderUnknown && !isOurs) {
        addLimitation({etw::LimitationCode::ProviderNotOnThisPlatform,
                       config.name.empty() ? toString(config.provider) : config.name, 0});
    } else {
        rollBack(std::move(enabled).error());
        return;
    }
    enableProvider(step, provider + 1);
}

void RecorderWorker::everythingStarted() {
    if (m_remains) { // it has begun to close while states were captured
        rollBack({ErrorCode::Cancelled, "the recorder is closing", 0});
    } else {
        everythingRuns();
    }
}

void RecorderWorker::everythingRuns() {
    const Request& request = m_recording.request;
    m_writer->write(recordingStarted(request, m_recording.capabilities.platform, m_recording.limitations));
    m_recording.begin = m_environment.clock->ticks();
    updateJournal();
    m_queriesDue = 0;
    flushFiles(Flushed::Everything); // the rundown, and how the recording came about
    changeState(State::Recording);
    Q_EMIT started(m_recording.limitations);
    m_pollTimer.start();
    checkTimeLimit();
}

void RecorderWorker::flushFiles(Flushed what) {
    for (const Session& session : m_recording.sessions) {
        const bool isWanted = what == Flushed::Everything || session.planned.kind == Kind::Event;
        if (session.isRunning && !session.isRing() && isWanted) {
            m_environment.controller->flush(session.id, std::string(),
                                            posted<etw::SessionStats>([](Result<etw::SessionStats> flushed) {
                                                if (!flushed) {
                                                    spdlog::debug("recorder: flush: {}", flushed.error().detail);
                                                }
                                            }));
        }
    }
}

void RecorderWorker::rollBack(Error error) {
    stopSession(m_recording.sessions.size(), [this, error = std::move(error)] {
        m_writer.reset();
        for (Session& session : m_recording.sessions) {
            session.isKept = false; // nothing of it is wanted, and it has been told so
        }
        if (const tracedeck::Status removed = removeRawFiles(); !removed) {
            spdlog::warn("recorder: a raw file stays behind: {}", removed.error().detail);
        }
        forgetRecording();
        changeState(State::Idle);
        Q_EMIT failed(error);
    });
}

void RecorderWorker::addLimitation(etw::Limitation limitation) {
    std::vector<etw::Limitation>& all = m_recording.limitations;
    const auto same = std::find_if(all.begin(), all.end(), [&](const etw::Limitation& known) {
        return known.code == limitation.code && known.detail == limitation.detail;
    });
    if (same == all.end()) {
        all.push_back(std::move(limitation));
    } else {
        same->count = std::max(same->count, limitation.count);
    }
}

etw::Limitation RecorderWorker::whyKernelRefuses(const Error& error) const {
    using enum etw::LimitationCode;
    constexpr std::array kReasons{PerfEventParanoid, NoPerfEvents, NotElevated, PidNamespace, DescriptorLimit};
    const auto isReason = [&](const etw::Limitation& limitation) {
        return std::find(kReasons.begin(), kReasons.end(), limitation.code) != kReasons.end();
    };
    // What concerns groups of kernel events is nearer to it than what concerns the machine.
    for (const etw::Capabilities::Refused& refused : m_recording.capabilities.refusedGroups) {
        if (isReason(refused.limitation)) {
            return refused.limitation;
        }
    }
    const auto& machine = m_recording.capabilities.limitations;
    const auto found = std::find_if(machine.begin(), machine.end(), isReason);
    return found != machine.end() ? *found : etw::Limitation{NoPerfEvents, error.detail, 0};
}

// ---- recording

void RecorderWorker::poll() {
    checkTimeLimit();
    // A round that is still under way is not overtaken: a slow controller is asked less often.
    if (m_state != State::Recording || m_queriesDue > 0) {
        return;
    }
    for (std::size_t i = 0; i < m_recording.sessions.size(); ++i) {
        if (m_recording.sessions[i].isRunning) {
            ++m_queriesDue;
            m_environment.controller->query(m_recording.sessions[i].id,
                                            posted<etw::SessionStats>([this, i](Result<etw::SessionStats> stats) {
                                                queried(i, std::move(stats));
                                            }));
        }
    }
}

void RecorderWorker::queried(std::size_t index, Result<etw::SessionStats> stats) {
    --m_queriesDue;
    if (m_state != State::Recording) {
        return;
    }
    const Ticks now = m_environment.clock->ticks();
    Session& session = m_recording.sessions[index];
    if (stats) {
        takeStats(session, *stats, now);
    } else {
        spdlog::warn("recorder: session {} does not answer: {}", session.planned.config.name, stats.error().detail);
        if (stats.error().code == ErrorCode::SessionUnknown) {
            m_recording.writeError = stats.error();
            session.isRunning = false;
            stopBecause(StopReason::SourceFailed);
            return;
        }
    }
    if (m_queriesDue == 0) {
        const LiveStatus status = liveStatus(now);
        Q_EMIT statusChanged(status);
        if (const std::optional<StopReason> reason = reasonToStop(status, m_recording.request.plan)) {
            stopBecause(*reason);
        }
    }
}

void RecorderWorker::takeStats(Session& session, const etw::SessionStats& stats, Ticks now) {
    const std::string& name = session.planned.config.name;
    for (const NewLoss& loss : session.monitor.update(stats, elapsed(now))) {
        m_writer->write(lossEvent(name, loss.loss, wallTimeOf(*m_environment.clock, loss.loss.first)));
        if (loss.isFirst) {
            spdlog::warn("recorder: session {} lost {} events: {}", name, loss.loss.events,
                         etw::toString(loss.loss.cause));
            Q_EMIT eventsLost(QString::fromStdString(name), loss.loss);
        }
    }
}

LiveStatus RecorderWorker::liveStatus(Ticks now) {
    LiveStatus status;
    status.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed(now));
    status.marks = m_recording.marks;
    for (const Session& session : m_recording.sessions) {
        // A session that the kernel refused has no numbers to show.
        if (session.id != etw::SessionId()) {
            status.sessions.push_back(session.monitor.status());
        }
    }
    const Request& request = m_recording.request;
    const FreeSpace free = freeSpaceOf(*m_environment.files, request);
    status.freeDisk = free.raw.value_or(Bytes{0});
    status.disk = m_recording.diskGuard.look(status, free, request.plan, request.whenDiskShort);
    return status;
}

void RecorderWorker::checkTimeLimit() {
    const std::chrono::nanoseconds limit = m_recording.request.timeLimit;
    if (m_state != State::Recording || limit.count() == 0) {
        return;
    }
    const std::chrono::nanoseconds left = limit - elapsed(m_environment.clock->ticks());
    if (left.count() <= 0) {
        stopBecause(StopReason::TimeLimit);
    } else {
        m_limitTimer.start(std::min(std::chrono::ceil<std::chrono::milliseconds>(left), kLongestWait));
    }
}

void RecorderWorker::mark(const std::string& text) {
    if (!isAllowed(Command::Mark, m_state)) {
        spdlog::debug("recorder: a mark came too late: {}", text);
        return;
    }
    for (const Session& session : m_recording.sessions) {
        if (session.isRunning && session.planned.kind == Kind::System) {
            m_environment.controller->mark(session.id, text, posted<void>([](Result<void> marked) {
                                               if (!marked) {
                                                   spdlog::warn("recorder: no mark in the kernel's stream: {}",
                                                                marked.error().detail);
                                               }
                                           }));
        }
    }
    m_writer->write(markEvent(text));
    ++m_recording.marks;
    updateJournal(); // whoever adopts the recording counts on
    flushFiles(Flushed::OwnEvents);
}

// ---- stopping

void RecorderWorker::stop() {
    stopBecause(StopReason::User);
}

void RecorderWorker::discard() {
    if (m_state == State::Recording || m_state == State::Stopping) {
        m_recording.isUnwanted = true;
        stopBecause(StopReason::User);
    } else if (m_state == State::Stopped) {
        throwAway();
        return;
    }
    Q_EMIT discardEnded();
}

void RecorderWorker::stopBecause(StopReason reason) {
    if (m_state != State::Recording) {
        return; // it stopped by itself a moment ago
    }
    m_pollTimer.stop();
    m_limitTimer.stop();
    m_recording.reason = reason;
    m_recording.end = m_environment.clock->ticks();
    Ending ending{reason, std::chrono::duration_cast<std::chrono::milliseconds>(elapsed(m_recording.end)), 0};
    const bool keepsNewest = m_recording.request.whenDiskShort == WhenDiskShort::KeepNewest;
    for (const Session& session : m_recording.sessions) {
        ending.eventsOverwritten +=
            keepsNewest && !session.isRing() ? session.monitor.status().stats.eventsOverwritten : 0;
    }
    m_writer->write(
        recordingStopped(m_recording.request, m_recording.capabilities.platform, ending, m_recording.limitations));
    changeState(State::Stopping);
    Q_EMIT progressChanged({State::Stopping, 0});
    const auto stopAll = [this] { stopSession(m_recording.sessions.size(), [this] { everythingStopped(); }); };
    if (m_recording.isUnwanted) {
        stopAll();
    } else {
        captureStates(&etw::ProviderConfig::captureOnSave, stopAll);
    }
}

void RecorderWorker::stopSession(std::size_t step, std::function<void()> whenAllStopped) {
    while (step > 0 && !inStartOrder(m_recording.sessions, step - 1).isRunning) {
        --step;
    }
    if (step == 0) {
        whenAllStopped();
        return;
    }
    const Session& session = inStartOrder(m_recording.sessions, step - 1);
    const bool isKept = session.isRing() && m_state == State::Stopping && !m_recording.isUnwanted;
    m_environment.controller->stop(
        session.id, isKept ? session.rawFile : std::string(),
        posted<etw::SessionStats>(
            [this, step, whenAllStopped = std::move(whenAllStopped)](Result<etw::SessionStats> stats) {
                sessionStopped(inStartOrder(m_recording.sessions, step - 1), std::move(stats));
                if (m_state == State::Stopping) {
                    const auto all = static_cast<double>(m_recording.sessions.size());
                    Q_EMIT progressChanged({State::Stopping, 1.0 - static_cast<double>(step - 1) / all});
                }
                stopSession(step - 1, whenAllStopped);
            }));
}

void RecorderWorker::sessionStopped(Session& session, Result<etw::SessionStats> stats) {
    session.isRunning = false;
    if (!stats) {
        spdlog::warn("recorder: session {} could not be stopped: {}", session.planned.config.name,
                     stats.error().detail);
        session.isKept = stats.error().code != ErrorCode::SessionUnknown;
        std::optional<Error>& reason = session.isKept ? m_recording.keptError : m_recording.writeError;
        if (!reason) {
            reason = stats.error();
        }
        return;
    }
    if (m_state == State::Stopping) {
        takeStats(session, *stats, m_recording.end);
    }
    for (const etw::Limitation& limitation : stats->limitations) {
        addLimitation(limitation);
    }
    if (stats->writeError && !m_recording.writeError) {
        m_recording.writeError = stats->writeError;
    }
}

void RecorderWorker::everythingStopped() {
    m_writer.reset();
    if (m_recording.isUnwanted) {
        throwAway();
        return;
    }
    describeResult();
    const Stopped& result = m_recording.result;
    if (result.rawFiles.empty() && !hasKept()) {
        const Error error = result.writeError.value_or(
            Error{ErrorCode::Internal, "no session has written a file into " + m_recording.raws.front().folder(), 0});
        if (const tracedeck::Status removed = removeRawFiles(); !removed) {
            spdlog::warn("recorder: the work folder stays behind: {}", removed.error().detail);
        }
        forgetRecording();
        changeState(State::Idle);
        Q_EMIT failed(error);
        return;
    }
    m_recording.hasEnded = !m_remains; // else it was the program's end that stopped it
    updateJournal();
    changeState(State::Stopped);
    Q_EMIT stopped(result);
}

std::vector<std::string> RecorderWorker::existingRawFiles() const {
    std::vector<std::string> files;
    for (const RawFiles& raw : m_recording.raws) {
        for (std::string& file : raw.existing()) {
            files.push_back(std::move(file));
        }
    }
    return files;
}

void RecorderWorker::describeResult() {
    Stopped& result = m_recording.result;
    result.reason = m_recording.reason;
    result.length = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed(m_recording.end));
    result.last = liveStatus(m_recording.end);
    result.rawFiles = existingRawFiles();
    result.inMemory.clear();
    for (const Session& session : m_recording.sessions) {
        if (session.isKept && session.isRing()) {
            result.inMemory.push_back(session.planned.config.name);
        }
    }
    result.writeError = m_recording.writeError;
    result.memoryError = hasKept() ? m_recording.keptError : std::nullopt;
    if (!result.writeError) {
        result.writeError = result.memoryError;
    }
    result.limitations = m_recording.limitations;
}

/// The first failure; the rest is removed all the same.
tracedeck::Status RecorderWorker::removeRawFiles() {
    tracedeck::Status first;
    for (RawFiles& raw : m_recording.raws) {
        if (tracedeck::Status removed = raw.remove(); !removed && first) {
            first = std::move(removed);
        }
    }
    m_recording.raws.clear();
    return first;
}

void RecorderWorker::throwAway() {
    dropKept(0, [this] {
        const tracedeck::Status removed = removeRawFiles();
        forgetRecording();
        changeState(State::Idle);
        if (removed) {
            Q_EMIT discarded();
        } else {
            Q_EMIT failed(removed.error());
        }
        Q_EMIT discardEnded();
    });
}

} // namespace tracedeck::recorder
