// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/guid.h"

#include "core/base/sha1.h"
#include "core/base/utf.h"

#include <fmt/format.h>

#include <random>
#include <span>
#include <vector>

namespace tracedeck {
namespace {

// Order in which the text shows the bytes.
constexpr std::array<unsigned, 16> kTextOrder{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

int hexDigit(char c) noexcept {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

char16_t upperInvariant(char16_t c) noexcept {
    // Latin letters are all that provider names in the field use; others are hashed as they are.
    if ((c >= u'a' && c <= u'z') || (c >= 0xE0 && c <= 0xFE && c != 0xF7)) {
        return static_cast<char16_t>(c - 0x20);
    }
    return c;
}

} // namespace

std::string toString(const Guid& guid) {
    std::string text;
    text.reserve(36);
    for (std::size_t i = 0; i < kTextOrder.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text += '-';
        }
        fmt::format_to(std::back_inserter(text), "{:02x}", guid.bytes[kTextOrder[i]]);
    }
    return text;
}

std::optional<Guid> parseGuid(std::string_view text) noexcept {
    if (text.size() == 38 && text.front() == '{' && text.back() == '}') {
        text = text.substr(1, 36);
    }
    if (text.size() != 36) {
        return std::nullopt;
    }
    Guid guid;
    std::size_t at = 0;
    for (std::size_t i = 0; i < kTextOrder.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            if (text[at++] != '-') {
                return std::nullopt;
            }
        }
        const int high = hexDigit(text[at]);
        const int low = hexDigit(text[at + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        guid.bytes[kTextOrder[i]] = static_cast<std::uint8_t>(high * 16 + low);
        at += 2;
    }
    return guid;
}

Guid guidFromProviderName(std::string_view name) {
    constexpr std::array<std::uint8_t, 16> kNamespace{0x48, 0x2C, 0x2D, 0xB2, 0xC3, 0x90, 0x47, 0xC8,
                                                      0x87, 0xF8, 0x1A, 0x15, 0xBF, 0xC1, 0x30, 0xFB};
    std::vector<std::uint8_t> input(kNamespace.begin(), kNamespace.end());
    for (const char16_t c : toUtf16(name)) {
        const char16_t upper = upperInvariant(c);
        input.push_back(static_cast<std::uint8_t>(upper >> 8U));
        input.push_back(static_cast<std::uint8_t>(upper & 0xFFU));
    }
    const std::array<std::uint8_t, 20> hash = sha1(input);
    Guid guid;
    for (std::size_t i = 0; i < guid.bytes.size(); ++i) {
        guid.bytes[i] = hash[i];
    }
    guid.bytes[7] = static_cast<std::uint8_t>((guid.bytes[7] & 0x0FU) | 0x50U);
    return guid;
}

Guid randomGuid() {
    std::random_device device;
    Guid guid;
    for (std::uint8_t& byte : guid.bytes) {
        byte = static_cast<std::uint8_t>(device());
    }
    guid.bytes[7] = static_cast<std::uint8_t>((guid.bytes[7] & 0x0FU) | 0x40U);
    guid.bytes[8] = static_cast<std::uint8_t>((guid.bytes[8] & 0x3FU) | 0x80U);
    return guid;
}

} // namespace tracedeck
