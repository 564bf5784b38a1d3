// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trace_logging_fields.h"

#include "core/etl/event_view.h"
#include "core/etl/kernel_fields.h"

#include <algorithm>
#include <cstdint>

namespace tracedeck::etl {
namespace {

/// TlgIn_t of TraceLoggingProvider.h, the low five bits.
enum class InType : std::uint8_t {
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
    Binary = 0x0E,
    Guid = 0x0F,
    Pointer = 0x10,
    FileTime = 0x11,
    SystemTime = 0x12,
    Sid = 0x13,
    HexInt32 = 0x14,
    HexInt64 = 0x15,
    CountedWideString = 0x16,
    CountedNarrowString = 0x17,
    Struct = 0x18,
    CountedBinary = 0x19,
};
/// TlgOut_t, the low seven bits.
enum class OutType : std::uint8_t {
    None = 0x00,
    String = 0x02,
    Boolean = 0x03,
    Hex = 0x04,
    Port = 0x07,
    IpV4 = 0x08,
    IpV6 = 0x09,
    SocketAddress = 0x0A,
    Win32Error = 0x0D,
    NtStatus = 0x0E,
    HResult = 0x0F,
    FileTime = 0x10,
    Signed = 0x11,
    Unsigned = 0x12,
    CodePointer = 0x25,
};
constexpr std::uint8_t kTypeBits = 0x1F;
constexpr std::uint8_t kArrayBits = 0x60;
constexpr std::uint8_t kFixedCount = 0x20;
constexpr std::uint8_t kVariableCount = 0x40;
constexpr std::uint8_t kMore = 0x80;
constexpr int kDeepest = 32;

/// Bytes taken from front to back; what is not there makes it broken.
class Source {
public:
    explicit Source(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool isBroken() const noexcept { return m_isBroken; }
    [[nodiscard]] std::size_t left() const noexcept { return m_bytes.size() - m_at; }
    [[nodiscard]] std::size_t at() const noexcept { return m_at; }
    [[nodiscard]] std::span<const std::byte> rest() const noexcept { return m_bytes.subspan(m_at); }
    std::span<const std::byte> take(std::size_t count) noexcept {
        if (m_isBroken || count > left()) {
            m_isBroken = true;
            return {};
        }
        const auto part = m_bytes.subspan(m_at, count);
        m_at += count;
        return part;
    }
    template <class T>
    T number() noexcept {
        const auto part = take(sizeof(T));
        return part.empty() ? T{} : loadAt<T>(part.data(), 0);
    }
    std::string_view name() noexcept {
        const auto all = rest();
        const auto end = std::find(all.begin(), all.end(), std::byte{0});
        if (m_isBroken || end == all.end()) {
            m_isBroken = true;
            return {};
        }
        const auto part = take(static_cast<std::size_t>(end - all.begin()));
        take(1);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_isBroken = false;
};

struct Field {
    std::string_view name;
    InType in = InType::Binary;
    std::uint8_t array = 0;
    std::uint8_t out = 0; ///< of a structure: how many fields it has
    std::uint16_t count = 0;
};

void skipTags(Source& schema) noexcept {
    while ((schema.number<std::uint8_t>() & kMore) != 0 && !schema.isBroken()) {
    }
}

Field takeField(Source& schema) noexcept {
    Field field;
    field.name = schema.name();
    const auto in = schema.number<std::uint8_t>();
    field.in = static_cast<InType>(in & kTypeBits);
    field.array = in & kArrayBits;
    if ((in & kMore) != 0) {
        const auto out = schema.number<std::uint8_t>();
        field.out = out & static_cast<std::uint8_t>(~kMore);
        if ((out & kMore) != 0) {
            skipTags(schema);
        }
    }
    if (field.array == kFixedCount) {
        field.count = schema.number<std::uint16_t>();
    } else if (field.array == kArrayBits) {
        schema.take(schema.number<std::uint16_t>());
    }
    return field;
}

FieldType numberType(std::uint8_t out, FieldType usual, std::size_t size) noexcept {
    switch (static_cast<OutType>(out)) {
    case OutType::String:
        return size <= 2 ? FieldType::Character : usual;
    case OutType::Boolean:
        return FieldType::Boolean;
    case OutType::Hex:
    case OutType::Win32Error:
    case OutType::NtStatus:
    case OutType::HResult:
    case OutType::CodePointer:
        return FieldType::Hex;
    case OutType::Port:
        return size == 2 ? FieldType::Port : usual;
    case OutType::IpV4:
        return size == 4 ? FieldType::IpV4 : usual;
    case OutType::FileTime:
        return size == 8 ? FieldType::FileTime : usual;
    case OutType::Signed:
        return FieldType::Signed;
    case OutType::Unsigned:
        return FieldType::Unsigned;
    case OutType::None:
    case OutType::IpV6:
    case OutType::SocketAddress:
        break;
    }
    return usual;
}

FieldType binaryType(std::uint8_t out, std::size_t size) noexcept {
    constexpr std::size_t kIpV6Size = 16;
    switch (static_cast<OutType>(out)) {
    case OutType::IpV6:
        return size == kIpV6Size ? FieldType::IpV6 : FieldType::Binary;
    case OutType::SocketAddress:
        return FieldType::SocketAddress;
    case OutType::None:
    case OutType::String:
    case OutType::Boolean:
    case OutType::Hex:
    case OutType::Port:
    case OutType::IpV4:
    case OutType::Win32Error:
    case OutType::NtStatus:
    case OutType::HResult:
    case OutType::FileTime:
    case OutType::Signed:
    case OutType::Unsigned:
    case OutType::CodePointer:
        break;
    }
    return FieldType::Binary;
}

/// One event while its fields are visited.
class Visitor {
public:
    Visitor(std::span<const std::byte> payload, bool isNarrow, FieldSink& sink)
        : m_payload(payload), m_pointerSize(isNarrow ? 4 : 8), m_sink(sink), m_budget(payload.size() + kFree) {}

    bool run(Source schema) {
        while (schema.left() != 0) {
            if (!takeNamed(schema, 0)) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] std::size_t payloadBytes() const noexcept { return m_payload.at(); }

private:
    /// Structures without a field, and empty ones of arrays: they take nothing of the payload, and are not for free.
    static constexpr std::size_t kFree = 4096;

    bool takeNamed(Source& schema, int depth) {
        const Field field = takeField(schema);
        if (schema.isBroken() || field.array == kArrayBits || depth > kDeepest) {
            return false;
        }
        if (field.array == 0) {
            return takeElement(field, field.name, schema, depth);
        }
        const std::uint16_t count = field.array == kVariableCount ? m_payload.number<std::uint16_t>() : field.count;
        if (m_payload.isBroken()) {
            return false;
        }
        m_sink.beginArray(field.name);
        const bool isGood = takeArray(field, count, schema, depth);
        m_sink.endArray();
        return isGood;
    }
    bool takeArray(const Field& field, std::uint16_t count, Source& schema, int depth) {
        if (count == 0 && field.in == InType::Struct) {
            return skipFields(schema, field.out, depth);
        }
        Source after = schema;
        for (std::uint16_t i = 0; i < count; ++i) {
            after = schema; // every element has the same fields
            if (!takeElement(field, {}, after, depth)) {
                return false;
            }
        }
        schema = after;
        return true;
    }
    bool skipFields(Source& schema, std::uint8_t count, int depth) {
        for (std::uint8_t i = 0; i < count; ++i) {
            const Field field = takeField(schema);
            if (schema.isBroken() || depth > kDeepest ||
                (field.in == InType::Struct && !skipFields(schema, field.out, depth + 1))) {
                return false;
            }
        }
        return true;
    }
    bool takeElement(const Field& field, std::string_view name, Source& schema, int depth) {
        if (m_budget == 0) {
            return false;
        }
        --m_budget;
        if (field.in != InType::Struct) {
            return takeValue(field, name);
        }
        m_sink.beginStruct(name);
        bool isGood = true;
        for (std::uint8_t i = 0; i < field.out && isGood; ++i) {
            isGood = takeNamed(schema, depth + 1);
        }
        m_sink.endStruct();
        return isGood;
    }
    bool takeValue(const Field& field, std::string_view name) {
        FieldType type = FieldType::Binary;
        std::span<const std::byte> data;
        if (!takeData(field, type, data) || m_payload.isBroken()) {
            return false;
        }
        m_sink.value({name, type, data});
        return true;
    }
    bool takeData(const Field& field, FieldType& type, std::span<const std::byte>& data) {
        const auto fixed = [&](std::size_t size, FieldType of) {
            type = of;
            data = m_payload.take(size);
            return true;
        };
        const auto number = [&](std::size_t size, FieldType usual) {
            return fixed(size, numberType(field.out, usual, size));
        };
        switch (field.in) {
        case InType::WideString:
            return takeZeroTerminated(2, FieldType::WideText, type, data);
        case InType::NarrowString:
            return takeZeroTerminated(1, FieldType::Text, type, data);
        case InType::Int8:
            return number(1, FieldType::Signed);
        case InType::UInt8:
            return number(1, FieldType::Unsigned);
        case InType::Int16:
            return number(2, FieldType::Signed);
        case InType::UInt16:
            return number(2, FieldType::Unsigned);
        case InType::Int32:
            return number(4, FieldType::Signed);
        case InType::UInt32:
            return number(4, FieldType::Unsigned);
        case InType::Int64:
            return number(8, FieldType::Signed);
        case InType::UInt64:
            return number(8, FieldType::Unsigned);
        case InType::Float:
            return fixed(4, FieldType::Float);
        case InType::Double:
            return fixed(8, FieldType::Float);
        case InType::Bool32:
            return fixed(4, FieldType::Boolean);
        case InType::Guid:
            return fixed(16, FieldType::Guid);
        case InType::Pointer:
            return fixed(m_pointerSize, FieldType::Hex);
        case InType::FileTime:
            return fixed(8, FieldType::FileTime);
        case InType::SystemTime:
            return fixed(16, FieldType::SystemTime);
        case InType::Sid: {
            const std::size_t size = sidLength(m_payload.rest());
            return size != 0 && fixed(size, FieldType::Sid);
        }
        case InType::HexInt32:
            return fixed(4, FieldType::Hex);
        case InType::HexInt64:
            return fixed(8, FieldType::Hex);
        case InType::CountedWideString:
            return fixed(m_payload.number<std::uint16_t>(), FieldType::WideText);
        case InType::CountedNarrowString:
            return fixed(m_payload.number<std::uint16_t>(), FieldType::Text);
        case InType::Binary:
        case InType::CountedBinary: {
            const auto size = m_payload.number<std::uint16_t>();
            return fixed(size, binaryType(field.out, size));
        }
        case InType::Struct:
            break;
        }
        return false;
    }
    bool takeZeroTerminated(std::size_t width, FieldType of, FieldType& type, std::span<const std::byte>& data) {
        const auto rest = m_payload.rest();
        std::size_t length = 0;
        if (width == 1) {
            length = static_cast<std::size_t>(std::find(rest.begin(), rest.end(), std::byte{0}) - rest.begin());
        } else {
            while (length + 2 <= rest.size() && loadAt<char16_t>(rest.data(), length) != 0) {
                length += 2;
            }
        }
        type = of;
        data = m_payload.take(length);
        m_payload.take(width);
        return true;
    }

    Source m_payload;
    std::size_t m_pointerSize;
    FieldSink& m_sink;
    std::size_t m_budget; ///< elements that may still come
};

} // namespace

TraceLoggingVisit visitTraceLogging(std::span<const std::byte> schema, std::span<const std::byte> payload,
                                    bool isNarrow, FieldSink& sink) {
    Source source(schema);
    source.number<std::uint16_t>(); // its own size
    skipTags(source);
    source.name(); // of the event
    if (source.isBroken()) {
        return {};
    }
    Visitor visitor(payload, isNarrow, sink);
    TraceLoggingVisit visit;
    visit.isWhole = visitor.run(source);
    visit.payloadBytes = visitor.payloadBytes();
    return visit;
}

} // namespace tracedeck::etl
