// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/event_view.h"

#include "core/etlformat/layout.h"

#include <algorithm>

namespace tracedeck::etl {
namespace {

using etlformat::ExtendedType;

namespace marker {
constexpr std::uint8_t kTraceHeader = 0x80;
constexpr std::uint8_t kClassMask = 0xF0;
constexpr std::uint8_t kMessage = 0x90;
constexpr std::uint8_t kUlong = 0xA0;
constexpr std::uint8_t kUlongTime = 0xB0;
constexpr std::uint32_t kPadding = 0xFFFFFFFF;
} // namespace marker

/// Parts of a WPP message's header, each there only with its bit.
namespace message_flag {
constexpr std::uint16_t kSequence = 0x01;
constexpr std::uint16_t kGuid = 0x02;
constexpr std::uint16_t kComponentId = 0x04;
constexpr std::uint16_t kTimeStamp = 0x08;
constexpr std::uint16_t kPerformanceTimeStamp = 0x10;
constexpr std::uint16_t kSystemInfo = 0x20;
} // namespace message_flag

/// Header kinds that exist by name but were never seen in a file; only their size is understood.
constexpr std::uint8_t kTimed = 0x0C;
constexpr std::uint8_t kWnode = 0x0E;

struct Shape {
    EventKind kind;
    std::uint16_t headerSize;
    std::uint16_t sizeAt;
    std::uint16_t timeAt;
};

bool shapeOf(std::uint8_t type, Shape& shape) noexcept {
    using etlformat::HeaderType;
    switch (static_cast<HeaderType>(type)) {
    case HeaderType::System32:
    case HeaderType::System64:
        shape = {EventKind::System, 0x20, 4, 0x10};
        return true;
    case HeaderType::Compact32:
    case HeaderType::Compact64:
        shape = {EventKind::Compact, 0x18, 4, 0x10};
        return true;
    case HeaderType::Perfinfo32:
    case HeaderType::Perfinfo64:
        shape = {EventKind::Perfinfo, 0x10, 4, 8};
        return true;
    case HeaderType::Full32:
    case HeaderType::Full64:
        shape = {EventKind::Full, 0x30, 0, 0x10};
        return true;
    case HeaderType::Instance32:
    case HeaderType::Instance64:
        shape = {EventKind::Instance, 0x48, 0, 0x10};
        return true;
    case HeaderType::Event32:
    case HeaderType::Event64:
        shape = {EventKind::Event, 0x50, 0, 0x10};
        return true;
    }
    return false;
}

ParseResult parseMessage(std::span<const std::byte> rest, EventView& event) noexcept {
    event.kind = EventKind::Message;
    event.size = loadAt<std::uint16_t>(rest.data(), 0);
    const auto flags = loadAt<std::uint16_t>(rest.data(), 6);
    std::uint16_t at = 8;
    at = static_cast<std::uint16_t>(at + ((flags & message_flag::kSequence) != 0 ? 4 : 0));
    if ((flags & message_flag::kComponentId) != 0) {
        at = static_cast<std::uint16_t>(at + 4);
    } else if ((flags & message_flag::kGuid) != 0) {
        at = static_cast<std::uint16_t>(at + 16);
    }
    const std::uint16_t timeAt = at;
    if ((flags & (message_flag::kTimeStamp | message_flag::kPerformanceTimeStamp)) != 0) {
        at = static_cast<std::uint16_t>(at + 8);
    }
    at = static_cast<std::uint16_t>(at + ((flags & message_flag::kSystemInfo) != 0 ? 8 : 0));
    if (event.size < at || event.size > rest.size()) {
        return ParseResult::Damaged;
    }
    event.headerSize = at;
    // The performance time stamp is of another clock than the session's.
    event.hasTime = (flags & message_flag::kTimeStamp) != 0;
    event.time = event.hasTime ? loadAt<Ticks>(rest.data(), timeAt) : 0;
    return ParseResult::Event;
}

/// Events of which no more than their size (and place of time) is understood.
ParseResult parseOpaque(std::span<const std::byte> rest, std::uint16_t headerSize, EventView& event) noexcept {
    event.kind = EventKind::Other;
    event.size = loadAt<std::uint16_t>(rest.data(), 0);
    event.headerSize = headerSize;
    return event.size < headerSize || event.size > rest.size() ? ParseResult::Damaged : ParseResult::Event;
}

std::string_view zeroTerminated(std::span<const std::byte> bytes) noexcept {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    // char may alias anything.
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin())};
}

void takeItem(ExtendedType type, std::span<const std::byte> data, ExtendedData& result) noexcept {
    if (type == ExtendedType::SchemaTl && data.size() > 2) {
        result.schema = data;
        std::size_t at = 2;
        while (at < data.size() && (std::to_integer<unsigned>(data[at]) & 0x80U) != 0) {
            ++at;
        }
        result.eventName = zeroTerminated(data.subspan(std::min(at + 1, data.size())));
    } else if (type == ExtendedType::ProviderTraits && data.size() > 2) {
        result.providerName = zeroTerminated(data.subspan(2));
    }
}

} // namespace

std::optional<Guid> EventView::messageGuid() const noexcept {
    if (kind != EventKind::Message) {
        return std::nullopt;
    }
    const auto flags = loadAt<std::uint16_t>(data, 6);
    if ((flags & message_flag::kGuid) == 0 || (flags & message_flag::kComponentId) != 0) {
        return std::nullopt;
    }
    return loadAt<Guid>(data, (flags & message_flag::kSequence) != 0 ? 12 : 8);
}

ParseResult parseEvent(std::span<const std::byte> rest, EventView& event) noexcept {
    if (rest.size() < 8) {
        return ParseResult::End;
    }
    const auto first = loadAt<std::uint32_t>(rest.data(), 0);
    if (first == marker::kPadding) {
        return ParseResult::End;
    }
    const auto flags = static_cast<std::uint8_t>(first >> 24U);
    const auto type = static_cast<std::uint8_t>(first >> 16U);
    if ((flags & marker::kTraceHeader) == 0) {
        return ParseResult::Damaged;
    }
    event = EventView{};
    event.data = rest.data();
    switch (flags & marker::kClassMask) {
    case marker::kMessage:
        return parseMessage(rest, event);
    case marker::kUlong:
        return parseOpaque(rest, 8, event);
    case marker::kUlongTime: {
        const ParseResult result = parseOpaque(rest, 0x10, event);
        event.hasTime = result == ParseResult::Event;
        event.time = event.hasTime ? loadAt<Ticks>(rest.data(), 8) : 0;
        return result;
    }
    default:
        break;
    }
    Shape shape{};
    if (!shapeOf(type, shape)) {
        return type >= kTimed && type <= kWnode ? parseOpaque(rest, 8, event) : ParseResult::Damaged;
    }
    if (rest.size() < shape.headerSize) {
        return ParseResult::Damaged;
    }
    event.kind = shape.kind;
    event.headerSize = shape.headerSize;
    event.size = loadAt<std::uint16_t>(rest.data(), shape.sizeAt);
    event.hasTime = true;
    event.time = loadAt<Ticks>(rest.data(), shape.timeAt);
    if (event.hasHook()) {
        event.hookId = loadAt<std::uint16_t>(rest.data(), 6);
    }
    if (shape.kind == EventKind::Perfinfo) {
        // Hardware counters between header and payload: their number, and whether a PEBS index follows.
        const auto counters = std::to_integer<unsigned>(rest[1]);
        event.headerSize =
            static_cast<std::uint16_t>(shape.headerSize + 8 * (counters & 7U) + ((counters & 0x80U) != 0 ? 8U : 0U));
    }
    return event.size < event.headerSize || event.size > rest.size() ? ParseResult::Damaged : ParseResult::Event;
}

ExtendedData extendedData(const EventView& event) noexcept {
    ExtendedData result;
    const ExtendedEnd end = forEachExtendedItem(event, [&](std::uint16_t type, std::span<const std::byte> data) {
        takeItem(static_cast<ExtendedType>(type), data, result);
    });
    result.payloadOffset = end.payloadOffset;
    result.isSound = end.isSound;
    return result;
}

} // namespace tracedeck::etl
