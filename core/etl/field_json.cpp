// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/field_json.h"

#include "core/base/utf.h"
#include "core/etl/event_view.h"
#include "core/etl/kernel_fields.h"
#include "core/etl/trace_time.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tracedeck::etl {
namespace {

using Data = std::span<const std::byte>;

constexpr std::string_view kDigits = "0123456789ABCDEF";

template <class Number>
void appendNumber(std::string& to, Number number, int base = 10) {
    std::array<char, 32> text{};
    to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number, base).ptr);
}

std::uint64_t unsignedOf(Data data) noexcept {
    std::uint64_t number = 0;
    std::memcpy(&number, data.data(), std::min(data.size(), sizeof number));
    return number;
}

std::int64_t signedOf(Data data) noexcept {
    const unsigned unused = 64 - 8 * static_cast<unsigned>(std::clamp<std::size_t>(data.size(), 1, 8));
    return static_cast<std::int64_t>(unsignedOf(data) << unused) >> unused;
}

void appendFloat(std::string& to, double number) {
    if (!std::isfinite(number)) {
        to += "null"; // JSON has no other word for it
        return;
    }
    std::array<char, 32> text{};
    to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

void appendFloatOf(std::string& to, Data data) {
    if (data.size() == sizeof(float)) {
        std::array<char, 32> text{};
        const auto number = loadAt<float>(data.data(), 0);
        if (std::isfinite(number)) {
            to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
            return;
        }
    }
    appendFloat(to, data.size() == sizeof(double) ? loadAt<double>(data.data(), 0) : std::nan(""));
}

std::u16string wide(Data data) {
    std::u16string text(data.size() / 2, u'\0');
    if (!text.empty()) {
        std::memcpy(text.data(), data.data(), text.size() * 2);
    }
    return text;
}

std::string_view narrow(Data data) noexcept {
    return {reinterpret_cast<const char*>(data.data()), data.size()};
}

void appendIpV4(std::string& to, Data data) {
    for (std::size_t i = 0; i < 4; ++i) {
        to += i == 0 ? "" : ".";
        appendNumber(to, std::to_integer<unsigned>(data[i]));
    }
}

/// As RFC 5952 writes it: the longest run of zeros as "::".
void appendIpV6(std::string& to, Data data) {
    std::array<unsigned, 8> groups{};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i] = std::to_integer<unsigned>(data[2 * i]) << 8U | std::to_integer<unsigned>(data[2 * i + 1]);
    }
    std::size_t longest = 0;
    std::size_t longestAt = groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::size_t run = 0;
        while (i + run < groups.size() && groups[i + run] == 0) {
            ++run;
        }
        if (run > longest && run > 1) {
            longest = run;
            longestAt = i;
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i == longestAt) {
            to += "::";
            i += longest - 1;
            continue;
        }
        to += i == 0 || i == longestAt + longest ? "" : ":";
        std::array<char, 8> text{};
        to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), groups[i], 16).ptr);
    }
}

void appendSocketAddress(std::string& to, Data data) {
    constexpr std::uint64_t kIpV4 = 2;
    constexpr std::uint64_t kIpV6 = 23;
    const std::uint64_t family = data.size() >= 2 ? unsignedOf(data.first(2)) : 0;
    const auto appendPort = [&] {
        appendNumber(to, std::to_integer<unsigned>(data[2]) << 8U | std::to_integer<unsigned>(data[3]));
    };
    if (family == kIpV4 && data.size() >= 8) {
        appendIpV4(to, data.subspan(4, 4));
        to += ':';
        appendPort();
    } else if (family == kIpV6 && data.size() >= 24) {
        to += '[';
        appendIpV6(to, data.subspan(8, 16));
        to += "]:";
        appendPort();
    } else {
        appendHex(to, data);
    }
}

void appendSystemTime(std::string& to, Data data) {
    const auto time = loadAt<etlformat::SystemTimeFields>(data.data(), 0);
    const auto part = [&](unsigned number, std::size_t digits, char before) {
        if (before != '\0') {
            to += before;
        }
        const std::string text = std::to_string(number);
        to.append(digits > text.size() ? digits - text.size() : 0, '0');
        to += text;
    };
    part(time.year, 4, '\0');
    part(time.month, 2, '-');
    part(time.day, 2, '-');
    part(time.hour, 2, 'T');
    part(time.minute, 2, ':');
    part(time.second, 2, ':');
    part(time.milliseconds, 3, '.');
}

void appendCharacter(std::string& to, Data data, JsonQuotes quotes) {
    const char16_t unit = static_cast<char16_t>(unsignedOf(data));
    appendJsonText(to, toUtf8(std::u16string_view(&unit, 1)), quotes);
}

/// "0x7F12"
void appendAddress(std::string& to, std::uint64_t number) {
    std::array<char, 18> text{};
    std::size_t at = text.size();
    do {
        text[--at] = kDigits[static_cast<std::size_t>(number) & 0xFU];
        number >>= 4U;
    } while (number != 0);
    text[--at] = 'x';
    text[--at] = '0';
    to.append(text.data() + at, text.size() - at);
}

/// Sizes that a type must have, or its bytes are shown as they are.
bool fits(FieldType type, std::size_t size) noexcept {
    switch (type) {
    case FieldType::Signed:
    case FieldType::Unsigned:
    case FieldType::Hex:
        return size >= 1 && size <= 8;
    case FieldType::Float:
        return size == 4 || size == 8;
    case FieldType::FileTime:
        return size == 8;
    case FieldType::Guid:
    case FieldType::SystemTime:
    case FieldType::IpV6:
        return size == 16;
    case FieldType::IpV4:
        return size == 4;
    case FieldType::Port:
        return size == 2;
    case FieldType::Character:
        return size == 1 || size == 2;
    case FieldType::Boolean:
    case FieldType::WideText:
    case FieldType::Text:
    case FieldType::Sid:
    case FieldType::SocketAddress:
    case FieldType::Binary:
        break;
    }
    return true;
}

/// Between the quotes.
void appendQuoted(std::string& to, FieldType type, Data data) {
    switch (type) {
    case FieldType::Hex:
        return appendAddress(to, unsignedOf(data));
    case FieldType::Guid:
        return appendGuid(to, data);
    case FieldType::FileTime:
        return TraceTime::appendUtc(to, loadAt<FileTime>(data.data(), 0));
    case FieldType::SystemTime:
        return appendSystemTime(to, data);
    case FieldType::Sid:
        return appendSid(to, data);
    case FieldType::IpV4:
        return appendIpV4(to, data);
    case FieldType::IpV6:
        return appendIpV6(to, data);
    case FieldType::SocketAddress:
        return appendSocketAddress(to, data);
    case FieldType::Signed:
    case FieldType::Unsigned:
    case FieldType::Float:
    case FieldType::Boolean:
    case FieldType::WideText:
    case FieldType::Text:
    case FieldType::Character:
    case FieldType::Port:
    case FieldType::Binary:
        return appendHex(to, data);
    }
}

/// Characters that stand for themselves in JSON.
constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) {
        plain[c] = c != '"' && c != '\\';
    }
    return plain;
}();

} // namespace

void appendJsonText(std::string& to, std::string_view text, JsonQuotes quotes) {
    const std::string_view quote = quotes == JsonQuotes::Plain ? "\"" : "\"\"";
    to += quote;
    if (std::all_of(text.begin(), text.end(), [](char c) { return kPlain[static_cast<unsigned char>(c)]; })) {
        to += text;
        to += quote;
        return;
    }
    for (const char c : toUtf8(toUtf16(text))) {
        if (c == '"') {
            to += '\\';
            to += quote;
        } else if (c == '\\') {
            to += "\\\\";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            to += "\\u00";
            to += kDigits[static_cast<unsigned char>(c) >> 4U];
            to += kDigits[static_cast<unsigned char>(c) & 0xFU];
        } else {
            to += c;
        }
    }
    to += quote;
}

void appendHex(std::string& to, std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
        to += kDigits[std::to_integer<std::size_t>(byte) >> 4U];
        to += kDigits[std::to_integer<std::size_t>(byte) & 0xFU];
    }
}

void appendGuid(std::string& to, std::span<const std::byte> guid) {
    to += '{';
    to += toString(loadAt<Guid>(guid.data(), 0));
    to += '}';
}

void appendSid(std::string& to, std::span<const std::byte> sid) {
    if (sid.empty()) {
        return; // nobody's
    }
    if (sidLength(sid) != sid.size()) {
        appendHex(to, sid);
        return;
    }
    to += "S-";
    appendNumber(to, std::to_integer<unsigned>(sid[0]));
    std::uint64_t authority = 0;
    for (std::size_t i = 2; i < 8; ++i) {
        authority = authority << 8U | std::to_integer<std::uint64_t>(sid[i]);
    }
    to += '-';
    appendNumber(to, authority);
    for (std::size_t at = 8; at < sid.size(); at += sizeof(std::uint32_t)) {
        to += '-';
        appendNumber(to, loadAt<std::uint32_t>(sid.data(), at));
    }
}

void JsonFields::appendValue(FieldType type, std::span<const std::byte> data) {
    std::string& to = m_to;
    if (!fits(type, data.size())) {
        type = FieldType::Binary;
    }
    switch (type) {
    case FieldType::Signed:
        return appendNumber(to, signedOf(data));
    case FieldType::Unsigned:
        return appendNumber(to, unsignedOf(data));
    case FieldType::Float:
        return appendFloatOf(to, data);
    case FieldType::Boolean: {
        const bool isTrue = std::any_of(data.begin(), data.end(), [](std::byte b) { return b != std::byte{0}; });
        to += isTrue ? "true" : "false";
        return;
    }
    case FieldType::Port:
        return appendNumber(to, std::to_integer<unsigned>(data[0]) << 8U | std::to_integer<unsigned>(data[1]));
    case FieldType::WideText:
        return appendJsonText(to, toUtf8(wide(data)), m_quotes);
    case FieldType::Text:
        return appendJsonText(to, narrow(data), m_quotes);
    case FieldType::Character:
        return appendCharacter(to, data, m_quotes);
    case FieldType::Hex:
    case FieldType::Guid:
    case FieldType::FileTime:
    case FieldType::SystemTime:
    case FieldType::Sid:
    case FieldType::IpV4:
    case FieldType::IpV6:
    case FieldType::SocketAddress:
    case FieldType::Binary:
        to += m_quote;
        appendQuoted(to, type, data);
        to += m_quote;
        return;
    }
}

void JsonFields::begin(std::string_view name) {
    if (m_needsComma) {
        m_to += ',';
    }
    m_needsComma = true;
    if (!name.empty()) {
        appendJsonText(m_to, name, m_quotes);
        m_to += ':';
    }
}

void JsonFields::value(const FieldValue& field) {
    begin(field.name);
    appendValue(field.type, field.data);
}

void JsonFields::beginArray(std::string_view name) {
    begin(name);
    m_to += '[';
    m_needsComma = false;
}

void JsonFields::endArray() {
    m_to += ']';
    m_needsComma = true;
}

void JsonFields::beginStruct(std::string_view name) {
    begin(name);
    m_to += '{';
    m_needsComma = false;
}

void JsonFields::endStruct() {
    m_to += '}';
    m_needsComma = true;
}

} // namespace tracedeck::etl
