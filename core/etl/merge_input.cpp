// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge_input.h"

#include "core/etl/event_view.h"
#include "core/etl/xpress.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracedeck::etl {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;

constexpr std::size_t kHeaderReadBlock = 512;
/// Modes whose files begin with a later buffer, or hold some no more.
constexpr std::uint32_t kModesWithGaps =
    etlformat::mode::kCircular | etlformat::mode::kNewFile | etlformat::mode::kBuffering;
constexpr std::uint32_t kMostProcessors = 2048;
/// Any event and its padding fits.
constexpr std::size_t kLongestBlock = etlformat::alignEvent(etlformat::kLargestEvent) + etlformat::kEventAlignment;

/// What every header buffer holds and the merged file has once, from its own numbers.
bool isHeaderEvent(const EventView& event) {
    return event.hasHook() &&
           (event.hookId == etlformat::hook::kHeader || event.hookId == etlformat::hook::kHeaderExtension ||
            event.hookId == etlformat::hook::kPartitionInfo);
}

EventRef refer(const EventView& event, std::size_t offset, Ticks before) {
    EventRef ref;
    ref.time = event.hasTime ? event.time : before;
    ref.offset = static_cast<std::uint32_t>(offset);
    ref.size = static_cast<std::uint16_t>(event.size);
    const bool hasStackTime = event.payload().size() >= sizeof(Ticks);
    if (event.hasHook() && event.hookId == etlformat::hook::kStackWalk && hasStackTime) {
        ref.stackTimeAt = static_cast<std::uint8_t>(event.headerSize);
    }
    ref.ownsTime = event.hasTime && ref.stackTimeAt == 0;
    ref.isImage = event.hasHook() &&
                  (event.hookId == etlformat::hook::kImageLoad || event.hookId == etlformat::hook::kImageDcStart);
    return ref;
}

bool earlier(const EventRef& a, const EventRef& b) {
    return a.time < b.time;
}

/// The numbers of the buffers at `offsets`, read again.
Result<std::vector<std::pair<std::int64_t, std::uint64_t>>> numbered(InputFile& file,
                                                                     const std::vector<std::uint64_t>& offsets) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> result;
    result.reserve(offsets.size());
    for (const std::uint64_t offset : offsets) {
        BufferHeader header;
        const auto got = file.readAt(offset, std::as_writable_bytes(std::span(&header, 1)));
        if (!got) {
            return fail(got.error());
        }
        result.emplace_back(header.sequenceNumber, offset);
    }
    return result;
}

/// Files are in the order in which buffers were handed over; circular files begin anywhere, and then the numbers are
/// read again: 16 bytes for each buffer of one processor at a time.
Status putInOrder(MergeInput& input, const std::set<std::uint16_t>& disordered) {
    for (const std::uint16_t processor : disordered) {
        PlaceList& list = input.places.at(processor);
        auto places = numbered(*input.file, list.offsets());
        if (!places) {
            return fail(std::move(places.error()));
        }
        std::stable_sort(places->begin(), places->end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        list.clear();
        for (const auto& [number, offset] : *places) {
            list.add(offset);
        }
    }
    return {};
}

/// How many numbers no buffer has, without keeping them: for files whose numbers occur once each.
class NumberCount {
public:
    void add(std::int64_t number) {
        m_first = m_count == 0 ? number : std::min(m_first, number);
        m_last = m_count == 0 ? number : std::max(m_last, number);
        ++m_count;
    }
    [[nodiscard]] std::uint64_t missing() const {
        // Unsigned: numbers of a damaged file may be any.
        const std::uint64_t steps = static_cast<std::uint64_t>(m_last) - static_cast<std::uint64_t>(m_first);
        return m_count == 0 || steps < m_count ? 0 : steps - (m_count - 1);
    }

private:
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
    std::uint64_t m_count = 0;
};

} // namespace

Result<MergeInput> openMergeInput(FileSystem& files, const std::string& path) {
    MergeInput input;
    input.path = path;
    auto file = files.open(path);
    if (!file) {
        return fail(std::move(file.error()));
    }
    input.file = std::move(*file);
    auto header = readFileHeader(*input.file, path);
    if (!header) {
        return fail(std::move(header.error()));
    }
    input.header = std::move(*header);
    FileWindow window(*input.file, kHeaderReadBlock);
    BufferWalk walk(window, input.header);
    std::map<std::uint16_t, std::int64_t> last;
    std::set<std::uint16_t> disordered;
    NumberCount numbers;
    if ((input.header.summary.logFileMode & kModesWithGaps) == 0) {
        numbers.add(0); // the first buffer's
    }
    for (bool isFirst = true;; isFirst = false) {
        const auto found = walk.next();
        if (!found) {
            return fail(found.error());
        }
        if (!found->has_value()) {
            break;
        }
        const BufferPlace& place = **found;
        input.bytes += place.size;
        if (isFirst) {
            continue;
        }
        numbers.add(place.sequenceNumber);
        input.places.try_emplace(place.processor, input.header.firstBufferSize).first->second.add(place.offset);
        const auto [before, isNew] = last.try_emplace(place.processor, place.sequenceNumber);
        if (!isNew && place.sequenceNumber < before->second) {
            disordered.insert(place.processor);
        }
        before->second = place.sequenceNumber;
    }
    input.damaged = walk.damaged();
    input.truncated = walk.truncated();
    if ((input.header.summary.logFileMode & kModesWithGaps) == 0) {
        input.buffersMissing = numbers.missing();
    }
    if (auto ordered = putInOrder(input, disordered); !ordered) {
        return fail(std::move(ordered.error()));
    }
    return input;
}

MergeStream::MergeStream(MergeInput& input, std::size_t blockSize)
    : m_input(&input), m_processor(0), m_blockSize(blockSize), m_hasFirst(true),
      m_last(input.header.summary.startTicks) {}

MergeStream::MergeStream(MergeInput& input, std::uint16_t processor, const PlaceList& places, std::size_t blockSize)
    : m_input(&input), m_processor(processor), m_blockSize(blockSize), m_places(places),
      m_last(input.header.summary.startTicks) {}

MergeStream::MergeStream(std::uint16_t processor, std::vector<const AddedEvent*> added) : m_processor(processor) {
    std::stable_sort(added.begin(), added.end(),
                     [](const AddedEvent* a, const AddedEvent* b) { return a->time < b->time; });
    for (const AddedEvent* const one : added) {
        EventView event;
        static_cast<void>(parseEvent(one->bytes, event)); // checked before
        m_events.push_back(refer(event, m_storage.size(), one->time));
        m_storage.insert(m_storage.end(), one->bytes.begin(), one->bytes.end());
    }
}

Result<bool> MergeStream::load() {
    while (isEmpty()) {
        if (m_buffer.at >= m_buffer.filled) {
            m_bytesRead += m_buffer.size;
            const auto more = nextBuffer();
            if (!more) {
                return fail(more.error());
            }
            if (!*more) {
                // Many streams end long before the merge does.
                m_storage = {};
                m_compressed = {};
                m_events = {};
                m_at = 0;
                return false;
            }
        }
        if (auto read = m_buffer.isCompressed ? decompress() : readBlock(); !read) {
            return fail(std::move(read.error()));
        }
    }
    return true;
}

Result<bool> MergeStream::nextBuffer() {
    m_buffer = {};
    std::optional<std::uint64_t> offset = m_places ? m_places->next() : std::nullopt;
    if (m_hasFirst) {
        m_hasFirst = false;
        offset = 0;
    }
    if (!offset) {
        return false;
    }
    BufferHeader header;
    const auto got = m_input->file->readAt(*offset, std::as_writable_bytes(std::span(&header, 1)));
    if (!got) {
        return fail(got.error());
    }
    m_buffer.offset = *offset;
    m_buffer.at = kBufferHeaderSize;
    m_buffer.isHeader = *offset == 0;
    m_buffer.isCompressed = !m_buffer.isHeader && (header.bufferFlag & etlformat::buffer_flag::kCompressed) != 0;
    // Checked before, but a file may change.
    m_buffer.size = std::min(header.bufferSize, kLargestBuffer);
    m_buffer.filled = std::min(m_buffer.isHeader       ? m_input->header.firstBufferFilled
                               : m_buffer.isCompressed ? header.offset
                                                       : std::max(header.savedOffset, header.offset),
                               kLargestBuffer);
    return true;
}

Status MergeStream::readBlock() {
    m_events.clear();
    m_at = 0;
    const std::uint32_t offset = m_buffer.at;
    std::size_t wanted = std::min<std::size_t>(m_blockSize, m_buffer.filled - offset);
    while (true) {
        m_storage.resize(wanted);
        const auto got = m_input->file->readAt(m_buffer.offset + offset, m_storage);
        if (!got) {
            return fail(got.error());
        }
        if (*got < wanted) {
            m_buffer.filled = offset + static_cast<std::uint32_t>(*got);
        }
        index(0, *got, offset);
        // One event that is longer than a block.
        if (!m_events.empty() || m_buffer.at != offset || wanted >= kLongestBlock) {
            return {};
        }
        wanted = std::min<std::size_t>(kLongestBlock, m_buffer.filled - offset);
    }
}

Status MergeStream::decompress() {
    m_events.clear();
    m_at = 0;
    m_buffer.at = m_buffer.filled;
    m_compressed.resize(m_buffer.size);
    const auto got = m_input->file->readAt(m_buffer.offset, m_compressed);
    if (!got) {
        return fail(got.error());
    }
    m_storage.resize(std::max<std::size_t>(m_buffer.filled, kBufferHeaderSize));
    const auto made = *got < kBufferHeaderSize
                          ? std::nullopt
                          : decodeXpress(std::span(m_compressed).first(*got).subspan(kBufferHeaderSize),
                                         std::span(m_storage).subspan(kBufferHeaderSize));
    if (!made || *made + kBufferHeaderSize != m_buffer.filled) {
        m_damaged.note(m_buffer.offset, "the buffer cannot be decompressed");
        return {};
    }
    index(kBufferHeaderSize, m_buffer.filled, 0);
    return {};
}

void MergeStream::index(std::size_t at, std::size_t end, std::uint32_t offset) {
    const std::span<const std::byte> bytes = std::span(m_storage).first(end);
    const bool isLastBlock = offset + end >= m_buffer.filled;
    bool isSorted = true;
    EventView event;
    ParseResult parsed = ParseResult::End;
    Ticks before = m_last;
    while (at < end && (parsed = parseEvent(bytes.subspan(at), event)) == ParseResult::Event) {
        if (!m_buffer.isHeader || !isHeaderEvent(event)) {
            m_events.push_back(refer(event, at, before));
            isSorted = isSorted && (m_events.size() == 1 || m_events.back().time >= before);
            before = m_events.back().time;
        }
        at += etlformat::alignEvent(event.size);
    }
    // What the block cut off is read again, with what follows; an event that is cut off looks like a damaged one.
    const bool isCut = at < end && !isLastBlock && end - at < kLongestBlock;
    m_buffer.at = at >= end || isCut ? offset + static_cast<std::uint32_t>(at) : m_buffer.filled;
    if (!isSorted) {
        std::stable_sort(m_events.begin(), m_events.end(), earlier);
    }
    if (!m_events.empty()) {
        m_last = m_events.back().time;
    }
    // Windows leaves what it likes behind the events of a header buffer.
    if (!isCut && at < end && parsed == ParseResult::Damaged && !m_buffer.isHeader) {
        m_damaged.note(m_buffer.offset, "bytes that are no event, in a buffer at its +" + std::to_string(offset + at));
    }
}

std::size_t mergeBlockSize(std::size_t streams) noexcept {
    constexpr std::size_t kBudget = 16 * 1024 * 1024; // the events of a block cost as much again
    constexpr std::size_t kShortest = 4096;
    constexpr std::size_t kLongest = 1024 * 1024;
    return std::clamp(kBudget / std::max<std::size_t>(streams, 1), kShortest, kLongest) / kShortest * kShortest;
}

std::vector<MergeStream> streamsOf(std::vector<MergeInput>& inputs) {
    std::size_t count = 0;
    for (const MergeInput& input : inputs) {
        count += 1 + input.places.size();
    }
    const std::size_t blockSize = mergeBlockSize(count);
    std::vector<MergeStream> streams;
    streams.reserve(count);
    for (MergeInput& input : inputs) {
        streams.emplace_back(input, blockSize);
        for (const auto& [processor, places] : input.places) {
            streams.emplace_back(input, processor, places, blockSize);
        }
    }
    return streams;
}

Result<std::vector<MergeStream>> streamsOf(const std::vector<AddedEvent>& added) {
    std::map<std::uint16_t, std::vector<const AddedEvent*>> byProcessor;
    for (const AddedEvent& one : added) {
        EventView event;
        if (one.processor >= kMostProcessors || parseEvent(one.bytes, event) != ParseResult::Event ||
            event.size != one.bytes.size() || (event.hasTime && event.time != one.time)) {
            return fail(ErrorCode::InvalidArgument, "an added event is not one event of its time");
        }
        byProcessor[static_cast<std::uint16_t>(one.processor)].push_back(&one);
    }
    std::vector<MergeStream> streams;
    streams.reserve(byProcessor.size());
    for (auto& [processor, events] : byProcessor) {
        streams.emplace_back(processor, std::move(events));
    }
    return streams;
}

} // namespace tracedeck::etl
