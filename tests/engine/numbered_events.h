// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/event_writer.h"
#include "tests/engine/raw_etl.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

/// Events that show whether they are whole, and which are missing.
namespace tracedeck::test {

struct NumberedEvent {
    std::uint32_t thread = 0;
    std::uint32_t number = 0; ///< of the thread's events, from 0
};

inline void writeNumbered(etw::EventWriter& writer, const NumberedEvent& event) {
    writer.write({"N",
                  4,
                  0,
                  0,
                  {{"thread", event.thread}, {"number", event.number}, {"pad", std::string(event.number % 97, 'p')}}});
}

/// Empty where it is not one of writeNumbered(), byte by byte.
inline std::optional<NumberedEvent> readNumbered(const RawEvent& event) {
    etlformat::ExtendedItem item;
    std::size_t offset = 0;
    do {
        if (offset + sizeof item > event.payload.size()) {
            return std::nullopt;
        }
        std::memcpy(&item, event.payload.data() + offset, sizeof item);
        offset += item.totalSize;
    } while ((item.linkage & 1U) != 0);
    NumberedEvent found;
    std::uint16_t padding = 0;
    const std::size_t end = offset + sizeof found + sizeof padding;
    if (end > event.payload.size()) {
        return std::nullopt;
    }
    std::memcpy(&found, event.payload.data() + offset, sizeof found);
    std::memcpy(&padding, event.payload.data() + offset + sizeof found, sizeof padding);
    const bool isWhole = padding == found.number % 97 && event.payload.size() == end + padding &&
                         std::all_of(event.payload.begin() + static_cast<std::ptrdiff_t>(end), event.payload.end(),
                                     [](std::byte pad) { return pad == std::byte{'p'}; });
    return isWhole ? std::optional(found) : std::nullopt;
}

} // namespace tracedeck::test
