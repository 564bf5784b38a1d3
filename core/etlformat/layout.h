// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"

#include <bit>
#include <cstddef>
#include <cstdint>

/// On-disk structures of .etl files, 64-bit flavour, little endian, naturally aligned without gaps.
///
/// Sources: ETW's public headers (evntrace.h, evntcons.h, and WMI_BUFFER_HEADER/SYSTEM_TRACE_HEADER as documented for
/// debuggers), checked against files that Windows 8 to 11 wrote. Offsets in comments are hexadecimal.
namespace tracedeck::etlformat {

static_assert(std::endian::native == std::endian::little, "the structures below are written as they lie in memory");

constexpr std::size_t kBufferHeaderSize = 0x48;
/// Every event begins at a multiple of this within its buffer; the event's own size is not rounded.
constexpr std::size_t kEventAlignment = 8;
/// Size is 16 bits wide, so no event is longer, its header included.
constexpr std::size_t kLargestEvent = 0xFFFF;

constexpr std::size_t alignEvent(std::size_t size) {
    return (size + kEventAlignment - 1) & ~(kEventAlignment - 1);
}

enum class BufferType : std::uint16_t { Generic = 0, Rundown = 1, ContextSwap = 2, ReferenceTime = 3, Header = 4 };
/// State of every buffer in a file.
constexpr std::uint32_t kBufferStateFlush = 3;
namespace buffer_flag {
constexpr std::uint16_t kFlushMarker = 0x01;
constexpr std::uint16_t kEventsLost = 0x02;
constexpr std::uint16_t kBufferLost = 0x04;
constexpr std::uint16_t kProcessorIndex = 0x20;
constexpr std::uint16_t kCompressed = 0x40;
} // namespace buffer_flag

/// WMI_BUFFER_HEADER.
struct BufferHeader {
    std::uint32_t bufferSize = 0;            ///< 00 bytes to the next buffer
    std::uint32_t savedOffset = 0;           ///< 04 end of the events, this header included, multiple of 8
    std::uint32_t currentOffset = 0;         ///< 08 dead; = savedOffset
    std::int32_t referenceCount = 0;         ///< 0C 0 in files
    std::int64_t timeStamp = 0;              ///< 10 trace clock when flushed; 0 in the header buffer
    std::int64_t sequenceNumber = 0;         ///< 18 0 header buffer, then 1, 2, …
    std::uint64_t clockOrLink = 0;           ///< 20 0 in files of ours
    std::uint16_t processorIndex = 0;        ///< 28
    std::uint16_t loggerId = 0;              ///< 2A
    std::uint32_t state = kBufferStateFlush; ///< 2C
    std::uint32_t offset = 0;                ///< 30 = savedOffset
    std::uint16_t bufferFlag = 0;            ///< 34
    std::uint16_t bufferType = 0;            ///< 36
    std::uint64_t unused[2] = {};            ///< 38
};
static_assert(sizeof(BufferHeader) == kBufferHeaderSize);

/// Byte 2 of an event's first dword (for the 64-bit kinds); byte 3 is 0xC0.
enum class HeaderType : std::uint8_t {
    System32 = 0x01,
    System64 = 0x02,
    Compact32 = 0x03,
    Compact64 = 0x04,
    Full32 = 0x0A,
    Instance32 = 0x0B,
    Perfinfo32 = 0x10,
    Perfinfo64 = 0x11,
    Event32 = 0x12,
    Event64 = 0x13,
    Full64 = 0x14,
    Instance64 = 0x15,
};
constexpr std::uint8_t kHeaderFlags = 0xC0;

/// SYSTEM_TRACE_HEADER: kernel events that say who did it.
struct SystemHeader {
    std::uint16_t version = 0; ///< 00 version of the event's class
    HeaderType headerType = HeaderType::System64;
    std::uint8_t flags = kHeaderFlags;
    std::uint16_t size = 0; ///< 04 header and payload
    std::uint16_t hookId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t processId = 0;
    std::int64_t systemTime = 0;  ///< 10 trace clock
    std::uint32_t kernelTime = 0; ///< 18 clock ticks (TimerResolution)
    std::uint32_t userTime = 0;
};
static_assert(sizeof(SystemHeader) == 0x20);

/// PERFINFO_TRACE_HEADER: frequent kernel events; who did it follows from the context switches.
struct PerfinfoHeader {
    std::uint16_t version = 0;
    HeaderType headerType = HeaderType::Perfinfo64;
    std::uint8_t flags = kHeaderFlags;
    std::uint16_t size = 0;
    std::uint16_t hookId = 0;
    std::int64_t systemTime = 0;
};
static_assert(sizeof(PerfinfoHeader) == 0x10);

/// EVENT_TRACE_HEADER: classic (MOF) events.
struct FullHeader {
    std::uint16_t size = 0;
    HeaderType headerType = HeaderType::Full64;
    std::uint8_t flags = kHeaderFlags;
    std::uint8_t type = 0; ///< opcode
    std::uint8_t level = 0;
    std::uint16_t version = 0;
    std::uint32_t threadId = 0;
    std::uint32_t processId = 0;
    std::int64_t timeStamp = 0;
    Guid classGuid;
    std::uint64_t processorTime = 0;
};
static_assert(sizeof(FullHeader) == 0x30);

/// EVENT_DESCRIPTOR.
struct EventDescriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};
static_assert(sizeof(EventDescriptor) == 0x10);

/// EVENT_HEADER: manifest and TraceLogging events.
struct EventHeader {
    std::uint16_t size = 0;
    HeaderType headerType = HeaderType::Event64;
    std::uint8_t headerFlags = kHeaderFlags;
    std::uint16_t flags = 0; ///< 04: kExtendedInfo or 0 in files
    std::uint16_t eventProperty = 0;
    std::uint32_t threadId = 0;
    std::uint32_t processId = 0;
    std::int64_t timeStamp = 0;
    Guid providerId;
    EventDescriptor descriptor;
    std::uint64_t processorTime = 0; ///< 38
    Guid activityId;                 ///< 40
};
static_assert(sizeof(EventHeader) == 0x50);
constexpr std::uint16_t kExtendedInfo = 1;

/// Extended data item as it lies in a file, directly before its data; the data is padded to 8.
struct ExtendedItem {
    std::uint16_t totalSize = 0; ///< this header and the data, rounded up to 8
    std::uint16_t type = 0;
    std::uint16_t linkage = 0; ///< bit 0: another item follows
    std::uint16_t dataSize = 0;
};
static_assert(sizeof(ExtendedItem) == 8);
enum class ExtendedType : std::uint16_t {
    RelatedActivityId = 1,
    Sid = 2,
    TerminalSessionId = 3,
    StackTrace64 = 6, ///< 64 bits of match id (0: one stack, complete), then the addresses, innermost first
    EventKey = 0x0A,
    SchemaTl = 0x0B,
    ProviderTraits = 0x0C,
    ProcessStartKey = 0x0D,
};

/// SYSTEMTIME.
struct SystemTimeFields {
    std::uint16_t year = 0, month = 0, dayOfWeek = 0, day = 0, hour = 0, minute = 0, second = 0, milliseconds = 0;
};
static_assert(sizeof(SystemTimeFields) == 16);

/// TRACE_LOGFILE_HEADER, 64-bit, the payload of the first event of a file; two zero-terminated UTF-16 strings (session
/// and file name) follow.
struct LogfileHeader {
    std::uint32_t bufferSize = 0;         ///< 00
    std::uint32_t version = 0x0501000A;   ///< 04 OS 10.0, file format 1.5
    std::uint32_t providerVersion = 0;    ///< 08 OS build
    std::uint32_t numberOfProcessors = 0; ///< 0C
    std::int64_t endTime = 0;             ///< 10 FILETIME, 0 while open
    std::uint32_t timerResolution = 0;    ///< 18 100 ns units of the clock tick
    std::uint32_t maximumFileSize = 0;    ///< 1C MB
    std::uint32_t logFileMode = 0;        ///< 20
    std::uint32_t buffersWritten = 0;     ///< 24 this buffer included, 0 while open
    std::uint32_t startBuffers = 1;       ///< 28
    std::uint32_t pointerSize = 8;        ///< 2C
    std::uint32_t eventsLost = 0;         ///< 30
    std::uint32_t cpuSpeedInMhz = 0;      ///< 34
    std::uint64_t loggerName = 0;         ///< 38 meaningless
    std::uint64_t logFileName = 0;        ///< 40 meaningless
    std::int32_t bias = 0;                ///< 48 minutes, UTC = local + bias
    char16_t standardName[32] = {};
    SystemTimeFields standardDate;
    std::int32_t standardBias = 0;
    char16_t daylightName[32] = {};
    SystemTimeFields daylightDate;
    std::int32_t daylightBias = 0;
    std::uint32_t padding = 0;     ///< F4
    std::int64_t bootTime = 0;     ///< F8 FILETIME
    std::int64_t perfFreq = 0;     ///< 100 ticks of the trace clock per second
    std::int64_t startTime = 0;    ///< 108 FILETIME of the header event's own time stamp
    std::uint32_t clockType = 1;   ///< 110 1 QPC: perfFreq counts
    std::uint32_t buffersLost = 0; ///< 114
};
static_assert(offsetof(LogfileHeader, bias) == 0x48);
static_assert(offsetof(LogfileHeader, bootTime) == 0xF8);
static_assert(sizeof(LogfileHeader) == 0x118);

} // namespace tracedeck::etlformat
