// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/file_header.h"

#include "core/base/utf.h"
#include "core/etl/event_view.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tracedeck::etl {
namespace {

using etlformat::BufferHeader;
using etlformat::HeaderType;
using etlformat::kBufferHeaderSize;
using etlformat::LogfileHeader;

/// 32-bit layout: both pointers are half as long, and so is the padding before the boot time.
constexpr std::size_t kLogfileHeaderSize32 = sizeof(LogfileHeader) - 8;
constexpr std::size_t kPointersAt = 0x38;
constexpr std::size_t kPointersEnd64 = offsetof(LogfileHeader, bias);
constexpr std::size_t kPointersEnd32 = 0x40;
constexpr std::size_t kTimeZoneSize = 172;

/// The log file header in its 64-bit form, and the two names behind it.
struct Payload {
    LogfileHeader header;
    std::span<const std::byte> names;
};

std::optional<Payload> readPayload(const EventView& event, HeaderType type) {
    const std::span<const std::byte> bytes = event.payload();
    Payload payload;
    if (type == HeaderType::System64) {
        if (bytes.size() < sizeof(LogfileHeader)) {
            return std::nullopt;
        }
        std::memcpy(&payload.header, bytes.data(), sizeof(LogfileHeader));
        payload.names = bytes.subspan(sizeof(LogfileHeader));
        return payload;
    }
    if (bytes.size() < kLogfileHeaderSize32) {
        return std::nullopt;
    }
    std::array<std::byte, sizeof(LogfileHeader)> wide{};
    std::copy_n(bytes.begin(), kPointersAt, wide.begin());
    std::copy_n(bytes.begin() + kPointersEnd32, kTimeZoneSize, wide.begin() + kPointersEnd64);
    constexpr std::size_t kTail = sizeof(LogfileHeader) - offsetof(LogfileHeader, bootTime);
    std::copy_n(bytes.begin() + kLogfileHeaderSize32 - kTail, kTail, wide.begin() + offsetof(LogfileHeader, bootTime));
    std::memcpy(&payload.header, wide.data(), sizeof(LogfileHeader));
    payload.names = bytes.subspan(kLogfileHeaderSize32);
    return payload;
}

/// The zero-terminated UTF-16 string at the beginning of `bytes`, which moves behind it.
std::string takeName(std::span<const std::byte>& bytes) {
    std::u16string text;
    std::size_t at = 0;
    while (at + sizeof(char16_t) <= bytes.size()) {
        const auto unit = loadAt<char16_t>(bytes.data(), at);
        at += sizeof(char16_t);
        if (unit == 0) {
            break;
        }
        text += unit;
    }
    bytes = bytes.subspan(at);
    return toUtf8(text);
}

std::string zoneName(const char16_t (&name)[32]) {
    const std::u16string_view all(name, std::size(name));
    return toUtf8(all.substr(0, all.find(u'\0')));
}

void fill(FileHeader& into, const EventView& event, Payload payload) {
    const LogfileHeader& header = payload.header;
    into.logfile = header;
    HeaderSummary& summary = into.summary;
    summary.bufferSize = header.bufferSize;
    summary.numberOfProcessors = header.numberOfProcessors;
    summary.providerVersion = header.providerVersion;
    summary.logFileMode = header.logFileMode;
    summary.buffersWritten = header.buffersWritten;
    summary.pointerSize = header.pointerSize;
    summary.eventsLost = header.eventsLost;
    summary.buffersLost = header.buffersLost;
    summary.clockType = header.clockType;
    summary.perfFreq = header.perfFreq;
    summary.bootTime = header.bootTime;
    summary.startTime = header.startTime;
    summary.endTime = header.endTime;
    summary.startTicks = event.time;
    summary.loggerName = takeName(payload.names);
    summary.logFileName = takeName(payload.names);
    etlformat::TraceIdentity& identity = into.identity;
    identity.numberOfProcessors = header.numberOfProcessors;
    identity.cpuSpeedInMhz = header.cpuSpeedInMhz;
    identity.timerResolution = header.timerResolution;
    identity.bootTime = header.bootTime;
    identity.perfFreq = header.perfFreq;
    identity.startTicks = event.time;
    identity.startTime = header.startTime;
    identity.bias = header.bias;
    identity.standardName = zoneName(header.standardName);
    identity.daylightName = zoneName(header.daylightName);
    into.maximumFileSizeMib = header.maximumFileSize;
    into.threadId = loadAt<std::uint32_t>(event.data, 8);
    into.processId = loadAt<std::uint32_t>(event.data, 12);
}

/// The switches of a system logger stand in the second event.
void findGroupMasks(std::span<const std::byte> events, FileHeader& into) {
    EventView event;
    while (parseEvent(events, event) == ParseResult::Event) {
        etlformat::GroupMasks masks;
        if (event.hasHook() && event.hookId == etlformat::hook::kHeaderExtension &&
            event.payload().size() >= sizeof masks.words) {
            std::memcpy(masks.words.data(), event.payload().data(), sizeof masks.words);
            into.groupMasks = masks;
            return;
        }
        const std::size_t step = etlformat::alignEvent(event.size);
        if (step >= events.size()) {
            return;
        }
        events = events.subspan(step);
    }
}

} // namespace

std::int64_t tickFrequency(const FileHeader& header) noexcept {
    constexpr std::uint32_t kSystemTime = 2;
    constexpr std::uint32_t kCycleCounter = 3;
    if (header.summary.clockType == kSystemTime) {
        return 10'000'000;
    }
    if (header.summary.clockType == kCycleCounter && header.identity.cpuSpeedInMhz != 0) {
        return header.identity.cpuSpeedInMhz * std::int64_t{1'000'000};
    }
    return header.summary.perfFreq;
}

std::uint32_t plainMode(const HeaderSummary& header) noexcept {
    return etlformat::mode::kSequential | (header.logFileMode & etlformat::mode::kSystemLogger);
}

Result<FileHeader> readFileHeader(InputFile& file, const std::string& path) {
    const auto notAnEtl = [&](const char* why) { return fail(ErrorCode::NotAnEtl, path + ": " + why); };
    std::array<std::byte, kBufferHeaderSize> headerBytes{};
    auto got = file.readAt(0, headerBytes);
    if (!got) {
        return fail(std::move(got.error()));
    }
    if (*got < headerBytes.size()) {
        return notAnEtl("too short for a buffer");
    }
    const auto buffer = loadAt<BufferHeader>(headerBytes.data(), 0);
    if (buffer.bufferSize < kSmallestFirstBuffer || buffer.bufferSize > kLargestBuffer) {
        return notAnEtl("the first buffer has no possible size");
    }
    FileHeader result;
    result.firstBufferSize = buffer.bufferSize;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.bufferSize, file.size())));
    got = file.readAt(0, bytes);
    if (!got) {
        return fail(std::move(got.error()));
    }
    bytes.resize(*got);
    // What is appended when the session closes lies between the two.
    const std::size_t filled = std::clamp<std::size_t>(std::max(buffer.savedOffset, buffer.offset), kBufferHeaderSize,
                                                       std::max(bytes.size(), kBufferHeaderSize));
    result.firstBufferFilled = static_cast<std::uint32_t>(filled);
    const std::span<const std::byte> events = std::span(bytes).subspan(kBufferHeaderSize, filled - kBufferHeaderSize);
    EventView event;
    if (parseEvent(events, event) != ParseResult::Event || event.kind != EventKind::System ||
        event.hookId != etlformat::hook::kHeader) {
        return notAnEtl("the first event is not the log file header");
    }
    const auto payload = readPayload(event, static_cast<HeaderType>(std::to_integer<std::uint8_t>(event.data[2])));
    if (!payload) {
        return notAnEtl("the log file header is cut off");
    }
    fill(result, event, *payload);
    findGroupMasks(events, result);
    return result;
}

} // namespace tracedeck::etl
