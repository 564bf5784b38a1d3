// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trace_logging_reader.h"

#include "core/base/guid.h"
#include "core/base/utf.h"
#include "core/etl/event_view.h"

#include <algorithm>
#include <cstdint>

namespace tracedeck::etl {
namespace {

/// InType of TraceLoggingProvider.h, the low five bits.
enum class FieldType : std::uint8_t {
    WideString = 0x01,
    NarrowString = 0x02,
    Int8 = 0x03,
    UInt8 = 0x04,
    Int16 = 0x05,
    UInt16 = 0x06,
    Int32 = 0x07,
    UInt32 = 0x08,
    Int64 = 0x09,
    UInt64 = 0x0A,
    Float = 0x0B,
    Double = 0x0C,
    Bool32 = 0x0D,
    Guid = 0x0F,
    FileTime = 0x11,
    HexInt32 = 0x14,
    HexInt64 = 0x15,
    CountedWideString = 0x16,
    CountedNarrowString = 0x17,
};
constexpr std::uint8_t kTypeBits = 0x1F;
constexpr std::uint8_t kArrayBits = 0x60;
constexpr std::uint8_t kMore = 0x80;

/// Bytes taken from front to back; what is not there leaves it empty and not whole.
class Source {
public:
    explicit Source(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool isWhole() const noexcept { return m_isWhole; }
    [[nodiscard]] bool isAtEnd() const noexcept { return m_bytes.empty(); }

    std::span<const std::byte> take(std::size_t count) {
        if (count > m_bytes.size()) {
            m_isWhole = false;
            m_bytes = {};
            return {};
        }
        const auto part = m_bytes.first(count);
        m_bytes = m_bytes.subspan(count);
        return part;
    }
    template <class T>
    T value() {
        const auto part = take(sizeof(T));
        return part.empty() ? T{} : loadAt<T>(part.data(), 0);
    }
    std::string narrow(std::size_t count) {
        const auto part = take(count);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }
    std::string zeroTerminated() {
        const auto end = std::find(m_bytes.begin(), m_bytes.end(), std::byte{0});
        if (end == m_bytes.end()) {
            take(m_bytes.size() + 1);
            return {};
        }
        std::string text = narrow(static_cast<std::size_t>(end - m_bytes.begin()));
        take(1);
        return text;
    }
    std::string wide(std::size_t bytes) {
        const auto part = take(bytes & ~std::size_t{1});
        std::u16string text(part.size() / 2, u'\0');
        if (!part.empty()) {
            std::memcpy(text.data(), part.data(), part.size());
        }
        return toUtf8(text);
    }
    std::string zeroTerminatedWide() {
        std::size_t length = 0;
        while (length + 2 <= m_bytes.size() && loadAt<char16_t>(m_bytes.data(), length) != 0) {
            length += 2;
        }
        std::string text = wide(length);
        take(2);
        return text;
    }

private:
    std::span<const std::byte> m_bytes;
    bool m_isWhole = true;
};

struct Field {
    std::string name;
    FieldType type = FieldType::WideString;
    bool isSimple = false;
};

Field takeField(Source& schema) {
    Field field;
    field.name = schema.zeroTerminated();
    const auto type = schema.value<std::uint8_t>();
    field.type = static_cast<FieldType>(type & kTypeBits);
    field.isSimple = (type & kArrayBits) == 0;
    if ((type & kMore) != 0) {
        const auto out = schema.value<std::uint8_t>();
        if ((out & kMore) != 0) {
            while ((schema.value<std::uint8_t>() & kMore) != 0) {
            }
        }
    }
    return field;
}

/// Empty where the type is none of a recorder's.
std::optional<std::string> takeValue(FieldType type, Source& payload) {
    switch (type) {
    case FieldType::WideString:
        return payload.zeroTerminatedWide();
    case FieldType::NarrowString:
        return payload.zeroTerminated();
    case FieldType::Int8:
        return std::to_string(payload.value<std::int8_t>());
    case FieldType::UInt8:
        return std::to_string(payload.value<std::uint8_t>());
    case FieldType::Int16:
        return std::to_string(payload.value<std::int16_t>());
    case FieldType::UInt16:
        return std::to_string(payload.value<std::uint16_t>());
    case FieldType::Int32:
        return std::to_string(payload.value<std::int32_t>());
    case FieldType::UInt32:
    case FieldType::HexInt32:
        return std::to_string(payload.value<std::uint32_t>());
    case FieldType::Int64:
    case FieldType::FileTime:
        return std::to_string(payload.value<std::int64_t>());
    case FieldType::UInt64:
    case FieldType::HexInt64:
        return std::to_string(payload.value<std::uint64_t>());
    case FieldType::Float:
        return std::to_string(payload.value<float>());
    case FieldType::Double:
        return std::to_string(payload.value<double>());
    case FieldType::Bool32:
        return payload.value<std::uint32_t>() != 0 ? "true" : "false";
    case FieldType::Guid:
        return toString(payload.value<Guid>());
    case FieldType::CountedWideString:
        return payload.wide(payload.value<std::uint16_t>());
    case FieldType::CountedNarrowString:
        return payload.narrow(payload.value<std::uint16_t>());
    }
    return std::nullopt;
}

} // namespace

std::vector<std::pair<std::string, std::string>> readTraceLoggingFields(std::span<const std::byte> schema,
                                                                        std::span<const std::byte> payload) {
    std::vector<std::pair<std::string, std::string>> fields;
    Source names(schema);
    names.take(sizeof(std::uint16_t));
    while (names.isWhole() && (names.value<std::uint8_t>() & kMore) != 0) {
    }
    names.zeroTerminated();
    Source values(payload);
    while (names.isWhole() && !names.isAtEnd()) {
        Field field = takeField(names);
        if (!names.isWhole() || !field.isSimple) {
            break;
        }
        auto value = takeValue(field.type, values);
        if (!value || !values.isWhole()) {
            break;
        }
        fields.emplace_back(std::move(field.name), std::move(*value));
    }
    return fields;
}

} // namespace tracedeck::etl
