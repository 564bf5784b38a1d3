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
constexpr std::uint64_t kBuffersPerSync = 128; ///< 16 MiB: the device works while the next ones are made
static_assert(kBufferHeaderSize + alignEvent(etlformat::kLargestEvent) <= kMergedBufferSize);

} // namespace

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
    if (m_buffers % kBuffersPerSync == 0) {
        m_file.beginSync((m_buffers - kBuffersPerSync) * kMergedBufferSize, kBuffersPerSync * kMergedBufferSize);
    }
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
