// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/mover.h"

#include "core/etw/engine/session_rules.h"

#include <algorithm>
#include <new>
#include <spdlog/spdlog.h>
#include <system_error>
#include <utility>

namespace tracedeck::etw::engine {
namespace {

constexpr std::chrono::milliseconds kLongestPause{10};
constexpr std::chrono::milliseconds kShortestPause{1};
/// Bytes per millisecond that writers are expected to produce at most.
constexpr std::uint64_t kFastestWriters = 200'000;

} // namespace

Mover::Mover(Clocks clocks, BufferPool& pool, LossLedger& ledger, const Destinations& destinations, Settings settings,
             Callbacks callbacks)
    : m_clock(clocks.passing), m_stamp(clocks.stamp), m_pool(pool), m_ledger(ledger),
      m_file(std::move(*destinations.file)), m_feed(destinations.feed), m_streams(pool.shape().processors),
      m_lastTimedFlush(m_clock.ticks()), m_lastDiskCheck(m_lastTimedFlush), m_callbacks(std::move(callbacks)),
      m_oldest(m_file ? m_file->oldest() : kNoTime), m_settings(settings) {
    if (m_file) {
        m_figures.buffersWritten = m_file->buffersWritten();
        m_figures.fileSize = m_file->size();
        m_figures.paths = {m_file->path()};
    }
    try {
        m_thread = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        *destinations.file = std::move(m_file);
        throw;
    }
}

Mover::~Mover() {
    stopThread();
}

void Mover::stopThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void Mover::wake() {
    {
        const std::lock_guard lock(m_mutex);
        m_isWoken = true;
    }
    m_wake.notify_all();
}

void Mover::flush() {
    std::unique_lock lock(m_mutex);
    const std::uint64_t wanted = ++m_flushesWanted;
    m_wake.notify_all();
    m_flushed.wait(lock, [&] { return m_flushesDone >= wanted; });
}

void Mover::finish() {
    m_isFinishing = true;
    flush();
    stopThread();
    if (m_feed) {
        m_feed->mark(m_stamp.ticks(), m_ledger.total());
        m_feed->end();
    }
    const Status closed = m_file ? closeFile() : Status();
    const std::lock_guard lock(m_mutex);
    if (!closed && !m_figures.error) {
        m_figures.error = closed.error();
    }
}

Status Mover::closeFile() {
    const Ticks now = m_stamp.ticks();
    m_file->uniteGroupMasks(settings().groupMasks);
    return m_file->close({now, m_callbacks.wallTimeOf(now), m_ledger.total() - m_eventsLostBefore,
                          m_figures.buffersLost - m_buffersLostBefore});
}

Status Mover::abandon() {
    stopThread();
    if (m_feed) {
        m_feed->end();
    }
    return m_file ? m_file->abandon() : Status();
}

std::string Mover::name() const {
    return m_file ? m_file->path() : "real-time session";
}

void Mover::update(Settings settings) {
    const std::lock_guard lock(m_mutex);
    m_settings = settings;
}

Mover::Settings Mover::settings() {
    const std::lock_guard lock(m_mutex);
    return m_settings;
}

Mover::Figures Mover::figures() {
    const std::lock_guard lock(m_mutex);
    Figures figures = m_figures;
    figures.eventsLost = m_ledger.total();
    return figures;
}

/// Half the time in which fast writers fill the free buffers.
std::chrono::milliseconds Mover::pause() const {
    if (m_hurries.load() > 0) {
        return kShortestPause;
    }
    const std::uint64_t freeBytes = std::uint64_t{m_pool.freeBuffers()} * m_pool.shape().bufferSize;
    const std::chrono::milliseconds half(freeBytes / kFastestWriters / 2);
    return std::clamp(half, kShortestPause, kLongestPause);
}

void Mover::run() {
    while (true) {
        std::uint64_t flushes = 0;
        std::chrono::seconds flushTimer{0};
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, pause(),
                            [&] { return m_isStopping || m_isWoken || m_flushesWanted > m_flushesDone; });
            m_isWoken = false;
            if (m_isStopping) {
                return;
            }
            flushes = m_flushesWanted > m_flushesDone ? m_flushesWanted : 0;
            flushTimer = m_settings.flushTimer;
        }
        growIfShort();
        const Ticks now = m_clock.ticks();
        // What nobody takes yet need not be taken in small pieces.
        if (flushTimer.count() > 0 && now - m_lastTimedFlush >= flushTimer.count() * m_clock.frequency() &&
            canStore()) {
            m_lastTimedFlush = now;
            beginMark();
        }
        if (flushes > 0) {
            moveAll();
            const std::lock_guard lock(m_mutex);
            m_flushesDone = flushes;
            m_flushed.notify_all();
        } else {
            while (moveReady()) {
            }
            endMark();
        }
        watchDisk();
    }
}

/// Takes the full buffers out of the queue, into the order of their use.
void Mover::collect() {
    for (std::uint32_t index = m_pool.popFull(); index != kNoIndex; index = m_pool.popFull()) {
        const Buffer& full = m_pool.buffer(index);
        Stream& stream = m_streams[full.processor.load(std::memory_order_relaxed)];
        const Waiting waiting{full.sequence.load(std::memory_order_relaxed), index};
        const auto later = std::find_if(stream.waiting.begin(), stream.waiting.end(), [&](const Waiting& other) {
            return static_cast<std::int32_t>(other.sequence - waiting.sequence) > 0;
        });
        stream.waiting.insert(later, waiting);
    }
}

/// Writes what is next in each stream and complete. False where there was nothing.
bool Mover::moveReady() {
    collect();
    bool hasMoved = false;
    for (Stream& stream : m_streams) {
        while (!stream.waiting.empty() && stream.waiting.front().sequence == stream.next &&
               BufferPool::isQuiescent(m_pool.buffer(stream.waiting.front().index)) && canStore()) {
            store(stream.waiting.front().index);
            stream.waiting.pop_front();
            ++stream.next;
            hasMoved = true;
        }
    }
    return hasMoved;
}

/// Consumers keep what they have taken until the next mark: it comes early where that is much.
void Mover::beginMark() {
    if (m_mark) {
        return; // the one before is still to be made
    }
    Mark mark{m_stamp.ticks(), {}};
    for (std::uint32_t i = 0; i < m_pool.shape().processors; ++i) {
        mark.last.push_back(m_pool.closeCurrent(i));
    }
    if (m_feed) {
        m_mark = std::move(mark);
    }
}

void Mover::endMark() {
    if (m_feed && m_sinceMark > m_pool.size() / 2) {
        beginMark();
    }
    if (m_mark && !isBehind(m_mark->last)) {
        m_feed->mark(m_mark->time, m_ledger.total());
        m_mark.reset();
        m_sinceMark = 0;
    }
}

bool Mover::isBehind(const std::vector<std::uint32_t>& last) const {
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        if (static_cast<std::int32_t>(m_streams[i].next - last[i]) <= 0) {
            return true;
        }
    }
    return false;
}

bool Mover::canStore() {
    return m_file || m_isFinishing || m_feed->canDeliver();
}

void Mover::moveAll() {
    endMark();
    beginMark();
    std::vector<std::uint32_t> last;
    for (std::uint32_t i = 0; i < m_pool.shape().processors; ++i) {
        last.push_back(m_pool.closeCurrent(i));
    }
    while (isBehind(last)) {
        if (moveReady()) {
            continue;
        }
        if (!canStore()) {
            break; // the consumers' business
        }
        // A writer is inside a buffer, or has not yet queued the one it replaced.
        std::this_thread::yield();
    }
    endMark();
}

void Mover::store(std::uint32_t index) {
    const Buffer& full = m_pool.buffer(index);
    std::optional<LossCause> loss = refusal();
    if (m_file && !loss) {
        if (const Status written = append(index); !written) {
            refuse(written.error());
            loss = refusal();
        }
    }
    if (m_feed && !deliver(full) && !m_file) {
        loss = LossCause::NoFreeBuffer; // nobody has made it free
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_file) {
            m_figures.buffersWritten = m_buffersBefore + m_file->buffersWritten();
            m_figures.fileSize = m_sizeBefore + m_file->size();
            m_figures.eventsOverwritten = m_file->eventsOverwritten();
        } else {
            m_figures.buffersWritten = m_delivered;
        }
        if (loss) {
            const std::uint64_t events = Buffer::Word::events(full.word.load(std::memory_order_acquire));
            m_ledger.add(*loss, events, full.first.load(std::memory_order_relaxed));
            m_figures.eventsDiscarded += events;
            ++m_figures.buffersLost;
        }
    }
    if (m_file) {
        m_oldest.store(m_file->oldest(), std::memory_order_relaxed);
    }
    m_pool.release(index);
}

bool Mover::deliver(const Buffer& full) {
    if (!m_feed->hasConsumers()) {
        return false;
    }
    std::shared_ptr<RealTimeBuffer> buffer = copyOf(full);
    const bool isWaitedFor = buffer && (!m_file || m_isFinishing);
    const bool isDelivered = buffer != nullptr;
    m_feed->deliver(std::move(buffer), isWaitedFor ? RealTimeFeed::Slow::Queue : RealTimeFeed::Slow::Miss);
    ++m_sinceMark;
    m_delivered += isDelivered ? 1U : 0U;
    return isDelivered;
}

/// Null where there is no memory for it.
std::shared_ptr<RealTimeBuffer> Mover::copyOf(const Buffer& full) noexcept {
    try {
        const std::uint32_t end = Buffer::Word::offset(full.word.load(std::memory_order_acquire));
        auto buffer = std::make_shared<RealTimeBuffer>();
        buffer->processor = full.processor.load(std::memory_order_relaxed);
        buffer->events.assign(full.memory + etlformat::kBufferHeaderSize, full.memory + end);
        return buffer;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

Status Mover::append(std::uint32_t index) {
    const Buffer& full = m_pool.buffer(index);
    const std::uint64_t word = full.word.load(std::memory_order_acquire);
    const Ticks first = full.first.load(std::memory_order_relaxed);
    if (m_callbacks.nextFile && m_file->room() == 0) {
        if (Status begun = beginNextFile(); !begun) {
            return begun;
        }
    }
    return m_file->append({full.memory, m_pool.shape().bufferSize},
                          {Buffer::Word::offset(word), full.processor.load(std::memory_order_relaxed),
                           Buffer::Word::events(word), first});
}

Status Mover::beginNextFile() {
    const Ticks oldest = m_pool.oldest(); // the buffer that is to come first into the file is among those
    if (Status closed = closeFile(); !closed) {
        return closed;
    }
    m_buffersBefore += m_file->buffersWritten();
    m_sizeBefore += m_file->size();
    m_eventsLostBefore = m_ledger.total();
    m_buffersLostBefore = m_figures.buffersLost;
    auto next = m_callbacks.nextFile(m_file->nextNumber(), oldest);
    if (!next) {
        return fail(next.error());
    }
    m_file = std::move(*next);
    const std::lock_guard lock(m_mutex);
    m_figures.paths.push_back(m_file->path());
    return {};
}

void Mover::refuse(const Error& error) {
    spdlog::warn("{}: nothing more is written: {}", name(), error.detail);
    m_refusal.store(static_cast<std::uint8_t>(lossCauseOf(error)), std::memory_order_relaxed);
    const std::lock_guard lock(m_mutex);
    m_figures.error = error;
}

/// Asks before the full buffers are moved out: what is free now is what the writers had left.
void Mover::growIfShort() {
    const std::uint32_t size = m_pool.size();
    const std::uint32_t maximum = settings().maximumBuffers;
    if (size >= maximum || m_pool.freeBuffers() > size / 4) {
        return;
    }
    const Ticks now = m_clock.ticks();
    if (m_memoryRefused && now - *m_memoryRefused < m_clock.frequency()) {
        return;
    }
    const std::uint32_t wanted = std::min(maximum - size, std::max(1U, size / 2));
    const bool fits = buffersFitting(m_pool.shape().bufferSize, m_callbacks.availableMemory()) >= wanted;
    if (!fits || !m_pool.grow(wanted)) {
        if (!m_memoryRefused) {
            spdlog::warn("{}: memory for more than {} buffers is refused", name(), m_pool.size());
        }
        m_memoryRefused = now;
    }
}

void Mover::watchDisk() {
    const Ticks now = m_clock.ticks();
    if (now - m_lastDiskCheck < m_clock.frequency()) {
        return;
    }
    m_lastDiskCheck = now;
    if (!m_file || refusal()) {
        return;
    }
    if (const Status enough = m_file->checkFreeDisk(); !enough) {
        refuse(enough.error());
    }
}

} // namespace tracedeck::etw::engine
