// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/values.h"

#include <algorithm>

namespace tracedeck::profile {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::optional<bool> parseBoolean(std::string_view text) noexcept {
    text = trimmed(text);
    if (text == "true" || text == "1") {
        return true;
    }
    if (text == "false" || text == "0") {
        return false;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> parseUnsigned(std::string_view text, std::uint64_t largest) noexcept {
    text = trimmed(text);
    if (text.empty() || !std::all_of(text.begin(), text.end(), isDigit)) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : text) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (value > (largest - std::min(digit, largest)) / 10) {
            return std::nullopt;
        }
        value = value * 10 + digit;
    }
    return value <= largest ? std::optional(value) : std::nullopt;
}

std::optional<double> parseDecimal(std::string_view text) noexcept {
    text = trimmed(text);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    if (whole.size() > 15 || fraction.size() > 15 || whole.size() + fraction.size() == 0 ||
        !std::all_of(whole.begin(), whole.end(), isDigit) || !std::all_of(fraction.begin(), fraction.end(), isDigit)) {
        return std::nullopt;
    }
    std::uint64_t digits = 0;
    double scale = 1;
    for (const char c : fraction) {
        digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
        scale *= 10;
    }
    const std::uint64_t integer = whole.empty() ? 0 : *parseUnsigned(whole, UINT64_MAX);
    return static_cast<double>(integer) + static_cast<double>(digits) / scale;
}

std::optional<std::uint64_t> parseHex(std::string_view text, std::size_t digits, HexPrefix prefix) noexcept {
    const bool hasPrefix = text.starts_with("0x") || text.starts_with("0X");
    if (!hasPrefix && prefix == HexPrefix::Required) {
        return std::nullopt;
    }
    text.remove_prefix(hasPrefix ? 2 : 0);
    if (text.empty() || text.size() > digits) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : text) {
        const char folded = lower(c);
        if (!isDigit(c) && (folded < 'a' || folded > 'f')) {
            return std::nullopt;
        }
        value = (value << 4U) | static_cast<std::uint64_t>(isDigit(c) ? c - '0' : folded - 'a' + 10);
    }
    return value;
}

std::optional<std::uint64_t> parseEventKeyword(std::string_view text) noexcept {
    return parseHex(text, 16, HexPrefix::Optional);
}

std::optional<std::uint16_t> parseEventId(std::string_view text) noexcept {
    auto value = parseUnsigned(text, UINT16_MAX);
    value = value ? value : parseHex(text, 4, HexPrefix::Required);
    return value ? std::optional(static_cast<std::uint16_t>(*value)) : std::nullopt;
}

bool isId(std::string_view text) noexcept {
    return !text.empty() && text.find_first_of(": \t\r\n") == std::string_view::npos;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string lowerCase(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

} // namespace tracedeck::profile
