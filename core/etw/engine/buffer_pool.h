// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etlformat/layout.h"
#include "core/etw/engine/index_list.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tracedeck::etw::engine {

// A buffer's life, and who may touch it when:
//
//            pop          install (CAS on the slot)        CAS on the slot        push
//   free ─────────► owned ─────────────────────────► current ─────────────► owned ─────► full
//   stack           by one thread                    of one processor       (closed)     queue, oldest first
//    ▲                                                any number of writers               │
//    │            reset, once nobody is inside                                            │ pop
//    └──────────────────────────────────────────────────────────────── owned ◄────────────┤
//                  file mode: the mover, after writing it;               │ ▲            put back at the end,
//                  ring: a writer that needs a buffer          somebody  │ │ CAS        where no place is left
//                                                              is inside ▼ │            │
//                                                                       parked ─────────┘
//                                                                       (ring) a few places, asked before the queue
//
//   writer                                            whoever moves a buffer out
//   1  slot word s = {buffer, sequence}               a  closes the buffer's word (no reservation succeeds any more)
//   2  word w = {closed, use, events, end}            b  CAS slot: s → the next buffer, or none
//   3  slot still s? else start again                 c  committed == end? else wait or take another
//   4  w closed or full → a, b (helping)              d  reads or resets the buffer
//   5  time stamp, then CAS word: w → w + event
//   6  copies the event
//   7  committed += its bytes; in memory that outlives the process: is that all that is reserved? complete = its end
//
// Who is inside. A writer is inside a buffer from 5 to 7, and nothing else announces it: until 5 it has but looked at
// the words. 3 shows that w is of the use of the buffer that s names, as the buffer gets a word of the next use (with
// release) only after it has left the slot. The CAS in 5 shows that it is that use still, and open: words of different
// uses differ in their use number (20 bits: to be taken in, a writer would have to sleep between 3 and 5 through
// exactly a multiple of a million uses of one buffer, and wake at the same number of events and bytes; it would leave
// one event with too early a time). After a, c is final: once everything reserved is committed nobody is inside, and
// nobody comes. Release in 7, which the others' additions carry on, and acquire in c make the copied bytes visible.
// So a buffer is never read or reset under a writer, however long that was preempted, and each event costs two locked
// operations.
//
// Order. The time is taken between the load of the word and the CAS that proves it unchanged: offsets and times agree
// within a buffer. A buffer is closed before its successor is installed, so the first time in the successor is not
// earlier than the last one before.
//
// Readers of a ring count themselves in (references) and then ask for the state; a writer that wants to reuse the
// buffer says so in the state and then asks for the references: both sequentially consistent, so that one of them sees
// the other.
//
// Progress. Nobody waits for a preempted thread: whoever meets a closed buffer in a slot replaces it itself. The one
// whose CAS on the slot succeeds retires the old buffer; until it has done so the buffer is in no list, which delays
// that buffer alone. Sequence numbers per processor restore the order in which they were in use.
//
// A ring whose oldest buffer is being read, or has a preempted writer inside, overwrites the next one meanwhile. The
// oldest is parked, in front of the queue, and goes next once nobody is inside; what it holds until then lies before a
// hole, which its sequence number shows (fullBuffers()).

/// Control block of one buffer. The bytes lie elsewhere, in their on-disk layout.
struct Buffer {
    enum class State : std::uint8_t { Free, Current, Full, Reclaiming };

    /// Closed bit, use number, number of events and their end in units of 8 bytes, in one word: reserved by one CAS.
    struct Word {
        static constexpr unsigned kEndBits = 22; // of 16 MiB
        static constexpr unsigned kEventBits = 21;
        static constexpr unsigned kUseShift = kEndBits + kEventBits;
        static constexpr std::uint64_t kClosed = std::uint64_t{1} << 63U;
        static constexpr bool isClosed(std::uint64_t word) noexcept { return (word & kClosed) != 0; }
        static constexpr std::uint32_t offset(std::uint64_t word) noexcept {
            return static_cast<std::uint32_t>(word & ((1U << kEndBits) - 1)) * 8;
        }
        static constexpr std::uint32_t events(std::uint64_t word) noexcept {
            return static_cast<std::uint32_t>(word >> kEndBits) & ((1U << kEventBits) - 1);
        }
        static constexpr std::uint64_t use(std::uint64_t word) noexcept { return (word & ~kClosed) >> kUseShift; }
        static constexpr std::uint64_t add(std::uint64_t word, std::uint32_t bytes) noexcept {
            return word + (std::uint64_t{1} << kEndBits) + bytes / 8;
        }
        /// Open and empty, of the use that follows.
        static constexpr std::uint64_t next(std::uint64_t word) noexcept {
            return ((word + (std::uint64_t{1} << kUseShift)) & ~kClosed) >> kUseShift << kUseShift | kEmpty;
        }
        static constexpr std::uint64_t kEmpty = etlformat::kBufferHeaderSize / 8;
    };

    alignas(64) std::atomic<std::uint64_t> word{Word::kEmpty};
    std::atomic<std::uint32_t> committed{etlformat::kBufferHeaderSize}; ///< bytes, those of the header included
    std::atomic<std::uint32_t> references{0};                           ///< readers of a ring
    std::byte* memory = nullptr;
    /// Of an adopted buffer: {use, end}, up to where nobody has anything left to write in that use; may lag behind. Who
    /// dies inside with the whole process leaves what lies behind it in doubt.
    std::atomic<std::uint64_t> complete{0};
    std::atomic<State> state{State::Free};
    /// Time of the first event, kNoTime before there is one.
    std::atomic<Ticks> first{std::numeric_limits<Ticks>::max()};
    // Of the present use; written by the thread that owns the buffer before it is installed.
    std::atomic<std::uint32_t> processor{0};
    std::atomic<std::uint32_t> sequence{0};

    std::atomic<std::uint32_t> nextFree{kNoIndex};
    IndexQueue::Node node;
    std::uint32_t ownNode = kNoIndex; ///< the queue node that this buffer brings; of the buffer's owner
};
constexpr Ticks kNoTime = std::numeric_limits<Ticks>::max();

/// The buffers of one session: one current buffer per processor, full ones in a queue, free ones in a stack.
///
/// Threading: write() and the ring's reuse from any thread, without locks, allocation or system calls. grow() by one
/// thread at a time. Full buffers of a file session are taken by one thread, the mover; a ring is read (fullBuffers(),
/// copy()) by one thread at a time.
class BufferPool {
public:
    struct Shape {
        std::uint32_t processors = 1;
        std::uint32_t bufferSize = 65536; ///< bytes
        bool isRing = false;              ///< reuse the oldest full buffer where none is free
    };
    static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint32_t kMostBuffers = 1U << 20U;

    explicit BufferPool(Shape shape);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// Adds buffers, every page touched. False where memory is refused; those added until then stay.
    [[nodiscard]] bool grow(std::uint32_t buffers);

    /// Instead of grow(), once, for a pool whose buffers lie in memory of the caller's, which outlives it: `controls`
    /// have their `memory`. At most kMostBuffers. `overwritten` counts the events that the ring overwrites.
    void adopt(std::span<Buffer> controls, std::atomic<std::uint64_t>& overwritten) noexcept;

    /// How many buffers may be put to use in all: then there are no more to be had, whatever is free. Called before
    /// anything is written; without it there is no limit.
    void limitTo(std::uint64_t buffers) noexcept {
        m_isLimited = buffers != kUnlimited;
        m_budget.store(buffers, std::memory_order_relaxed);
    }

    [[nodiscard]] const Shape& shape() const noexcept { return m_shape; }
    /// Where events of a processor go; one that came later than the session shares with another.
    [[nodiscard]] std::uint32_t slotOf(std::uint32_t processor) const noexcept {
        return processor < m_shape.processors ? processor : processor % m_shape.processors;
    }
    [[nodiscard]] std::uint32_t largestEvent() const noexcept {
        return m_shape.bufferSize - static_cast<std::uint32_t>(etlformat::kBufferHeaderSize);
    }

    enum class Outcome : std::uint8_t {
        Written,
        NoBuffer,    ///< none was to be had
        BudgetSpent, ///< there are none any more, or but for a buffer that another writer had in its hand
    };
    /// Reserves `size` bytes (at most largestEvent()) in the processor's buffer, calls `fill(place, time)`, commits.
    /// `timeOf()` may be called more than once.
    template <class TimeOf, class Fill>
    [[nodiscard]] Outcome write(std::uint32_t processor, std::uint32_t size, TimeOf timeOf, Fill fill) noexcept;

    /// Retires the processor's buffer if it holds events. The sequence number up to which everything is retired, or on
    /// its way to the queue.
    std::uint32_t closeCurrent(std::uint32_t processor) noexcept;

    /// The oldest full buffer, kNoIndex where there is none: it belongs to the caller now, but writers may be inside.
    [[nodiscard]] std::uint32_t popFull() noexcept;
    [[nodiscard]] Buffer& buffer(std::uint32_t index) noexcept {
        return m_chunks[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
    }
    /// Of a closed buffer: neither writer nor reader is inside; what was written is visible.
    [[nodiscard]] static bool isQuiescent(const Buffer& buffer) noexcept {
        return buffer.references.load() == 0 && isCommitted(buffer);
    }
    /// Empties a buffer that belongs to the caller and that nobody is inside of.
    void release(std::uint32_t index) noexcept;

    // Counters. Exact when nobody writes; else they run behind, never ahead.
    [[nodiscard]] std::uint32_t size() const noexcept { return m_size.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint32_t freeBuffers() const noexcept { return m_free.size(); }
    /// The budget is used up.
    [[nodiscard]] bool isSpent() const noexcept { return m_budget.load(std::memory_order_relaxed) == 0; }
    struct Accepted {
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
    };
    /// All events that were ever put into a buffer.
    [[nodiscard]] Accepted accepted() noexcept;
    /// Asked before accepted(), it is never more than that holds.
    [[nodiscard]] std::uint64_t overwrittenEvents() const noexcept {
        return m_overwritten->load(std::memory_order_acquire);
    }
    /// Time of the oldest event that is in a buffer, kNoTime where there is none.
    [[nodiscard]] Ticks oldest() noexcept;

    // Reading a ring while it is written to.
    struct FullBuffer {
        std::uint32_t index = kNoIndex;
        std::uint32_t processor = 0;
        std::uint32_t sequence = 0;
        std::uint32_t events = 0;
        Ticks first = 0;
        /// Younger ones of its processor have been overwritten while somebody was inside this one.
        bool isBeforeHole = false;
    };
    /// The full buffers, oldest first, each processor's in the order of their use. Waits for buffers that are on their
    /// way from a slot to the queue.
    [[nodiscard]] std::vector<FullBuffer> fullBuffers();
    /// Sorts the full buffers of a ring as fullBuffers() does, and finds the holes.
    static void putInOrder(std::vector<FullBuffer>& full, std::uint32_t processors);
    /// Copies a full buffer's events behind its header into `into` (a whole buffer) and returns their end; 0 where the
    /// ring has reused it. Keeps the ring from reusing it meanwhile; waits for writers that are inside.
    [[nodiscard]] std::uint32_t copy(const FullBuffer& full, std::span<std::byte> into);

private:
    static constexpr std::uint32_t kChunk = 256;
    static constexpr std::uint32_t kFirstNode = kNoIndex - 1; // of the queue, belongs to no buffer at first
    static constexpr int kReclaimAttempts = 16;
    static constexpr std::size_t kParkingPlaces = 8;

    struct alignas(64) Slot {
        /// {current buffer or kNoIndex, sequence number of the last buffer installed}
        std::atomic<std::uint64_t> word{Link{}.pack()};
        std::atomic<std::uint64_t> retiredEvents{0};
        std::atomic<std::uint64_t> retiredBytes{0};
    };

    [[nodiscard]] IndexQueue::Node& node(std::uint32_t index) noexcept {
        return index == kFirstNode ? m_firstNode : buffer(index).node;
    }
    struct Taken {
        std::uint32_t index = kNoIndex;
        Outcome otherwise = Outcome::NoBuffer; ///< where there is none
    };
    [[nodiscard]] Taken take() noexcept;
    [[nodiscard]] std::uint32_t takeFree() noexcept;
    [[nodiscard]] std::uint32_t reclaim() noexcept;
    [[nodiscard]] std::uint32_t reclaimParked() noexcept;
    [[nodiscard]] bool isReclaimed(std::uint32_t index) noexcept;
    void park(std::uint32_t index) noexcept;
    [[nodiscard]] bool spend() noexcept;
    void earnBack() noexcept;
    void retire(std::uint32_t index) noexcept;
    void pushFull(std::uint32_t index) noexcept;
    [[nodiscard]] static bool isCommitted(const Buffer& buffer) noexcept {
        return buffer.committed.load(std::memory_order_acquire) ==
               Buffer::Word::offset(buffer.word.load(std::memory_order_acquire));
    }
    static void close(Buffer& buffer, std::uint64_t use) noexcept;
    /// Written: another one is there, look again. `word` is one of the use of the buffer in `seen`.
    Outcome replace(std::uint32_t processor, std::uint64_t seen, std::uint64_t word) noexcept;

    /// `committed` bytes are complete if no more are reserved. The buffer may be in another use by then, so that the
    /// note says of which it is.
    static void noteComplete(Buffer& buffer, std::uint64_t use, std::uint32_t committed) noexcept {
        const std::uint64_t word = buffer.word.load(std::memory_order_acquire);
        if (Buffer::Word::use(word) == use && Buffer::Word::offset(word) == committed) {
            buffer.complete.store(use << 32U | committed, std::memory_order_release);
        }
    }

    Shape m_shape;
    bool m_isAdopted = false;
    std::unique_ptr<Slot[]> m_slots;
    std::array<std::atomic<Buffer*>, kMostBuffers / kChunk> m_chunks{};
    std::atomic<std::uint32_t> m_size{0};
    IndexStack m_free;
    IndexQueue::Node m_firstNode;
    IndexQueue m_full{kFirstNode};
    std::array<std::atomic<std::uint32_t>, kParkingPlaces> m_parked;
    alignas(64) std::atomic<std::uint64_t> m_ownOverwritten{0};
    std::atomic<std::uint64_t>* m_overwritten = &m_ownOverwritten; ///< or the adopted one
    bool m_isLimited = false;
    std::atomic<std::uint64_t> m_budget{kUnlimited};
};

template <class TimeOf, class Fill>
BufferPool::Outcome BufferPool::write(std::uint32_t processor, std::uint32_t size, TimeOf timeOf, Fill fill) noexcept {
    const auto room = static_cast<std::uint32_t>(etlformat::alignEvent(size));
    Slot& slot = m_slots[processor];
    while (true) {
        const std::uint64_t seen = slot.word.load(std::memory_order_acquire);
        const std::uint32_t index = Link::unpack(seen).index;
        std::uint64_t word = 0;
        if (index != kNoIndex) [[likely]] {
            Buffer& current = buffer(index);
            word = current.word.load(std::memory_order_acquire);
            if (slot.word.load(std::memory_order_acquire) != seen) {
                continue;
            }
            const std::uint64_t use = Buffer::Word::use(word);
            while (!Buffer::Word::isClosed(word) && Buffer::Word::use(word) == use &&
                   Buffer::Word::offset(word) + room <= m_shape.bufferSize) {
                const Ticks time = timeOf();
                if (!current.word.compare_exchange_weak(word, Buffer::Word::add(word, room), std::memory_order_acq_rel,
                                                        std::memory_order_acquire)) {
                    continue;
                }
                if (Buffer::Word::events(word) == 0) {
                    current.first.store(time, std::memory_order_relaxed);
                }
                std::byte* const place = current.memory + Buffer::Word::offset(word);
                std::memset(place + room - etlformat::kEventAlignment, 0, etlformat::kEventAlignment);
                fill(place, time);
                const std::uint32_t before = current.committed.fetch_add(room, std::memory_order_release);
                if (m_isAdopted) {
                    noteComplete(current, use, before + room);
                }
                return Outcome::Written;
            }
            if (Buffer::Word::use(word) != use) {
                continue;
            }
        }
        if (const Outcome outcome = replace(processor, seen, word); outcome != Outcome::Written) {
            return outcome;
        }
    }
}

} // namespace tracedeck::etw::engine
