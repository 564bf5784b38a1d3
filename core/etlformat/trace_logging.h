// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tracedeck::etlformat {

/// A self-describing (TraceLogging) event: names and types travel with the values, so no reader needs a manifest.
///
/// Sources: TraceLoggingProvider.h's metadata layout, checked on files of Windows.
struct TraceLoggingEvent {
    /// UTF-8 text becomes a counted UTF-8 string, `FileTime` a FILETIME, bool a 32-bit boolean.
    struct FileTimeValue {
        FileTime value = 0;
    };
    using Value =
        std::variant<std::string, std::uint64_t, std::int64_t, std::uint32_t, double, bool, Guid, FileTimeValue>;

    std::string name;
    std::uint8_t level = 4; ///< 1 critical … 4 information, 5 verbose
    std::uint8_t opcode = 0;
    std::uint64_t keyword = 0;
    std::vector<std::pair<std::string, Value>> fields;
};

/// Writes an event as it lies in a buffer: EVENT_HEADER, provider traits, schema, payload; not padded. Text that would
/// make it longer than 60 KiB is cut at a character and ends in "…", the longest texts first.
///
/// Nothing here allocates, throws or calls the system: it serves the path of events.
///
/// Ownership: event and name must outlive it.
class TraceLoggingEncoder {
public:
    struct Origin {
        Guid providerId;
        Ticks time = 0; ///< of the trace clock
        std::uint32_t processId = 0;
        std::uint32_t threadId = 0; ///< of the thread that logs
    };
    /// `items`: further extended items, whole and linked to one another; they must outlive the encoder.
    TraceLoggingEncoder(const TraceLoggingEvent& event, std::string_view providerName,
                        std::span<const std::byte> items = {}) noexcept;

    /// Of the whole event. More than kLargestEvent where its names alone are too long: no buffer takes it then.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    /// `into`: size() bytes, at most kLargestEvent.
    void write(std::byte* into, const Origin& origin) const noexcept;

private:
    const TraceLoggingEvent& m_event;
    std::string_view m_providerName;
    std::span<const std::byte> m_items;
    std::size_t m_traits = 0;      ///< bytes of the provider's traits
    std::size_t m_schema = 0;      ///< bytes of the schema
    std::size_t m_longestText = 0; ///< longer ones are cut to that
    std::size_t m_size = 0;
};

/// The same as a vector. Ids are of the thread that logs; `time` is of the trace clock.
std::vector<std::byte> encode(const TraceLoggingEvent& event, const Guid& providerId, const std::string& providerName,
                              Ticks time, std::uint32_t processId, std::uint32_t threadId);

} // namespace tracedeck::etlformat
