// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"

#include "core/etl/event_view.h"
#include "core/etl/file_header.h"
#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <map>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::MergeRequest;
using etl::MergeResult;

namespace {

constexpr std::size_t kMergedBuffer = 128 * 1024;
constexpr Ticks kStart = 1'000'000;
constexpr std::uint32_t kHeaderEvents = 3;

MergeRequest requestOf(const TemporaryFolder& folder, std::vector<std::string> inputs) {
    MergeRequest request;
    request.inputs = std::move(inputs);
    request.output = folder.file("merged.etl");
    request.sessionName = "Merged session";
    return request;
}

MergeResult mustMerge(const MergeRequest& request) {
    const auto merged = etl::merge(systemFiles(), request);
    INFO((merged ? std::string() : merged.error().detail));
    REQUIRE(merged.has_value());
    return *merged;
}

/// The whole of a merged file as a reader sees it; every rule of its shape is checked on the way.
struct Content {
    etlformat::BufferHeader header;
    /// Per processor the bytes of the events without padding, in order.
    std::map<std::uint16_t, std::vector<EventBytes>> events;
    std::map<std::uint16_t, std::vector<Ticks>> times;
};

Content contentOf(const std::string& path) {
    const std::vector<std::byte> file = readFile(path);
    REQUIRE(file.size() % kMergedBuffer == 0);
    Content content;
    Ticks lastOfFile = 0;
    const std::size_t buffers = file.size() / kMergedBuffer;
    for (std::size_t i = 0; i < buffers; ++i) {
        const std::span<const std::byte> buffer = std::span(file).subspan(i * kMergedBuffer, kMergedBuffer);
        const auto header = etl::loadAt<etlformat::BufferHeader>(buffer.data(), 0);
        CHECK(header.bufferSize == kMergedBuffer);
        CHECK(header.sequenceNumber == static_cast<std::int64_t>(i));
        CHECK(header.savedOffset == header.offset);
        CHECK(header.savedOffset % 8 == 0);
        CHECK(header.state == etlformat::kBufferStateFlush);
        CHECK(header.bufferFlag == (i == 0 || i + 1 == buffers ? 0x21 : 0x20));
        CHECK(std::all_of(buffer.begin() + header.savedOffset, buffer.end(),
                          [](std::byte b) { return b == std::byte{0xFF}; }));
        if (i == 0) {
            content.header = header;
            continue;
        }
        std::size_t at = etlformat::kBufferHeaderSize;
        Ticks last = 0;
        while (at < header.savedOffset) {
            etl::EventView event;
            REQUIRE(etl::parseEvent(buffer.subspan(at, header.savedOffset - at), event) == etl::ParseResult::Event);
            content.events[header.processorIndex].emplace_back(event.data, event.data + event.size);
            last = event.hasTime ? event.time : last;
            content.times[header.processorIndex].push_back(last);
            at += etlformat::alignEvent(event.size);
        }
        CHECK(at == header.savedOffset);
        CHECK(header.timeStamp == last);
        CHECK(header.timeStamp >= lastOfFile);
        lastOfFile = header.timeStamp;
    }
    for (const auto& [processor, times] : content.times) {
        CAPTURE(processor);
        CHECK(std::is_sorted(times.begin(), times.end()));
    }
    return content;
}

/// By other readers and by our own: nothing is wrong with the file but what its inputs lost.
void checkIndependently(const std::string& path) {
    const CheckerVerdict verdict = runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    const auto summary = etl::summarize(systemFiles(), path);
    REQUIRE(summary.has_value());
    for (const auto& finding : summary->findings) {
        CAPTURE(finding.detail);
        CHECK((finding.code == etl::Finding::Code::NoEvents || finding.code == etl::Finding::Code::EventsLost));
        CHECK((finding.code == etl::Finding::Code::EventsLost) == (summary->header.eventsLost != 0));
    }
}

} // namespace

TEST_CASE("Two files become one stream per processor in time order", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile kernel;
    RawFile::Options eventOptions;
    eventOptions.hasGroupMasks = false;
    eventOptions.mode = etlformat::mode::kSequential;
    eventOptions.bufferSize = 4096;
    eventOptions.startTicks = kStart + 5;
    eventOptions.startTime = 133'000'000'010'000'000 + 1;
    RawFile events(eventOptions);
    const Guid provider = guidFromProviderName("Some-Provider");
    std::map<std::uint16_t, std::vector<std::pair<Ticks, EventBytes>>> expected;
    for (Ticks i = 0; i < 20000; ++i) {
        const auto processor = static_cast<std::uint16_t>(i % 3 == 0 ? 0 : 1);
        const Ticks time = kStart + 10 * i;
        EventBytes event =
            i % 7 == 0 ? manifestEvent(provider, 5, time, static_cast<std::size_t>(i % 13)) : contextSwitch(time);
        (i % 7 == 0 ? events : kernel).add(processor, event);
        expected[processor].emplace_back(time, std::move(event));
    }
    kernel.write(folder.file("kernel.etl"));
    events.write(folder.file("events.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("events.etl"), folder.file("kernel.etl")});
    const MergeResult result = mustMerge(request);
    CHECK(result.events == 20000);
    CHECK(result.stacksDropped == 0);
    CHECK(result.buffersDamaged == 0);
    CHECK(result.first == kStart);
    CHECK(result.last == kStart + 199990);
    const Content content = contentOf(request.output);
    CHECK(result.buffers * kMergedBuffer == result.bytes);
    CHECK(readFile(request.output).size() == result.bytes);
    for (const auto& [processor, list] : expected) {
        REQUIRE(content.events.at(processor).size() == list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            REQUIRE(content.events.at(processor)[i] == list[i].second);
        }
    }
    checkIndependently(request.output);
}

TEST_CASE("The merged header joins those of the inputs", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options a;
    a.mode = etlformat::mode::kSequential;
    a.hasGroupMasks = false;
    a.startTicks = kStart + 1000;
    a.startTime += 10;
    a.eventsLost = 5;
    a.buffersLost = 1;
    a.processors = 2;
    RawFile::Options b;
    b.eventsLost = 7;
    b.buffersLost = 2;
    b.processors = 6;
    b.bootTime += 20'000'000; // two seconds: the wall clock was set between the two
    RawFile(a).add(1, contextSwitch(kStart + 2000)).write(folder.file("a.etl"));
    RawFile(b).add(5, contextSwitch(kStart + 20'000'000'000)).write(folder.file("b.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("a.etl"), folder.file("b.etl")});
    CHECK(mustMerge(request).eventsLost == 12);
    const auto file = systemFiles().open(request.output);
    REQUIRE(file.has_value());
    const auto header = etl::readFileHeader(**file, request.output);
    REQUIRE(header.has_value());
    CHECK(header->summary.logFileMode == 0x02000001);
    CHECK(header->summary.numberOfProcessors == 6);
    CHECK(header->summary.startTicks == kStart);
    CHECK(header->summary.startTime == 133'000'000'010'000'000);
    CHECK(header->summary.bootTime == 133'000'000'020'000'000);
    // The sessions said ten seconds, the last event came after twenty.
    CHECK(header->summary.endTime == 133'000'000'010'000'000 + 200'000'000);
    CHECK(header->summary.eventsLost == 12);
    CHECK(header->summary.buffersLost == 3);
    CHECK(header->summary.buffersWritten == 3);
    CHECK(header->summary.loggerName == "Merged session");
    CHECK(header->summary.logFileName == request.output);
    CHECK(header->processId == 4);
    REQUIRE(header->groupMasks.has_value());
    CHECK(header->groupMasks->words == std::array<std::uint32_t, 8>{1, 2, 3, 0, 0, 0, 0, 0});
    checkIndependently(request.output);
}

TEST_CASE("Events of one time keep the order of the inputs", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile first;
    RawFile second;
    std::vector<EventBytes> expected;
    for (std::uint32_t i = 0; i < 10; ++i) {
        first.add(0, contextSwitch(kStart + 1, i));
        second.add(0, contextSwitch(kStart + 1, 100 + i));
    }
    first.write(folder.file("first.etl"));
    second.write(folder.file("second.etl"));
    for (std::uint32_t i = 0; i < 20; ++i) {
        expected.push_back(contextSwitch(kStart + 1, i < 10 ? i : 90 + i));
    }
    MergeRequest request = requestOf(folder, {folder.file("first.etl"), folder.file("second.etl")});
    const EventBytes mark = contextSwitch(kStart + 1, 500);
    request.added = {{0, kStart + 1, mark}};
    expected.push_back(mark);
    mustMerge(request);
    CHECK(contentOf(request.output).events.at(0) == expected);
}

TEST_CASE("Nothing to merge still gives a file", "[etl][merge]") {
    const TemporaryFolder folder;
    const bool isClosed = GENERATE(true, false);
    RawFile::Options options;
    options.isClosed = isClosed;
    RawFile(options).write(folder.file("empty.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("empty.etl"), folder.file("empty.etl")});
    const MergeResult result = mustMerge(request);
    CHECK(result.events == 0);
    CHECK(result.buffers == 1);
    const auto summary = etl::summarize(systemFiles(), request.output);
    REQUIRE(summary.has_value());
    CHECK(summary->events == kHeaderEvents);
    CHECK(summary->header.endTime != 0);
    CHECK(summary->header.buffersWritten == 1);
    checkIndependently(request.output);
}

TEST_CASE("A file of a session that was killed is merged up to its last whole buffer", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options options;
    options.isClosed = false;
    RawFile raw(options);
    for (Ticks i = 0; i < 1000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i * 1000));
    }
    std::vector<std::byte> bytes = raw.bytes();
    bytes.resize(bytes.size() - 4000);
    writeFile(folder.file("killed.etl"), bytes);
    const auto before = etl::summarize(systemFiles(), folder.file("killed.etl"));
    REQUIRE(before.has_value());
    CHECK(before->verdict() == etl::Summary::Verdict::Incomplete);
    const MergeRequest request = requestOf(folder, {folder.file("killed.etl")});
    const MergeResult result = mustMerge(request);
    CHECK(result.events == before->events - kHeaderEvents);
    CHECK(result.events > 700);
    checkIndependently(request.output);
}

TEST_CASE("Stacks whose event is not there are left out and counted", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile raw;
    raw.add(0, stackWalk(kStart + 5, kStart + 4)); // its event was overwritten
    raw.add(0, contextSwitch(kStart + 10)).add(0, stackWalk(kStart + 10, kStart + 10));
    raw.add(0, contextSwitch(kStart + 20));
    raw.add(0, stackWalk(kStart + 25, kStart + 10)); // the user part, when the thread is back
    raw.add(1, stackWalk(kStart + 30, kStart + 20)); // of another processor
    raw.add(0, stackWalk(kStart + 31, kStart + 25)); // a stack is no event of a stack
    raw.add(0, stackWalk(kStart + 32, kStart + 20, 60));
    raw.write(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    const MergeResult result = mustMerge(request);
    CHECK(result.stacksDropped == 3);
    CHECK(result.events == 5);
    const Content content = contentOf(request.output);
    CHECK(content.events.at(0) ==
          std::vector<EventBytes>{contextSwitch(kStart + 10), stackWalk(kStart + 10, kStart + 10),
                                  contextSwitch(kStart + 20), stackWalk(kStart + 25, kStart + 10),
                                  stackWalk(kStart + 32, kStart + 20, 60)});
    CHECK(content.events.count(1) == 0);
    checkIndependently(request.output);
}

TEST_CASE("What the sessions say they have recorded and no file holds is lost, and counted apart", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options options;
    options.eventsLost = 3;
    RawFile raw(options);
    raw.add(0, stackWalk(kStart + 5, kStart + 4)); // left out: its event was overwritten
    for (Ticks i = 0; i < 10; ++i) {
        raw.add(0, contextSwitch(kStart + 10 + i));
    }
    raw.write(folder.file("raw.etl"));
    MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    const auto [recorded, lost, missing, told] =
        GENERATE(table<std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>({
            {0, 0, 0, 3},   // nobody says
            {11, 3, 0, 3},  // all of them
            {18, 3, 7, 10}, // seven were taken away
            {11, 5, 0, 5},  // the header does not know of two that were lost
            {12, 2, 0, 3},  // lost when the file was written, which the session does not know
            {18, 5, 7, 12},
            {5, 0, 0, 3},
        }));
    CAPTURE(recorded, lost);
    request.eventsRecorded = recorded;
    request.eventsLost = lost;
    const MergeResult result = mustMerge(request);
    CHECK(result.events == 10);
    CHECK(result.stacksDropped == 1);
    CHECK(result.eventsMissing == missing);
    CHECK(result.eventsLost == told);
    const auto summary = etl::summarize(systemFiles(), request.output);
    REQUIRE(summary.has_value());
    CHECK(summary->header.eventsLost == told);
    CHECK(summary->verdict() == etl::Summary::Verdict::Incomplete);
}

TEST_CASE("Added events go to their places, also before the first and behind the last", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile().add(0, contextSwitch(kStart + 100)).add(1, contextSwitch(kStart + 110)).write(folder.file("raw.etl"));
    etlformat::TraceLoggingEvent mark;
    mark.name = "Mark";
    const Guid id = guidFromProviderName("Tracedeck-Recorder");
    const auto markAt = [&](Ticks time) { return etlformat::encode(mark, id, "Tracedeck-Recorder", time, 1, 2); };
    MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    // One of before the session began: the header follows it, or readers would show a negative time.
    request.added = {{0, kStart + 900, markAt(kStart + 900)},
                     {3, kStart + 105, markAt(kStart + 105)},
                     {0, kStart - 500'000, markAt(kStart - 500'000)},
                     {0, kStart + 50, markAt(kStart + 50)}};
    const MergeResult result = mustMerge(request);
    CHECK(result.events == 6);
    CHECK(result.first == kStart - 500'000);
    CHECK(result.last == kStart + 900);
    const Content content = contentOf(request.output);
    CHECK(content.times.at(0) == std::vector<Ticks>{kStart - 500'000, kStart + 50, kStart + 100, kStart + 900});
    CHECK(content.times.at(3) == std::vector<Ticks>{kStart + 105});
    const auto summary = etl::summarize(systemFiles(), request.output);
    REQUIRE(summary.has_value());
    CHECK(summary->header.numberOfProcessors == 4);
    CHECK(summary->header.startTicks == kStart - 500'000);
    CHECK(summary->header.startTime == 133'000'000'010'000'000 - 5000);
    checkIndependently(request.output);
}

TEST_CASE("An event without a time stays behind the one before it", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile a;
    a.add(0, contextSwitch(kStart + 10)).add(0, wppMessage(1)).add(0, contextSwitch(kStart + 30)).add(0, wppMessage(2));
    RawFile b;
    b.add(0, wppMessage(3)).add(0, contextSwitch(kStart + 20)).add(0, wppMessage(4));
    a.write(folder.file("a.etl"));
    b.write(folder.file("b.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("a.etl"), folder.file("b.etl")});
    mustMerge(request);
    CHECK(contentOf(request.output).events.at(0) ==
          std::vector<EventBytes>{wppMessage(3), contextSwitch(kStart + 10), wppMessage(1), contextSwitch(kStart + 20),
                                  wppMessage(4), contextSwitch(kStart + 30), wppMessage(2)});
}

TEST_CASE("A file of circular order is put in order", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options options;
    options.mode = etlformat::mode::kCircular;
    options.firstSequence = 77;
    RawFile raw(options);
    for (Ticks i = 0; i < 5; ++i) {
        raw.add(0, contextSwitch(kStart + i)).cut(0);
    }
    std::vector<std::byte> bytes = raw.bytes();
    std::rotate(bytes.begin() + 8192, bytes.begin() + 3 * 8192, bytes.end());
    writeFile(folder.file("raw.etl"), bytes);
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    CHECK(mustMerge(request).events == 5);
    CHECK(contentOf(request.output).times.at(0) ==
          std::vector<Ticks>{kStart, kStart + 1, kStart + 2, kStart + 3, kStart + 4});
    checkIndependently(request.output);
}

TEST_CASE("The largest events fit", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options options;
    options.bufferSize = 1 << 20;
    RawFile raw(options);
    const std::size_t most = etlformat::kLargestEvent - sizeof(etlformat::EventHeader);
    for (Ticks i = 0; i < 20; ++i) {
        raw.add(0, manifestEvent(Guid{}, 1, kStart + i, most - static_cast<std::size_t>(i % 9)));
    }
    raw.write(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    CHECK(mustMerge(request).events == 20);
    CHECK(contentOf(request.output).events.at(0).size() == 20);
    checkIndependently(request.output);
}

TEST_CASE("Events of a buffer that is out of order are sorted, those that come too late are lost", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 10)).add(0, contextSwitch(kStart + 30)).add(0, contextSwitch(kStart + 20)).cut(0);
    raw.add(0, contextSwitch(kStart + 25)).add(0, contextSwitch(kStart + 40));
    raw.write(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    const MergeResult result = mustMerge(request);
    CHECK(result.events == 4);
    CHECK(result.eventsOutOfOrder == 1);
    CHECK(result.eventsLost == 1);
    CHECK(contentOf(request.output).times.at(0) ==
          std::vector<Ticks>{kStart + 10, kStart + 20, kStart + 30, kStart + 40});
}

TEST_CASE("Many processors fill their buffers in time order", "[etl][merge]") {
    const TemporaryFolder folder;
    RawFile::Options options;
    options.processors = 40;
    RawFile raw(options);
    for (Ticks i = 0; i < 30000; ++i) {
        // Some are busy and some are not.
        const auto processor = static_cast<std::uint16_t>(i % 2 == 0 ? 0 : (i * 7) % 40);
        raw.add(processor, contextSwitch(kStart + i));
    }
    raw.write(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    CHECK(mustMerge(request).events == 30000);
    std::size_t events = 0;
    for (const auto& [processor, list] : contentOf(request.output).events) {
        events += list.size();
    }
    CHECK(events == 30000);
    checkIndependently(request.output);
}
