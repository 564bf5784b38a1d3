// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Numbers and lines as the command line prints them.
namespace tracedeck::cli {

/// "  label       text", with a line break: one row of a report.
[[nodiscard]] std::string line(std::string_view label, const std::string& text);
/// "1,204,331"
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "1 event", "1,204,331 events": `plural` where it is not the noun with an "s".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural = {});
/// "1 byte", "17 bytes", "12.3 KB", "4.0 GB" (binary units)
[[nodiscard]] std::string size(Bytes bytes);
/// "00:01:05"
[[nodiscard]] std::string clockTime(std::chrono::milliseconds time);
/// "9.8 s", "2 min 5 s"
[[nodiscard]] std::string length(std::chrono::milliseconds time);
/// "2026-11-30 14:05:09", local; "unknown" for 0.
[[nodiscard]] std::string dateTime(FileTime when);
/// "a, b, c and 4 more"
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most);
/// At most `columns` characters of UTF-8 text, cut with "…".
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
/// Text from a file, for a terminal: control characters and what is no UTF-8 become "?".
[[nodiscard]] std::string printable(std::string_view text);

} // namespace tracedeck::cli
