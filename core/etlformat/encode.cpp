// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/encode.h"

#include "core/base/utf.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <cassert>

namespace tracedeck::etlformat {
namespace {

constexpr std::size_t kLongestName = 1000;       // UTF-16 units, without the terminating zero
constexpr std::uint16_t kHeaderEventVersion = 2; // of the three EventTrace classes in a header buffer
constexpr std::size_t kGroupMaskWords = 8;
constexpr std::size_t kPartitionInfoSize = 48;
constexpr std::byte kUnusedTail{0xFF};

// File format 2.0: readers of 1.5 need not cope with larger buffers or more processors than these.
constexpr std::uint32_t kFormat2 = 0x0002000A;
constexpr std::uint32_t kLargestBufferOfFormat1 = 1024 * 1024;
constexpr std::uint32_t kMostProcessorsOfFormat1 = 256;

/// The first `units` of `text` without half a surrogate pair at the end.
void cut(std::u16string& text, std::size_t units) {
    if (text.size() <= units) {
        return;
    }
    if (units > 0 && text[units - 1] >= 0xD800 && text[units - 1] <= 0xDBFF) {
        --units;
    }
    text.resize(units);
}

void copyName(char16_t (&into)[32], const std::string& utf8) {
    std::u16string text = toUtf16(utf8);
    cut(text, std::size(into) - 1);
    std::copy(text.begin(), text.end(), into);
}

void putWide(ByteWriter& out, const std::u16string& text) {
    out.bytes(std::as_bytes(std::span(text)));
    out.put(char16_t{0});
}

/// Session and file name, cut so that both fit into `units` (their terminating zeros not counted); the shorter one is
/// cut last.
struct Names {
    std::u16string logger;
    std::u16string file;
};
Names fittingNames(const LogfileSummary& summary, std::size_t units) {
    Names names{toUtf16(summary.loggerName), toUtf16(summary.logFileName)};
    // An embedded zero would end the string early and shift what follows.
    cut(names.logger, std::min(names.logger.find(u'\0'), kLongestName));
    cut(names.file, std::min(names.file.find(u'\0'), kLongestName));
    const std::size_t half = units / 2;
    if (names.logger.size() + names.file.size() > units) {
        cut(names.logger, std::max(half, units - std::min(units, names.file.size())));
        cut(names.file, units - names.logger.size());
    }
    return names;
}

LogfileHeader logfileHeader(const TraceIdentity& identity, const LogfileSummary& summary) {
    LogfileHeader header;
    header.bufferSize = summary.bufferSize;
    if (summary.bufferSize > kLargestBufferOfFormat1 || identity.numberOfProcessors > kMostProcessorsOfFormat1) {
        header.version = kFormat2;
    }
    header.providerVersion = kModelledBuild;
    header.numberOfProcessors = identity.numberOfProcessors;
    header.endTime = summary.endTime;
    header.timerResolution = identity.timerResolution;
    header.maximumFileSize = summary.maximumFileSizeMib;
    header.logFileMode = summary.logFileMode;
    header.buffersWritten = summary.buffersWritten;
    header.eventsLost = summary.eventsLost;
    header.cpuSpeedInMhz = identity.cpuSpeedInMhz;
    header.bias = identity.bias;
    copyName(header.standardName, identity.standardName);
    copyName(header.daylightName, identity.daylightName);
    header.bootTime = identity.bootTime;
    header.perfFreq = identity.perfFreq;
    header.startTime = identity.startTime;
    header.clockType = identity.clockType;
    header.buffersLost = summary.buffersLost;
    return header;
}

} // namespace

void ByteWriter::bytes(std::span<const std::byte> data) {
    m_into.insert(m_into.end(), data.begin(), data.end());
}

void ByteWriter::wideString(std::string_view utf8) {
    putWide(*this, toUtf16(utf8));
}

void ByteWriter::narrowString(std::string_view text) {
    bytes(std::as_bytes(std::span(text)));
    zeros(1);
}

void ByteWriter::zeros(std::size_t count) {
    m_into.resize(m_into.size() + count);
}

std::vector<std::byte> encodeHeaderBuffer(const TraceIdentity& identity, const LogfileSummary& summary) {
    assert(summary.groupMasks.empty() || summary.groupMasks.size() == kGroupMaskWords);
    const bool isSystemLogger = !summary.groupMasks.empty();
    const std::size_t extensionSize = sizeof(SystemHeader) + (kGroupMaskWords + 1) * sizeof(std::uint32_t);
    const std::size_t fixed = kBufferHeaderSize + sizeof(SystemHeader) + sizeof(LogfileHeader) + 2 * sizeof(char16_t) +
                              kEventAlignment + (isSystemLogger ? alignEvent(extensionSize) : 0) +
                              sizeof(SystemHeader) + kPartitionInfoSize;
    assert(summary.bufferSize > fixed);
    const Names names = fittingNames(summary, (summary.bufferSize - fixed) / sizeof(char16_t));

    std::vector<std::byte> buffer;
    buffer.reserve(summary.bufferSize);
    ByteWriter out(buffer);
    out.zeros(kBufferHeaderSize);
    const auto beginEvent = [&](std::uint16_t hookId, std::size_t payload) {
        SystemHeader header;
        header.version = kHeaderEventVersion;
        header.size = static_cast<std::uint16_t>(sizeof header + payload);
        header.hookId = hookId;
        header.threadId = summary.threadId;
        header.processId = summary.processId;
        header.systemTime = identity.startTicks;
        out.put(header);
    };
    const auto endEvent = [&] { out.zeros(alignEvent(out.size()) - out.size()); };

    beginEvent(hook::kHeader,
               sizeof(LogfileHeader) + (names.logger.size() + 1 + names.file.size() + 1) * sizeof(char16_t));
    out.put(logfileHeader(identity, summary));
    putWide(out, names.logger);
    putWide(out, names.file);
    endEvent();
    if (isSystemLogger) {
        beginEvent(hook::kHeaderExtension, extensionSize - sizeof(SystemHeader));
        out.bytes(std::as_bytes(summary.groupMasks));
        out.put(kKernelEventVersion);
        endEvent();
    }
    // All zero: a host that is no silo, whose trace clock is the machine's own.
    beginEvent(hook::kPartitionInfo, kPartitionInfoSize);
    out.zeros(kPartitionInfoSize);

    BufferHeader header;
    header.bufferSize = summary.bufferSize;
    header.savedOffset = static_cast<std::uint32_t>(buffer.size());
    header.currentOffset = header.savedOffset;
    header.loggerId = summary.loggerId;
    header.offset = header.savedOffset;
    header.bufferFlag = buffer_flag::kProcessorIndex | buffer_flag::kFlushMarker;
    header.bufferType = static_cast<std::uint16_t>(BufferType::Header);
    std::memcpy(buffer.data(), &header, sizeof header);
    buffer.resize(summary.bufferSize, kUnusedTail);
    return buffer;
}

FileTime wallTimeOf(const TraceIdentity& identity, Ticks ticks, std::int64_t frequency) noexcept {
    constexpr std::int64_t kPerSecond = 10'000'000;
    const Ticks since = ticks - identity.startTicks;
    return identity.startTime + since / frequency * kPerSecond + since % frequency * kPerSecond / frequency;
}

std::optional<EventPlace> eventPlace(std::span<const std::byte> data) noexcept {
    const auto load = [&](std::size_t offset, auto value) {
        std::memcpy(&value, data.data() + offset, sizeof value);
        return value;
    };
    if (data.size() < sizeof(PerfinfoHeader) || load(3, std::uint8_t{}) != kHeaderFlags) {
        return std::nullopt;
    }
    std::size_t headerSize = 0;
    std::size_t sizeAt = 0;
    std::size_t timeAt = 0x10;
    switch (static_cast<HeaderType>(load(2, std::uint8_t{}))) { // NOLINT(clang-diagnostic-switch-enum)
    case HeaderType::System64:
        headerSize = sizeof(SystemHeader);
        sizeAt = 4;
        break;
    case HeaderType::Perfinfo64:
        headerSize = sizeof(PerfinfoHeader);
        sizeAt = 4;
        timeAt = 8;
        break;
    case HeaderType::Full64:
    case HeaderType::Instance64:
        headerSize = sizeof(FullHeader);
        break;
    case HeaderType::Event64:
        headerSize = sizeof(EventHeader);
        break;
    case HeaderType::System32:
    case HeaderType::Compact32:
    case HeaderType::Compact64:
    case HeaderType::Full32:
    case HeaderType::Instance32:
    case HeaderType::Perfinfo32:
    case HeaderType::Event32:
    default:
        return std::nullopt;
    }
    const std::uint32_t size = load(sizeAt, std::uint16_t{});
    if (size < headerSize || size > data.size()) {
        return std::nullopt;
    }
    return EventPlace{size, load(timeAt, Ticks{})};
}

} // namespace tracedeck::etlformat
