// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trace_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>

namespace tracedeck::etl {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kFileTimePerSecond = 10'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;
/// A billion ticks a second at most: then all of the arithmetic below fits.
constexpr std::int64_t kFastestClock = 4'000'000'000;

std::int64_t ticksPerSecond(const FileHeader& header) {
    const HeaderSummary& summary = header.summary;
    if (summary.clockType == 3 && header.identity.cpuSpeedInMhz != 0) {
        return std::int64_t{header.identity.cpuSpeedInMhz} * 1'000'000;
    }
    const bool isCounted = summary.clockType != 2 && summary.perfFreq > 0;
    return isCounted ? summary.perfFreq : kFileTimePerSecond;
}

void putDigits(char* to, std::uint64_t number, std::size_t digits) {
    for (std::size_t i = digits; i-- > 0; number /= 10) {
        to[i] = static_cast<char>('0' + number % 10);
    }
}

void appendDigits(std::string& to, std::uint64_t number, std::size_t digits) {
    std::array<char, 20> text{};
    putDigits(text.data(), number, digits);
    to.append(text.data(), digits);
}

} // namespace

TraceTime::TraceTime(const FileHeader& header) noexcept
    : m_start(header.summary.startTicks), m_startTime(header.summary.startTime),
      m_perSecond(std::clamp<std::int64_t>(ticksPerSecond(header), 1, kFastestClock)) {}

std::int64_t TraceTime::nanoseconds(Ticks time) const noexcept {
    // Unsigned: what a damaged file has may be as far away as it likes.
    const bool isBefore = time < m_start;
    const std::uint64_t since = isBefore ? static_cast<std::uint64_t>(m_start) - static_cast<std::uint64_t>(time)
                                         : static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_start);
    const auto perSecond = static_cast<std::uint64_t>(m_perSecond);
    constexpr auto kMostSeconds =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / kNanoseconds - 1);
    const std::uint64_t seconds = std::min(since / perSecond, kMostSeconds);
    const std::uint64_t rest = since % perSecond * kNanoseconds / perSecond;
    const auto all = static_cast<std::int64_t>(seconds * kNanoseconds + rest);
    return isBefore ? -all : all;
}

FileTime TraceTime::wallTime(Ticks time) const noexcept {
    constexpr std::int64_t kNanosecondsPerUnit = 100;
    return static_cast<FileTime>(static_cast<std::uint64_t>(m_startTime) +
                                 static_cast<std::uint64_t>(nanoseconds(time) / kNanosecondsPerUnit));
}

void TraceTime::appendSeconds(std::string& to, std::int64_t nanoseconds) {
    if (nanoseconds < 0) {
        to += '-';
        nanoseconds = -nanoseconds;
    }
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), nanoseconds / kNanoseconds).ptr;
    to.append(text.data(), end);
    to += '.';
    appendDigits(to, static_cast<std::uint64_t>(nanoseconds % kNanoseconds), 9);
}

void TraceTime::appendUtc(std::string& to, FileTime time) {
    using namespace std::chrono;
    constexpr std::int64_t kEndOfTime = 2'650'467'744'000'000'000; // the year 10000
    if (time < 0 || time >= kEndOfTime) {
        to += std::to_string(time);
        return;
    }
    const std::int64_t seconds = time / kFileTimePerSecond;
    const sys_days day = sys_days(year(1601) / January / 1) + days(seconds / kSecondsPerDay);
    const year_month_day date(day);
    const auto ofDay = static_cast<std::uint64_t>(seconds % kSecondsPerDay);
    std::array<char, 28> text{"yyyy-mm-ddThh:mm:ss.fffffff"};
    putDigits(text.data(), static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
    putDigits(text.data() + 5, static_cast<unsigned>(date.month()), 2);
    putDigits(text.data() + 8, static_cast<unsigned>(date.day()), 2);
    putDigits(text.data() + 11, ofDay / 3600, 2);
    putDigits(text.data() + 14, ofDay / 60 % 60, 2);
    putDigits(text.data() + 17, ofDay % 60, 2);
    putDigits(text.data() + 20, static_cast<std::uint64_t>(time % kFileTimePerSecond), 7);
    text.back() = 'Z'; // in the place of the terminator
    to.append(text.data(), text.size());
}

} // namespace tracedeck::etl
