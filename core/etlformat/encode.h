// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"
#include "core/etlformat/layout.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etlformat {

/// Appends values in file order to a byte vector. For what is built once (headers, rundown, self-describing events);
/// the event path writes whole structures.
class ByteWriter {
public:
    explicit ByteWriter(std::vector<std::byte>& into) : m_into(into) {}

    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t at = m_into.size();
        m_into.resize(at + sizeof(T));
        std::memcpy(m_into.data() + at, &value, sizeof(T));
    }
    void bytes(std::span<const std::byte> data);
    /// Zero-terminated UTF-16 from UTF-8.
    void wideString(std::string_view utf8);
    /// Zero-terminated bytes.
    void narrowString(std::string_view text);
    void zeros(std::size_t count);
    [[nodiscard]] std::size_t size() const { return m_into.size(); }

private:
    std::vector<std::byte>& m_into;
};

/// Where and when a trace was taken: what every header buffer tells.
struct TraceIdentity {
    std::uint32_t numberOfProcessors = 1;
    std::uint32_t cpuSpeedInMhz = 0;
    std::uint32_t timerResolution = 156250; ///< 100 ns
    FileTime bootTime = 0;
    std::int64_t perfFreq = 1;   ///< of clock type 1, whatever the file's clock is
    std::uint32_t clockType = 1; ///< 1 QPC, 2 system time (FILETIME), 3 cycle counter (cpuSpeedInMhz counts)
    Ticks startTicks = 0;        ///< time stamp of the header event: the time base of the file
    FileTime startTime = 0;      ///< wall time of startTicks
    std::int32_t bias = 0;       ///< minutes, UTC = local + bias
    std::string standardName;    ///< time zone names, UTF-8, at most 31 UTF-16 units are kept
    std::string daylightName;
};

/// The wall time of a point of the trace clock, which has `frequency` ticks a second, as readers compute it: the
/// machine's may have been set meanwhile.
[[nodiscard]] FileTime wallTimeOf(const TraceIdentity& identity, Ticks ticks, std::int64_t frequency) noexcept;

/// The rest of a log file header.
struct LogfileSummary {
    std::uint32_t bufferSize = 0; ///< bytes
    std::uint32_t maximumFileSizeMib = 0;
    std::uint32_t logFileMode = 0;
    std::uint32_t buffersWritten = 0; ///< the header buffer included; 0 while open
    FileTime endTime = 0;             ///< 0 while open
    std::uint32_t eventsLost = 0;
    std::uint32_t buffersLost = 0;
    std::uint16_t loggerId = 0;
    std::string loggerName;      ///< UTF-8
    std::string logFileName;     ///< UTF-8
    std::uint32_t processId = 0; ///< of the controller, for the event headers
    std::uint32_t threadId = 0;
    std::span<const std::uint32_t> groupMasks; ///< eight words for a system logger, else empty: no 0x0005 event
};

/// A whole header buffer of `summary.bufferSize` bytes: EventTrace/Header, for a system logger 0x0005 Extension, 0x0050
/// PartitionInfo; flag 0x21, tail 0xFF. The same call with the final numbers makes the buffer that replaces it.
/// Names are cut so that the buffer always fits them (at most 1,000 UTF-16 units each, ETW's limit is 1,024).
std::vector<std::byte> encodeHeaderBuffer(const TraceIdentity& identity, const LogfileSummary& summary);

/// What stands in the way of the next event.
struct EventPlace {
    std::uint32_t size = 0; ///< of the event, header included, not aligned
    Ticks time = 0;
};
/// The event that begins at `data`, by its header, of the kinds that are written here (64-bit ones with a time); empty
/// where there is none, or it does not end within `data`.
[[nodiscard]] std::optional<EventPlace> eventPlace(std::span<const std::byte> data) noexcept;

} // namespace tracedeck::etlformat
