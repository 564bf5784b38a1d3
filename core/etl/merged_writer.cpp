// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merged_writer.h"

#include "core/etlformat/layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tracedeck::etl {
namespace {

using etlformat::alignEvent;
using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;

constexpr int kUnusedTail = 0xFF;
static_assert(kBufferHeaderSize + alignEvent(etlformat::kLargestEvent) <= kMergedBufferSize);

/// The same folder is on the same volume.
std::string folderOf(const std::string& path) {
#ifdef _WIN32
    const std::size_t slash = path.find_last_of("/\\");
#else
    const std::size_t slash = path.rfind('/');
#endif
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

} // namespace

PartialFile::PartialFile(FileSystem& files, std::string path) : m_files(files), m_path(std::move(path)) {}

PartialFile::~PartialFile() {
    if (m_file) {
        m_file.reset(); // an open file cannot be removed everywhere
        // Without commit() an error is already on its way; that of the removal adds nothing to it.
        static_cast<void>(m_files.remove(m_temporaryPath));
    }
}

Status PartialFile::create() {
    auto temporary = createTemporary(m_files, folderOf(m_path), ".partial");
    if (!temporary) {
        return fail(std::move(temporary.error()));
    }
    m_temporaryPath = std::move(temporary->path);
    m_file = std::move(temporary->file);
    return {};
}

Status PartialFile::commit(FileSystem::Existing existing) {
    if (auto synced = m_file->sync(); !synced) {
        return synced;
    }
    if (auto closed = m_file->close(); !closed) {
        return closed;
    }
    if (auto renamed = m_files.rename(m_temporaryPath, m_path, existing); !renamed) {
        return renamed;
    }
    m_file.reset();
    return {};
}

Status MergedWriter::append(std::uint16_t processor, Ticks time, std::span<const std::byte> event) {
    assert(event.size() <= etlformat::kLargestEvent);
    if (m_open.size() <= processor) {
        m_open.resize(processor + std::size_t{1});
    }
    Buffer& buffer = m_open[processor];
    const std::size_t padded = alignEvent(event.size());
    if (buffer.bytes.empty()) {
        buffer.bytes.resize(kMergedBufferSize);
        buffer.filled = kBufferHeaderSize;
    } else if (buffer.filled + padded > kMergedBufferSize) {
        if (auto written = write(processor, etlformat::buffer_flag::kProcessorIndex); !written) {
            return written;
        }
    }
    std::byte* const to = buffer.bytes.data() + buffer.filled;
    std::memset(to + padded - etlformat::kEventAlignment, 0, etlformat::kEventAlignment);
    std::memcpy(to, event.data(), event.size());
    buffer.filled += padded;
    buffer.last = time;
    return {};
}

Status MergedWriter::write(std::uint16_t processor, std::uint16_t flags) {
    Buffer& buffer = m_open[processor];
    BufferHeader header;
    header.bufferSize = kMergedBufferSize;
    header.savedOffset = static_cast<std::uint32_t>(buffer.filled);
    header.currentOffset = header.savedOffset;
    header.timeStamp = buffer.last;
    header.sequenceNumber = static_cast<std::int64_t>(m_buffers);
    header.processorIndex = processor;
    header.offset = header.savedOffset;
    header.bufferFlag = flags;
    std::memcpy(buffer.bytes.data(), &header, sizeof header);
    std::memset(buffer.bytes.data() + buffer.filled, kUnusedTail, kMergedBufferSize - buffer.filled);
    if (auto written = m_file.writeAt(m_buffers * kMergedBufferSize, buffer.bytes); !written) {
        return written;
    }
    ++m_buffers;
    buffer.filled = kBufferHeaderSize;
    return {};
}

Status MergedWriter::finish() {
    std::vector<std::uint16_t> left;
    for (std::size_t processor = 0; processor < m_open.size(); ++processor) {
        if (m_open[processor].filled > kBufferHeaderSize) {
            left.push_back(static_cast<std::uint16_t>(processor));
        }
    }
    std::stable_sort(left.begin(), left.end(),
                     [this](std::uint16_t a, std::uint16_t b) { return m_open[a].last < m_open[b].last; });
    for (const std::uint16_t processor : left) {
        const bool isLast = processor == left.back();
        const auto flags = static_cast<std::uint16_t>(etlformat::buffer_flag::kProcessorIndex |
                                                      (isLast ? etlformat::buffer_flag::kFlushMarker : 0));
        if (auto written = write(processor, flags); !written) {
            return written;
        }
    }
    return {};
}

Status MergedWriter::writeHeaderBuffer(std::span<const std::byte> buffer) {
    assert(buffer.size() == kMergedBufferSize);
    return m_file.writeAt(0, buffer);
}

} // namespace tracedeck::etl
