// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <ctime>
#endif

namespace tracedeck {

#ifdef _WIN32

Ticks SystemClock::ticks() const noexcept {
    LARGE_INTEGER value;
    QueryPerformanceCounter(&value);
    return value.QuadPart;
}

std::int64_t SystemClock::frequency() const noexcept {
    LARGE_INTEGER value;
    QueryPerformanceFrequency(&value);
    return value.QuadPart;
}

FileTime SystemClock::wallTime() const noexcept {
    FILETIME time;
    GetSystemTimePreciseAsFileTime(&time);
    return (static_cast<FileTime>(time.dwHighDateTime) << 32) | time.dwLowDateTime;
}

#else

Ticks SystemClock::ticks() const noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return Ticks{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t SystemClock::frequency() const noexcept {
    return 1'000'000'000;
}

FileTime SystemClock::wallTime() const noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return kUnixEpoch + FileTime{now.tv_sec} * 10'000'000 + now.tv_nsec / 100;
}

#endif

} // namespace tracedeck
