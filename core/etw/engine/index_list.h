// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

/// Lock-free lists of buffer numbers.
///
/// Both hold links of an index and a tag in one 64-bit word; the tag counts the changes of the word, so that a thread
/// that slept through a removal and a return does not mistake the word for the one it knew.
namespace tracedeck::etw::engine {

constexpr std::uint32_t kNoIndex = 0xFFFFFFFF;

struct Link {
    std::uint32_t index = kNoIndex;
    std::uint32_t tag = 0;

    [[nodiscard]] static constexpr Link unpack(std::uint64_t word) noexcept {
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)};
    }
    [[nodiscard]] constexpr std::uint64_t pack() const noexcept { return std::uint64_t{tag} << 32U | index; }
    /// What follows this link when its word is made to point at `other`.
    [[nodiscard]] constexpr std::uint64_t successor(std::uint32_t other) const noexcept {
        return Link{other, tag + 1}.pack();
    }
};

/// Treiber's stack. `NextOf(index)` is the atomic link field of an element, used by the stack alone.
class IndexStack {
public:
    template <class NextOf>
    void push(std::uint32_t index, NextOf nextOf) noexcept {
        std::uint64_t top = m_top.load(std::memory_order_relaxed);
        do {
            nextOf(index).store(Link::unpack(top).index, std::memory_order_relaxed);
            // Release: whoever pops the element sees what was done to it before.
        } while (!m_top.compare_exchange_weak(top, Link::unpack(top).successor(index), std::memory_order_release,
                                              std::memory_order_relaxed));
        m_size.fetch_add(1, std::memory_order_relaxed);
    }

    /// kNoIndex where it is empty.
    template <class NextOf>
    [[nodiscard]] std::uint32_t pop(NextOf nextOf) noexcept {
        std::uint64_t top = m_top.load(std::memory_order_acquire);
        while (true) {
            const Link link = Link::unpack(top);
            if (link.index == kNoIndex) {
                return kNoIndex;
            }
            // May read the field of an element that another thread has taken meanwhile; the exchange then fails.
            const std::uint32_t next = nextOf(link.index).load(std::memory_order_relaxed);
            if (m_top.compare_exchange_weak(top, link.successor(next), std::memory_order_acquire,
                                            std::memory_order_acquire)) {
                m_size.fetch_sub(1, std::memory_order_relaxed);
                return link.index;
            }
        }
    }

    /// Exact when nobody is at work, else about right.
    [[nodiscard]] std::uint32_t size() const noexcept {
        const std::int32_t size = m_size.load(std::memory_order_relaxed);
        return size < 0 ? 0 : static_cast<std::uint32_t>(size);
    }

private:
    alignas(64) std::atomic<std::uint64_t> m_top{Link{}.pack()};
    std::atomic<std::int32_t> m_size{0};
};

/// Michael and Scott's queue, with a fixed number of nodes: each element brings the node it is queued with and takes
/// along the one that its removal sets free, so that elements + 1 nodes are enough for ever.
class IndexQueue {
public:
    struct Node {
        std::atomic<std::uint64_t> next{Link{}.pack()};
        std::atomic<std::uint32_t> value{kNoIndex};
    };
    struct Popped {
        std::uint32_t value = kNoIndex;
        std::uint32_t node = kNoIndex;
    };

    explicit IndexQueue(std::uint32_t firstNode) noexcept
        : m_head(Link{firstNode, 0}.pack()), m_tail(Link{firstNode, 0}.pack()) {}

    template <class NodeOf>
    void push(std::uint32_t value, std::uint32_t node, NodeOf nodeOf) noexcept {
        Node& fresh = nodeOf(node);
        fresh.value.store(value, std::memory_order_relaxed);
        fresh.next.store(Link::unpack(fresh.next.load(std::memory_order_relaxed)).successor(kNoIndex));
        while (true) {
            std::uint64_t tail = m_tail.load();
            Node& last = nodeOf(Link::unpack(tail).index);
            std::uint64_t next = last.next.load();
            if (tail != m_tail.load()) {
                continue;
            }
            if (Link::unpack(next).index != kNoIndex) { // its pusher has not yet moved the tail: help
                m_tail.compare_exchange_strong(tail, Link::unpack(tail).successor(Link::unpack(next).index));
                continue;
            }
            if (last.next.compare_exchange_strong(next, Link::unpack(next).successor(node))) {
                m_tail.compare_exchange_strong(tail, Link::unpack(tail).successor(node));
                return;
            }
        }
    }

    /// `value` is kNoIndex where it is empty.
    template <class NodeOf>
    [[nodiscard]] Popped pop(NodeOf nodeOf) noexcept {
        while (true) {
            std::uint64_t head = m_head.load();
            std::uint64_t tail = m_tail.load();
            const std::uint32_t first = Link::unpack(head).index;
            const std::uint32_t next = Link::unpack(nodeOf(first).next.load()).index;
            if (head != m_head.load()) {
                continue;
            }
            if (next == kNoIndex) {
                return {};
            }
            if (first == Link::unpack(tail).index) {
                m_tail.compare_exchange_strong(tail, Link::unpack(tail).successor(next));
                continue;
            }
            // Read before the exchange: afterwards the node may be reused by whoever pops next.
            const std::uint32_t value = nodeOf(next).value.load();
            if (m_head.compare_exchange_strong(head, Link::unpack(head).successor(next))) {
                return {value, first};
            }
        }
    }

private:
    alignas(64) std::atomic<std::uint64_t> m_head;
    alignas(64) std::atomic<std::uint64_t> m_tail;
};

} // namespace tracedeck::etw::engine
