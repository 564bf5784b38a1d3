// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace tracedeck::etl {

/// A value at `offset`, wherever it is aligned. The caller has checked that it is there.
template <class T>
T loadAt(const std::byte* data, std::size_t offset) noexcept {
    T value;
    std::memcpy(&value, data + offset, sizeof(T));
    return value;
}

enum class EventKind : std::uint8_t { System, Compact, Perfinfo, Full, Instance, Event, Message, Other };

/// One event as it lies in a buffer, its header understood.
struct EventView {
    const std::byte* data = nullptr;
    std::uint32_t size = 0; ///< header, extended data and payload; the next event begins at the next multiple of 8
    std::uint16_t headerSize = 0; ///< without extended data
    std::uint16_t hookId = 0;     ///< of System, Compact and Perfinfo
    EventKind kind = EventKind::Other;
    bool hasTime = false;
    Ticks time = 0;

    [[nodiscard]] bool hasHook() const noexcept { return kind <= EventKind::Perfinfo; }
    /// Class of Full and Instance, provider of Event.
    [[nodiscard]] Guid guid() const noexcept { return loadAt<Guid>(data, 0x18); }
    /// Of a Message that says which control or trace GUID it is of.
    [[nodiscard]] std::optional<Guid> messageGuid() const noexcept;
    [[nodiscard]] std::span<const std::byte> payload() const noexcept {
        return {data + headerSize, static_cast<std::size_t>(size - headerSize)};
    }
};

enum class ParseResult : std::uint8_t { Event, End, Damaged };

/// Understands the event at the beginning of `rest`, which ends where the buffer's events end. End: padding, or less
/// than any event needs. Damaged: no event of any kind that files hold; then `event` is not to be used.
/// All header kinds of 32-bit and 64-bit code; never reads beyond `rest`.
ParseResult parseEvent(std::span<const std::byte> rest, EventView& event) noexcept;

/// Where the extended items of an Event end.
struct ExtendedEnd {
    std::size_t payloadOffset = 0; ///< from the event's first byte
    bool isSound = true;           ///< false: an item runs past the event
};

/// Calls `visit(std::uint16_t type, std::span<const std::byte> data)` for each extended item that is whole.
template <class Visit>
ExtendedEnd forEachExtendedItem(const EventView& event, Visit visit) {
    using etlformat::ExtendedItem;
    if (event.kind != EventKind::Event || (loadAt<std::uint16_t>(event.data, 4) & etlformat::kExtendedInfo) == 0) {
        return {event.headerSize, true};
    }
    std::size_t at = event.headerSize;
    bool more = true;
    bool isSound = true;
    while (more) {
        if (event.size - at < sizeof(ExtendedItem)) {
            return {event.headerSize, false};
        }
        const auto item = loadAt<ExtendedItem>(event.data, at);
        const std::size_t body = at + sizeof(ExtendedItem);
        if (event.size - body < item.dataSize) {
            return {event.headerSize, false};
        }
        visit(item.type, std::span(event.data + body, item.dataSize));
        at += etlformat::alignEvent(std::max<std::size_t>(item.totalSize, sizeof(ExtendedItem) + item.dataSize));
        more = (item.linkage & 1U) != 0;
        if (at > event.size) {
            // The last item's padding may be cut off where there is no payload.
            isSound = !more && at - event.size < etlformat::kEventAlignment;
            at = event.size;
            more = false;
        }
    }
    return {at, isSound};
}

/// What the extended items of an Event say that a summary needs.
struct ExtendedData {
    std::size_t payloadOffset = 0;     ///< from the event's first byte
    bool isSound = true;               ///< false: an item runs past the event; what stands before it is given
    std::span<const std::byte> schema; ///< TraceLogging metadata, empty for manifest events
    std::string_view eventName;        ///< of a TraceLogging event, UTF-8
    std::string_view providerName;     ///< of its provider traits, UTF-8
};
ExtendedData extendedData(const EventView& event) noexcept;

} // namespace tracedeck::etl
