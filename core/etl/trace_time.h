// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etl/file_header.h"

#include <string>

namespace tracedeck::etl {

/// Turns the time stamps of a file into seconds and wall time. Numbers of a damaged file give some time, never an
/// error.
///
/// Threading: a constant.
class TraceTime {
public:
    explicit TraceTime(const FileHeader& header) noexcept;
    /// Nanoseconds since the session's start; at most 292 years.
    [[nodiscard]] std::int64_t nanoseconds(Ticks time) const noexcept;
    [[nodiscard]] FileTime wallTime(Ticks time) const noexcept;

    /// "12.345678901"
    static void appendSeconds(std::string& to, std::int64_t nanoseconds);
    /// "2026-11-30T14:05:09.1234567Z"; the number where it is no time between the years 1601 and 9999.
    static void appendUtc(std::string& to, FileTime time);

private:
    Ticks m_start;
    FileTime m_startTime;
    std::int64_t m_perSecond;
};

} // namespace tracedeck::etl
