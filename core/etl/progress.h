// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace tracedeck::etl {

/// 0…1 of the bytes; called a few times a second at most, on the working thread.
using Progress = std::function<void(double fraction)>;

/// Passes on how far a work is, but for what comes too soon after the last time.
///
/// Threading: one thread. Ownership: the callee must outlive it.
class ProgressMeter {
public:
    explicit ProgressMeter(const Progress& progress) : m_progress(progress) {}
    /// `done` of `all`.
    void tell(std::uint64_t done, std::uint64_t all) {
        const auto now = std::chrono::steady_clock::now();
        if (m_progress && now - m_last >= kInterval) {
            m_last = now;
            m_progress(all == 0 ? 0.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all)));
        }
    }

private:
    static constexpr std::chrono::milliseconds kInterval{250};
    const Progress& m_progress;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace tracedeck::etl
