// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/encode.h"

#include "core/base/file.h"
#include "core/base/utf.h"
#include "core/etlformat/hooks.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace tracedeck;
using namespace tracedeck::etlformat;

namespace {

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset) {
    REQUIRE(offset + sizeof(T) <= bytes.size());
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string wideAt(std::span<const std::byte> bytes, std::size_t& offset) {
    std::u16string text;
    while (const auto unit = at<char16_t>(bytes, offset + text.size() * 2)) {
        text += unit;
    }
    offset += (text.size() + 1) * 2;
    return toUtf8(text);
}

LogfileSummary smallSummary() {
    LogfileSummary summary;
    summary.bufferSize = 4096;
    summary.loggerName = "session";
    summary.logFileName = "/tmp/a.etl";
    return summary;
}

} // namespace

TEST_CASE("A header buffer is the one that Windows writes, byte for byte", "[etlformat][header]") {
    const std::string shared = test::sharedFolder("header buffer against a file of Windows");
    if (shared.empty()) {
        return;
    }
    auto file = systemFiles().open(shared + "/corpus/etl/ShutdownPerfDiagLogger.etl");
    REQUIRE(file.has_value());
    std::vector<std::byte> theirs(0x10000);
    REQUIRE((*file)->readAt(0, theirs) == theirs.size());

    const std::size_t event = kBufferHeaderSize;
    const auto head = at<SystemHeader>(theirs, event);
    const auto logfile = at<LogfileHeader>(theirs, event + sizeof head);
    TraceIdentity identity;
    identity.numberOfProcessors = logfile.numberOfProcessors;
    identity.cpuSpeedInMhz = logfile.cpuSpeedInMhz;
    identity.timerResolution = logfile.timerResolution;
    identity.bootTime = logfile.bootTime;
    identity.perfFreq = logfile.perfFreq;
    identity.startTicks = head.systemTime;
    identity.startTime = logfile.startTime;
    identity.bias = logfile.bias;
    identity.standardName = toUtf8(logfile.standardName);
    identity.daylightName = toUtf8(logfile.daylightName);
    LogfileSummary summary;
    summary.bufferSize = logfile.bufferSize;
    summary.maximumFileSizeMib = logfile.maximumFileSize;
    summary.logFileMode = logfile.logFileMode;
    summary.buffersWritten = logfile.buffersWritten;
    summary.endTime = logfile.endTime;
    summary.eventsLost = logfile.eventsLost;
    summary.buffersLost = logfile.buffersLost;
    summary.loggerId = at<BufferHeader>(theirs, 0).loggerId;
    summary.threadId = head.threadId;
    summary.processId = head.processId;
    std::size_t offset = event + sizeof head + sizeof logfile;
    summary.loggerName = wideAt(theirs, offset);
    summary.logFileName = wideAt(theirs, offset);
    std::array<std::uint32_t, 8> masks{};
    summary.groupMasks = masks;

    // What the two do not share: pointers without meaning, processor time of the caller, and the days on which summer
    // time begins and ends, which we do not tell.
    const auto blank = [&](std::size_t from, std::size_t size) { std::memset(theirs.data() + from, 0, size); };
    const std::size_t payload = event + sizeof head;
    blank(payload + offsetof(LogfileHeader, loggerName), 16);
    blank(payload + offsetof(LogfileHeader, standardDate), 16 + 4);
    blank(payload + offsetof(LogfileHeader, daylightDate), 16 + 4);
    for (const std::size_t each : {std::size_t{0x48}, std::size_t{0x218}, std::size_t{0x260}}) {
        blank(each + offsetof(SystemHeader, kernelTime), 8);
    }

    const std::vector<std::byte> ours = encodeHeaderBuffer(identity, summary);
    REQUIRE(ours.size() == theirs.size());
    // The provider version is the build that our event layouts are modelled on; theirs is that of another.
    CHECK(at<LogfileHeader>(ours, payload).providerVersion == kModelledBuild);
    std::vector<std::byte> compared = ours;
    std::memset(compared.data() + payload + offsetof(LogfileHeader, providerVersion), 0, 4);
    blank(payload + offsetof(LogfileHeader, providerVersion), 4);
    const auto difference = std::mismatch(compared.begin(), compared.end(), theirs.begin());
    CHECK(difference.first - compared.begin() == static_cast<std::ptrdiff_t>(compared.size()));
}

TEST_CASE("Overlong names are cut so that the smallest buffer holds them", "[etlformat][header]") {
    LogfileSummary summary = smallSummary();
    std::array<std::uint32_t, 8> masks{1, 2, 3, 4, 5, 6, 7, 8};
    summary.groupMasks = masks;
    summary.loggerName = std::string(1024, 'n');
    for (int i = 0; i < 1000; ++i) {
        summary.logFileName += "\xF0\x9F\x8E\x9E"; // a surrogate pair in UTF-16
    }
    const std::vector<std::byte> buffer = encodeHeaderBuffer({}, summary);
    REQUIRE(buffer.size() == 4096);
    const auto header = at<BufferHeader>(buffer, 0);
    CHECK(header.savedOffset <= 4096);
    CHECK(header.savedOffset % 8 == 0);
    std::size_t offset = kBufferHeaderSize + sizeof(SystemHeader) + sizeof(LogfileHeader);
    CHECK(wideAt(buffer, offset).size() > 500);
    CHECK(wideAt(buffer, offset).find("\xEF\xBF\xBD") == std::string::npos); // no half pair
    const auto first = at<SystemHeader>(buffer, kBufferHeaderSize);
    CHECK(kBufferHeaderSize + first.size == offset);
    const auto extension = at<SystemHeader>(buffer, alignEvent(offset));
    CHECK(extension.hookId == hook::kHeaderExtension);
    CHECK(at<std::array<std::uint32_t, 8>>(buffer, alignEvent(offset) + sizeof extension) == masks);
}

TEST_CASE("A short name is kept whole beside an overlong one", "[etlformat][header]") {
    LogfileSummary summary = smallSummary();
    summary.logFileName = std::string(5000, 'f');
    const std::vector<std::byte> buffer = encodeHeaderBuffer({}, summary);
    std::size_t offset = kBufferHeaderSize + sizeof(SystemHeader) + sizeof(LogfileHeader);
    CHECK(wideAt(buffer, offset) == "session");
    CHECK(wideAt(buffer, offset).size() == 1000);
}

TEST_CASE("Only a system logger's header holds group masks", "[etlformat][header]") {
    const std::vector<std::byte> buffer = encodeHeaderBuffer({}, smallSummary());
    const auto first = at<SystemHeader>(buffer, kBufferHeaderSize);
    const auto second = at<SystemHeader>(buffer, kBufferHeaderSize + alignEvent(first.size));
    CHECK(second.hookId == hook::kPartitionInfo);
    const auto header = at<BufferHeader>(buffer, 0);
    CHECK(header.savedOffset == kBufferHeaderSize + alignEvent(first.size) + alignEvent(second.size));
    CHECK(buffer[header.savedOffset] == std::byte{0xFF});
    CHECK(buffer.back() == std::byte{0xFF});
}

TEST_CASE("Buffers above one MiB and more than 256 processors make it format 2.0", "[etlformat][header]") {
    const auto version = [](std::uint32_t bufferSize, std::uint32_t processors) {
        TraceIdentity identity;
        identity.numberOfProcessors = processors;
        LogfileSummary summary = smallSummary();
        summary.bufferSize = bufferSize;
        return at<LogfileHeader>(encodeHeaderBuffer(identity, summary), kBufferHeaderSize + sizeof(SystemHeader))
            .version;
    };
    CHECK(version(1024 * 1024, 256) == 0x0501000A);
    CHECK(version(2048 * 1024, 1) == 0x0002000A);
    CHECK(version(4096, 257) == 0x0002000A);
}
