// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/perf_ring.h"

#include <algorithm>
#include <atomic>

namespace tracedeck::linux_source {
namespace {

constexpr std::size_t kLargestRecord = 0xFFFF;
constexpr std::size_t kSampleFixed = 8 + 8 + 8 + 8; // IDENTIFIER, IP, TID, TIME
constexpr std::size_t kTrailer = 8 + 8 + 8;         // TID, TIME, IDENTIFIER
/// Places that the kernel gets back while a long merge is still going on.
constexpr std::size_t kReleaseEvery = 1024;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

bool isLater(const RecordStream* a, const RecordStream* b) {
    return a->nextTime() > b->nextTime();
}

} // namespace

SampleBody SampleBody::of(const Record& record, bool hasChain, bool hasRaw) noexcept {
    SampleBody sample;
    std::size_t at = 0;
    if (hasChain) {
        if (record.body.size() < 8) {
            return sample;
        }
        const auto count = load<std::uint64_t>(record.body, 0);
        at = 8;
        if (count > (record.body.size() - at) / 8) {
            return sample;
        }
        // Records are 8-aligned in the ring and in the scratch buffer, and so is the chain within them.
        sample.chain = {reinterpret_cast<const std::uint64_t*>(record.body.data() + at), count};
        at += count * 8;
    }
    if (hasRaw && at + 4 <= record.body.size()) {
        const auto size = load<std::uint32_t>(record.body, at);
        if (size <= record.body.size() - at - 4) {
            sample.raw = record.body.subspan(at + 4, size);
        }
    }
    return sample;
}

PerfRing::PerfRing(void* mapping)
    : m_page(static_cast<perf_event_mmap_page*>(mapping)),
      m_data(static_cast<const std::byte*>(mapping) + m_page->data_offset), m_size(m_page->data_size) {}

std::uint64_t PerfRing::head() const noexcept {
    return std::atomic_ref(m_page->data_head).load(std::memory_order_acquire);
}

void PerfRing::release(std::uint64_t tail) noexcept {
    std::atomic_ref(m_page->data_tail).store(tail, std::memory_order_release);
}

std::span<const std::byte> PerfRing::at(std::uint64_t position, std::size_t size,
                                        std::span<std::byte> scratch) const noexcept {
    const std::uint64_t offset = position & (m_size - 1); // a power of two
    if (offset + size <= m_size) {
        return {m_data + offset, size};
    }
    const auto first = static_cast<std::size_t>(m_size - offset);
    std::memcpy(scratch.data(), m_data + offset, first);
    std::memcpy(scratch.data() + first, m_data, size - first);
    return scratch.first(size);
}

RecordStream::RecordStream(PerfRing ring, std::uint32_t processor)
    : m_ring(ring), m_processor(processor), m_scratch(kLargestRecord + 1) {
    m_gathered = m_released = 0;
    // Enough for what a round brings on a busy machine; more grows once.
    m_entries.reserve(std::clamp<std::size_t>(static_cast<std::size_t>(m_ring.size() / 128), 256, 32768));
}

void RecordStream::addEvent(std::uint64_t id, Origin origin, std::uint16_t point) {
    m_events.push_back({id, origin, point});
}

void RecordStream::setOrigin(Record& record, std::uint64_t id) const noexcept {
    for (const Event& event : m_events) {
        if (event.id == id) {
            record.origin = event.origin;
            record.point = event.point;
            return;
        }
    }
}

Ticks RecordStream::timeAt(std::uint64_t position, const perf_event_header& header) {
    const bool isSample = header.type == PERF_RECORD_SAMPLE;
    const std::size_t needed = sizeof(header) + (isSample ? kSampleFixed : kTrailer);
    if (header.size < needed) {
        return 0;
    }
    const std::size_t offset = isSample ? sizeof(header) + kSampleFixed - 8 : header.size - kTrailer + 8;
    std::byte time[8];
    return load<Ticks>(m_ring.at(position + offset, sizeof(time), time), 0);
}

void RecordStream::gather(std::uint64_t head) {
    if (m_front == m_entries.size()) {
        m_entries.clear();
        m_front = 0;
        m_isInOrder = true;
    } else if (m_front > m_entries.size() / 2) {
        m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(m_front));
        m_front = 0;
    }
    while (m_gathered < head) {
        std::byte bytes[sizeof(perf_event_header)];
        const auto header = load<perf_event_header>(m_ring.at(m_gathered, sizeof(bytes), bytes), 0);
        if (header.size < sizeof(header) || header.size > head - m_gathered) {
            m_brokenBytes += head - m_gathered;
            m_gathered = head;
            break;
        }
        const Entry entry{timeAt(m_gathered, header), m_gathered, header.size};
        m_gathered += header.size;
        m_entries.push_back(entry);
        // From behind: nearly always nothing moves.
        std::size_t place = m_entries.size() - 1;
        while (place > m_front && m_entries[place - 1].time > entry.time) {
            m_entries[place] = m_entries[place - 1];
            --place;
            m_isInOrder = false;
        }
        m_entries[place] = entry;
    }
}

Record RecordStream::recordOf(const Entry& entry) {
    const auto bytes = m_ring.at(entry.position, entry.size, m_scratch);
    const auto header = load<perf_event_header>(bytes, 0);
    Record record;
    record.processor = m_processor;
    record.type = header.type;
    record.misc = header.misc;
    record.time = entry.time;
    const bool isSample = header.type == PERF_RECORD_SAMPLE;
    if (entry.size < sizeof(header) + (isSample ? kSampleFixed : kTrailer)) {
        return record; // Origin::Unknown: nobody takes it for anything
    }
    const std::size_t thread = isSample ? sizeof(header) + 16 : entry.size - kTrailer;
    record.processId = load<std::uint32_t>(bytes, thread);
    record.threadId = load<std::uint32_t>(bytes, thread + 4);
    if (isSample) {
        setOrigin(record, load<std::uint64_t>(bytes, sizeof(header)));
        record.instructionPointer = load<std::uint64_t>(bytes, sizeof(header) + 8);
        record.body = bytes.subspan(sizeof(header) + kSampleFixed);
    } else {
        setOrigin(record, load<std::uint64_t>(bytes, entry.size - 8));
        record.body = bytes.subspan(sizeof(header), entry.size - sizeof(header) - kTrailer);
    }
    return record;
}

Record RecordStream::peek(std::size_t index) {
    return recordOf(m_entries[m_front + index]);
}

Record RecordStream::take() {
    return recordOf(m_entries[m_front++]);
}

void RecordStream::release() {
    std::uint64_t tail = m_gathered;
    if (m_front < m_entries.size()) {
        tail = m_entries[m_front].position;
        for (std::size_t i = m_front; !m_isInOrder && i < m_entries.size(); ++i) {
            tail = std::min(tail, m_entries[i].position);
        }
    }
    if (tail != m_released) {
        m_released = tail;
        m_ring.release(tail);
    }
}

RecordMerger::RecordMerger(std::vector<RecordStream>& streams) : m_streams(streams) {}

void RecordMerger::fill(Ticks watermark) {
    m_heap.clear();
    m_heap.reserve(m_streams.size()); // takes memory when there are more rings than ever before
    for (RecordStream& stream : m_streams) {
        if (!stream.isEmpty() && stream.nextTime() <= watermark) {
            m_heap.push_back(&stream);
        }
    }
    std::make_heap(m_heap.begin(), m_heap.end(), isLater);
}

RecordStream& RecordMerger::pop() {
    std::pop_heap(m_heap.begin(), m_heap.end(), isLater);
    RecordStream& stream = *m_heap.back();
    m_heap.pop_back();
    return stream;
}

void RecordMerger::pushAgain(RecordStream& stream, Ticks watermark) {
    // The record just taken is no longer needed: its place may be given back.
    if (++m_taken % kReleaseEvery == 0) {
        stream.release();
    }
    if (!stream.isEmpty() && stream.nextTime() <= watermark) {
        m_heap.push_back(&stream);
        std::push_heap(m_heap.begin(), m_heap.end(), isLater);
    }
}

} // namespace tracedeck::linux_source
