// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trim.h"

#include "core/base/own_provider.h"
#include "core/etl/marks.h"
#include "core/etl/merge_input.h"
#include "core/etl/recode.h"
#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/stored_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>

using namespace tracedeck;
using namespace tracedeck::test;
using namespace std::chrono_literals;
using etl::TrimRequest;
using etl::TrimResult;
namespace hook = etlformat::hook;

namespace {

constexpr Ticks kStart = 1'000'000;
constexpr Ticks kSecond = 1'000'000'000;

Ticks at(double seconds) {
    return kStart + static_cast<Ticks>(seconds * kSecond);
}

EventBytes process(std::uint16_t hookId, Ticks time, std::uint32_t id) {
    etlformat::ProcessFields fields;
    fields.processId = id;
    fields.uniqueProcessKey = id;
    fields.imageFileName = "some";
    return systemEvent(hookId, etlformat::event_version::kProcess, time, etlformat::encodeProcess(hookId, fields));
}

EventBytes thread(std::uint16_t hookId, Ticks time, std::uint32_t id) {
    etlformat::ThreadFields fields;
    fields.threadId = id;
    return systemEvent(hookId, etlformat::event_version::kThread, time, etlformat::encodeThread(fields));
}

EventBytes image(std::uint16_t hookId, Ticks time) {
    etlformat::ImageFields fields;
    fields.base = 0x1000;
    fields.size = 0x1000;
    fields.fileName = "/lib/some.so";
    return systemEvent(hookId, etlformat::event_version::kImage, time, etlformat::encodeImage(fields));
}

EventBytes ownEvent(const std::string& name, Ticks time, const std::string& text = "x") {
    etlformat::TraceLoggingEvent event;
    event.name = name;
    event.fields.emplace_back("Text", text);
    return etlformat::encode(event, guidFromProviderName(kOwnProviderName), std::string(kOwnProviderName), time, 1, 2);
}

TrimRequest window(std::optional<std::chrono::nanoseconds> from, std::optional<std::chrono::nanoseconds> to) {
    return {"whole", "part", false, from, to, {}, {}};
}

TrimResult mustTrim(StoredFiles& files, const TrimRequest& request) {
    const auto result = etl::trim(files, request);
    INFO((result ? std::string() : result.error().detail));
    REQUIRE(result.has_value());
    return *result;
}

/// What is in a file, processor by processor.
std::vector<EventBytes> eventsOf(StoredFiles& files, const std::string& path) {
    auto input = etl::openMergeInput(files, path);
    REQUIRE(input.has_value());
    std::vector<EventBytes> events;
    for (auto& [processor, places] : input->places) {
        etl::MergeStream stream(*input, processor, places, 1 << 20);
        while (true) {
            const auto loaded = stream.load();
            REQUIRE(loaded.has_value());
            if (!*loaded) {
                break;
            }
            for (; !stream.isEmpty(); stream.advance()) {
                events.emplace_back(stream.bytes().begin(), stream.bytes().end());
            }
        }
    }
    return events;
}

void checkIndependently(StoredFiles& files, const std::string& path) {
    const TemporaryFolder folder;
    writeFile(folder.file("part.etl"), files.content(path));
    const CheckerVerdict verdict = runCheckers(folder.file("part.etl"));
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
}

} // namespace

TEST_CASE("What is in the window stays, and around it what says what that means", "[etl][trim]") {
    RawFile raw;
    std::vector<EventBytes> kept;
    const auto keep = [&](const EventBytes& event) {
        raw.add(0, event);
        kept.push_back(event);
    };
    const auto cut = [&](const EventBytes& event) { raw.add(0, event); };
    keep(process(hook::kProcessDcStart, at(0.1), 10));
    keep(thread(hook::kThreadDcStart, at(0.1), 11));
    keep(image(hook::kImageDcStart, at(0.1)));
    keep(ownEvent("RecordingStarted", at(0.2)));
    cut(contextSwitch(at(0.5)));
    cut(stackWalk(at(0.5), at(0.5)));
    cut(sampledProfile(at(0.6)));
    keep(process(hook::kProcessStart, at(0.7), 20));
    keep(stackWalk(at(0.7), at(0.7))); // of an event that stays
    keep(process(hook::kProcessEnd, at(0.8), 10));
    keep(image(hook::kImageLoad, at(0.8)));
    cut(manifestEvent(guidFromProviderName("Some"), 1, at(0.9)));
    cut(sampledProfile(at(0.999)));
    keep(contextSwitch(at(1.0)));
    keep(stackWalk(at(1.0), at(1.0)));
    cut(stackWalk(at(1.1), at(0.999))); // written in the window, of an event before it
    keep(manifestEvent(guidFromProviderName("Some"), 1, at(1.5)));
    keep(process(hook::kProcessStart, at(1.6), 30));
    keep(sampledProfile(at(2.0)));
    cut(sampledProfile(at(2.1)));
    keep(stackWalk(at(2.2), at(2.0))); // the user part, when the thread is back
    cut(process(hook::kProcessStart, at(2.3), 40));
    cut(image(hook::kImageLoad, at(2.3)));
    keep(ownEvent("Mark", at(2.4)));
    cut(contextSwitch(at(2.5)));
    keep(process(hook::kProcessDcEnd, at(3), 20));
    keep(image(hook::kImageDcEnd, at(3)));
    keep(ownEvent("RecordingStopped", at(3)));
    StoredFiles files;
    files.put("whole", raw.bytes());
    const TrimResult result = mustTrim(files, window(1s, 2s));
    CHECK(eventsOf(files, "part") == kept);
    CHECK(result.from == at(1));
    CHECK(result.to == at(2));
    CHECK(result.merge.events == kept.size());
    CHECK(result.merge.eventsCut == 8);
    CHECK(result.merge.stacksDropped == 2);
    CHECK(result.eventsInWindow == 4);
    CHECK(result.eventsAround == kept.size() - 4 - 3);
    const auto summary = etl::summarize(files, "part");
    REQUIRE(summary.has_value());
    CHECK(summary->verdict() == etl::Summary::Verdict::Good);
    CHECK(summary->stacksWithoutEvent == 0);
    // Times are those of the original.
    CHECK(summary->header.startTicks == kStart);
    CHECK(summary->header.startTime == 133'000'000'010'000'000);
    CHECK(summary->header.endTime == 133'000'000'010'000'000 + 30'000'000);
    CHECK(summary->header.loggerName == "raw");
    checkIndependently(files, "part");
}

TEST_CASE("The marks of a file are those of the recorder, and of the kernel those that are others", "[etl][marks]") {
    const auto kernelMark = [](Ticks time, const std::string& text) {
        return perfinfoEvent(hook::kMark, etlformat::event_version::kMark, time, etlformat::encodeMark(text));
    };
    RawFile raw;
    raw.add(0, kernelMark(at(0.999), "begin")).add(1, ownEvent("Mark", at(1.0), "begin"));
    raw.add(0, kernelMark(at(2.0), "by another tool"));
    raw.add(1, ownEvent("Mark", at(3.0), "Ünïcode")).add(0, kernelMark(at(3.001), "Ünïcode"));
    raw.add(0, kernelMark(at(8.0), "begin")); // long behind the recorder's: another one
    raw.add(1, ownEvent("Loss", at(8.5), "no mark"));
    StoredFiles files;
    files.put("whole", raw.bytes());
    const auto marks = etl::readMarks(files, "whole");
    REQUIRE(marks.has_value());
    REQUIRE(marks->size() == 4);
    CHECK((*marks)[0].text == "begin");
    CHECK((*marks)[0].time == at(1.0));
    CHECK((*marks)[0].sinceStart == 1s);
    CHECK((*marks)[1].text == "by another tool");
    CHECK((*marks)[2].text == "Ünïcode");
    CHECK((*marks)[3].time == at(8.0));
    CHECK(etl::findMark(*marks, "by another tool")->time == at(2.0));
    const Error several = etl::findMark(*marks, "begin").error();
    CHECK(several.code == ErrorCode::InvalidArgument);
    CHECK(several.detail.find("2 marks are called 'begin'") != std::string::npos);
    CHECK(several.detail.find("'by another tool' at 2.000000000 s") != std::string::npos);
    const Error none = etl::findMark(*marks, "end").error();
    CHECK(none.detail.find("no mark is called 'end'; there are 'begin' at 1.000000000 s") != std::string::npos);
    CHECK(etl::findMark({}, "end").error().detail.find("there are no marks") != std::string::npos);
    CHECK(etl::readMarks(files, "none").error().code == ErrorCode::FileNotFound);
}

TEST_CASE("A window goes from mark to mark, to the tick", "[etl][trim][marks]") {
    RawFile raw;
    raw.add(0, contextSwitch(at(1.0) - 1));
    raw.add(0, contextSwitch(at(1.0))).add(0, ownEvent("Mark", at(1.0), "from"));
    raw.add(0, contextSwitch(at(1.5)));
    raw.add(0, contextSwitch(at(2.0))).add(0, ownEvent("Mark", at(2.0), "to"));
    raw.add(0, contextSwitch(at(2.0) + 1));
    StoredFiles files;
    files.put("whole", raw.bytes());
    TrimRequest request = window({}, {});
    request.fromMark = "from";
    request.toMark = "to";
    const TrimResult both = mustTrim(files, request);
    CHECK(both.from == at(1.0));
    CHECK(both.to == at(2.0));
    CHECK(both.eventsInWindow == 5);
    CHECK(both.merge.eventsCut == 2);
    request.replace = true;
    request.toMark.clear();
    request.to = 1500ms;
    CHECK(mustTrim(files, request).eventsInWindow == 3);
    std::swap(request.fromMark, request.toMark);
    request.to.reset();
    request.fromMark = "to";
    request.toMark = "from";
    CHECK(etl::trim(files, request).error().code == ErrorCode::InvalidArgument); // it ends before it begins
    request.toMark = "nowhere";
    const Error unknown = etl::trim(files, request).error();
    CHECK(unknown.code == ErrorCode::InvalidArgument);
    CHECK(unknown.detail.find("'from' at 1.000000000 s, 'to' at 2.000000000 s") != std::string::npos);
}

TEST_CASE("Each kind of event outside of the window is kept or cut by what it is", "[etl][trim]") {
    enum class Stays { Anywhere, Before, Nowhere };
    const auto provider = [](const char* id, std::uint16_t event) { return manifestEvent(*parseGuid(id), event, 1); };
    constexpr const char* kRuntime = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
    const auto kernel = [](std::uint16_t hookId) { return perfinfoEvent(hookId, 2, 1, EventBytes(24)); };
    EventBytes sourceManifest = manifestEvent(guidFromProviderName("Any-EventSource"), 0xFFFE, 1);
    constexpr std::uint16_t kTask = 0xFFFE;
    std::memcpy(sourceManifest.data() + 0x28 + 6, &kTask, sizeof kTask);
    const std::vector<std::pair<EventBytes, Stays>> cases{
        {kernel(0x0020), Stays::Anywhere},
        {kernel(0x0B0A), Stays::Anywhere},
        {kernel(0x0B25), Stays::Anywhere},
        {kernel(0x0303), Stays::Anywhere},
        {kernel(0x0504), Stays::Anywhere},
        {kernel(0x0424), Stays::Anywhere},
        {kernel(0x1404), Stays::Anywhere},
        {kernel(0x1824), Stays::Anywhere},
        {kernel(0x0321), Stays::Anywhere},
        {kernel(0x0301), Stays::Before},
        {kernel(0x0327), Stays::Before},
        {kernel(0x0548), Stays::Before},
        {kernel(0x140A), Stays::Before},
        {kernel(0x0400), Stays::Before},
        {kernel(0x0524), Stays::Nowhere},
        {kernel(0x0F2E), Stays::Nowhere},
        {kernel(0x0F22), Stays::Nowhere},
        {kernel(0x0443), Stays::Nowhere},
        {classicEvent(*parseGuid("b3e675d7-2554-4f18-830b-2762732560de"), 36, 1), Stays::Anywhere},
        {classicEvent(*parseGuid("bbccf6c1-6cd1-48c4-80ff-839482e37671"), 32, 1), Stays::Anywhere},
        {classicEvent(*parseGuid("9b79ee91-b5fd-41c0-a243-4248e266e9d0"), 35, 1), Stays::Anywhere},
        {classicEvent(*parseGuid("b3e675d7-2554-4f18-830b-2762732560df"), 36, 1), Stays::Nowhere},
        {ownEvent("Loss", 1), Stays::Anywhere},
        {sourceManifest, Stays::Anywhere},
        {provider("a669021c-c450-4609-a035-5af59af4df18", 144), Stays::Anywhere},
        {provider(kRuntime, 187), Stays::Anywhere},
        {provider(kRuntime, 143), Stays::Before},
        {provider(kRuntime, 1), Stays::Nowhere},
        {provider("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", 15), Stays::Anywhere},
        {provider("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", 5), Stays::Before},
        {provider("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", 7), Stays::Nowhere},
        {wppMessage(1), Stays::Nowhere},
    };
    for (const auto& [bytes, stays] : cases) {
        etl::EventView event;
        REQUIRE(etl::parseEvent(bytes, event) == etl::ParseResult::Event);
        const bool hasGuid = event.kind == etl::EventKind::Full || event.kind == etl::EventKind::Event;
        CAPTURE(event.hookId, toString(hasGuid ? event.guid() : Guid{}));
        CHECK(etl::staysOutsideWindow(event, true) == (stays != Stays::Nowhere));
        CHECK(etl::staysOutsideWindow(event, false) == (stays == Stays::Anywhere));
    }
}

TEST_CASE("A window may be open at either end", "[etl][trim]") {
    RawFile raw;
    for (int i = 0; i < 100; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(at(0.1 * i)));
    }
    StoredFiles files;
    files.put("whole", raw.bytes());
    CHECK(mustTrim(files, window(std::nullopt, 950ms)).merge.events == 10);
    REQUIRE(files.remove("part").has_value());
    CHECK(mustTrim(files, window(950ms, std::nullopt)).merge.events == 90);
    REQUIRE(files.remove("part").has_value());
    CHECK(mustTrim(files, window(std::nullopt, std::nullopt)).merge.events == 100);
    REQUIRE(files.remove("part").has_value());
    CHECK(mustTrim(files, window(9s, 2'000'000h)).merge.events == 10);
}

TEST_CASE("A file whose start is at no possible time is trimmed to one that is closed", "[etl][trim]") {
    for (const FileTime start : {FileTime{-1}, FileTime{-10'000'000}, FileTime{0}}) {
        RawFile::Options options;
        options.startTime = start;
        RawFile raw(options);
        raw.add(0, contextSwitch(at(0)));
        StoredFiles files;
        files.put("whole", raw.bytes());
        CHECK(mustTrim(files, window(0s, 1ms)).merge.events == 1);
    }
}

TEST_CASE("A trimmed file can be trimmed again, a compressed one as well", "[etl][trim]") {
    RawFile raw;
    for (int i = 0; i < 1000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(at(0.01 * i)));
        raw.add(static_cast<std::uint16_t>(i % 2), stackWalk(at(0.01 * i), at(0.01 * i)));
    }
    StoredFiles files;
    files.put("whole", raw.bytes());
    mustTrim(files, window(2s, 8s));
    REQUIRE(etl::compress(files, {"part", "small", false}).has_value());
    REQUIRE(etl::trim(files, {"small", "end", false, 4s, 5s}).has_value());
    REQUIRE(etl::trim(files, {"whole", "direct", false, 4s, 5s}).has_value());
    CHECK(eventsOf(files, "end") == eventsOf(files, "direct"));
    CHECK(eventsOf(files, "end").size() == 202);
    checkIndependently(files, "end");
}

TEST_CASE("A trace of Windows keeps its names when it is trimmed", "[etl][trim]") {
    const std::string shared = sharedFolder("a merged trace of Windows");
    if (shared.empty()) {
        return;
    }
    StoredFiles files;
    files.put("whole", readFile(shared + "/corpus/etl/net.4.5.2.x64.etl"));
    const auto before = etl::summarize(files, "whole");
    REQUIRE(before.has_value());
    const TrimResult result = mustTrim(files, window(1s, 1500ms));
    const auto after = etl::summarize(files, "part");
    REQUIRE(after.has_value());
    CHECK(result.merge.eventsCut > 0);
    CHECK(result.eventsInWindow > 0);
    const auto count = [](const etl::Summary& summary, const std::string& name) -> std::uint64_t {
        const auto found =
            std::find_if(summary.names.begin(), summary.names.end(), [&](const auto& one) { return one.name == name; });
        return found == summary.names.end() ? 0 : found->events;
    };
    for (const std::string name : {"Process/DCStart", "Thread/DCStart", "Image/DCStart", "Process/DCEnd",
                                   "{b3e675d7-2554-4f18-830b-2762732560de}/op36"}) {
        CAPTURE(name);
        CHECK(count(*before, name) > 0);
        CHECK(count(*after, name) == count(*before, name));
    }
    CHECK(count(*after, "PerfInfo/SampledProfile") < count(*before, "PerfInfo/SampledProfile"));
    CHECK(after->header.startTime == before->header.startTime);
    CHECK(after->verdict() == etl::Summary::Verdict::Good);
}

TEST_CASE("Windows that cannot be are refused", "[etl][trim]") {
    StoredFiles files;
    files.put("whole", RawFile().add(0, contextSwitch(at(1))).bytes()); // closed after ten seconds
    const auto [from, to] = GENERATE(table<std::chrono::nanoseconds, std::chrono::nanoseconds>({
        {2s, 1s},
        {2s, 2s},
        {11s, 12s},
    }));
    const auto refused = etl::trim(files, window(from, to));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::InvalidArgument);
    CHECK_FALSE(files.has("part"));
    CHECK(mustTrim(files, window(5s, 6s)).eventsInWindow == 0); // and this one is empty
}
