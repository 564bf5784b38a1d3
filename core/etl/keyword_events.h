// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tracedeck::etl {

/// Hook ids of which at least one occurs where a system keyword (WPR's name) was turned on and there was something to
/// tell. Empty for keywords whose events are not known, or that may say nothing for hours.
[[nodiscard]] std::span<const std::uint16_t> eventsOfKeyword(std::string_view keyword) noexcept;

} // namespace tracedeck::etl
