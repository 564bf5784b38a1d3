// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The simple types of the profile schema.
namespace tracedeck::profile {

/// xs:boolean: true, false, 1, 0; blanks around it do not count.
[[nodiscard]] std::optional<bool> parseBoolean(std::string_view text) noexcept;
/// Decimal digits, blanks around them do not count; nothing above `largest`.
[[nodiscard]] std::optional<std::uint64_t> parseUnsigned(std::string_view text, std::uint64_t largest) noexcept;
/// Digits with at most one decimal point, at most 1e15; no sign and no exponent.
[[nodiscard]] std::optional<double> parseDecimal(std::string_view text) noexcept;
/// Up to `digits` hexadecimal digits; "0x" before them may be left out only where `isPrefixOptional`.
enum class HexPrefix : std::uint8_t { Required, Optional };
[[nodiscard]] std::optional<std::uint64_t> parseHex(std::string_view text, std::size_t digits,
                                                    HexPrefix prefix) noexcept;
/// The keyword of an event provider: "0x98", and without prefix hexadecimal all the same ("8001").
[[nodiscard]] std::optional<std::uint64_t> parseEventKeyword(std::string_view text) noexcept;
/// 0…65535, decimal or with 0x.
[[nodiscard]] std::optional<std::uint16_t> parseEventId(std::string_view text) noexcept;
/// At least one character, no colon, no blank.
[[nodiscard]] bool isId(std::string_view text) noexcept;
/// Equal when the case of ASCII letters does not count.
[[nodiscard]] bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept;
/// ASCII letters alone: what equalsIgnoringCase() takes for equal has the same lower case.
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace tracedeck::profile
