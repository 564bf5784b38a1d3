// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/log_file.h"

#include "core/etw/engine/buffer_pool.h"
#include "core/etw/types.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tracedeck::etw::engine {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;

// Others write to the volume too. Within this distance of the floor every write asks.
constexpr std::uint64_t kCloseToFloor = 64ULL * 1024 * 1024;

/// A circular file that a full volume keeps smaller than this is of no use.
constexpr std::size_t kLeastPlacesPerProcessor = 2;
constexpr Bytes kLeastToTurn = mib(16);
constexpr std::uint64_t kPlacesAtFirst = 65536;
/// The oldest place is looked for once in so many parts of all places.
constexpr std::size_t kOldestParts = 32;

std::uint32_t clamped(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

BufferHeader headerOf(const LogFile::Contents& contents, std::size_t bufferSize, std::int64_t number,
                      std::uint16_t loggerId, Ticks now) {
    BufferHeader header;
    header.bufferSize = static_cast<std::uint32_t>(bufferSize);
    header.savedOffset = contents.end;
    header.currentOffset = contents.end;
    header.timeStamp = now;
    header.sequenceNumber = number;
    header.processorIndex = static_cast<std::uint16_t>(contents.processor);
    header.loggerId = loggerId;
    header.offset = contents.end;
    header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
    return header;
}

std::span<const std::byte> bytesOf(const BufferHeader& header) {
    return std::as_bytes(std::span(&header, 1));
}

} // namespace

LogFile::LogFile(FileSystem& files, const Clock& clock, std::string path, Description description)
    : m_files(files), m_clock(clock), m_stamp(description.stamp != nullptr ? *description.stamp : clock),
      m_path(std::move(path)), m_description(std::move(description)), m_nextNumber(m_description.firstNumber),
      m_oldest(m_description.identity.startTicks) {
    etlformat::LogfileSummary& summary = m_description.summary;
    summary.groupMasks = m_description.groupMasks;
    summary.logFileName = m_path;
    summary.maximumFileSizeMib = m_description.limits.maximumSizeMib;
    if (isCircular()) {
        // One that may become as large as the volume mostly does not.
        m_places.reserve(std::min(mib(summary.maximumFileSizeMib).count / summary.bufferSize, kPlacesAtFirst));
    }
}

Result<std::unique_ptr<LogFile>> LogFile::create(FileSystem& files, const Clock& clock, const std::string& path,
                                                 Description description) {
    std::unique_ptr<LogFile> log(new LogFile(files, clock, path, std::move(description)));
    auto file = files.create(path, FileSystem::Existing::Refuse);
    if (!file) {
        return fail(file.error());
    }
    log->m_file = std::move(*file);
    const std::uint32_t bufferSize = log->m_description.summary.bufferSize;
    Status written = log->checkRoom(bufferSize);
    if (written) {
        written = log->writeHeader({});
    }
    if (!written) {
        Error error = written.error();
        log->m_file.reset();
        if (const Status removed = files.remove(path); !removed) {
            error.detail += "; the empty file stays: " + removed.error().detail;
        }
        return fail(std::move(error));
    }
    log->m_size = bufferSize;
    log->m_written = 1;
    return log;
}

Result<std::unique_ptr<LogFile>> LogFile::resume(FileSystem& files, const Clock& clock, const std::string& path,
                                                 Description description) {
    auto former = ClosedFile::read(files, path);
    if (!former) {
        return former.error().code == ErrorCode::FileNotFound ? create(files, clock, path, std::move(description))
                                                              : Result<std::unique_ptr<LogFile>>(fail(former.error()));
    }
    std::unique_ptr<LogFile> log(new LogFile(files, clock, path, std::move(description)));
    const etlformat::LogfileSummary& summary = log->m_description.summary;
    if (Status accepted = former->accepts(log->m_description.identity, summary, log->m_stamp); !accepted) {
        return fail(accepted.error());
    }
    auto file = files.create(path, FileSystem::Existing::Keep);
    if (!file) {
        return fail(file.error());
    }
    log->m_file = std::move(*file);
    log->m_size = former->size();
    log->m_written = 1;
    log->m_nextNumber = former->last().sequenceNumber + 1;
    log->m_former = std::move(*former);
    Status written = log->checkRoom(0);
    if (written) {
        written = log->writeHeader({});
    }
    if (written) {
        written = log->m_file->sync(); // what is written on must not call itself complete after a loss of power
    }
    if (!written) {
        Error error = written.error();
        if (const Status restored = log->abandon(); !restored) {
            error.detail += "; the file is not as it was: " + restored.error().detail;
        }
        return fail(std::move(error));
    }
    return log;
}

bool LogFile::isCircular() const noexcept {
    return (m_description.summary.logFileMode & etlformat::mode::kCircular) != 0;
}

Status LogFile::writeHeader(const ClosedFile::Totals& totals) {
    if (m_former) {
        return m_file->writeAt(0, m_former->header(totals, m_description.groupMasks));
    }
    etlformat::LogfileSummary& summary = m_description.summary;
    summary.buffersWritten = clamped(totals.buffers);
    summary.endTime = totals.endTime;
    summary.eventsLost = clamped(totals.eventsLost);
    summary.buffersLost = clamped(totals.buffersLost);
    return m_file->writeAt(0, etlformat::encodeHeaderBuffer(m_description.identity, summary));
}

std::uint64_t LogFile::room() const noexcept {
    const std::uint64_t cap = mib(m_description.limits.maximumSizeMib).count;
    if (cap == 0) {
        return BufferPool::kUnlimited;
    }
    return (cap - std::min(cap, m_size)) / m_description.summary.bufferSize;
}

Status LogFile::checkRoom(std::uint64_t more) {
    const std::uint64_t floor = m_description.limits.minimumFreeDisk.count;
    if (floor == 0) {
        return {};
    }
    const Ticks now = m_clock.ticks();
    if (m_freeAsked == 0 || now - m_freeAsked >= m_clock.frequency() || m_freeKnown < floor + kCloseToFloor + more) {
        const Result<Bytes> free = m_files.freeSpace(m_path);
        if (!free) {
            return fail(free.error());
        }
        m_freeAsked = now;
        m_freeKnown = free->count;
    }
    if (m_freeKnown < floor + more) {
        return fail(ErrorCode::DiskFull,
                    m_path + ": " + std::to_string(m_freeKnown) + " bytes are free, " + std::to_string(floor) +
                        " are to stay free",
                    win32::kDiskFull);
    }
    m_freeKnown -= more;
    return {};
}

Status LogFile::checkFreeDisk() {
    return isCircular() ? Status{} : checkRoom(0); // a short volume ends the growth alone
}

/// So small, it would hold next to nothing: it may take from what is to stay free.
bool LogFile::isTooSmallToTurn() const noexcept {
    return isCircular() && m_size < kLeastToTurn.count;
}

Status LogFile::append(std::span<std::byte> buffer, const Contents& contents) {
    const BufferHeader header =
        headerOf(contents, buffer.size(), m_nextNumber, m_description.summary.loggerId, m_stamp.ticks());
    std::memcpy(buffer.data(), &header, sizeof header);
    std::memset(buffer.data() + contents.end, 0xFF, buffer.size() - contents.end);
    m_hasItsSize = m_hasItsSize || (isCircular() && room() == 0);
    std::uint64_t offset = m_size;
    if (!m_hasItsSize) {
        Status grown = grow(buffer);
        const std::size_t least = kLeastPlacesPerProcessor * m_description.identity.numberOfProcessors;
        m_hasItsSize = !grown && grown.error().code == ErrorCode::DiskFull && m_places.size() >= least;
        if (!grown && !m_hasItsSize) {
            return grown;
        }
        if (grown && isCircular()) {
            m_places.push_back({});
            settle(m_places.size() - 1, contents);
        }
    }
    if (m_hasItsSize) {
        offset = buffer.size() * (1 + m_nextPlace);
        if (Status written = overwrite(offset, buffer); !written) {
            return written;
        }
        settle(m_nextPlace, contents);
        m_nextPlace = (m_nextPlace + 1) % m_places.size();
    }
    ++m_written;
    ++m_nextNumber;
    m_last = header;
    m_lastOffset = offset;
    return {};
}

Status LogFile::grow(std::span<const std::byte> buffer) {
    if (room() == 0) {
        // The session puts no more buffers to use than fit, or begins another file before.
        return fail(ErrorCode::Internal,
                    m_path + ": the largest file size of " + std::to_string(m_description.limits.maximumSizeMib) +
                        " MiB is reached",
                    win32::kDiskFull);
    }
    if (Status room = isTooSmallToTurn() ? Status() : checkRoom(buffer.size()); !room) {
        return room;
    }
    if (Status written = m_file->writeAt(m_size, buffer); !written) {
        Error error = written.error();
        if (const Status cut = m_file->resize(m_size); !cut) {
            error.detail += "; the rest could not be cut off: " + cut.error().detail;
        }
        return fail(std::move(error));
    }
    m_size += buffer.size();
    return {};
}

/// Three writes: whoever looks, or is killed, in between finds an empty buffer.
Status LogFile::overwrite(std::uint64_t offset, std::span<const std::byte> buffer) {
    m_overwritten += std::exchange(m_places[m_nextPlace], Place{}).events;
    BufferHeader header;
    std::memcpy(&header, buffer.data(), sizeof header);
    BufferHeader empty = header;
    empty.savedOffset = kBufferHeaderSize;
    empty.currentOffset = kBufferHeaderSize;
    empty.offset = kBufferHeaderSize;
    Status written = m_file->writeAt(offset, bytesOf(empty));
    if (written) {
        written = m_file->writeAt(offset + kBufferHeaderSize, buffer.subspan(kBufferHeaderSize));
    }
    return written ? m_file->writeAt(offset, bytesOf(header)) : written;
}

void LogFile::settle(std::size_t place, const Contents& contents) {
    m_places[place] = {contents.events, contents.first};
    if (++m_sinceOldest > m_places.size() / kOldestParts) {
        m_sinceOldest = 0;
        m_oldest = std::min_element(m_places.begin(), m_places.end(), [](const Place& a, const Place& b) {
                       return a.first < b.first;
                   })->first;
    }
}

void LogFile::uniteGroupMasks(const GroupMasks& masks) noexcept {
    for (std::size_t i = 0; i < m_description.groupMasks.size(); ++i) {
        m_description.groupMasks[i] |= masks.words[i];
    }
}

Status LogFile::close(const Ending& ending) {
    if (!m_file) {
        return {};
    }
    Status first;
    const auto note = [&](Status status) {
        if (!status && first) {
            first = std::move(status);
        }
    };
    // A header that says that the file is complete must not be on the device before what it speaks of.
    note(m_file->sync());
    if (m_lastOffset != 0) {
        m_last.bufferFlag |= etlformat::buffer_flag::kFlushMarker;
        note(m_file->writeAt(m_lastOffset, bytesOf(m_last)));
    }
    note(writeHeader(
        {m_size / m_description.summary.bufferSize, ending.endTime, ending.eventsLost, ending.buffersLost}));
    note(m_file->sync());
    note(m_file->close());
    m_file.reset();
    return first;
}

Status LogFile::abandon() {
    if (!m_former) {
        m_file.reset();
        return m_files.remove(m_path);
    }
    Status restored = m_file->resize(m_former->size());
    if (restored) {
        restored = m_file->writeAt(0, m_former->header());
    }
    if (restored) {
        restored = m_file->sync();
    }
    const Status closed = m_file->close();
    m_file.reset();
    return restored ? closed : restored;
}

} // namespace tracedeck::etw::engine
