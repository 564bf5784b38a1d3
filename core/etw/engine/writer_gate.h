// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/current_thread.h"
#include "core/etw/types.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace tracedeck::etw::engine {

// Who is inside a session.
//
//   writer                                   whoever takes something away
//   1  notes the session's bit                a  takes the pointer away
//   2  loads the pointer: null? → 4           b  makes every thread's earlier stores visible (membarrier)
//   3  uses what it points at                 c  no thread has the bit noted? else wait
//   4  takes the note back (release)          d  frees what it pointed at
//
// 1 and 2 must not be seen in the opposite order. On Linux the one who waits pays for that, by b: the writer's note is
// a plain store into a record of its thread. Where there is no membarrier, or too many threads, the note is a counter
// per session and processor, incremented with sequential consistency, as are a and c.

/// A thread's notes. They are never freed: a record goes to another thread when its own has ended.
struct alignas(64) WriterRecord {
    std::atomic<std::uint64_t> inside{0}; ///< a bit for each session's slot
    std::atomic<bool> isTaken{false};
};
/// Of the calling thread; null until it has asked, and where it has to count.
extern constinit thread_local WriterRecord* knownWriterRecord;

/// Lets writers into sessions, named by their slots 0…63, and waits until they are out.
///
/// Threading: Visit on any thread, without locks, allocation or system calls (a thread's first visit takes a record
/// out of a fixed number); the rest by one thread at a time.
class WriterGate {
public:
    explicit WriterGate(std::uint32_t processors);

    /// While one lives, its thread is inside the slot. What happens in between may be interrupted by a signal that
    /// writes events, too.
    class Visit {
    public:
        Visit(WriterGate& gate, std::size_t slot) noexcept {
            m_record = knownWriterRecord != nullptr ? knownWriterRecord : recordOfThread();
            if (m_record != nullptr) [[likely]] {
                m_before = m_record->inside.load(std::memory_order_relaxed);
                m_record->inside.store(m_before | std::uint64_t{1} << slot, std::memory_order_relaxed);
                std::atomic_signal_fence(std::memory_order_seq_cst); // the processor's order is the waiting one's care
            } else {
                m_counter = &gate.counter(slot);
                m_counter->fetch_add(1);
            }
        }
        ~Visit() {
            if (m_record != nullptr) [[likely]] {
                m_record->inside.store(m_before, std::memory_order_release);
            } else {
                m_counter->fetch_sub(1, std::memory_order_release);
            }
        }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

    private:
        WriterRecord* m_record = nullptr;
        std::uint64_t m_before = 0;
        std::atomic<std::uint32_t>* m_counter = nullptr;
    };

    /// Everybody who might have seen what was taken away before the call is out. A look; false may be too careful.
    [[nodiscard]] bool isQuiet(std::size_t slot) noexcept;
    void waitUntilQuiet(std::size_t slot) noexcept;

private:
    struct alignas(64) Counter {
        std::atomic<std::uint32_t> writers{0};
    };
    [[nodiscard]] static WriterRecord* recordOfThread() noexcept;
    [[nodiscard]] std::atomic<std::uint32_t>& counter(std::size_t slot) noexcept {
        return m_counters[slot * m_processors + currentProcessor() % m_processors].writers;
    }

    const std::uint32_t m_processors;
    std::unique_ptr<Counter[]> m_counters;
};

} // namespace tracedeck::etw::engine
