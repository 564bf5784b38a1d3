// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/sources/linux/perf_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tracedeck::linux_source {

/// Which of our events a record comes from.
enum class Origin : std::uint8_t {
    Sideband, ///< fork, exit, names and exec, mmap
    Clock,    ///< SampledProfile
    Switch,   ///< sched:sched_switch
    Waking,   ///< sched:sched_waking
    Point,    ///< another tracepoint, by PerfPlan::points
    WakeUp,   ///< only to wake the reader when a program was started; a copy of what Sideband tells
    Unknown,
};

/// The attributes that every event of ours shares, so that the readers below find time, thread and event of a record
/// without knowing which event it is from.
/// Samples begin with IDENTIFIER, IP, TID, TIME; every other record ends in TID, TIME, IDENTIFIER (sample_id_all).
constexpr std::uint64_t kCommonSampleType =
    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

/// A record in a ring or in a copy of it; valid until the next one is asked for.
struct Record {
    std::uint32_t processor = 0;
    Origin origin = Origin::Unknown;
    std::uint16_t point = 0; ///< Origin::Point: which one
    std::uint32_t type = 0;  ///< PERF_RECORD_*
    std::uint16_t misc = 0;
    std::uint32_t processId = 0; ///< of the thread that ran, as the kernel names it
    std::uint32_t threadId = 0;
    Ticks time = 0;
    std::span<const std::byte> body; ///< samples: behind IDENTIFIER…TIME; others: between header and TID…IDENTIFIER
    std::uint64_t instructionPointer = 0; ///< samples

    template <class T>
    [[nodiscard]] T at(std::size_t offset) const noexcept {
        T value{};
        if (offset + sizeof(T) <= body.size()) {
            std::memcpy(&value, body.data() + offset, sizeof(T));
        }
        return value;
    }
};

/// What a sample holds behind the common fields.
struct SampleBody {
    std::span<const std::uint64_t> chain; ///< with PERF_CONTEXT_* markers
    std::span<const std::byte> raw;
    /// Empty parts where the record is too short for what it says.
    static SampleBody of(const Record& record, bool hasChain, bool hasRaw) noexcept;
};

/// The memory that the kernel writes records to.
///
/// Threading: one reader; the kernel is the writer.
/// Ownership: none; the mapping outlives it.
class PerfRing {
public:
    PerfRing() = default;
    /// `mapping` begins with perf_event_mmap_page, whose data_offset and data_size tell the rest.
    explicit PerfRing(void* mapping);
    [[nodiscard]] std::uint64_t head() const noexcept;
    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
    /// The kernel may write over everything before `tail`.
    void release(std::uint64_t tail) noexcept;
    /// `size` bytes at `position`, in place or, where they wrap around, copied to `scratch`, which holds `size` bytes.
    [[nodiscard]] std::span<const std::byte> at(std::uint64_t position, std::size_t size,
                                                std::span<std::byte> scratch) const noexcept;

private:
    perf_event_mmap_page* m_page = nullptr;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
};

/// The records of one ring in time order: gathered, then taken one by one while the kernel goes on writing.
///
/// Records lie nearly in time order. An interrupt that comes between a record's time stamp and its reservation puts a
/// later record before it; gathering sorts that out within what is gathered and not yet taken.
class RecordStream {
public:
    RecordStream(PerfRing ring, std::uint32_t processor);

    /// Tells which event has which kernel id (PERF_EVENT_IOC_ID).
    void addEvent(std::uint64_t id, Origin origin, std::uint16_t point = 0);
    /// Notes the records between the last call and `head`.
    void gather(std::uint64_t head);
    void gather() { gather(m_ring.head()); }
    [[nodiscard]] std::size_t pending() const noexcept { return m_entries.size() - m_front; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_front == m_entries.size(); }
    /// The time of the next record; only when not empty.
    [[nodiscard]] Ticks nextTime() const noexcept { return m_entries[m_front].time; }
    /// The record `index` places behind the next one, which stays where it is.
    [[nodiscard]] Record peek(std::size_t index);
    [[nodiscard]] Record take();
    /// Gives the taken records' place back to the kernel.
    void release();
    /// Bytes that could not be read as records, which only a broken mapping explains.
    [[nodiscard]] std::uint64_t brokenBytes() const noexcept { return m_brokenBytes; }
    [[nodiscard]] std::uint32_t processor() const noexcept { return m_processor; }

private:
    struct Entry {
        Ticks time = 0;
        std::uint64_t position = 0;
        std::uint32_t size = 0;
    };
    struct Event {
        std::uint64_t id = 0;
        Origin origin = Origin::Unknown;
        std::uint16_t point = 0;
    };
    [[nodiscard]] Ticks timeAt(std::uint64_t position, const perf_event_header& header);
    [[nodiscard]] Record recordOf(const Entry& entry);
    void setOrigin(Record& record, std::uint64_t id) const noexcept;

    PerfRing m_ring;
    std::uint32_t m_processor = 0;
    std::uint64_t m_gathered = 0; ///< ring position
    std::uint64_t m_released = 0;
    std::uint64_t m_brokenBytes = 0;
    std::size_t m_front = 0;
    bool m_isInOrder = true; ///< what is gathered lies in the ring as it stands in m_entries
    std::vector<Entry> m_entries;
    std::vector<Event> m_events;
    std::vector<std::byte> m_scratch;
};

/// Takes the records of many rings in one time order. Rings may come and go between two calls.
class RecordMerger {
public:
    explicit RecordMerger(std::vector<RecordStream>& streams);
    /// Calls `each` with every gathered record up to and including `watermark`.
    template <class Function>
    void takeUpTo(Ticks watermark, Function&& each) {
        fill(watermark);
        while (!m_heap.empty()) {
            RecordStream& stream = pop();
            each(stream.take());
            pushAgain(stream, watermark);
        }
    }

private:
    void fill(Ticks watermark);
    [[nodiscard]] RecordStream& pop();
    void pushAgain(RecordStream& stream, Ticks watermark);

    std::vector<RecordStream>& m_streams;
    std::vector<RecordStream*> m_heap;
    std::size_t m_taken = 0;
};

} // namespace tracedeck::linux_source
