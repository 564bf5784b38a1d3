// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/buffer_pool.h"

#include "core/etw/engine/memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <optional>
#include <thread>
#include <tuple>

namespace tracedeck::etw::engine {
namespace {

constexpr auto kHeader = static_cast<std::uint32_t>(etlformat::kBufferHeaderSize);

} // namespace

BufferPool::BufferPool(Shape shape) : m_shape(shape), m_slots(std::make_unique<Slot[]>(shape.processors)) {
    for (std::atomic<std::uint32_t>& place : m_parked) {
        place.store(kNoIndex, std::memory_order_relaxed);
    }
}

BufferPool::~BufferPool() {
    if (m_isAdopted) {
        return;
    }
    for (std::uint32_t i = 0; i < size(); ++i) {
        freeBufferMemory(buffer(i).memory, m_shape.bufferSize);
    }
    for (std::atomic<Buffer*>& chunk : m_chunks) {
        delete[] chunk.load();
    }
}

void BufferPool::adopt(std::span<Buffer> controls, std::atomic<std::uint64_t>& overwritten) noexcept {
    assert(size() == 0 && controls.size() <= kMostBuffers);
    m_isAdopted = true;
    m_overwritten = &overwritten;
    for (std::size_t first = 0; first < controls.size(); first += kChunk) {
        m_chunks[first / kChunk].store(&controls[first], std::memory_order_release);
    }
    for (std::uint32_t index = 0; index < controls.size(); ++index) {
        controls[index].ownNode = index;
        m_size.store(index + 1, std::memory_order_release);
        m_free.push(
            index, [this](std::uint32_t at) -> auto& { return buffer(at).nextFree; });
    }
}

bool BufferPool::grow(std::uint32_t buffers) {
    if (m_isAdopted) {
        return buffers == 0;
    }
    for (std::uint32_t i = 0; i < buffers; ++i) {
        const std::uint32_t index = m_size.load(std::memory_order_relaxed);
        if (index == kMostBuffers) {
            return false;
        }
        std::atomic<Buffer*>& chunk = m_chunks[index / kChunk];
        if (chunk.load(std::memory_order_relaxed) == nullptr) {
            auto* fresh = new (std::nothrow) Buffer[kChunk];
            if (fresh == nullptr) {
                return false;
            }
            chunk.store(fresh, std::memory_order_release);
        }
        std::byte* const memory = allocateBufferMemory(m_shape.bufferSize);
        if (memory == nullptr) {
            return false;
        }
        Buffer& added = buffer(index);
        added.memory = memory;
        added.ownNode = index;
        m_size.store(index + 1, std::memory_order_release);
        m_free.push(
            index, [this](std::uint32_t at) -> auto& { return buffer(at).nextFree; });
    }
    return true;
}

bool BufferPool::spend() noexcept {
    if (!m_isLimited) {
        return true;
    }
    std::uint64_t left = m_budget.load(std::memory_order_relaxed);
    while (left != 0) {
        if (m_budget.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

void BufferPool::earnBack() noexcept {
    if (m_isLimited) {
        m_budget.fetch_add(1, std::memory_order_relaxed);
    }
}

/// A buffer to be put to use, within the budget.
BufferPool::Taken BufferPool::take() noexcept {
    if (!spend()) {
        return {kNoIndex, Outcome::BudgetSpent};
    }
    const std::uint32_t index = takeFree();
    if (index == kNoIndex) {
        earnBack();
    }
    return {index, Outcome::NoBuffer};
}

std::uint32_t BufferPool::takeFree() noexcept {
    const std::uint32_t index = m_free.pop([this](std::uint32_t at) -> auto& { return buffer(at).nextFree; });
    return index == kNoIndex && m_shape.isRing ? reclaim() : index;
}

std::uint32_t BufferPool::reclaim() noexcept {
    for (int attempt = 0; attempt < kReclaimAttempts; ++attempt) {
        if (const std::uint32_t parked = reclaimParked(); parked != kNoIndex) {
            return parked;
        }
        const std::uint32_t index = popFull();
        if (index == kNoIndex) {
            return kNoIndex;
        }
        if (isReclaimed(index)) {
            return index;
        }
        park(index); // a preempted writer or a reader is inside
    }
    return kNoIndex;
}

/// The oldest of those that nobody is inside of any more.
std::uint32_t BufferPool::reclaimParked() noexcept {
    while (true) {
        std::atomic<std::uint32_t>* oldest = nullptr;
        std::uint32_t index = kNoIndex;
        Ticks first = 0;
        for (std::atomic<std::uint32_t>& place : m_parked) {
            const std::uint32_t parked = place.load(std::memory_order_acquire);
            if (parked == kNoIndex || !isQuiescent(buffer(parked))) {
                continue;
            }
            const Ticks began = buffer(parked).first.load(std::memory_order_relaxed);
            if (oldest == nullptr || began < first) {
                oldest = &place;
                index = parked;
                first = began;
            }
        }
        if (oldest == nullptr) {
            return kNoIndex;
        }
        if (!oldest->compare_exchange_strong(index, kNoIndex, std::memory_order_acq_rel)) {
            continue; // another one was faster
        }
        if (isReclaimed(index)) {
            return index;
        }
        park(index); // a reader came
    }
}

/// Whether the caller, who owns a full buffer, may empty it: nobody is inside.
bool BufferPool::isReclaimed(std::uint32_t index) noexcept {
    Buffer& oldest = buffer(index);
    // Announced before the question: a reader that copies the buffer out asks in the opposite order.
    oldest.state.store(Buffer::State::Reclaiming);
    if (!isQuiescent(oldest)) {
        return false;
    }
    m_overwritten->fetch_add(Buffer::Word::events(oldest.word.load(std::memory_order_acquire)),
                             std::memory_order_release);
    return true;
}

void BufferPool::park(std::uint32_t index) noexcept {
    buffer(index).state.store(Buffer::State::Full);
    for (std::atomic<std::uint32_t>& place : m_parked) {
        std::uint32_t empty = kNoIndex;
        if (place.compare_exchange_strong(empty, index, std::memory_order_acq_rel)) {
            return;
        }
    }
    pushFull(index); // among the youngest, then: so many are read or written to that order has to wait
}

void BufferPool::pushFull(std::uint32_t index) noexcept {
    Buffer& full = buffer(index);
    const std::uint32_t ownNode = full.ownNode;
    full.state.store(Buffer::State::Full);
    m_full.push(
        index, ownNode, [this](std::uint32_t at) -> auto& { return node(at); });
}

std::uint32_t BufferPool::popFull() noexcept {
    const IndexQueue::Popped popped = m_full.pop([this](std::uint32_t at) -> auto& { return node(at); });
    if (popped.value != kNoIndex) {
        buffer(popped.value).ownNode = popped.node;
    }
    return popped.value;
}

void BufferPool::release(std::uint32_t index) noexcept {
    buffer(index).state.store(Buffer::State::Free);
    m_free.push(
        index, [this](std::uint32_t at) -> auto& { return buffer(at).nextFree; });
}

void BufferPool::retire(std::uint32_t index) noexcept {
    Buffer& old = buffer(index);
    const std::uint64_t word = old.word.load(std::memory_order_acquire);
    assert(Buffer::Word::isClosed(word));
    Slot& slot = m_slots[old.processor.load(std::memory_order_relaxed)];
    slot.retiredEvents.fetch_add(Buffer::Word::events(word), std::memory_order_relaxed);
    slot.retiredBytes.fetch_add(Buffer::Word::offset(word) - kHeader, std::memory_order_relaxed);
    pushFull(index);
}

/// No reservation of that use succeeds any more; nothing happens to another use.
void BufferPool::close(Buffer& buffer, std::uint64_t use) noexcept {
    std::uint64_t word = buffer.word.load(std::memory_order_acquire);
    while (!Buffer::Word::isClosed(word) && Buffer::Word::use(word) == use &&
           !buffer.word.compare_exchange_weak(word, word | Buffer::Word::kClosed, std::memory_order_acq_rel,
                                              std::memory_order_acquire)) {
    }
}

/// Puts another buffer, or none, into the slot that held `seen`.
BufferPool::Outcome BufferPool::replace(std::uint32_t processor, std::uint64_t seen, std::uint64_t word) noexcept {
    Slot& slot = m_slots[processor];
    const Link old = Link::unpack(seen);
    if (old.index != kNoIndex) {
        close(buffer(old.index), Buffer::Word::use(word));
    }
    if (slot.word.load(std::memory_order_acquire) != seen) {
        return Outcome::Written; // by another one; taking a buffer now would overwrite a ring's for nothing
    }
    const auto [fresh, otherwise] = take();
    std::uint64_t target = Link{kNoIndex, old.tag}.pack();
    if (fresh != kNoIndex) {
        Buffer& next = buffer(fresh);
        next.committed.store(etlformat::kBufferHeaderSize, std::memory_order_relaxed);
        // Release: a writer that meets the new word in a buffer it knew sees that the slot has another one.
        next.word.store(Buffer::Word::next(next.word.load(std::memory_order_relaxed)), std::memory_order_release);
        // In this order: whatever moment the process dies at, the buffer is as it was or empty.
        next.first.store(kNoTime, std::memory_order_release);
        next.processor.store(processor, std::memory_order_release);
        next.sequence.store(old.tag + 1, std::memory_order_release);
        next.state.store(Buffer::State::Current);
        target = old.successor(fresh);
    } else if (old.index == kNoIndex) {
        return slot.word.load(std::memory_order_acquire) == seen ? otherwise : Outcome::Written;
    }
    if (slot.word.compare_exchange_strong(seen, target)) {
        if (old.index != kNoIndex) {
            retire(old.index);
        }
        return fresh == kNoIndex ? otherwise : Outcome::Written;
    }
    if (fresh != kNoIndex) {
        release(fresh);
        earnBack();
    }
    return Outcome::Written;
}

std::uint32_t BufferPool::closeCurrent(std::uint32_t processor) noexcept {
    Slot& slot = m_slots[processor];
    while (true) {
        std::uint64_t seen = slot.word.load(std::memory_order_acquire);
        const Link link = Link::unpack(seen);
        if (link.index == kNoIndex) {
            return link.tag;
        }
        Buffer& current = buffer(link.index);
        const std::uint64_t word = current.word.load(std::memory_order_acquire);
        if (slot.word.load(std::memory_order_acquire) != seen) {
            continue;
        }
        if (Buffer::Word::events(word) == 0) {
            return link.tag - 1;
        }
        close(current, Buffer::Word::use(word));
        // Where this fails, a writer has replaced the buffer and retires it.
        if (slot.word.compare_exchange_strong(seen, Link{kNoIndex, link.tag}.pack())) {
            retire(link.index);
        }
        return link.tag;
    }
}

BufferPool::Accepted BufferPool::accepted() noexcept {
    Accepted sum;
    for (std::uint32_t i = 0; i < m_shape.processors; ++i) {
        Slot& slot = m_slots[i];
        while (true) {
            const std::uint64_t seen = slot.word.load();
            Accepted one{slot.retiredEvents.load(), slot.retiredBytes.load()};
            if (const std::uint32_t index = Link::unpack(seen).index; index != kNoIndex) {
                const std::uint64_t word = buffer(index).word.load();
                one.events += Buffer::Word::events(word);
                one.bytes += Buffer::Word::offset(word) - kHeader;
            }
            if (slot.word.load() == seen) {
                sum.events += one.events;
                sum.bytes += one.bytes;
                break;
            }
        }
    }
    return sum;
}

Ticks BufferPool::oldest() noexcept {
    Ticks oldest = kNoTime;
    for (std::uint32_t i = 0; i < size(); ++i) {
        Buffer& each = buffer(i);
        const Buffer::State state = each.state.load(std::memory_order_acquire);
        if (state == Buffer::State::Current || state == Buffer::State::Full) {
            oldest = std::min(oldest, each.first.load(std::memory_order_relaxed));
        }
    }
    return oldest;
}

std::vector<BufferPool::FullBuffer> BufferPool::fullBuffers() {
    std::vector<FullBuffer> found;
    for (std::uint32_t index = 0; index < size(); ++index) {
        Buffer& each = buffer(index);
        while (true) {
            const Buffer::State state = each.state.load();
            const FullBuffer full{index, each.processor.load(), each.sequence.load(),
                                  Buffer::Word::events(each.word.load()), each.first.load()};
            // The first writer may still be about to leave its time behind.
            if (state == Buffer::State::Full && full.first != kNoTime) {
                found.push_back(full);
                break;
            }
            // Reclaiming lasts a moment: it is full again or in other use. A current buffer whose slot has another is
            // about to become full.
            const bool isSettled = state == Buffer::State::Free ||
                                   (state == Buffer::State::Current && !Buffer::Word::isClosed(each.word.load()));
            if (isSettled) {
                break;
            }
            std::this_thread::yield();
        }
    }
    putInOrder(found, m_shape.processors);
    return found;
}

void BufferPool::putInOrder(std::vector<FullBuffer>& full, std::uint32_t processors) {
    std::sort(full.begin(), full.end(), [](const FullBuffer& a, const FullBuffer& b) {
        return std::tie(a.first, a.processor, a.sequence) < std::tie(b.first, b.processor, b.sequence);
    });
    std::vector<std::optional<std::uint32_t>> next(processors); // sequence number of the one after
    std::vector<bool> hasHole(processors, false);
    for (auto each = full.rbegin(); each != full.rend(); ++each) {
        std::optional<std::uint32_t>& after = next[each->processor];
        hasHole[each->processor] = hasHole[each->processor] || (after && each->sequence + 1 != *after);
        each->isBeforeHole = hasHole[each->processor];
        after = each->sequence;
    }
}

std::uint32_t BufferPool::copy(const FullBuffer& full, std::span<std::byte> into) {
    Buffer& source = buffer(full.index);
    while (true) {
        source.references.fetch_add(1);
        const Buffer::State state = source.state.load();
        const bool isSame = source.processor.load() == full.processor && source.sequence.load() == full.sequence;
        if (isSame && state == Buffer::State::Full) {
            break;
        }
        source.references.fetch_sub(1, std::memory_order_release);
        if (!isSame || state != Buffer::State::Reclaiming) {
            return 0;
        }
        std::this_thread::yield(); // whoever reclaims it decides in a moment
    }
    while (!isCommitted(source)) {
        std::this_thread::yield();
    }
    const std::uint32_t end = Buffer::Word::offset(source.word.load(std::memory_order_acquire));
    std::memcpy(into.data() + etlformat::kBufferHeaderSize, source.memory + etlformat::kBufferHeaderSize,
                end - etlformat::kBufferHeaderSize);
    source.references.fetch_sub(1, std::memory_order_release);
    return end;
}

} // namespace tracedeck::etw::engine
