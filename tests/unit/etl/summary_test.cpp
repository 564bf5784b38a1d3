// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/summary.h"

#include "core/etlformat/hooks.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/memory_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <cmath>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::Finding;
using etl::summarize;
using etl::Summary;
using Code = etl::Finding::Code;

namespace {

Summary summaryOf(std::vector<std::byte> bytes) {
    MemoryFiles files(std::move(bytes));
    auto summary = summarize(files, "memory.etl");
    REQUIRE(summary.has_value());
    return std::move(*summary);
}

const Finding* find(const Summary& summary, Code code) {
    for (const Finding& finding : summary.findings) {
        if (finding.code == code) {
            return &finding;
        }
    }
    return nullptr;
}

std::uint64_t countOf(const Summary& summary, const std::string& name) {
    for (const auto& one : summary.names) {
        if (one.name == name) {
            return one.events;
        }
    }
    return 0;
}

constexpr Ticks kStart = 1'000'000;

} // namespace

TEST_CASE("A sound file is good and its events are counted by name", "[etl][summary]") {
    const Guid provider = guidFromProviderName("Some-Provider");
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 10))
        .add(0, sampledProfile(kStart + 20))
        .add(0, stackWalk(kStart + 20, kStart + 20));
    raw.add(1, sampledProfile(kStart + 15)).add(1, sampledProfile(kStart + 1'000'000'000));
    raw.add(1, manifestEvent(provider, 12, kStart + 1'000'000'001))
        .add(1, manifestEvent(provider, 13, kStart + 1'000'000'002));
    raw.add(1, manifestEvent(provider, 12, kStart + 1'000'000'003))
        .add(1, classicEvent(provider, 12, kStart + 1'000'000'010));
    const Summary summary = summaryOf(raw.bytes());

    CHECK(summary.verdict() == Summary::Verdict::Good);
    CHECK(summary.findings.empty());
    CHECK(summary.buffers == 3);
    CHECK(summary.events == 12); // three of them in the header buffer
    CHECK(summary.first == kStart + 10);
    CHECK(summary.last == kStart + 1'000'000'010);
    CHECK(std::abs(summary.spanSeconds - 1.0) <= 1e-6);
    CHECK(summary.samplesPerProcessor == std::vector<std::uint64_t>{1, 2});
    CHECK(summary.stacks == 1);
    CHECK(summary.stacksWithoutEvent == 0);
    CHECK(summary.names.front().name == "PerfInfo/SampledProfile");
    CHECK(countOf(summary, "PerfInfo/SampledProfile") == 3);
    CHECK(countOf(summary, "Thread/CSwitch") == 1);
    CHECK(countOf(summary, "EventTrace/Header") == 1);
    CHECK(countOf(summary, "{" + toString(provider) + "}/12") == 2);
    CHECK(countOf(summary, "{" + toString(provider) + "}/13") == 1);
    CHECK(countOf(summary, "{" + toString(provider) + "}/op12") == 1);
}

TEST_CASE("The header says what was recorded where", "[etl][summary]") {
    RawFile::Options options;
    options.eventsLost = 3;
    options.buffersLost = 1;
    options.processors = 5;
    options.loggerName = "Kernel – ß";
    const Summary summary = summaryOf(RawFile(options).add(4, contextSwitch(kStart + 1)).bytes());
    CHECK(summary.header.bufferSize == 8192);
    CHECK(summary.header.numberOfProcessors == 5);
    CHECK(summary.header.logFileMode == 0x02000001);
    CHECK(summary.header.buffersWritten == 2);
    CHECK(summary.header.eventsLost == 3);
    CHECK(summary.header.buffersLost == 1);
    CHECK(summary.header.perfFreq == 1'000'000'000);
    CHECK(summary.header.startTicks == kStart);
    CHECK(summary.header.loggerName == "Kernel – ß");
    CHECK(summary.header.logFileName == "raw.etl");
    CHECK(summary.header.pointerSize == 8);
    REQUIRE(find(summary, Code::EventsLost) != nullptr);
    CHECK(find(summary, Code::EventsLost)->count == 4);
    CHECK(summary.verdict() == Summary::Verdict::Incomplete);
}

TEST_CASE("Self-describing events are named by provider and event", "[etl][summary]") {
    etlformat::TraceLoggingEvent mark;
    mark.name = "Mark";
    const Guid id = guidFromProviderName("Tracedeck-Recorder");
    RawFile raw;
    for (Ticks i = 1; i <= 3; ++i) {
        raw.add(0, etlformat::encode(mark, id, "Tracedeck-Recorder", kStart + i, 1, 2));
    }
    CHECK(countOf(summaryOf(raw.bytes()), "Tracedeck-Recorder/Mark") == 3);
}

TEST_CASE("What is written when a cut-off recording is saved does not lengthen it", "[etl][summary]") {
    const std::string reason = GENERATE("RecorderEnded", "User");
    const auto stopped = [&](Ticks time) {
        etlformat::TraceLoggingEvent event;
        event.name = "RecordingStopped";
        event.fields.emplace_back("Reason", reason);
        return etlformat::encode(event, guidFromProviderName("Tracedeck-Recorder"), "Tracedeck-Recorder", time, 1, 2);
    };
    constexpr Ticks kSecond = 1'000'000'000;
    RawFile raw;
    raw.add(0, sampledProfile(kStart + kSecond)).add(0, sampledProfile(kStart + 3 * kSecond));
    raw.add(1, stopped(kStart + 3 * kSecond));
    raw.add(0, systemEvent(etlformat::hook::kProcessDcStart, 4, kStart + 301 * kSecond, EventBytes(64)));
    raw.add(0, systemEvent(etlformat::hook::kProcessStart, 4, kStart + 302 * kSecond, EventBytes(64)));
    const Summary summary = summaryOf(raw.bytes());
    CHECK(summary.first == kStart + kSecond);
    CHECK(summary.last == kStart + 302 * kSecond);
    CHECK(summary.spanSeconds == (reason == "RecorderEnded" ? 2.0 : 301.0));
    CHECK(summary.samplesSeconds == 2.0);
}

TEST_CASE("Samples are counted over their own span, whatever reaches farther back", "[etl][summary]") {
    RawFile raw;
    raw.add(1, manifestEvent(guidFromProviderName("Some"), 1, kStart + 1));
    raw.add(0, sampledProfile(kStart + 3'000'000'000)).add(1, sampledProfile(kStart + 4'500'000'000));
    const Summary summary = summaryOf(raw.bytes());
    CHECK(summary.samplesSeconds == 1.5);
    CHECK(summary.spanSeconds > 4);
    CHECK(summaryOf(RawFile().add(0, contextSwitch(kStart + 1)).bytes()).samplesSeconds == 0);
}

TEST_CASE("Events of processes alone are events, with a span", "[etl][summary]") {
    RawFile raw;
    raw.add(0, systemEvent(etlformat::hook::kProcessStart, 4, kStart + 5'000'000'000, EventBytes(64)));
    raw.add(1, systemEvent(etlformat::hook::kProcessEnd, 4, kStart + 7'500'000'000, EventBytes(64)));
    const Summary summary = summaryOf(raw.bytes());
    CHECK(find(summary, Code::NoEvents) == nullptr);
    CHECK(summary.first == kStart + 5'000'000'000); // not the header's
    CHECK(summary.last == kStart + 7'500'000'000);
    CHECK(summary.spanSeconds == 2.5);
    CHECK(summary.verdict() == Summary::Verdict::Good);

    RawFile empty;
    empty.add(0, systemEvent(etlformat::hook::kRundownComplete, 4, kStart + 5, {}));
    CHECK(find(summaryOf(empty.bytes()), Code::NoEvents) != nullptr);
}

TEST_CASE("What the recorder said about itself is found", "[etl][summary]") {
    const Guid id = guidFromProviderName("Tracedeck-Recorder");
    etlformat::TraceLoggingEvent started;
    started.name = "RecordingStarted";
    started.fields = {{"Profiles", std::string("CPU.Verbose")}, {"Buffers", std::uint32_t{64}}};
    etlformat::TraceLoggingEvent problem;
    problem.name = "ProblemDescription";
    problem.fields = {{"Text", std::string("it hangs – often")}};
    etlformat::TraceLoggingEvent foreign = problem;
    RawFile raw;
    raw.add(0, etlformat::encode(started, id, "Tracedeck-Recorder", kStart + 1, 1, 2));
    raw.add(0, etlformat::encode(problem, id, "Tracedeck-Recorder", kStart + 2, 1, 2));
    raw.add(0, etlformat::encode(foreign, guidFromProviderName("Other"), "Other", kStart + 3, 1, 2));
    const Summary summary = summaryOf(raw.bytes());
    CHECK(summary.recorder == std::map<std::string, std::string>{{"ProblemDescription.Text", "it hangs – often"},
                                                                 {"RecordingStarted.Buffers", "64"},
                                                                 {"RecordingStarted.Profiles", "CPU.Verbose"}});
}

TEST_CASE("A file of many names stays countable", "[etl][summary]") {
    RawFile raw;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const Guid provider = Guid::of(i, 1, 2, {});
        raw.add(0, manifestEvent(provider, 1, kStart + 2 * Ticks{i}))
            .add(0, manifestEvent(provider, 2, kStart + 2 * Ticks{i} + 1));
    }
    const Summary summary = summaryOf(raw.bytes());
    CHECK(summary.names.size() == 6003);
    CHECK(summary.events == 6003);
}

TEST_CASE("A file of circular order is in order", "[etl][summary]") {
    RawFile::Options options;
    options.mode = etlformat::mode::kCircular;
    options.firstSequence = 40;
    RawFile raw(options);
    raw.add(0, contextSwitch(kStart + 1))
        .cut(0)
        .add(0, contextSwitch(kStart + 2))
        .cut(0)
        .add(0, contextSwitch(kStart + 3));
    std::vector<std::byte> bytes = raw.bytes();
    std::rotate(bytes.begin() + 8192, bytes.begin() + 2 * 8192, bytes.end());
    const Summary summary = summaryOf(bytes);
    CHECK(summary.findings.empty());
    CHECK(summary.events == 6);
}

TEST_CASE("A second file of a session that goes on has no gap", "[etl][summary]") {
    RawFile::Options options;
    options.firstSequence = 900;
    RawFile raw(options);
    raw.add(0, contextSwitch(kStart + 1));
    std::vector<std::byte> bytes = raw.bytes();
    const Summary gap = summaryOf(bytes);
    REQUIRE(find(gap, Code::SequenceGap) != nullptr);
    CHECK(find(gap, Code::SequenceGap)->count == 899);
    options.mode = etlformat::mode::kNewFile | etlformat::mode::kSequential;
    CHECK(summaryOf(RawFile(options).add(0, contextSwitch(kStart + 1)).bytes()).findings.empty());
}

TEST_CASE("Events in the header buffer behind its saved offset are read", "[etl][summary]") {
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 1));
    std::vector<std::byte> bytes = raw.bytes();
    etlformat::BufferHeader& header = bufferHeader(bytes, 0);
    const auto appended = perfinfoEvent(0x0042, 2, kStart, EventBytes(8, std::byte{0x41}));
    std::copy(appended.begin(), appended.end(), bytes.begin() + header.savedOffset);
    header.offset = header.savedOffset + static_cast<std::uint32_t>(appended.size());
    const Summary summary = summaryOf(bytes);
    CHECK(countOf(summary, "EventTrace/BuildLab") == 1);
    CHECK(summary.verdict() == Summary::Verdict::Good);
}

TEST_CASE("Buffers of differing sizes are read", "[etl][summary]") {
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 1))
        .cut(0)
        .add(0, contextSwitch(kStart + 2))
        .cut(0)
        .add(0, contextSwitch(kStart + 3));
    std::vector<std::byte> bytes = raw.bytes();
    etlformat::BufferHeader& middle = bufferHeader(bytes, 2);
    middle.bufferSize = 1024;
    bytes.erase(bytes.begin() + 2 * 8192 + 1024, bytes.begin() + 3 * 8192);
    const Summary summary = summaryOf(bytes);
    CHECK(summary.buffers == 4);
    CHECK(summary.events == 6);
    CHECK(find(summary, Code::DamagedBuffer) == nullptr);
}

TEST_CASE("A log file header of a 32-bit system is understood", "[etl][summary]") {
    // The 64-bit header without the second half of both pointers, and without the padding that makes up for it.
    std::vector<std::byte> wide = RawFile().bytes();
    const std::size_t payload = etlformat::kBufferHeaderSize + sizeof(etlformat::SystemHeader);
    std::vector<std::byte> narrow(wide.begin(), wide.begin() + static_cast<std::ptrdiff_t>(payload + 0x38));
    const auto put = [&](std::size_t from, std::size_t to) {
        narrow.insert(narrow.end(), wide.begin() + static_cast<std::ptrdiff_t>(payload + from),
                      wide.begin() + static_cast<std::ptrdiff_t>(payload + to));
    };
    narrow.resize(narrow.size() + 8);
    put(0x48, 0x48 + 172);
    narrow.resize(payload + 0xF0);
    put(0xF8, 0x118);
    put(0x118, 0x118 + 2 * (4 + 8));
    narrow[etlformat::kBufferHeaderSize + 2] = std::byte{1};
    const auto size = static_cast<std::uint16_t>(narrow.size() - etlformat::kBufferHeaderSize);
    std::memcpy(narrow.data() + etlformat::kBufferHeaderSize + 4, &size, sizeof size);
    const std::uint32_t pointerSize = 4;
    std::memcpy(narrow.data() + payload + 0x2C, &pointerSize, sizeof pointerSize);
    etlformat::BufferHeader header;
    std::memcpy(&header, narrow.data(), sizeof header);
    header.savedOffset = header.offset = static_cast<std::uint32_t>(etlformat::alignEvent(narrow.size()));
    std::memcpy(narrow.data(), &header, sizeof header);
    narrow.resize(8192, std::byte{0xFF});
    const Summary summary = summaryOf(narrow);
    CHECK(summary.header.pointerSize == 4);
    CHECK(summary.header.perfFreq == 1'000'000'000);
    CHECK(summary.header.bootTime == 133'000'000'000'000'000);
    CHECK(summary.header.startTime == 133'000'000'010'000'000);
    CHECK(summary.header.clockType == 1);
    CHECK(summary.header.loggerName == "raw");
    CHECK(summary.header.logFileName == "raw.etl");
}

TEST_CASE("What cannot be read is an error", "[etl][summary]") {
    const TemporaryFolder folder;
    CHECK(summarize(systemFiles(), folder.file("absent.etl")).error().code == ErrorCode::FileNotFound);
    writeFile(folder.file("text.etl"), std::vector<std::byte>(20000, std::byte{'x'}));
    const auto text = summarize(systemFiles(), folder.file("text.etl"));
    REQUIRE_FALSE(text.has_value());
    CHECK(text.error().code == ErrorCode::NotAnEtl);
    CHECK(text.error().detail.find("text.etl") != std::string::npos);
    writeFile(folder.file("empty.etl"), {});
    CHECK(summarize(systemFiles(), folder.file("empty.etl")).error().code == ErrorCode::NotAnEtl);
    CHECK_FALSE(summarize(systemFiles(), folder.path()).has_value());
    RawFile().write(folder.file("good.etl"));
    std::stop_source stop;
    stop.request_stop();
    CHECK(summarize(systemFiles(), folder.file("good.etl"), stop.get_token()).error().code == ErrorCode::Cancelled);
}
