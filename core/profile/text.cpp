// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

namespace tracedeck::profile {

namespace {

std::uint8_t byteAt(std::string_view text, std::size_t i) {
    return static_cast<std::uint8_t>(text[i]);
}

bool isContinuation(char c) {
    return (static_cast<std::uint8_t>(c) & 0xC0U) == 0x80U;
}

std::string hex(std::uint32_t value, int digits) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "%0*X", digits, static_cast<unsigned>(value));
    return buffer;
}

void appendUtf8(std::string& out, char32_t c) {
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(static_cast<std::uint8_t>(byte))); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0U | (c >> 6U));
        put(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        put(0xE0U | (c >> 12U));
        put(0x80U | ((c >> 6U) & 0x3FU));
        put(0x80U | (c & 0x3FU));
    } else {
        put(0xF0U | (c >> 18U));
        put(0x80U | ((c >> 12U) & 0x3FU));
        put(0x80U | ((c >> 6U) & 0x3FU));
        put(0x80U | (c & 0x3FU));
    }
}

Problem problemAt(std::string_view text, std::size_t offset, std::string message) {
    Problem problem;
    problem.place = Places(text).at(offset);
    problem.message = std::move(message);
    return problem;
}

/// Length of the well-formed UTF-8 sequence at `i`, 0 where there is none (RFC 3629: no overlong form, no surrogate).
std::size_t sequenceLength(std::string_view text, std::size_t i, char32_t& value) {
    const std::uint8_t first = byteAt(text, i);
    if (first < 0x80) {
        value = first;
        return 1;
    }
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || i + length > text.size()) {
        return 0;
    }
    value = first & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if (!isContinuation(text[i + k])) {
            return 0;
        }
        value = (value << 6U) | (byteAt(text, i + k) & 0x3FU);
    }
    const char32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    const bool isSurrogate = value >= 0xD800 && value <= 0xDFFF;
    return value < smallest || value > 0x10FFFF || isSurrogate ? 0 : length;
}

bool isXmlCharacter(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

DecodedText fromUtf16(std::string_view bytes, bool isLittleEndian) {
    DecodedText result;
    const auto unit = [&](std::size_t i) -> char32_t {
        const std::uint8_t a = byteAt(bytes, i);
        const std::uint8_t b = byteAt(bytes, i + 1);
        return isLittleEndian ? static_cast<char32_t>(a | (b << 8U)) : static_cast<char32_t>(b | (a << 8U));
    };
    result.utf8.reserve(bytes.size() / 2);
    for (std::size_t i = 2; i < bytes.size(); i += 2) {
        if (i + 1 == bytes.size()) {
            result.problem = problemAt(result.utf8, result.utf8.size(), "the UTF-16 text ends in the middle of a unit");
            return result;
        }
        char32_t c = unit(i);
        if (c >= 0xD800 && c <= 0xDBFF && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) <= 0xDFFF) {
            c = 0x10000 + ((c - 0xD800) << 10U) + (unit(i + 2) - 0xDC00);
            i += 2;
        } else if (c >= 0xD800 && c <= 0xDFFF) {
            result.problem =
                problemAt(result.utf8, result.utf8.size(),
                          "a lone surrogate 0x" + hex(static_cast<std::uint32_t>(c), 4) + " is no UTF-16 character");
            return result;
        }
        appendUtf8(result.utf8, c);
    }
    return result;
}

/// The value of encoding="…" in an XML declaration at the start, upper case; empty where there is none.
std::string declaredEncoding(std::string_view text) {
    if (!text.starts_with("<?xml")) {
        return {};
    }
    const std::string_view declaration = text.substr(0, text.find("?>"));
    const std::size_t at = declaration.find("encoding");
    const std::size_t open = at == std::string_view::npos ? at : declaration.find_first_of("'\"", at);
    if (open == std::string_view::npos) {
        return {};
    }
    const std::size_t close = declaration.find(declaration[open], open + 1);
    std::string name(declaration.substr(open + 1, close == std::string_view::npos ? close : close - open - 1));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

void checkCharacters(DecodedText& text, const std::string& encoding) {
    const bool isDeclaredUtf8 = encoding.empty() || encoding == "UTF-8" || encoding == "US-ASCII";
    for (std::size_t i = 0; i < text.utf8.size();) {
        char32_t c = 0;
        const std::size_t length = sequenceLength(text.utf8, i, c);
        if (length == 0) {
            text.problem =
                problemAt(text.utf8, i,
                          "the byte 0x" + hex(byteAt(text.utf8, i), 2) + " is no UTF-8 text; save the file as UTF-8");
            return;
        }
        if (!isXmlCharacter(c)) {
            text.problem = problemAt(text.utf8, i,
                                     "the control character U+" + hex(static_cast<std::uint32_t>(c), 4) +
                                         " is not allowed in XML");
            return;
        }
        if (length > 1 && !isDeclaredUtf8) {
            text.problem =
                problemAt(text.utf8, i, "the encoding " + encoding + " is not supported; save the file as UTF-8");
            return;
        }
        i += length;
    }
}

} // namespace

std::string tooLarge(std::uint64_t size) {
    return "the file has " + std::to_string(size) + " bytes; a profile has at most " + std::to_string(kLargestProfile) +
           " (" + std::to_string(kLargestProfile / (1024 * 1024)) + " MB)";
}

Places::Places(std::string_view text) : m_text(text), m_lineStarts{0} {
    std::size_t continuations = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % kStride == 0) {
            m_continuations.push_back(continuations);
        }
        continuations += isContinuation(text[i]) ? 1U : 0U;
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
            m_lineStarts.push_back(i + 1);
        }
    }
    m_continuations.push_back(continuations);
}

std::size_t Places::continuationsBefore(std::size_t offset) const {
    const std::size_t stride = std::min(offset / kStride, m_continuations.size() - 1);
    const std::size_t start = std::min(stride * kStride, m_text.size());
    if (start >= offset) {
        return m_continuations[stride];
    }
    const std::string_view rest = m_text.substr(start, offset - start);
    return m_continuations[stride] + static_cast<std::size_t>(std::count_if(rest.begin(), rest.end(), isContinuation));
}

Place Places::at(std::size_t offset) const {
    offset = std::min(offset, m_text.size());
    const auto next = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
    const std::size_t start = *std::prev(next);
    const std::size_t characters = offset - start - (continuationsBefore(offset) - continuationsBefore(start));
    return {static_cast<std::uint32_t>(next - m_lineStarts.begin()), static_cast<std::uint32_t>(characters) + 1};
}

DecodedText decode(std::string_view bytes) {
    DecodedText result;
    if (bytes.size() > kLargestProfile) {
        result.problem = problemAt({}, 0, tooLarge(bytes.size()));
        return result;
    }
    using namespace std::string_view_literals;
    if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) {
        result.problem = problemAt({}, 0, "UTF-32 is not supported; save the file as UTF-8");
        return result;
    }
    std::string encoding;
    if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) {
        result = fromUtf16(bytes, bytes[0] == '\xFF');
    } else if (bytes.starts_with("\xEF\xBB\xBF"sv)) {
        result.utf8 = bytes.substr(3);
    } else if (bytes.starts_with("<\0"sv) || bytes.starts_with("\0<"sv)) {
        result.problem = problemAt({}, 0, "UTF-16 without a byte order mark is not supported; save the file as UTF-8");
    } else {
        result.utf8 = bytes;
        encoding = declaredEncoding(bytes);
    }
    if (!result.problem) {
        checkCharacters(result, encoding);
    }
    return result;
}

} // namespace tracedeck::profile
