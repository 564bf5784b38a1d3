// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tracedeck {

/// A point of the trace clock in ticks; the clock's frequency says how long a tick is. Signed, as in ETW.
using Ticks = std::int64_t;

/// Wall time as Windows counts it: 100 ns since 1601-01-01 UTC.
using FileTime = std::int64_t;

/// Unix epoch as a FileTime.
constexpr FileTime kUnixEpoch = 116444736000000000;

/// The two clocks of a recording. Tests replace it.
///
/// Threading: every function may be called from any thread, at any time.
class Clock {
public:
    virtual ~Clock() = default;
    /// The trace clock: never steps back, one for all processors.
    [[nodiscard]] virtual Ticks ticks() const noexcept = 0;
    /// Ticks per second.
    [[nodiscard]] virtual std::int64_t frequency() const noexcept = 0;
    [[nodiscard]] virtual FileTime wallTime() const noexcept = 0;
};

/// Linux: CLOCK_MONOTONIC in nanoseconds, the clock that perf_event is asked to stamp with (perf_event_attr.clockid),
/// so that events of every source compare. Windows: QueryPerformanceCounter. No system call on either (vDSO, TSC).
class SystemClock final : public Clock {
public:
    [[nodiscard]] Ticks ticks() const noexcept override;
    [[nodiscard]] std::int64_t frequency() const noexcept override;
    [[nodiscard]] FileTime wallTime() const noexcept override;
};

} // namespace tracedeck
