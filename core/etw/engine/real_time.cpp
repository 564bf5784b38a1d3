// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/real_time.h"

#include "core/etlformat/layout.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace tracedeck::etw::engine {
namespace {

constexpr std::uint32_t kCancelled = 1223; // ERROR_CANCELLED
constexpr Guid kLostEvents = Guid::of(0x6a399ae0, 0x4bc6, 0x4de9, {0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e});
constexpr std::uint8_t kLostEvent = 0x20;
constexpr std::uint8_t kLostBuffer = 0x21;
constexpr Ticks kEndOfTime = std::numeric_limits<Ticks>::max();

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// The events of one processor that have been taken from the queue.
class Stream {
public:
    void add(std::shared_ptr<const RealTimeBuffer> buffer) { m_buffers.push_back(std::move(buffer)); }
    [[nodiscard]] bool isEmpty() const noexcept { return m_buffers.empty(); }
    /// The next one; the bytes are there until pop(). They were written by this engine, so they are well formed.
    [[nodiscard]] RealTimeEvent front() const noexcept {
        const std::span<const std::byte> rest = std::span(m_buffers.front()->events).subspan(m_at);
        const auto type = at<etlformat::HeaderType>(rest, 2);
        const bool isKernel = type == etlformat::HeaderType::System64 || type == etlformat::HeaderType::Perfinfo64;
        const std::size_t time = type == etlformat::HeaderType::Perfinfo64 ? 8 : 16;
        return {m_buffers.front()->processor, at<Ticks>(rest, time),
                rest.first(at<std::uint16_t>(rest, isKernel ? 4 : 0))};
    }
    void pop() {
        m_at += etlformat::alignEvent(front().bytes.size());
        if (m_at >= m_buffers.front()->events.size()) {
            m_buffers.pop_front();
            m_at = 0;
        }
    }

private:
    std::deque<std::shared_ptr<const RealTimeBuffer>> m_buffers;
    std::size_t m_at = 0;
};

using Take = std::function<bool(const RealTimeEvent&)>;

/// Hands on everything up to `until`, by time. False where `take` wants no more.
bool mergeUpTo(std::map<std::uint32_t, Stream>& streams, Ticks until, const Take& take) {
    while (true) {
        Stream* next = nullptr;
        Ticks time = kEndOfTime;
        for (auto& [processor, stream] : streams) {
            if (!stream.isEmpty() && (next == nullptr || stream.front().time < time)) {
                next = &stream;
                time = stream.front().time;
            }
        }
        if (next == nullptr || time > until) {
            return true;
        }
        if (!take(next->front())) {
            return false;
        }
        next->pop();
    }
}

bool tellLoss(std::uint8_t type, Ticks time, const Take& take) {
    etlformat::FullHeader header;
    header.size = sizeof header;
    header.type = type;
    header.timeStamp = time;
    header.classGuid = kLostEvents;
    return take({0, time, std::as_bytes(std::span(&header, 1))});
}

} // namespace

Status RealTimeConsumer::process(const Take& take) {
    std::map<std::uint32_t, Stream> streams;
    Ticks until = std::numeric_limits<Ticks>::min();
    std::uint64_t eventsLost = 0;
    bool goesOn = true;
    while (goesOn) {
        std::optional<Item> item = next();
        if (!item) {
            break;
        }
        switch (item->kind) {
        case Item::Kind::Buffer:
            streams[item->buffer->processor].add(std::move(item->buffer));
            break;
        case Item::Kind::Mark:
            until = item->time;
            goesOn = mergeUpTo(streams, until, take);
            if (goesOn && item->eventsLost > eventsLost) {
                eventsLost = item->eventsLost;
                goesOn = tellLoss(kLostEvent, until, take);
            }
            break;
        case Item::Kind::Missed:
            goesOn = tellLoss(kLostBuffer, until, take);
            break;
        case Item::Kind::End:
            if (mergeUpTo(streams, kEndOfTime, take)) {
                return {};
            }
            goesOn = false;
            break;
        }
    }
    close();
    return fail(ErrorCode::Cancelled, "the consumer of a real-time session was closed", kCancelled);
}

std::optional<RealTimeConsumer::Item> RealTimeConsumer::next() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_isClosed || m_hasEnded || !m_items.empty(); });
    if (m_isClosed) {
        return std::nullopt;
    }
    if (m_items.empty()) {
        return Item{};
    }
    Item item = std::move(m_items.front());
    m_items.pop_front();
    m_buffers -= item.kind == Item::Kind::Buffer ? 1U : 0U;
    return item;
}

void RealTimeConsumer::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
        m_items.clear();
        m_buffers = 0;
    }
    m_wake.notify_all();
}

bool RealTimeConsumer::hasRoom() {
    const std::lock_guard lock(m_mutex);
    return m_buffers < kMostQueued;
}

bool RealTimeConsumer::isClosed() {
    const std::lock_guard lock(m_mutex);
    return m_isClosed;
}

void RealTimeConsumer::push(Item item) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_isClosed) {
            return;
        }
        m_buffers += item.kind == Item::Kind::Buffer ? 1U : 0U;
        // One that reads nothing gathers no more than its buffers.
        if (!m_items.empty() && m_items.back().kind == item.kind && item.kind != Item::Kind::Buffer) {
            m_items.back() = std::move(item);
        } else {
            m_items.push_back(std::move(item));
        }
    }
    m_wake.notify_all();
}

void RealTimeConsumer::end() {
    {
        const std::lock_guard lock(m_mutex);
        m_hasEnded = true;
    }
    m_wake.notify_all();
}

std::shared_ptr<RealTimeConsumer> RealTimeFeed::connect() {
    std::shared_ptr<RealTimeConsumer> consumer(new RealTimeConsumer());
    const std::lock_guard lock(m_mutex);
    m_consumers.push_back(consumer);
    if (m_hasEnded) {
        consumer->end();
    }
    return consumer;
}

void RealTimeFeed::dropClosed() {
    // Whoever has let go of it without closing it reads no more, either.
    std::erase_if(m_consumers, [](const auto& consumer) { return consumer.use_count() == 1 || consumer->isClosed(); });
}

bool RealTimeFeed::canDeliver() {
    const std::lock_guard lock(m_mutex);
    dropClosed();
    return !m_consumers.empty() &&
           std::all_of(m_consumers.begin(), m_consumers.end(), [](const auto& each) { return each->hasRoom(); });
}

bool RealTimeFeed::hasConsumers() {
    const std::lock_guard lock(m_mutex);
    dropClosed();
    return !m_consumers.empty();
}

void RealTimeFeed::deliver(std::shared_ptr<const RealTimeBuffer> buffer, Slow slow) {
    const std::lock_guard lock(m_mutex);
    for (const auto& consumer : m_consumers) {
        if (buffer && (slow == Slow::Queue || consumer->hasRoom())) {
            consumer->push({RealTimeConsumer::Item::Kind::Buffer, buffer});
        } else {
            consumer->push({RealTimeConsumer::Item::Kind::Missed});
        }
    }
}

void RealTimeFeed::mark(Ticks time, std::uint64_t eventsLost) {
    const std::lock_guard lock(m_mutex);
    for (const auto& consumer : m_consumers) {
        consumer->push({RealTimeConsumer::Item::Kind::Mark, {}, time, eventsLost});
    }
}

void RealTimeFeed::end() {
    const std::lock_guard lock(m_mutex);
    m_hasEnded = true;
    for (const auto& consumer : m_consumers) {
        consumer->end();
    }
    m_consumers.clear(); // what they still have to read is theirs
}

} // namespace tracedeck::etw::engine
