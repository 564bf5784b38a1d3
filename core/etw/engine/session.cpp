// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/session.h"

#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/ring_file.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <limits>

namespace tracedeck::etw::engine {
namespace {

constexpr std::uint32_t kClosedFileMode = etlformat::mode::kSequential;
constexpr std::int64_t kFileTimePerSecond = 10'000'000;

bool hasMode(const SessionConfig& config, std::uint32_t mode) {
    return (config.logFileMode & mode) != 0;
}

BufferPool::Shape shapeOf(const SessionConfig& config, const etlformat::TraceIdentity& identity) {
    BufferPool::Shape shape;
    shape.processors = hasMode(config, etlformat::mode::kNoPerProcessorBuffering) ? 1 : identity.numberOfProcessors;
    shape.bufferSize = config.bufferSizeKib * 1024;
    shape.isRing = hasMode(config, etlformat::mode::kBuffering);
    return shape;
}

} // namespace

Session::Session(Setup setup, BufferPool::Shape shape)
    : m_id(setup.id), m_loggerId(setup.loggerId), m_config(std::move(setup.config)), m_clock(*setup.clock),
      m_files(*setup.files), m_identity(std::move(setup.identity)), m_pool(shape),
      m_lastTimes(shape.processors, std::numeric_limits<Ticks>::min()) {
    m_identity.numberOfProcessors = shape.processors;
}

Session::~Session() {
    stopKernel();
    if (m_mover) {
        m_mover->finish(wallTimeOf(m_clock.ticks()));
    }
}

Result<std::unique_ptr<Session>> Session::create(Setup setup) {
    const BufferPool::Shape shape = shapeOf(setup.config, setup.identity);
    std::unique_ptr<Session> session(new Session(std::move(setup), shape));
    if (Status ready = session->getReady(); !ready) {
        return fail(ready.error());
    }
    return session;
}

Status Session::getReady() {
    if (!m_pool.grow(m_config.minimumBuffers)) {
        return fail(ErrorCode::OutOfMemory,
                    "session " + m_config.name + ": " + std::to_string(m_config.minimumBuffers) + " buffers of " +
                        std::to_string(m_config.bufferSizeKib) + " KiB",
                    win32::kNoSystemResources);
    }
    // The pair must belong together to the file format's 100 ns; the closest of a few readings does.
    Ticks narrowest = std::numeric_limits<Ticks>::max();
    for (int i = 0; i < 4; ++i) {
        const Ticks before = m_clock.ticks();
        const FileTime wall = m_clock.wallTime();
        const Ticks after = m_clock.ticks();
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
    if (isRing()) {
        return {};
    }
    auto file = createFile(m_config.logFileName, (m_config.logFileMode | kClosedFileMode) & ~etlformat::mode::kRealTime,
                           {m_config.maximumFileSizeMib, m_config.minimumFreeDisk});
    if (!file) {
        return fail(file.error());
    }
    m_mover = std::make_unique<Mover>(m_clock, m_pool, m_ledger, std::move(*file),
                                      Mover::Settings{m_config.flushTimer, m_config.maximumBuffers});
    return {};
}

Result<std::unique_ptr<LogFile>> Session::createFile(const std::string& path, std::uint32_t mode,
                                                     LogFile::Limits limits) {
    etlformat::LogfileSummary summary;
    summary.bufferSize = m_pool.shape().bufferSize;
    summary.logFileMode = mode;
    summary.loggerId = m_loggerId;
    summary.loggerName = m_config.name;
    summary.processId = currentProcessId();
    summary.threadId = currentThreadId();
    std::span<const std::uint32_t> masks;
    if (isSystemLogger()) {
        masks = m_config.kernelGroups.words;
    }
    return LogFile::create(m_files, m_clock, path, m_identity, std::move(summary), masks, limits);
}

bool Session::isSystemLogger() const noexcept {
    return hasMode(m_config, etlformat::mode::kSystemLogger);
}

FileTime Session::wallTimeOf(Ticks ticks) const noexcept {
    // By the trace clock, as readers compute it: the wall clock may have been set meanwhile.
    const std::int64_t frequency = m_identity.perfFreq;
    const Ticks since = ticks - m_identity.startTicks;
    return m_identity.startTime + since / frequency * kFileTimePerSecond +
           since % frequency * kFileTimePerSecond / frequency;
}

Status Session::startKernel(KernelSource& source) {
    assert(isSystemLogger());
    const Mover::Hurry hurry(m_mover.get()); // the rundown comes at once
    auto run = source.start({m_config.kernelGroups, m_config.stackHooks, m_config.profileInterval, isRing()}, *this);
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
    const std::string path = m_mover->path();
    m_mover.reset();
    return m_files.remove(path);
}

std::vector<Limitation> Session::limitations() const {
    return m_kernel ? m_kernel->limitations() : m_lastLimitations;
}

void Session::writeEvent(std::uint32_t processor, std::span<const std::byte> event) noexcept {
    if (m_mover) {
        if (const auto refusal = m_mover->refusal()) {
            m_ledger.add(*refusal, 1, m_clock.ticks());
            return;
        }
    }
    if (event.size() > etlformat::kLargestEvent || event.size() > m_pool.largestEvent()) {
        m_ledger.add(LossCause::EventTooLarge, 1, m_clock.ticks());
        return;
    }
    const bool isWritten = m_pool.write(
        processor % m_pool.shape().processors, static_cast<std::uint32_t>(event.size()),
        [this] { return m_clock.ticks(); },
        [event](std::byte* place, Ticks time) {
            std::memcpy(place, event.data(), event.size());
            std::memcpy(place + offsetof(etlformat::EventHeader, timeStamp), &time, sizeof time);
        });
    if (!isWritten) {
        m_ledger.add(LossCause::NoFreeBuffer, 1, m_clock.ticks());
    }
}

bool Session::write(std::uint32_t processor, Ticks time, std::span<const std::byte> head,
                    std::span<const std::byte> payload, std::span<const std::byte> more) noexcept {
    const std::size_t size = head.size() + payload.size() + more.size();
    std::optional<LossCause> loss;
    if (m_mover) {
        loss = m_mover->refusal();
    }
    if (processor >= m_lastTimes.size()) {
        loss = LossCause::SourceOverflow; // a processor that the file cannot name
    } else if (time < m_lastTimes[processor]) {
        loss = LossCause::TooLate;
    } else if (size > etlformat::kLargestEvent || size > m_pool.largestEvent()) {
        loss = LossCause::EventTooLarge;
    }
    if (!loss) {
        const bool isWritten = m_pool.write(
            processor, static_cast<std::uint32_t>(size), [time] { return time; },
            [&](std::byte* place, Ticks) {
                for (const std::span<const std::byte> part : {head, payload, more}) {
                    if (!part.empty()) {
                        std::memcpy(place, part.data(), part.size());
                        place += part.size();
                    }
                }
            });
        if (isWritten) {
            m_lastTimes[processor] = time;
            return true;
        }
        loss = LossCause::NoFreeBuffer;
    }
    m_ledger.add(*loss, 1, time);
    return false;
}

void Session::lost(LossCause cause, std::uint64_t events, Ticks first) noexcept {
    m_ledger.add(cause, events, first);
}

Ticks Session::oldest() const noexcept {
    if (!isRing()) {
        return m_identity.startTicks;
    }
    const Ticks oldest = m_pool.oldest();
    return oldest == kNoTime ? m_clock.ticks() : oldest;
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
        figures.eventsLost = m_ledger.total();
        figures.eventsDiscarded = m_ringDiscarded;
        stats.writeError = m_ringError;
    }
    stats.eventsOverwritten = m_pool.overwrittenEvents();
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
    stats.losses = m_ledger.counts();
    stats.limitations = limitations();
    return stats;
}

Result<SessionStats> Session::update(const SessionConfig& config) {
    const auto refuse = [&](const char* what) {
        return fail(ErrorCode::SessionBadParameters, "session " + m_config.name + ": update: " + what,
                    win32::kInvalidParameter);
    };
    if (config.bufferSizeKib != m_config.bufferSizeKib || config.logFileMode != m_config.logFileMode ||
        config.logFileName != m_config.logFileName || config.maximumFileSizeMib != m_config.maximumFileSizeMib ||
        !(config.kernelGroups == m_config.kernelGroups) || config.stackHooks != m_config.stackHooks) {
        return refuse("only maximumBuffers and flushTimer can change");
    }
    // 0 stands for the default, as at the start: no change.
    if (config.maximumBuffers != 0 && config.maximumBuffers < m_config.maximumBuffers) {
        return refuse("maximumBuffers can only grow");
    }
    if (config.flushTimer.count() < 0) {
        return refuse("negative flushTimer");
    }
    m_config.maximumBuffers =
        std::min(std::max(config.maximumBuffers, m_config.maximumBuffers), BufferPool::kMostBuffers);
    m_config.flushTimer = config.flushTimer;
    if (m_mover) {
        m_mover->update({m_config.flushTimer, m_config.maximumBuffers});
    }
    return stats();
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
    if (const Status written = writeRing(**file, After::Continue); !written) {
        // The ring still holds everything, so half a file is of no use.
        Error error = written.error();
        if (const Status removed = m_files.remove(fileName); !removed) {
            error.detail += "; " + removed.error().detail;
        }
        return fail(std::move(error));
    }
    SessionStats after = stats();
    after.buffersWritten = (*file)->buffersWritten();
    after.fileSize = {(*file)->size()};
    return after;
}

/// Puts the ring into the file and closes that; the first error. After::Stop: what did not fit is lost.
Status Session::writeRing(LogFile& file, After after) {
    const RingWritten written = writeRingTo(m_pool, file);
    const Ticks now = m_clock.ticks();
    if (!written.status && after == After::Stop) {
        const std::uint64_t left = stats().eventsRecorded - written.eventsWritten;
        m_ledger.add(lossCauseOf(written.status.error()), left, now);
        m_ringDiscarded += left;
    }
    const Status closed =
        file.close({now, wallTimeOf(now), m_ledger.total() + written.eventsMissed, written.buffersMissed});
    return written.status ? closed : written.status;
}

void Session::stopKernel() {
    if (m_kernel) {
        const Mover::Hurry hurry(m_mover.get());
        m_kernel->stop();
        m_lastLimitations = m_kernel->limitations();
        m_kernel.reset();
    }
}

Result<std::unique_ptr<LogFile>> Session::createRingFile(const std::string& fileName) {
    if (!isRing() || fileName.empty()) {
        return nullptr;
    }
    return createFile(fileName, kClosedFileMode | (m_config.logFileMode & etlformat::mode::kSystemLogger), {});
}

SessionStats Session::stop(std::unique_ptr<LogFile> ringFile) {
    stopKernel();
    if (m_mover) {
        m_mover->finish(wallTimeOf(m_clock.ticks()));
    }
    if (ringFile) {
        if (const Status written = writeRing(*ringFile, After::Stop); !written) {
            m_ringError = written.error();
        }
    }
    SessionStats last = stats();
    if (ringFile) {
        last.buffersWritten = ringFile->buffersWritten();
        last.fileSize = {ringFile->size()};
    }
    m_mover.reset();
    return last;
}

Status Session::mark(const std::string& text) {
    if (!m_kernel) {
        return fail(ErrorCode::SessionBadParameters, "session " + m_config.name + ": marks go to system loggers",
                    win32::kInvalidParameter);
    }
    m_kernel->mark(text);
    return {};
}

} // namespace tracedeck::etw::engine
