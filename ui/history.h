// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

#include <chrono>
#include <deque>

namespace tracedeck::ui {

/// The last two minutes of a recording: what the chart draws and the numbers beside it say.
class History {
public:
    static constexpr std::chrono::milliseconds kSpan{120'000};

    struct Sample {
        std::chrono::milliseconds at{0};
        double bufferFill = 0; ///< 0…1, of the fullest session
        double eventsPerSecond = 0;
        std::uint64_t lost = 0; ///< since the sample before
    };

    void clear();
    void add(const recorder::LiveStatus& status);
    [[nodiscard]] const std::deque<Sample>& samples() const noexcept { return m_samples; }
    /// Largest values of the samples; lost is their sum.
    [[nodiscard]] Sample peak() const noexcept;

private:
    std::deque<Sample> m_samples;
    std::uint64_t m_lostBefore = 0;
};

} // namespace tracedeck::ui
