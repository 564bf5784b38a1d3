// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tracedeck::linux_source {

/// A call chain without the kernel's markers, innermost first, kernel frames before user frames.
struct Frames {
    std::array<std::uint64_t, etlformat::kMostStackFrames> addresses;
    std::size_t count = 0;
    std::size_t userCount = 0;

    /// From a chain of perf_event, with PERF_CONTEXT_* markers.
    void assign(std::span<const std::uint64_t> chain) noexcept;
    [[nodiscard]] std::span<const std::uint64_t> view() const noexcept { return std::span(addresses).first(count); }
};

/// The last stack of each thread that a processor left, in memory taken once: when it is full, slots go round.
///
/// Threading: one thread at a time. Only the constructor allocates.
class StackPool {
public:
    explicit StackPool(std::uint32_t slots);
    /// Keeps `frames` in the slot that `owner` names, or in a new one, which `owner` names from then on. `owner` must
    /// stay where it is until forget(). It becomes -1 when its slot goes to another.
    void keep(std::int32_t& owner, std::span<const std::uint64_t> frames) noexcept;
    [[nodiscard]] std::span<const std::uint64_t> frames(std::int32_t slot) const noexcept;
    /// `owner` is about to go.
    void forget(std::int32_t& owner) noexcept;
    [[nodiscard]] std::uint64_t evicted() const noexcept { return m_evicted; }

private:
    struct Slot {
        std::int32_t* owner = nullptr;
        std::uint32_t count = 0;
    };
    std::vector<Slot> m_slots;
    std::unique_ptr<std::uint64_t[]> m_addresses; ///< not touched before use: memory comes as threads do
    std::vector<std::uint32_t> m_free;
    std::uint32_t m_next = 0; ///< to be taken from its owner when none is free
    std::uint64_t m_evicted = 0;
};

} // namespace tracedeck::linux_source
