// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/trace_logging.h"

#include "core/base/utf.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tracedeck::etlformat {
namespace {

constexpr std::size_t kLongestEvent = 60 * 1024;
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::uint8_t kTraceLoggingChannel = 11;

/// Types of fields (TlgIn_t, TlgOut_t).
enum class InType : std::uint8_t {
    Int64 = 0x09,
    UInt32 = 0x08,
    UInt64 = 0x0A,
    Double = 0x0C,
    Bool32 = 0x0D,
    Guid = 0x0F,
    FileTime = 0x11,
    CountedAnsiString = 0x17,
};
constexpr std::uint8_t kHasOutType = 0x80;
constexpr std::uint8_t kOutUtf8 = 0x23;

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>; // Clang 14 does not find it by itself

InType inType(const TraceLoggingEvent::Value& value) noexcept {
    return std::visit(Overloaded{
                          [](const std::string&) { return InType::CountedAnsiString; },
                          [](std::uint64_t) { return InType::UInt64; },
                          [](std::int64_t) { return InType::Int64; },
                          [](std::uint32_t) { return InType::UInt32; },
                          [](double) { return InType::Double; },
                          [](bool) { return InType::Bool32; },
                          [](const Guid&) { return InType::Guid; },
                          [](const TraceLoggingEvent::FileTimeValue&) { return InType::FileTime; },
                      },
                      value);
}

/// Names end at a zero, so they cannot hold one.
std::string_view untilZero(std::string_view name) noexcept {
    return name.substr(0, name.find('\0'));
}

enum class Linkage : std::uint16_t { Last = 0, More = 1 };

/// Appends to memory that is known to be large enough.
class Cursor {
public:
    explicit Cursor(std::byte* at) noexcept : m_at(at) {}
    template <class T>
    void put(const T& value) noexcept {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void name(std::string_view text) noexcept {
        std::memcpy(m_at, text.data(), text.size());
        m_at += text.size();
        put(std::uint8_t{0});
    }
    void bytes(std::span<const std::byte> from) noexcept {
        if (!from.empty()) {
            std::memcpy(m_at, from.data(), from.size());
            m_at += from.size();
        }
    }
    void zeros(std::size_t count) noexcept {
        std::memset(m_at, 0, count);
        m_at += count;
    }
    void skip(std::size_t count) noexcept { m_at += count; }
    [[nodiscard]] std::byte* at() const noexcept { return m_at; }

private:
    std::byte* m_at;
};

constexpr std::size_t kBlobSize = sizeof(std::uint16_t); // what a blob begins with

std::size_t traitsSize(std::string_view providerName) noexcept {
    return kBlobSize + untilZero(providerName).size() + 1;
}

std::size_t schemaSize(const TraceLoggingEvent& event) noexcept {
    std::size_t size = kBlobSize + sizeof(std::uint8_t) + untilZero(event.name).size() + 1;
    for (const auto& [name, value] : event.fields) {
        size += untilZero(name).size() + 1 + (inType(value) == InType::CountedAnsiString ? 2 : 1);
    }
    return size;
}

std::size_t fixedPayload(const TraceLoggingEvent& event) noexcept {
    std::size_t size = 0;
    for (const auto& field : event.fields) {
        size += std::visit(Overloaded{
                               [](const std::string&) { return sizeof(std::uint16_t); },
                               [](bool) { return sizeof(std::uint32_t); },
                               [](const auto& value) { return sizeof value; },
                           },
                           field.second);
    }
    return size;
}

/// Bytes of a text that is cut to `longest` bytes, its "…" included; written where `into` is not null.
std::size_t putText(const std::string& text, std::size_t longest, char* into) noexcept {
    const std::size_t whole = copyUtf8(text, std::numeric_limits<std::size_t>::max(), nullptr);
    if (whole <= longest) {
        return into == nullptr ? whole : copyUtf8(text, whole, into);
    }
    if (longest < kEllipsis.size()) {
        return 0;
    }
    const std::size_t kept = copyUtf8(text, longest - kEllipsis.size(), into);
    if (into != nullptr) {
        kEllipsis.copy(into + kept, kEllipsis.size());
    }
    return kept + kEllipsis.size();
}

std::size_t textBytes(const TraceLoggingEvent& event, std::size_t longest) noexcept {
    std::size_t total = 0;
    for (const auto& field : event.fields) {
        if (const auto* text = std::get_if<std::string>(&field.second)) {
            total += putText(*text, longest, nullptr);
        }
    }
    return total;
}

/// The longest text that all of them can have and fit into `room` together.
std::size_t longestText(const TraceLoggingEvent& event, std::size_t room) noexcept {
    if (textBytes(event, room) <= room) {
        return room;
    }
    std::size_t fits = 0;
    std::size_t tooLong = room;
    while (tooLong - fits > 1) {
        const std::size_t middle = fits + (tooLong - fits) / 2;
        (textBytes(event, middle) <= room ? fits : tooLong) = middle;
    }
    return fits;
}

void putItem(Cursor& out, ExtendedType type, Linkage linkage, std::size_t size) noexcept {
    ExtendedItem item;
    item.totalSize = static_cast<std::uint16_t>(alignEvent(sizeof item + size));
    item.type = static_cast<std::uint16_t>(type);
    item.linkage = static_cast<std::uint16_t>(linkage);
    item.dataSize = static_cast<std::uint16_t>(size);
    out.put(item);
    out.put(static_cast<std::uint16_t>(size));
}

void endItem(Cursor& out, std::size_t size) noexcept {
    out.zeros(alignEvent(sizeof(ExtendedItem) + size) - sizeof(ExtendedItem) - size);
}

void putSchema(Cursor& out, const TraceLoggingEvent& event) noexcept {
    out.put(std::uint8_t{0}); // no tags
    out.name(untilZero(event.name));
    for (const auto& [name, value] : event.fields) {
        out.name(untilZero(name));
        const InType type = inType(value);
        if (type == InType::CountedAnsiString) {
            out.put(static_cast<std::uint8_t>(static_cast<std::uint8_t>(type) | kHasOutType));
            out.put(kOutUtf8);
        } else {
            out.put(type);
        }
    }
}

void putPayload(Cursor& out, const TraceLoggingEvent& event, std::size_t longest) noexcept {
    for (const auto& field : event.fields) {
        std::visit(Overloaded{
                       [&](const std::string& text) {
                           auto* const place = reinterpret_cast<char*>(out.at() + sizeof(std::uint16_t));
                           const std::size_t size = putText(text, longest, place);
                           out.put(static_cast<std::uint16_t>(size));
                           out.skip(size);
                       },
                       [&](bool value) { out.put(std::uint32_t{value ? 1U : 0U}); },
                       [&](const auto& value) { out.put(value); },
                   },
                   field.second);
    }
}

} // namespace

TraceLoggingEncoder::TraceLoggingEncoder(const TraceLoggingEvent& event, std::string_view providerName,
                                         std::span<const std::byte> items) noexcept
    : m_event(event), m_providerName(providerName), m_items(items), m_traits(traitsSize(providerName)),
      m_schema(schemaSize(event)) {
    const std::size_t fixed = sizeof(EventHeader) + alignEvent(sizeof(ExtendedItem) + m_traits) +
                              alignEvent(sizeof(ExtendedItem) + m_schema) + m_items.size() + fixedPayload(event);
    m_longestText = longestText(event, kLongestEvent - std::min(fixed, kLongestEvent));
    m_size = fixed + textBytes(event, m_longestText);
}

void TraceLoggingEncoder::write(std::byte* into, const Origin& origin) const noexcept {
    assert(m_size <= kLargestEvent);
    Cursor out(into);
    EventHeader header;
    header.size = static_cast<std::uint16_t>(m_size);
    header.flags = kExtendedInfo;
    header.threadId = origin.threadId;
    header.processId = origin.processId;
    header.timeStamp = origin.time;
    header.providerId = origin.providerId;
    header.descriptor.channel = kTraceLoggingChannel;
    header.descriptor.level = m_event.level;
    header.descriptor.opcode = m_event.opcode;
    header.descriptor.keyword = m_event.keyword;
    out.put(header);
    putItem(out, ExtendedType::ProviderTraits, Linkage::More, m_traits);
    out.name(untilZero(m_providerName));
    endItem(out, m_traits);
    putItem(out, ExtendedType::SchemaTl, m_items.empty() ? Linkage::Last : Linkage::More, m_schema);
    putSchema(out, m_event);
    endItem(out, m_schema);
    out.bytes(m_items);
    putPayload(out, m_event, m_longestText);
    assert(out.at() == into + m_size);
}

std::vector<std::byte> encode(const TraceLoggingEvent& event, const Guid& providerId, const std::string& providerName,
                              Ticks time, std::uint32_t processId, std::uint32_t threadId) {
    const TraceLoggingEncoder encoder(event, providerName);
    assert(encoder.size() <= kLargestEvent); // names are the program's own, so their length is too
    std::vector<std::byte> bytes(encoder.size());
    encoder.write(bytes.data(), {providerId, time, processId, threadId});
    return bytes;
}

} // namespace tracedeck::etlformat
