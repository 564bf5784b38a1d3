// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/trace_logging.h"

#include "core/base/utf.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <cassert>
#include <limits>

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

InType inType(const TraceLoggingEvent::Value& value) {
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
std::string_view untilZero(std::string_view name) {
    return name.substr(0, name.find('\0'));
}

/// A blob that begins with its own size in 16 bits.
void finishBlob(std::vector<std::byte>& blob) {
    assert(blob.size() <= std::numeric_limits<std::uint16_t>::max());
    const auto size = static_cast<std::uint16_t>(blob.size());
    std::memcpy(blob.data(), &size, sizeof size);
}

std::vector<std::byte> providerTraits(const std::string& providerName) {
    std::vector<std::byte> blob;
    ByteWriter out(blob);
    out.put(std::uint16_t{0});
    out.narrowString(untilZero(providerName));
    finishBlob(blob);
    return blob;
}

std::vector<std::byte> schema(const TraceLoggingEvent& event) {
    std::vector<std::byte> blob;
    ByteWriter out(blob);
    out.put(std::uint16_t{0});
    out.put(std::uint8_t{0}); // no tags
    out.narrowString(untilZero(event.name));
    for (const auto& [name, value] : event.fields) {
        out.narrowString(untilZero(name));
        const InType type = inType(value);
        if (type == InType::CountedAnsiString) {
            out.put(static_cast<std::uint8_t>(static_cast<std::uint8_t>(type) | kHasOutType));
            out.put(kOutUtf8);
        } else {
            out.put(type);
        }
    }
    finishBlob(blob);
    return blob;
}

enum class Linkage : std::uint16_t { Last = 0, More = 1 };

void putItem(ByteWriter& out, ExtendedType type, Linkage linkage, const std::vector<std::byte>& data) {
    ExtendedItem item;
    const std::size_t total = alignEvent(sizeof item + data.size());
    item.totalSize = static_cast<std::uint16_t>(total);
    item.type = static_cast<std::uint16_t>(type);
    item.linkage = static_cast<std::uint16_t>(linkage);
    item.dataSize = static_cast<std::uint16_t>(data.size());
    out.put(item);
    out.bytes(data);
    out.zeros(total - sizeof item - data.size());
}

/// Cuts at the beginning of a character, so that text and "…" together are at most `size` bytes.
void shorten(std::string& text, std::size_t size) {
    std::size_t end = size < kEllipsis.size() ? 0 : size - kEllipsis.size();
    while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    text.resize(end);
    if (size >= kEllipsis.size()) {
        text += kEllipsis;
    }
}

/// The texts of the fields as valid UTF-8, the longest ones shortened until all of them fit into `room` bytes.
std::vector<std::string> fittingTexts(const TraceLoggingEvent& event, std::size_t room) {
    std::vector<std::string> texts;
    std::size_t total = 0;
    for (const auto& field : event.fields) {
        if (const auto* text = std::get_if<std::string>(&field.second)) {
            texts.push_back(toUtf8(toUtf16(*text)));
            total += texts.back().size();
        }
    }
    while (total > room) {
        std::string& longest = *std::max_element(
            texts.begin(), texts.end(), [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
        const std::size_t before = longest.size();
        shorten(longest, before - std::min(before, total - room));
        total -= before - longest.size();
    }
    return texts;
}

std::size_t fixedPayload(const TraceLoggingEvent& event) {
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

void putPayload(ByteWriter& out, const TraceLoggingEvent& event, const std::vector<std::string>& texts) {
    auto text = texts.begin();
    for (const auto& field : event.fields) {
        std::visit(Overloaded{
                       [&](const std::string&) {
                           out.put(static_cast<std::uint16_t>(text->size()));
                           out.bytes(std::as_bytes(std::span(*text)));
                           ++text;
                       },
                       [&](bool value) { out.put(std::uint32_t{value ? 1U : 0U}); },
                       [&](const auto& value) { out.put(value); },
                   },
                   field.second);
    }
}

} // namespace

std::vector<std::byte> encode(const TraceLoggingEvent& event, const Guid& providerId, const std::string& providerName,
                              Ticks time, std::uint32_t processId, std::uint32_t threadId) {
    const std::vector<std::byte> traits = providerTraits(providerName);
    const std::vector<std::byte> fields = schema(event);
    const std::size_t fixed = sizeof(EventHeader) + alignEvent(sizeof(ExtendedItem) + traits.size()) +
                              alignEvent(sizeof(ExtendedItem) + fields.size()) + fixedPayload(event);
    assert(fixed <= kLongestEvent); // names are the program's own, so their length is too
    const std::vector<std::string> texts = fittingTexts(event, kLongestEvent - fixed);

    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    EventHeader header;
    header.flags = kExtendedInfo;
    header.threadId = threadId;
    header.processId = processId;
    header.timeStamp = time;
    header.providerId = providerId;
    header.descriptor.channel = kTraceLoggingChannel;
    header.descriptor.level = event.level;
    header.descriptor.opcode = event.opcode;
    header.descriptor.keyword = event.keyword;
    out.put(header);
    putItem(out, ExtendedType::ProviderTraits, Linkage::More, traits);
    putItem(out, ExtendedType::SchemaTl, Linkage::Last, fields);
    putPayload(out, event, texts);
    header.size = static_cast<std::uint16_t>(bytes.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

} // namespace tracedeck::etlformat
