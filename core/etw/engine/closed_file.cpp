// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/closed_file.h"

#include "core/etw/types.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace tracedeck::etw::engine {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;
using etlformat::LogfileHeader;
using etlformat::SystemHeader;

/// How far the wall clock may have moved against the trace clock since the file was begun: corrections by the network's
/// time are smaller, another boot is further away.
constexpr FileTime kLargestDrift = 60LL * 10'000'000;
constexpr std::int64_t kFileTimePerSecond = 10'000'000;

constexpr std::size_t kLogfileHeader = kBufferHeaderSize + sizeof(SystemHeader);
constexpr std::size_t kSmallestHeader = kLogfileHeader + sizeof(LogfileHeader);
constexpr std::size_t kGroupMasksSize = sizeof(etlformat::GroupMasks::words);

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <class T>
void put(std::span<std::byte> bytes, std::size_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

Status readWhole(InputFile& file, std::uint64_t offset, std::span<std::byte> into, const std::string& path) {
    const auto read = file.readAt(offset, into);
    if (!read) {
        return fail(read.error());
    }
    if (*read != into.size()) {
        return fail(ErrorCode::NotAnEtl, path + ": too short for an .etl file");
    }
    return {};
}

std::uint32_t sum(std::uint32_t before, std::uint64_t more) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(before + more, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

Result<ClosedFile> ClosedFile::read(FileSystem& files, const std::string& path) {
    auto file = files.open(path);
    if (!file) {
        return fail(file.error());
    }
    ClosedFile closed;
    closed.m_path = path;
    closed.m_size = (*file)->size();
    std::vector<std::byte> begin(kSmallestHeader);
    if (Status read = readWhole(**file, 0, begin, path); !read) {
        return fail(read.error());
    }
    const auto first = at<BufferHeader>(begin, 0);
    closed.m_logfile = at<LogfileHeader>(begin, kLogfileHeader);
    closed.m_startTicks = at<SystemHeader>(begin, kBufferHeaderSize).systemTime;
    if (first.bufferSize < kSmallestHeader || first.bufferSize > kLargestBufferKib * 1024) {
        return fail(ErrorCode::NotAnEtl, path + ": no header buffer");
    }
    closed.m_header.resize(first.bufferSize);
    if (Status read = readWhole(**file, 0, closed.m_header, path); !read) {
        return fail(read.error());
    }
    if (Status sound = closed.check(); !sound) {
        return fail(sound.error());
    }
    std::vector<std::byte> last(kBufferHeaderSize);
    if (Status read = readWhole(**file, closed.m_size - first.bufferSize, last, path); !read) {
        return fail(read.error());
    }
    closed.m_last = at<BufferHeader>(last, 0);
    if (closed.m_last.bufferSize != first.bufferSize) {
        return fail(ErrorCode::EtlDamaged, path + ": its last buffer is not whole");
    }
    return closed;
}

Status ClosedFile::check() const {
    const auto event = at<SystemHeader>(m_header, kBufferHeaderSize);
    const std::uint32_t bufferSize = at<BufferHeader>(m_header, 0).bufferSize;
    if (event.hookId != etlformat::hook::kHeader || event.headerType != etlformat::HeaderType::System64 ||
        m_logfile.pointerSize != 8) {
        return fail(ErrorCode::NotAnEtl, m_path + ": no .etl file of a 64-bit system");
    }
    if (m_logfile.bufferSize != bufferSize || (m_logfile.logFileMode & etlformat::mode::kCompressed) != 0) {
        return fail(ErrorCode::NotSupported, m_path + ": its buffers are compressed, or were merged from other ones");
    }
    if ((m_logfile.logFileMode & etlformat::mode::kCircular) != 0) {
        return fail(ErrorCode::NotSupported, m_path + ": a circular file has no end to write on from");
    }
    if (m_logfile.endTime == 0 || std::uint64_t{m_logfile.buffersWritten} * bufferSize != m_size) {
        return fail(ErrorCode::EtlDamaged, m_path + ": it was never closed, or is damaged");
    }
    return {};
}

Status ClosedFile::accepts(const etlformat::TraceIdentity& identity, const etlformat::LogfileSummary& summary,
                           const Clock& clock) const {
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::SessionBadParameters, m_path + ": cannot be written on: " + what,
                    win32::kInvalidParameter);
    };
    const auto differs = [&](const char* what, std::uint64_t there, std::uint64_t here) {
        return refuse(std::string(what) + " differs: " + std::to_string(there) + " in the file, " +
                      std::to_string(here) + " of the session");
    };
    if (m_logfile.bufferSize != summary.bufferSize) {
        return differs("the buffer size", m_logfile.bufferSize, summary.bufferSize);
    }
    if (m_logfile.numberOfProcessors != identity.numberOfProcessors) {
        return differs("the number of processors", m_logfile.numberOfProcessors, identity.numberOfProcessors);
    }
    if (groupMasksOffset().has_value() == summary.groupMasks.empty()) {
        return refuse("only one of the two records the kernel");
    }
    const std::int64_t frequency = clock.frequency();
    if (m_logfile.clockType != identity.clockType || m_logfile.perfFreq != identity.perfFreq) {
        return refuse("it counts its time by another clock");
    }
    const Ticks now = clock.ticks();
    const Ticks since = now - m_startTicks;
    const FileTime expected = m_logfile.startTime + since / frequency * kFileTimePerSecond +
                              since % frequency * kFileTimePerSecond / frequency;
    if (since < 0 || now < m_last.timeStamp || std::abs(clock.wallTime() - expected) > kLargestDrift) {
        return refuse("the system was started anew, or its clock set, since it was begun");
    }
    return {};
}

std::optional<std::size_t> ClosedFile::groupMasksOffset() const {
    const std::size_t offset =
        kBufferHeaderSize + etlformat::alignEvent(at<SystemHeader>(m_header, kBufferHeaderSize).size);
    if (offset + sizeof(SystemHeader) + kGroupMasksSize > m_header.size() ||
        at<SystemHeader>(m_header, offset).hookId != etlformat::hook::kHeaderExtension) {
        return std::nullopt;
    }
    return offset + sizeof(SystemHeader);
}

std::vector<std::byte> ClosedFile::header(const Totals& more, std::span<const std::uint32_t> masks) const {
    std::vector<std::byte> bytes = m_header;
    LogfileHeader logfile = m_logfile;
    logfile.logFileMode |= etlformat::mode::kAppend;
    logfile.buffersWritten = sum(0, more.buffers);
    logfile.endTime = more.endTime;
    logfile.eventsLost = sum(logfile.eventsLost, more.eventsLost);
    logfile.buffersLost = sum(logfile.buffersLost, more.buffersLost);
    put(bytes, kLogfileHeader, logfile);
    if (const auto offset = groupMasksOffset(); offset && !masks.empty()) {
        auto united = at<std::array<std::uint32_t, 8>>(bytes, *offset);
        for (std::size_t i = 0; i < united.size(); ++i) {
            united[i] |= masks[i];
        }
        put(bytes, *offset, united);
    }
    return bytes;
}

} // namespace tracedeck::etw::engine
