// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace tracedeck::etw::engine {

// From the buffers of a session to those who read it while it runs (EVENT_TRACE_REAL_TIME_MODE).
//
//   writers ──► pool ──► mover ──► feed ──► each consumer's queue ──► its thread: process(), events by time
//                          │
//                          └─► the session's file, if it has one
//
// Only a real-time session without a file waits for its consumers. While there is none, or one of them is
// kMostQueued buffers behind, full buffers stay in the pool, which grows to its maximum; then the newest events are
// lost (LossCause::NoFreeBuffer), as with ETW. What a session with a file could not deliver to one of them is in the
// file: it is no loss of the session, and that consumer alone is told.

/// A full buffer's events as they lie in a file.
struct RealTimeBuffer {
    std::uint32_t processor = 0;
    std::vector<std::byte> events;
};

/// One event, header and payload. RT_LostEvent (class 6a399ae0-…, types 0x20 RTLostEvent, 0x21 RTLostBuffer) tells, as
/// ETW's own library does for its consumers, that events are missing here: of the session, or of this consumer.
struct RealTimeEvent {
    std::uint32_t processor = 0;
    Ticks time = 0; ///< of the session's clock
    std::span<const std::byte> bytes;
};

/// Reads a session while it runs: OpenTrace, ProcessTrace, CloseTrace.
///
/// Threading: process() on one thread, which is the consumer's own; close() and the destructor from another one, or
/// within process() by its callback's answer. Ownership: may outlive session and engine.
class RealTimeConsumer {
public:
    ~RealTimeConsumer() { close(); }
    RealTimeConsumer(const RealTimeConsumer&) = delete;
    RealTimeConsumer& operator=(const RealTimeConsumer&) = delete;

    /// Calls `take` with every event, from the first one that the session still holds when the consumer is opened, and
    /// returns when the session has ended and its last event was taken. Each processor's events come in their order;
    /// those of all processors by time, up to the moment of each flush (the flush timer, 1 s by default): an event that
    /// a kernel source delivers after that comes late.
    ///
    /// Cancelled (1223 ERROR_CANCELLED): `take` said false, or the consumer was closed.
    [[nodiscard]] Status process(const std::function<bool(const RealTimeEvent&)>& take);
    void close();

private:
    friend class RealTimeFeed;
    static constexpr std::size_t kMostQueued = 8;

    struct Item {
        enum class Kind : std::uint8_t {
            Buffer,
            Mark,   ///< what was produced up to `time` is queued; nothing older comes, but from a kernel source
            Missed, ///< a buffer that this consumer was too slow for
            End,
        };
        Kind kind = Kind::End;
        std::shared_ptr<const RealTimeBuffer> buffer{};
        Ticks time = 0;
        std::uint64_t eventsLost = 0; ///< of the session, so far
    };

    RealTimeConsumer() = default;
    [[nodiscard]] bool hasRoom();
    [[nodiscard]] bool isClosed();
    void push(Item item);
    void end();
    /// The next one; End where nothing follows. Nothing where it is closed.
    [[nodiscard]] std::optional<Item> next();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    // Guarded by m_mutex:
    std::deque<Item> m_items;
    std::size_t m_buffers = 0; ///< of m_items
    bool m_hasEnded = false;
    bool m_isClosed = false;
};

/// The consumers of one session.
///
/// Threading: any thread.
class RealTimeFeed {
public:
    [[nodiscard]] std::shared_ptr<RealTimeConsumer> connect();
    /// There is a consumer, and none is behind.
    [[nodiscard]] bool canDeliver();
    [[nodiscard]] bool hasConsumers();
    enum class Slow : std::uint8_t { Miss, Queue };
    /// `slow`: what becomes of the buffer for a consumer that is behind. Null: a buffer that all of them miss.
    void deliver(std::shared_ptr<const RealTimeBuffer> buffer, Slow slow);
    void mark(Ticks time, std::uint64_t eventsLost);
    /// Nothing follows.
    void end();

private:
    void dropClosed();

    std::mutex m_mutex;
    std::vector<std::shared_ptr<RealTimeConsumer>> m_consumers;
    bool m_hasEnded = false;
};

} // namespace tracedeck::etw::engine
