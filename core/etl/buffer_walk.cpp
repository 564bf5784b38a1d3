// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/buffer_walk.h"

#include "core/etl/event_view.h"
#include "core/etl/xpress.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tracedeck::etl {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;

constexpr std::uint16_t kProcessorBits = 0x7FF;
constexpr std::uint32_t kRelogMode = 0x00010000;
constexpr std::uint16_t kKnownFlags = 0xFF;
constexpr std::uint16_t kLastBufferType = 7;
constexpr std::size_t kScanBlock = 1024 * 1024;

/// Whether bytes in the middle of nowhere are the beginning of a buffer: every field that has few values is asked.
bool isConvincing(std::span<const std::byte> bytes, std::uint64_t left) {
    if (bytes.size() < kBufferHeaderSize ||
        loadAt<std::uint32_t>(bytes.data(), offsetof(BufferHeader, state)) != etlformat::kBufferStateFlush) {
        return false; // nearly always
    }
    const auto header = loadAt<BufferHeader>(bytes.data(), 0);
    const bool isCompressed = (header.bufferFlag & etlformat::buffer_flag::kCompressed) != 0;
    if (header.bufferSize < kBufferHeaderSize || header.bufferSize > kLargestBuffer || header.bufferSize > left ||
        header.bufferFlag > kKnownFlags || header.bufferType > kLastBufferType || header.sequenceNumber < 0 ||
        header.offset < kBufferHeaderSize || header.offset > kLargestBuffer || (header.savedOffset & 7U) != 0) {
        return false;
    }
    if (isCompressed) {
        return true;
    }
    if (header.offset > header.bufferSize || header.savedOffset > header.bufferSize) {
        return false;
    }
    return header.offset == kBufferHeaderSize ||
           (bytes.size() >= kBufferHeaderSize + 8 &&
            (std::to_integer<unsigned>(bytes[kBufferHeaderSize + 3]) & 0x80U) != 0);
}

} // namespace

void Damage::note(std::uint64_t offset, std::string_view detail, std::uint64_t leftOut) {
    if (count == 0) {
        firstOffset = offset;
        firstDetail = detail;
    }
    ++count;
    if (offsets.size() < kMostOffsets) {
        offsets.push_back(offset);
    }
    bytes += leftOut;
    if (leftOut != 0 && ranges.size() < kMostRanges) {
        ranges.push_back({offset, leftOut, std::string(detail)});
    }
}

void Damage::unite(const Damage& other) {
    if (other.count != 0 && (count == 0 || other.firstOffset < firstOffset)) {
        firstOffset = other.firstOffset;
        firstDetail = other.firstDetail;
    }
    count += other.count;
    offsets.insert(offsets.end(), other.offsets.begin(), other.offsets.end());
    std::sort(offsets.begin(), offsets.end());
    offsets.resize(std::min(offsets.size(), kMostOffsets));
    bytes += other.bytes;
    ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const DamagedRange& a, const DamagedRange& b) { return a.offset < b.offset; });
    ranges.resize(std::min(ranges.size(), kMostRanges));
}

Result<std::span<const std::byte>> FileWindow::view(std::uint64_t offset, std::size_t size) {
    if (offset >= m_file.size()) {
        return std::span<const std::byte>{};
    }
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_file.size() - offset));
    if (offset < m_offset || offset + size > m_offset + m_filled) {
        const std::size_t wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(std::max(size, m_blockSize), m_file.size() - offset));
        if (m_block.size() < wanted) {
            m_block.resize(wanted);
        }
        m_filled = 0;
        const auto got = m_file.readAt(offset, std::span(m_block).first(wanted));
        if (!got) {
            return fail(got.error());
        }
        m_offset = offset;
        m_filled = *got;
        // The file may have been cut since it was opened.
        size = std::min(size, m_filled);
    }
    return std::span<const std::byte>(m_block).subspan(static_cast<std::size_t>(offset - m_offset), size);
}

BufferWalk::BufferWalk(FileWindow& window, const FileHeader& header, WalkWatcher watcher)
    : m_window(window), m_header(header), m_watcher(std::move(watcher)),
      m_sizesDiffer((header.summary.logFileMode & (etlformat::mode::kCompressed | kRelogMode)) != 0) {}

Result<std::optional<BufferPlace>> BufferWalk::next() {
    if (m_at == 0) {
        BufferPlace place;
        place.size = m_header.firstBufferSize;
        place.filled = m_header.firstBufferFilled;
        place.type = etlformat::BufferType::Header;
        m_at = place.size;
        if (place.size > m_window.size()) {
            m_truncated.note(0, "the first buffer runs past the end of the file", m_window.size());
            m_at = m_window.size();
        }
        return place;
    }
    while (m_at < m_window.size()) {
        if (auto watched = watch(m_at); !watched) {
            return fail(std::move(watched).error());
        }
        BufferPlace place;
        std::string why;
        const auto verdict = judge(m_at, place, why);
        if (!verdict) {
            return fail(verdict.error());
        }
        if (*verdict == Verdict::Sound) {
            m_at += place.size;
            return place;
        }
        if (auto stepped = stepOver(m_at, *verdict, why); !stepped) {
            return fail(std::move(stepped).error());
        }
    }
    return std::optional<BufferPlace>{};
}

Result<void> BufferWalk::watch(std::uint64_t offset) {
    constexpr std::uint64_t kOften = 4 * 1024 * 1024;
    if (m_watcher && offset - m_watched >= kOften) {
        m_watched = offset;
        if (!m_watcher(offset)) {
            return fail(ErrorCode::Cancelled, "reading was cancelled");
        }
    }
    return {};
}

Result<void> BufferWalk::stepOver(std::uint64_t offset, Verdict verdict, const std::string& why) {
    const std::uint64_t end = m_window.size();
    const auto data = firstNonZero(offset);
    if (!data) {
        return fail(data.error());
    }
    // A buffer begins with its size, of which the lowest bytes may be zero.
    constexpr std::uint64_t kZerosOfSize = 3;
    const auto sound = *data == end ? Result<std::uint64_t>(end)
                                    : nextSound(offset, *data > offset + kZerosOfSize ? *data - kZerosOfSize : offset);
    if (!sound) {
        return fail(sound.error());
    }
    if (*data == end) {
        m_truncated.note(offset, "zeros to the end of the file", end - offset);
    } else if (verdict == Verdict::PastEnd && *sound == end) {
        m_truncated.note(offset, why, end - offset);
    } else {
        m_damaged.note(offset, "left out: " + why, *sound - offset);
    }
    m_at = *sound;
    return {};
}

Result<BufferWalk::Verdict> BufferWalk::judge(std::uint64_t offset, BufferPlace& place, std::string& why) {
    const std::uint64_t left = m_window.size() - offset;
    const auto bytes = m_window.view(offset, kBufferHeaderSize);
    if (!bytes) {
        return fail(bytes.error());
    }
    if (bytes->size() < kBufferHeaderSize) {
        why = "less than a buffer header is left";
        return Verdict::PastEnd;
    }
    const auto header = loadAt<BufferHeader>(bytes->data(), 0);
    place.offset = offset;
    place.size = header.bufferSize;
    place.filled = std::max(header.savedOffset, header.offset);
    place.processor = header.processorIndex & kProcessorBits;
    place.flags = header.bufferFlag;
    place.type = static_cast<etlformat::BufferType>(header.bufferType);
    place.sequenceNumber = header.sequenceNumber;
    if (header.bufferSize < kBufferHeaderSize || header.bufferSize > kLargestBuffer) {
        why = "a buffer size of " + std::to_string(header.bufferSize) + " bytes";
        return Verdict::Damaged;
    }
    if (place.isCompressed()) {
        place.filled = header.offset;
    }
    const std::uint32_t largest =
        place.isCompressed() ? std::clamp(m_header.summary.bufferSize, std::uint32_t{1024 * 1024}, kLargestBuffer)
                             : header.bufferSize;
    if (place.filled < kBufferHeaderSize || place.filled > largest) {
        why = "events up to " + std::to_string(place.filled) + " in a buffer of " + std::to_string(largest) + " bytes";
        return Verdict::Damaged;
    }
    if (header.bufferSize > left) {
        why = "the buffer runs past the end of the file";
        return Verdict::PastEnd;
    }
    if (!m_sizesDiffer && header.bufferSize != m_header.firstBufferSize && header.bufferSize != left) {
        // All buffers of a plain file have one size. Another one is believed where it leads to a buffer.
        const auto leads = looksLikeBuffer(offset + header.bufferSize);
        if (!leads) {
            return fail(leads.error());
        }
        if (!*leads) {
            why = "a buffer of " + std::to_string(header.bufferSize) + " bytes that no buffer follows";
            return Verdict::Damaged;
        }
    }
    return Verdict::Sound;
}

Result<bool> BufferWalk::looksLikeBuffer(std::uint64_t offset) {
    const auto bytes = m_window.view(offset, kBufferHeaderSize + 8);
    if (!bytes) {
        return fail(bytes.error());
    }
    return isConvincing(*bytes, m_window.size() - std::min(offset, m_window.size()));
}

Result<std::uint64_t> BufferWalk::nextSound(std::uint64_t offset, std::uint64_t earliest) {
    const std::uint64_t end = m_window.size();
    if (m_strideWorks && !m_sizesDiffer) {
        const std::uint64_t stride = m_header.firstBufferSize;
        const std::uint64_t skipped = earliest > offset ? (earliest - offset - 1) / stride : 0;
        for (std::uint64_t at = offset + (skipped + 1) * stride; at < end; at += stride) {
            const auto found = looksLikeBuffer(at);
            if (!found) {
                return fail(found.error());
            }
            if (*found) {
                return at;
            }
            if (auto watched = watch(at); !watched) {
                return fail(std::move(watched).error());
            }
            // To the last place before the data that follows a hole; the loop goes on from there.
            const std::uint64_t places = (m_window.dataAt(at) - offset) / stride;
            at = std::max(at, offset + (places - 1) * stride);
        }
        // Searched to the end once, and not again: the whole walk stays linear.
        m_strideWorks = false;
    }
    const std::uint64_t step = m_sizesDiffer ? 1 : etlformat::kEventAlignment;
    std::uint64_t at = std::max(offset + step, offset + (earliest - offset) / step * step);
    while (at + kBufferHeaderSize <= end) {
        if (auto watched = watch(at); !watched) {
            return fail(std::move(watched).error());
        }
        const auto block = m_window.view(at, kScanBlock);
        if (!block) {
            return fail(block.error());
        }
        if (block->size() < kBufferHeaderSize) {
            break;
        }
        std::size_t i = 0;
        for (; i + kBufferHeaderSize <= block->size(); i += static_cast<std::size_t>(step)) {
            if (isConvincing(block->subspan(i, std::min(kBufferHeaderSize + 8, block->size() - i)), end - at - i)) {
                return at + i;
            }
        }
        const std::uint64_t hole = m_window.dataAt(at + i);
        at = std::max(at + i, hole > offset + kBufferHeaderSize
                                  ? offset + (hole - offset - kBufferHeaderSize) / step * step
                                  : offset);
    }
    return end;
}

Result<std::uint64_t> BufferWalk::firstNonZero(std::uint64_t offset) {
    while ((offset = m_window.dataAt(offset)) < m_window.size()) {
        if (auto watched = watch(offset); !watched) {
            return fail(std::move(watched).error());
        }
        const auto block = m_window.view(offset, kScanBlock);
        if (!block) {
            return fail(block.error());
        }
        if (block->empty()) {
            break; // the file was cut since it was opened
        }
        // A block of zeros is equal to itself one byte on: compared at the speed of memory.
        const bool isZero =
            block->front() == std::byte{0} && std::memcmp(block->data(), block->data() + 1, block->size() - 1) == 0;
        if (!isZero) {
            const auto found =
                std::find_if(block->begin(), block->end(), [](std::byte b) { return b != std::byte{0}; });
            return offset + static_cast<std::uint64_t>(found - block->begin());
        }
        offset += block->size();
    }
    return m_window.size();
}

Result<std::optional<std::span<const std::byte>>> bufferBytes(FileWindow& window, const BufferPlace& place,
                                                              std::vector<std::byte>& scratch) {
    using Bytes = std::optional<std::span<const std::byte>>;
    const auto stored = window.view(place.offset, place.isCompressed() ? place.size : place.filled);
    if (!stored) {
        return fail(stored.error());
    }
    if (stored->size() < kBufferHeaderSize) {
        return Bytes{};
    }
    if (!place.isCompressed()) {
        return Bytes{*stored};
    }
    scratch.resize(place.filled);
    std::copy_n(stored->begin(), kBufferHeaderSize, scratch.begin());
    const auto made = decodeXpress(stored->subspan(kBufferHeaderSize), std::span(scratch).subspan(kBufferHeaderSize));
    if (!made || *made != place.filled - kBufferHeaderSize) {
        return Bytes{};
    }
    return Bytes{std::span<const std::byte>(scratch)};
}

} // namespace tracedeck::etl
