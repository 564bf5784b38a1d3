// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge_input.h"

#include "core/etl/event_view.h"
#include "core/etl/xpress.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <map>

namespace tracedeck::etl {
namespace {

using etlformat::BufferType;
using etlformat::kBufferHeaderSize;

constexpr std::size_t kHeaderReadBlock = 512;
constexpr std::uint32_t kMostProcessors = 2048;

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
    ref.isStack = event.hasHook() && event.hookId == etlformat::hook::kStackWalk && hasStackTime;
    ref.stackTime = ref.isStack ? loadAt<Ticks>(event.payload().data(), 0) : 0;
    ref.ownsTime = event.hasTime && !ref.isStack;
    return ref;
}

bool earlier(const EventRef& a, const EventRef& b) {
    return a.time < b.time;
}

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
    for (bool isFirst = true;; isFirst = false) {
        const auto place = walk.next();
        if (!place) {
            return fail(place.error());
        }
        if (!place->has_value()) {
            break;
        }
        input.bytes += (*place)->size;
        if (isFirst) {
            input.headerPlace = **place;
        } else {
            input.places.push_back(**place);
        }
    }
    // The last buffer of a killed session was not written whole, and is no damage of what was.
    input.damagedBuffers = walk.damaged().count;
    // Files are in the order in which buffers were handed over; circular files begin anywhere.
    std::stable_sort(input.places.begin(), input.places.end(), [](const BufferPlace& a, const BufferPlace& b) {
        return a.processor != b.processor ? a.processor < b.processor : a.sequenceNumber < b.sequenceNumber;
    });
    return input;
}

MergeStream::MergeStream(MergeInput& input, std::uint16_t processor, std::span<const BufferPlace> places)
    : m_input(&input), m_processor(processor), m_places(places.begin(), places.end()),
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
    while (isEmpty() && m_nextPlace < m_places.size()) {
        const auto read = readBuffer(m_places[m_nextPlace++]);
        if (!read) {
            return fail(read.error());
        }
        if (!*read) {
            ++m_damaged;
        }
    }
    if (isEmpty()) {
        // Many streams end long before the merge does.
        m_storage = {};
        m_events = {};
        m_at = 0;
        return false;
    }
    return true;
}

Result<bool> MergeStream::readBuffer(const BufferPlace& place) {
    m_events.clear();
    m_at = 0;
    std::vector<std::byte>& into = place.isCompressed() ? m_compressed : m_storage;
    into.resize(place.isCompressed() ? place.size : place.filled);
    const auto got = m_input->file->readAt(place.offset, into);
    if (!got) {
        return fail(got.error());
    }
    m_bytesRead += place.size;
    std::size_t end = *got;
    if (place.isCompressed() && *got >= kBufferHeaderSize) {
        m_storage.resize(place.filled);
        const auto made = decodeXpress(std::span(m_compressed).first(*got).subspan(kBufferHeaderSize),
                                       std::span(m_storage).subspan(kBufferHeaderSize));
        if (!made || *made + kBufferHeaderSize != place.filled) {
            return false;
        }
        end = place.filled;
    }
    return index(end, place.type == BufferType::Header);
}

bool MergeStream::index(std::size_t end, bool isHeaderBuffer) {
    const std::span<const std::byte> bytes = std::span(m_storage).first(end);
    std::size_t at = kBufferHeaderSize;
    bool isSorted = true;
    EventView event;
    ParseResult parsed = ParseResult::End;
    Ticks before = m_last;
    while (at < end && (parsed = parseEvent(bytes.subspan(at), event)) == ParseResult::Event) {
        if (!isHeaderBuffer || !isHeaderEvent(event)) {
            m_events.push_back(refer(event, at, before));
            isSorted = isSorted && (m_events.size() == 1 || m_events.back().time >= before);
            before = m_events.back().time;
        }
        at += etlformat::alignEvent(event.size);
    }
    if (!isSorted) {
        std::stable_sort(m_events.begin(), m_events.end(), earlier);
    }
    if (!m_events.empty()) {
        m_last = m_events.back().time;
    }
    // Windows leaves what it likes behind the events of a header buffer.
    return isHeaderBuffer || at >= end || parsed != ParseResult::Damaged;
}

std::vector<MergeStream> streamsOf(MergeInput& input) {
    std::vector<MergeStream> streams;
    streams.emplace_back(input, input.headerPlace.processor, std::span(&input.headerPlace, 1));
    auto begin = input.places.cbegin();
    while (begin != input.places.cend()) {
        const auto end = std::find_if(begin, input.places.cend(),
                                      [&](const BufferPlace& place) { return place.processor != begin->processor; });
        streams.emplace_back(input, begin->processor, std::span(begin, end));
        begin = end;
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
