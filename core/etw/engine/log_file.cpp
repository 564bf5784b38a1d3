// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/log_file.h"

#include "core/etw/types.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tracedeck::etw::engine {
namespace {

// Others write to the volume too. Within this distance of the floor every write asks.
constexpr std::uint64_t kCloseToFloor = 64ULL * 1024 * 1024;

std::uint32_t clamped(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

LogFile::LogFile(FileSystem& files, const Clock& clock, std::string path, Limits limits)
    : m_files(files), m_clock(clock), m_path(std::move(path)), m_limits(limits) {}

Result<std::unique_ptr<LogFile>> LogFile::create(FileSystem& files, const Clock& clock, const std::string& path,
                                                 const etlformat::TraceIdentity& identity,
                                                 etlformat::LogfileSummary summary,
                                                 std::span<const std::uint32_t> groupMasks, Limits limits) {
    std::unique_ptr<LogFile> log(new LogFile(files, clock, path, limits));
    log->m_identity = identity;
    log->m_summary = std::move(summary);
    log->m_groupMasks.assign(groupMasks.begin(), groupMasks.end());
    log->m_summary.groupMasks = log->m_groupMasks;
    log->m_summary.logFileName = path;
    log->m_summary.maximumFileSizeMib = limits.maximumSizeMib;

    auto file = files.create(path, FileSystem::Existing::Refuse);
    if (!file) {
        return fail(file.error());
    }
    log->m_file = std::move(*file);
    Status written = log->checkRoom(log->m_summary.bufferSize);
    if (written) {
        written = log->writeHeader();
    }
    if (!written) {
        Error error = written.error();
        log->m_file.reset();
        if (const Status removed = files.remove(path); !removed) {
            error.detail += "; the empty file stays: " + removed.error().detail;
        }
        return fail(std::move(error));
    }
    log->m_size = log->m_summary.bufferSize;
    log->m_buffers = 1;
    return log;
}

Status LogFile::writeHeader() {
    return m_file->writeAt(0, etlformat::encodeHeaderBuffer(m_identity, m_summary));
}

Status LogFile::checkRoom(std::uint64_t more) {
    const std::uint64_t cap = mib(m_limits.maximumSizeMib).count;
    if (cap != 0 && m_size + more > cap) {
        // The session puts no more buffers to use than fit.
        return fail(ErrorCode::Internal,
                    m_path + ": the largest file size of " + std::to_string(m_limits.maximumSizeMib) +
                        " MiB is reached",
                    win32::kDiskFull);
    }
    if (m_limits.minimumFreeDisk.count == 0) {
        return {};
    }
    const std::uint64_t floor = m_limits.minimumFreeDisk.count;
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
    return checkRoom(0);
}

Status LogFile::append(std::span<std::byte> buffer, std::uint32_t end, std::uint32_t processor) {
    if (Status room = checkRoom(buffer.size()); !room) {
        return room;
    }
    etlformat::BufferHeader header;
    header.bufferSize = static_cast<std::uint32_t>(buffer.size());
    header.savedOffset = end;
    header.currentOffset = end;
    header.timeStamp = m_clock.ticks();
    header.sequenceNumber = static_cast<std::int64_t>(m_buffers);
    header.processorIndex = static_cast<std::uint16_t>(processor);
    header.loggerId = m_summary.loggerId;
    header.offset = end;
    header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
    std::memcpy(buffer.data(), &header, sizeof header);
    std::memset(buffer.data() + end, 0xFF, buffer.size() - end);
    if (Status written = m_file->writeAt(m_size, buffer); !written) {
        Error error = written.error();
        if (const Status cut = m_file->resize(m_size); !cut) {
            error.detail += "; the rest could not be cut off: " + cut.error().detail;
        }
        return fail(std::move(error));
    }
    m_size += buffer.size();
    ++m_buffers;
    m_last = header;
    return {};
}

Status LogFile::close(const Ending& ending) {
    Status first;
    const auto note = [&](Status status) {
        if (!status && first) {
            first = std::move(status);
        }
    };
    if (m_buffers > 1) {
        m_last.bufferFlag |= etlformat::buffer_flag::kFlushMarker;
        note(m_file->writeAt(m_size - m_last.bufferSize, std::as_bytes(std::span(&m_last, 1))));
    }
    m_summary.buffersWritten = clamped(m_buffers);
    m_summary.endTime = ending.endTime;
    m_summary.eventsLost = clamped(ending.eventsLost);
    m_summary.buffersLost = clamped(ending.buffersLost);
    note(writeHeader());
    note(m_file->close());
    m_file.reset();
    return first;
}

} // namespace tracedeck::etw::engine
