// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace tracedeck {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
    char32_t point;
    std::size_t length;
};

Decoded decodeUtf8(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    std::size_t length = 0;
    char32_t point = 0;
    char32_t smallest = 0;
    if ((first & 0xE0U) == 0xC0U) {
        length = 2;
        point = first & 0x1FU;
        smallest = 0x80;
    } else if ((first & 0xF0U) == 0xE0U) {
        length = 3;
        point = first & 0x0FU;
        smallest = 0x800;
    } else if ((first & 0xF8U) == 0xF0U) {
        length = 4;
        point = first & 0x07U;
        smallest = 0x10000;
    } else {
        return {kReplacement, 1};
    }
    if (text.size() < length) {
        return {kReplacement, 1};
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {kReplacement, 1};
        }
        point = (point << 6U) | (byte(i) & 0x3FU);
    }
    if (point < smallest || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
        return {kReplacement, 1};
    }
    return {point, length};
}

/// A character in UTF-16.
struct Units {
    char16_t units[2]{};
    std::size_t count = 1;

    explicit Units(char32_t point) noexcept {
        if (point < 0x10000) {
            units[0] = static_cast<char16_t>(point);
            return;
        }
        units[0] = static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10U));
        units[1] = static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FFU));
        count = 2;
    }
};

} // namespace

std::u16string toUtf16(std::string_view utf8) {
    std::u16string out;
    out.reserve(utf8.size());
    while (!utf8.empty()) {
        const Decoded d = decodeUtf8(utf8);
        const Units units(d.point);
        out.append(units.units, units.count);
        utf8.remove_prefix(d.length);
    }
    return out;
}

std::span<const char16_t> copyUtf16(std::string_view utf8, std::span<char16_t> into) noexcept {
    assert(!into.empty());
    std::size_t written = 0;
    while (!utf8.empty() && utf8.front() != '\0') {
        const Decoded d = decodeUtf8(utf8);
        const Units units(d.point);
        if (written + units.count >= into.size()) {
            break;
        }
        std::copy_n(units.units, units.count, into.data() + written);
        written += units.count;
        utf8.remove_prefix(d.length);
    }
    into[written] = u'\0';
    return into.first(written + 1);
}

std::string toUtf8(std::u16string_view utf16) {
    std::string out;
    out.reserve(utf16.size());
    for (std::size_t i = 0; i < utf16.size(); ++i) {
        char32_t point = utf16[i];
        if (point >= 0xD800 && point <= 0xDFFF) {
            const bool paired =
                point < 0xDC00 && i + 1 < utf16.size() && utf16[i + 1] >= 0xDC00 && utf16[i + 1] <= 0xDFFF;
            point = paired ? 0x10000 + ((point - 0xD800) << 10U) + (utf16[++i] - 0xDC00U) : kReplacement;
        }
        if (point < 0x80) {
            out += static_cast<char>(point);
        } else if (point < 0x800) {
            out += static_cast<char>(0xC0U | (point >> 6U));
            out += static_cast<char>(0x80U | (point & 0x3FU));
        } else if (point < 0x10000) {
            out += static_cast<char>(0xE0U | (point >> 12U));
            out += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
            out += static_cast<char>(0x80U | (point & 0x3FU));
        } else {
            out += static_cast<char>(0xF0U | (point >> 18U));
            out += static_cast<char>(0x80U | ((point >> 12U) & 0x3FU));
            out += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
            out += static_cast<char>(0x80U | (point & 0x3FU));
        }
    }
    return out;
}

std::size_t copyUtf8(std::string_view text, std::size_t room, char* into) noexcept {
    constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";
    std::size_t size = 0;
    while (!text.empty()) {
        const Decoded d = decodeUtf8(text);
        // Of its own length 1, or a character that was written as it is meant to be.
        const bool isReplaced = d.length == 1 && d.point == kReplacement;
        const std::string_view piece = isReplaced ? kReplacementText : text.substr(0, d.length);
        if (piece.size() > room - size) {
            break;
        }
        if (into != nullptr) {
            piece.copy(into + size, piece.size());
        }
        size += piece.size();
        text.remove_prefix(d.length);
    }
    return size;
}

} // namespace tracedeck
