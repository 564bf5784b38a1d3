// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/session.h"

#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/ring_file.h"
#include "core/etw/engine/session_rules.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>

namespace tracedeck::etw::engine {
namespace {

namespace mode = etlformat::mode;

/// What stands for the file's number in its name.
constexpr std::string_view kNumber = "%d";
/// Names that are taken already are passed over, so many at the most.
constexpr int kTakenNames = 1000;

BufferPool::Shape shapeOf(const SessionConfig& config, const etlformat::TraceIdentity& identity) {
    const auto hasMode = [&](std::uint32_t bit) { return (config.logFileMode & bit) != 0; };
    BufferPool::Shape shape;
    shape.processors = hasMode(mode::kNoPerProcessorBuffering) ? 1 : identity.numberOfProcessors;
    shape.bufferSize = config.bufferSizeKib * 1024;
    shape.isRing = hasMode(mode::kBuffering);
    return shape;
}

} // namespace

Session::Session(Setup setup, BufferPool::Shape shape)
    : m_id(setup.id), m_loggerId(setup.loggerId), m_config(std::move(setup.config)),
      m_askedMinimumBuffers(setup.askedMinimumBuffers), m_askedMaximumBuffers(setup.askedMaximumBuffers),
      m_clock(*setup.clock), m_ownStamp(std::move(setup.stampClock)), m_stamp(m_ownStamp ? *m_ownStamp : m_clock),
      m_files(*setup.files), m_availableMemory(std::move(setup.availableMemory)), m_identity(std::move(setup.identity)),
      m_pool(shape), m_recordedGroups(m_config.kernelGroups),
      m_lastTimes(shape.processors, std::numeric_limits<Ticks>::min()), m_lastRefusals(shape.processors) {
    m_identity.numberOfProcessors = shape.processors;
}

Session::~Session() {
    stopKernel();
    if (m_mover) {
        m_mover->finish();
    }
}

Result<std::unique_ptr<Session>> Session::create(Setup setup) {
    const BufferPool::Shape shape = shapeOf(setup.config, setup.identity);
    const std::string ringFolder = std::move(setup.ringFolder);
    const std::uint32_t ringOwner = setup.ringOwner;
    std::unique_ptr<Session> session(new Session(std::move(setup), shape));
    if (Status ready = session->getReady(ringFolder, ringOwner); !ready) {
        return fail(ready.error());
    }
    return session;
}

/// The ring in shared memory where that can be had, else as every session's.
Status Session::getBuffers(const std::string& ringFolder, std::uint32_t ringOwner) {
    if (isRing() && !ringFolder.empty()) {
        readClocks(); // for the description; buffers take their time
        auto shared = SharedRing::create(ringFolder,
                                         {m_config.name, m_config.guid, ringOwner, m_config.logFileMode, m_loggerId,
                                          currentProcessId(), m_recordedGroups, m_identity, m_stamp.frequency()},
                                         m_pool.shape().bufferSize, m_config.minimumBuffers);
        if (shared) {
            m_sharedRing = std::move(*shared);
            m_pool.adopt(m_sharedRing->buffers(), m_sharedRing->overwritten());
            m_ledger = &m_sharedRing->ledger();
            return {};
        }
        noteLimitation({LimitationCode::RingNotShared, shared.error().detail, 0});
    }
    if (!m_pool.grow(m_config.minimumBuffers)) {
        return fail(ErrorCode::OutOfMemory,
                    "session " + m_config.name + ": " + std::to_string(m_config.minimumBuffers) + " buffers of " +
                        std::to_string(m_config.bufferSizeKib) + " KiB",
                    win32::kNoSystemResources);
    }
    return {};
}

/// The pair must belong together to the file format's 100 ns; the closest of a few readings does.
void Session::readClocks() {
    Ticks narrowest = std::numeric_limits<Ticks>::max();
    for (int i = 0; i < 4; ++i) {
        const Ticks before = m_stamp.ticks();
        const FileTime wall = m_clock.wallTime();
        const Ticks after = m_stamp.ticks();
        if (after - before < narrowest) {
            narrowest = after - before;
            m_identity.startTicks = before + (after - before) / 2;
            m_identity.startTime = wall;
        }
    }
    if (m_identity.bootTime == 0) {
        m_identity.bootTime = m_identity.startTime;
    }
    m_identity.perfFreq = m_clock.frequency();
    m_identity.clockType = static_cast<std::uint32_t>(m_config.clock);
    if (m_config.clock == ClockType::SystemTime) {
        m_identity.startTime = m_identity.startTicks; // one and the same, for every reader
    } else if (m_config.clock == ClockType::CpuCycle) {
        m_identity.cpuSpeedInMhz = static_cast<std::uint32_t>(m_stamp.frequency() / 1'000'000);
    }
}

Status Session::getReady(const std::string& ringFolder, std::uint32_t ringOwner) {
    if (Status buffers = getBuffers(ringFolder, ringOwner); !buffers) {
        return buffers;
    }
    readClocks();
    if (isRing()) {
        return {};
    }
    if (hasMode(mode::kRealTime)) {
        m_feed = std::make_shared<RealTimeFeed>();
    }
    std::unique_ptr<LogFile> file;
    if (!m_config.logFileName.empty()) {
        auto created = createFile();
        if (!created) {
            return fail(created.error());
        }
        file = std::move(*created);
        if (!hasMode(mode::kCircular | mode::kNewFile)) {
            m_pool.limitTo(file->room());
        }
    }
    Mover::Callbacks callbacks{m_availableMemory, [this](Ticks ticks) { return wallTimeOf(ticks); }, nullptr};
    if (hasMode(mode::kNewFile)) {
        callbacks.nextFile = [this](std::int64_t firstNumber, Ticks oldest) { return nextFile(firstNumber, oldest); };
    }
    try {
        m_mover = std::make_unique<Mover>(Mover::Clocks{m_clock, m_stamp}, m_pool, *m_ledger,
                                          Mover::Destinations{&file, m_feed}, moverSettings(), callbacks);
    } catch (const std::system_error& error) {
        std::string what = "session " + m_config.name + ": a thread for its buffers: " + error.what();
        if (const Status abandoned = file ? file->abandon() : Status(); !abandoned) {
            what += "; the file stays: " + abandoned.error().detail;
        }
        return fail(ErrorCode::OutOfMemory, std::move(what), win32::kNoSystemResources);
    }
    return {};
}

LogFile::Description Session::description(std::uint32_t fileMode, LogFile::Limits limits) const {
    LogFile::Description description;
    description.identity = m_identity;
    description.stamp = &m_stamp;
    description.summary.bufferSize = m_pool.shape().bufferSize;
    description.summary.logFileMode = fileMode;
    description.summary.loggerId = m_loggerId;
    description.summary.loggerName = m_config.name;
    description.summary.processId = currentProcessId();
    description.summary.threadId = currentThreadId();
    if (isSystemLogger()) {
        description.groupMasks.assign(m_recordedGroups.words.begin(), m_recordedGroups.words.end());
    }
    description.limits = limits;
    return description;
}

/// The session's file, or its first one.
Result<std::unique_ptr<LogFile>> Session::createFile() {
    std::uint32_t fileMode = m_config.logFileMode & ~mode::kRealTime;
    if ((fileMode & mode::kCircular) == 0) {
        fileMode |= mode::kSequential;
    }
    LogFile::Description all = description(fileMode, {m_config.maximumFileSizeMib, m_config.minimumFreeDisk});
    if (hasMode(mode::kAppend)) {
        return LogFile::resume(m_files, m_clock, m_config.logFileName, std::move(all));
    }
    const std::string path = hasMode(mode::kNewFile) ? nextFileName() : m_config.logFileName;
    return LogFile::create(m_files, m_clock, path, std::move(all));
}

std::string Session::nextFileName() {
    std::string name = m_config.logFileName; // session_rules.h makes sure that the number has its place
    return name.replace(name.find(kNumber), kNumber.size(), std::to_string(++m_fileNumber));
}

/// Called by the mover, for the file that follows a full one.
Result<std::unique_ptr<LogFile>> Session::nextFile(std::int64_t firstNumber, Ticks oldest) {
    LogFile::Description all = description((m_config.logFileMode & ~mode::kRealTime) | mode::kSequential,
                                           {m_config.maximumFileSizeMib, m_config.minimumFreeDisk});
    all.firstNumber = firstNumber;
    all.identity.startTicks = oldest;
    all.identity.startTime = wallTimeOf(oldest);
    for (int taken = 0;; ++taken) {
        auto file = LogFile::create(m_files, m_clock, nextFileName(), all);
        if (file || file.error().code != ErrorCode::FileExists || taken == kTakenNames) {
            return file;
        }
    }
}

bool Session::isSystemLogger() const noexcept {
    return hasMode(mode::kSystemLogger);
}

FileTime Session::wallTimeOf(Ticks ticks) const noexcept {
    return etlformat::wallTimeOf(m_identity, ticks, m_stamp.frequency());
}

Status Session::startKernel(KernelSource& source, std::chrono::milliseconds limit,
                            std::shared_ptr<void> ownerOfSource) {
    assert(isSystemLogger());
    const Mover::Hurry hurry(m_mover.get()); // the rundown comes at once
    auto run = KernelDriver::start(source, kernelRequest(m_config), *this, limit, std::move(ownerOfSource));
    if (!run) {
        return fail(run.error());
    }
    m_kernel = std::move(*run);
    return {};
}

Status Session::discard() {
    if (!m_mover) {
        return {};
    }
    Status abandoned = m_mover->abandon();
    m_mover.reset();
    return abandoned;
}

std::vector<Limitation> Session::limitations() const {
    std::vector<Limitation> all = m_kernel ? m_kernel->limitations() : m_lastLimitations;
    all.insert(all.end(), m_providerLimitations.begin(), m_providerLimitations.end());
    return all;
}

void Session::noteLimitation(Limitation limitation) {
    if (std::find(m_providerLimitations.begin(), m_providerLimitations.end(), limitation) ==
        m_providerLimitations.end()) {
        m_providerLimitations.push_back(std::move(limitation));
    }
}

std::optional<LossCause> Session::countRefused(BufferPool::Outcome outcome, Ticks time) noexcept {
    if (outcome == BufferPool::Outcome::BudgetSpent) {
        m_sizeLimitTime.store(time, std::memory_order_relaxed);
        m_isAtSizeLimit.store(true, std::memory_order_relaxed);
        return std::nullopt;
    }
    m_ledger->add(LossCause::NoFreeBuffer, 1, time);
    return LossCause::NoFreeBuffer;
}

bool Session::write(std::uint32_t processor, Ticks time, std::span<const std::byte> head,
                    std::span<const std::byte> payload, std::span<const std::byte> more) noexcept {
    const bool isKnown = processor < m_lastTimes.size();
    if (m_isAtSizeLimit.load(std::memory_order_relaxed)) {
        if (isKnown) {
            m_lastRefusals[processor] = std::nullopt;
        }
        return false;
    }
    const std::size_t size = head.size() + payload.size() + more.size();
    std::optional<LossCause> loss;
    if (m_mover) {
        loss = m_mover->refusal();
    }
    if (!isKnown) {
        loss = LossCause::SourceOverflow; // a processor that the file cannot name
    } else if (time < m_lastTimes[processor]) {
        loss = LossCause::TooLate;
    } else if (isTooLarge(size)) {
        loss = LossCause::EventTooLarge;
    }
    if (loss) {
        m_ledger->add(*loss, 1, time);
        if (isKnown) {
            m_lastRefusals[processor] = loss;
        }
        return false;
    }
    const BufferPool::Outcome outcome = m_pool.write(
        processor, static_cast<std::uint32_t>(size), [time] { return time; },
        [&](std::byte* place, Ticks) {
            for (const std::span<const std::byte> part : {head, payload, more}) {
                if (!part.empty()) {
                    std::memcpy(place, part.data(), part.size());
                    place += part.size();
                }
            }
        });
    const bool isWritten = outcome == BufferPool::Outcome::Written;
    if (isWritten) {
        m_lastTimes[processor] = time;
    } else {
        m_lastRefusals[processor] = countRefused(outcome, time);
    }
    return isWritten;
}

void Session::refused(std::uint32_t processor, Ticks time) noexcept {
    const bool isKnown = processor < m_lastRefusals.size();
    if (const auto cause = isKnown ? m_lastRefusals[processor] : LossCause::SourceOverflow) {
        m_ledger->add(*cause, 1, time);
    }
}

void Session::lost(LossCause cause, std::uint64_t events, Ticks first) noexcept {
    // What the kernel drops after the end is no loss.
    if (m_isAtSizeLimit.load(std::memory_order_relaxed) && first >= m_sizeLimitTime.load(std::memory_order_relaxed)) {
        return;
    }
    m_ledger->add(cause, events, first);
}

Ticks Session::oldest() const noexcept {
    if (!keepsNewest()) {
        return m_identity.startTicks;
    }
    const Ticks inFile = m_mover ? m_mover->oldest() : kNoTime; // first: what is on its way there counts twice
    const Ticks oldest = std::min(inFile, m_pool.oldest());
    return oldest == kNoTime ? m_stamp.ticks() : oldest;
}

SessionStats Session::stats() {
    SessionStats stats;
    stats.bufferSizeKib = m_config.bufferSizeKib;
    stats.numberOfBuffers = m_pool.size();
    stats.freeBuffers = std::min(m_pool.freeBuffers(), stats.numberOfBuffers);
    stats.minimumBuffers = m_config.minimumBuffers;
    stats.maximumBuffers = m_config.maximumBuffers;
    Mover::Figures figures;
    if (m_mover) {
        figures = m_mover->figures();
        stats.buffersWritten = figures.buffersWritten;
        stats.buffersLost = figures.buffersLost;
        stats.fileSize = {figures.fileSize};
        stats.writeError = figures.error;
    } else {
        figures.eventsLost = m_ledger->total();
    }
    stats.eventsOverwritten = m_pool.overwrittenEvents() + figures.eventsOverwritten;
    stats.files = figures.paths;
    const BufferPool::Accepted accepted = m_pool.accepted();
    // While events are written the counters are read one after another. They never run ahead, so the largest sum seen
    // is the truest, and what is recorded follows from it.
    m_lastProduced = std::max(m_lastProduced, accepted.events + figures.eventsLost - figures.eventsDiscarded);
    stats.eventsProduced = m_lastProduced;
    stats.eventsLost = figures.eventsLost;
    stats.eventsRecorded =
        stats.eventsProduced - std::min(stats.eventsProduced, stats.eventsLost + stats.eventsOverwritten);
    stats.bytesProduced = accepted.bytes;
    stats.oldest = oldest();
    stats.losses = m_ledger->counts();
    stats.limitations = limitations();
    stats.sourceError = m_kernel ? m_kernel->failure() : m_sourceError;
    stats.isPaused = m_isPaused.load(std::memory_order_relaxed);
    stats.isAtSizeLimit = m_isAtSizeLimit.load(std::memory_order_relaxed);
    return stats;
}

Result<SessionStats> Session::update(const SessionConfig& config, std::uint32_t mostBuffers) {
    const auto refuse = [&](const char* what) {
        return fail(ErrorCode::SessionBadParameters, "session " + m_config.name + ": update: " + what,
                    win32::kInvalidParameter);
    };
    const bool isSame =
        config.name == m_config.name && (config.guid.isNull() || config.guid == m_config.guid) &&
        config.logFileMode == m_config.logFileMode && config.bufferSizeKib == m_config.bufferSizeKib &&
        (config.minimumBuffers == m_askedMinimumBuffers || config.minimumBuffers == m_config.minimumBuffers) &&
        config.maximumFileSizeMib == m_config.maximumFileSizeMib && config.logFileName == m_config.logFileName &&
        config.minimumFreeDisk == m_config.minimumFreeDisk && config.clock == m_config.clock;
    const bool isKernelSame = config.kernelGroups == m_config.kernelGroups &&
                              config.stackHooks == m_config.stackHooks &&
                              config.profileInterval == m_config.profileInterval;
    if (!isSame || (!isKernelSame && !isSystemLogger())) {
        return refuse("only maximumBuffers, flushTimer and what a system logger records can change");
    }
    if (config.stackHooks.size() > kMaximumStackHooks) {
        return refuse("too many stack hooks");
    }
    if (m_hasEnded && !isKernelSame) {
        return fail(ErrorCode::WrongState, "session " + m_config.name + ": it has stopped", win32::kInvalidParameter);
    }
    // 0 stands for the default, as at the start: no change.
    const bool isAsAsked = config.maximumBuffers == m_askedMaximumBuffers;
    if (config.maximumBuffers != 0 && !isAsAsked && config.maximumBuffers < m_config.maximumBuffers) {
        return refuse("maximumBuffers can only grow");
    }
    if (config.flushTimer.count() < 0) {
        return refuse("negative flushTimer");
    }
    if (!isKernelSame) {
        if (Status changed = changeKernel(config); !changed) {
            return fail(changed.error());
        }
    }
    m_config.maximumBuffers = std::max(std::min(config.maximumBuffers, mostBuffers), m_config.maximumBuffers);
    m_config.flushTimer = flushTimerOf(config);
    if (m_mover) {
        m_mover->update(moverSettings());
    }
    return stats();
}

Status Session::changeKernel(const SessionConfig& config) {
    const Mover::Hurry hurry(m_mover.get()); // what is new has its rundown
    if (Status changed = m_kernel->reconfigure(kernelRequest(config)); !changed) {
        return changed;
    }
    m_config.kernelGroups = config.kernelGroups;
    m_config.stackHooks = config.stackHooks;
    m_config.profileInterval = config.profileInterval;
    m_recordedGroups.unite(config.kernelGroups);
    return {};
}

KernelRequest Session::kernelRequest(const SessionConfig& config) const {
    return {config.kernelGroups, config.stackHooks, config.profileInterval, keepsNewest()};
}

Mover::Settings Session::moverSettings() const {
    return {m_config.flushTimer, m_config.maximumBuffers, m_recordedGroups};
}

Result<SessionStats> Session::flush(const std::string& fileName) {
    if (!isRing()) {
        if (m_kernel) {
            const Mover::Hurry hurry(m_mover.get());
            m_kernel->drain();
        }
        m_mover->flush();
        return stats();
    }
    auto file = createRingFile(fileName);
    if (!file) {
        return fail(file.error());
    }
    if (m_kernel) {
        m_kernel->drain();
        m_kernel->rundown();
    }
    return writeRing(std::move(*file));
}

Result<std::unique_ptr<LogFile>> Session::createRingFile(const std::string& fileName) {
    return LogFile::create(
        m_files, m_clock, fileName,
        description(mode::kSequential | (m_config.logFileMode & mode::kSystemLogger), {0, m_config.minimumFreeDisk}));
}

/// Puts the ring into the file and closes that. The ring keeps everything, so half a file is of no use and is removed.
Result<SessionStats> Session::writeRing(std::unique_ptr<LogFile> file) {
    RingWritten written;
    try {
        written = writeRingTo(m_pool, *file);
    } catch (const std::bad_alloc&) {
        written.status =
            fail(ErrorCode::OutOfMemory, "session " + m_config.name + ": writing the ring", win32::kNoSystemResources);
    }
    const Ticks now = m_stamp.ticks();
    const Status closed =
        file->close({now, wallTimeOf(now), m_ledger->total() + written.eventsMissed, written.buffersMissed});
    if (!written.status || !closed) {
        Error error = written.status ? closed.error() : written.status.error();
        if (const Status removed = m_files.remove(file->path()); !removed) {
            error.detail += "; half a file stays: " + removed.error().detail;
        }
        return fail(std::move(error));
    }
    SessionStats after = stats();
    after.eventsOverwritten += written.eventsBeforeHole;
    after.eventsRecorded -= std::min(after.eventsRecorded, written.eventsBeforeHole);
    after.buffersWritten = file->buffersWritten();
    after.fileSize = {file->size()};
    return after;
}

void Session::stopKernel() {
    if (m_kernel) {
        const Mover::Hurry hurry(m_mover.get());
        m_kernel->stop();
        m_lastLimitations = m_kernel->limitations();
        m_sourceError = m_kernel->failure();
        m_kernel.reset();
    }
}

void Session::end() {
    m_hasEnded = true;
    stopKernel();
}

Result<SessionStats> Session::stop(const std::string& fileName) {
    assert(m_hasEnded);
    if (isRing() && !fileName.empty()) {
        auto file = createRingFile(fileName);
        return file ? writeRing(std::move(*file)) : fail(file.error());
    }
    if (m_mover) {
        m_mover->finish();
    }
    SessionStats last = stats();
    m_mover.reset();
    return last;
}

void Session::leaveRing() noexcept {
    if (m_sharedRing) {
        m_sharedRing->leave();
    }
}

Result<std::shared_ptr<RealTimeConsumer>> Session::openRealTime() {
    if (!m_feed) {
        return fail(ErrorCode::SessionBadParameters, "session " + m_config.name + ": it has no mode REAL_TIME",
                    win32::kInvalidParameter);
    }
    return m_feed->connect();
}

Status Session::pause() {
    const bool isPaused = m_isPaused.load(std::memory_order_relaxed);
    if (m_hasEnded || isPaused) {
        return fail(ErrorCode::WrongState,
                    "session " + m_config.name + (m_hasEnded ? ": it has stopped" : ": it is paused already"),
                    win32::kInvalidParameter);
    }
    if (m_kernel) {
        if (Status paused = m_kernel->pause(); !paused) {
            return paused;
        }
    }
    m_isPaused.store(true, std::memory_order_relaxed);
    return {};
}

Status Session::resume() {
    const bool isPaused = m_isPaused.load(std::memory_order_relaxed);
    if (m_hasEnded || !isPaused) {
        return fail(ErrorCode::WrongState,
                    "session " + m_config.name + (m_hasEnded ? ": it has stopped" : ": it is not paused"),
                    win32::kInvalidParameter);
    }
    if (m_kernel) {
        if (Status resumed = m_kernel->resume(); !resumed) {
            return resumed;
        }
    }
    m_isPaused.store(false, std::memory_order_relaxed);
    return {};
}

Status Session::mark(const std::string& text) {
    if (m_hasEnded) {
        return fail(ErrorCode::WrongState, "session " + m_config.name + ": it has stopped", win32::kInvalidParameter);
    }
    if (!m_kernel) {
        return fail(ErrorCode::SessionBadParameters, "session " + m_config.name + ": marks go to system loggers",
                    win32::kInvalidParameter);
    }
    return m_kernel->mark(text);
}

} // namespace tracedeck::etw::engine
