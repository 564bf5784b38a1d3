// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/types.h"

#include <array>
#include <atomic>
#include <limits>
#include <vector>

namespace tracedeck::etw::engine {

/// What events are lost by when a write has failed with `error`.
[[nodiscard]] inline LossCause lossCauseOf(const Error& error) noexcept {
    return error.code == ErrorCode::DiskFull ? LossCause::DiskFull : LossCause::WriteFailed;
}

/// Counts the events that a session lost, by cause, with the time of the first one.
///
/// Threading: add() from any thread, lock-free; counts() is exact when nobody adds.
class LossLedger {
public:
    void add(LossCause cause, std::uint64_t events, Ticks first) noexcept {
        if (events == 0) {
            return;
        }
        Entry& entry = m_entries[static_cast<std::size_t>(cause)];
        entry.events.fetch_add(events, std::memory_order_relaxed);
        Ticks known = entry.first.load(std::memory_order_relaxed);
        while (first < known && !entry.first.compare_exchange_weak(known, first, std::memory_order_relaxed)) {
        }
    }

    [[nodiscard]] std::uint64_t total() const noexcept {
        std::uint64_t sum = 0;
        for (const Entry& entry : m_entries) {
            sum += entry.events.load(std::memory_order_relaxed);
        }
        return sum;
    }

    [[nodiscard]] std::vector<LossCount> counts() const {
        std::vector<LossCount> counts;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const std::uint64_t events = m_entries[i].events.load(std::memory_order_relaxed);
            if (events > 0) {
                counts.push_back(
                    {static_cast<LossCause>(i), events, m_entries[i].first.load(std::memory_order_relaxed)});
            }
        }
        return counts;
    }

private:
    struct alignas(64) Entry {
        std::atomic<std::uint64_t> events{0};
        std::atomic<Ticks> first{std::numeric_limits<Ticks>::max()};
    };
    std::array<Entry, kLossCauses> m_entries;
};

} // namespace tracedeck::etw::engine
