// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/session_clock.h"

#include "core/etw/engine/session_rules.h"

#include <atomic>
#include <limits>

#if defined(__linux__) && defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <string>
#define TRACEDECK_HAS_CYCLE_COUNTER
#endif

namespace tracedeck::etw::engine {
namespace {

constexpr std::int64_t kFileTimePerSecond = 10'000'000;

class WallClock final : public Clock {
public:
    explicit WallClock(const Clock& base) : m_base(base) {}
    [[nodiscard]] Ticks ticks() const noexcept override {
        const FileTime now = m_base.wallTime();
        Ticks last = m_last.load(std::memory_order_relaxed);
        // Who comes behind another one's reservation sees what that one left here: the buffer's word is acquired.
        while (now > last) {
            if (m_last.compare_exchange_weak(last, now, std::memory_order_relaxed)) {
                return now;
            }
        }
        return last;
    }
    [[nodiscard]] std::int64_t frequency() const noexcept override { return kFileTimePerSecond; }
    [[nodiscard]] FileTime wallTime() const noexcept override { return m_base.wallTime(); }

private:
    const Clock& m_base;
    alignas(64) mutable std::atomic<Ticks> m_last{std::numeric_limits<Ticks>::min()};
};

#ifdef TRACEDECK_HAS_CYCLE_COUNTER

constexpr std::int64_t kHertzPerMhz = 1'000'000;

/// Not before what the program did before: the counter is not read early.
Ticks cycles() noexcept {
    _mm_lfence();
    return static_cast<Ticks>(__rdtsc());
}

class CycleClock final : public Clock {
public:
    CycleClock(const Clock& base, std::uint32_t mhz) : m_base(base), m_mhz(mhz) {}
    [[nodiscard]] Ticks ticks() const noexcept override { return cycles(); }
    [[nodiscard]] std::int64_t frequency() const noexcept override { return m_mhz * kHertzPerMhz; }
    [[nodiscard]] FileTime wallTime() const noexcept override { return m_base.wallTime(); }

private:
    const Clock& m_base;
    const std::uint32_t m_mhz;
};

bool isClockSource() {
    std::ifstream sources("/sys/devices/system/clocksource/clocksource0/available_clocksource");
    for (std::string source; sources >> source;) {
        if (source == "tsc") {
            return true;
        }
    }
    return false;
}

bool isInvariant() noexcept {
    constexpr unsigned kPowerManagement = 0x80000007;
    constexpr unsigned kInvariantTsc = 1U << 8U;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(kPowerManagement, &a, &b, &c, &d) != 0 && (d & kInvariantTsc) != 0;
}

struct Pair {
    Ticks cycles = 0;
    std::int64_t nanoseconds = 0;
};
/// Read together to some 50 ns: the closest of a few.
Pair readPair() noexcept {
    Pair best;
    Ticks narrowest = std::numeric_limits<Ticks>::max();
    for (int i = 0; i < 8; ++i) {
        const Ticks before = cycles();
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
        const Ticks after = cycles();
        if (after - before < narrowest) {
            narrowest = after - before;
            best = {before + (after - before) / 2, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec};
        }
    }
    return best;
}

std::optional<std::uint32_t> measureMhz() {
    if (!isInvariant() || !isClockSource()) {
        return std::nullopt;
    }
    constexpr std::int64_t kSpan = 10'000'000; // 10 ms: 100 ns of two readings are 10 in a million
    const Pair begin = readPair();
    Pair end = begin;
    while (end.nanoseconds - begin.nanoseconds < kSpan) {
        end = readPair();
    }
    const double perMicrosecond = static_cast<double>(end.cycles - begin.cycles) * 1000.0 /
                                  static_cast<double>(end.nanoseconds - begin.nanoseconds);
    return static_cast<std::uint32_t>(std::lround(perMicrosecond));
}

#endif

} // namespace

std::optional<std::uint32_t> cycleCounterMhz() {
#ifdef TRACEDECK_HAS_CYCLE_COUNTER
    static const std::optional<std::uint32_t> known = measureMhz();
    return known;
#else
    return std::nullopt;
#endif
}

Result<std::unique_ptr<const Clock>> makeSessionClock(ClockType type, const Clock& base) {
    if (type == ClockType::SystemTime) {
        return std::make_unique<WallClock>(base);
    }
    if (type == ClockType::CpuCycle) {
#ifdef TRACEDECK_HAS_CYCLE_COUNTER
        if (const auto mhz = cycleCounterMhz()) {
            return std::make_unique<CycleClock>(base, *mhz);
        }
#endif
        return fail(ErrorCode::NotSupported, "the processors' cycle counters are no clock on this machine",
                    kNotSupported);
    }
    return std::unique_ptr<const Clock>();
}

} // namespace tracedeck::etw::engine
