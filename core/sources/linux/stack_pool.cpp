// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/stack_pool.h"

#include <algorithm>
#include <linux/perf_event.h>

namespace tracedeck::linux_source {

void Frames::assign(std::span<const std::uint64_t> chain) noexcept {
    count = 0;
    userCount = 0;
    bool isUser = false;
    for (const std::uint64_t address : chain) {
        if (address >= static_cast<std::uint64_t>(PERF_CONTEXT_MAX)) {
            isUser = address == static_cast<std::uint64_t>(PERF_CONTEXT_USER);
            continue;
        }
        if (count == addresses.size()) {
            return;
        }
        addresses[count++] = address;
        userCount += isUser ? 1U : 0U;
    }
}

StackPool::StackPool(std::uint32_t slots)
    : m_slots(slots),
      m_addresses(new std::uint64_t[std::size_t{slots} * etlformat::kMostStackFrames]) { // not value-initialized
    m_free.reserve(slots);
    for (std::uint32_t slot = slots; slot > 0; --slot) {
        m_free.push_back(slot - 1);
    }
}

void StackPool::keep(std::int32_t& owner, std::span<const std::uint64_t> frames) noexcept {
    if (owner < 0) {
        std::uint32_t slot = m_next;
        if (!m_free.empty()) {
            slot = m_free.back();
            m_free.pop_back();
        } else {
            *m_slots[slot].owner = -1;
            ++m_evicted;
            m_next = (m_next + 1) % static_cast<std::uint32_t>(m_slots.size());
        }
        m_slots[slot].owner = &owner;
        owner = static_cast<std::int32_t>(slot);
    }
    const auto index = static_cast<std::size_t>(owner);
    const std::size_t count = std::min(frames.size(), etlformat::kMostStackFrames);
    m_slots[index].count = static_cast<std::uint32_t>(count);
    std::copy_n(frames.begin(), count, m_addresses.get() + index * etlformat::kMostStackFrames);
}

std::span<const std::uint64_t> StackPool::frames(std::int32_t slot) const noexcept {
    if (slot < 0) {
        return {};
    }
    const auto index = static_cast<std::size_t>(slot);
    return {m_addresses.get() + index * etlformat::kMostStackFrames, m_slots[index].count};
}

void StackPool::forget(std::int32_t& owner) noexcept {
    if (owner >= 0) {
        m_slots[static_cast<std::size_t>(owner)] = {};
        m_free.push_back(static_cast<std::uint32_t>(owner)); // within what was reserved
        owner = -1;
    }
}

} // namespace tracedeck::linux_source
