// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
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
    [[nodiscard]] std::span<const std::byte> payload() const noexcept {
        return {data + headerSize, static_cast<std::size_t>(size - headerSize)};
    }
};

enum class ParseResult : std::uint8_t { Event, End, Damaged };

/// Understands the event at the beginning of `rest`, which ends where the buffer's events end. End: padding, or less
/// than any event needs. Damaged: no event of any kind that files hold; then `event` is not to be used.
/// All header kinds of 32-bit and 64-bit code; never reads beyond `rest`.
ParseResult parseEvent(std::span<const std::byte> rest, EventView& event) noexcept;

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
