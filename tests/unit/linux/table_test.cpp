// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the table of processes and images keeps, and what a rundown says of it.
#include "tests/unit/linux/translator_bench.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tracedeck::linux_source {

TEST_CASE("a ring's table keeps what ended until the ring has forgotten it", "[linux][translator]") {
    Bench bench(true);
    bench.task(PERF_RECORD_FORK, 200, 100, 200, 100, 1000);
    bench.task(PERF_RECORD_EXIT, 200, 100, 200, 100, 2000);
    bench.map(100, 0x400000, 0x800, 0, "/opt/other", 2000);
    bench.translator.prune(3'000);
    REQUIRE(bench.table.endedProcesses().size() == 1);
    REQUIRE(bench.table.findProcess(100)->unloadedImages.size() == 1);
    CHECK(bench.table.findProcess(100)->images.size() == 1);
    bench.sink.oldestTime = 2001;
    bench.translator.prune(10'000'000'000);
    CHECK(bench.table.endedProcesses().empty());
    CHECK(bench.table.findProcess(100)->unloadedImages.empty());
    CHECK(bench.table.findThread(200) == nullptr);
}

TEST_CASE("a file's table forgets an image when it is unloaded", "[linux][translator]") {
    Bench bench;
    for (int i = 0; i < 100; ++i) { // two plug-ins that take turns at one address
        bench.map(100, 0x700000000000, 0x1000, 0, i % 2 == 0 ? "/opt/a.so" : "/opt/b.so", 10 + i);
    }
    CHECK(bench.table.findProcess(100)->images.size() == 2); // and the program itself
    CHECK(bench.table.findProcess(100)->unloadedImages.empty());
    CHECK(bench.sink.ofHook(hook::kImageUnload).size() == 99);
}

namespace {

std::string mapsLine(std::uint64_t begin, const char* file) {
    char line[200];
    std::snprintf(line, sizeof(line), "%" PRIx64 "-%" PRIx64 " r-xp 00000000 08:01 77 %s\n", begin, begin + 0x1000,
                  file);
    return line;
}

} // namespace

TEST_CASE("images that were unmapped without a word are found out before there are too many", "[linux][translator]") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("100"));
    const std::uint64_t last = 0x700000000000 + 5000ULL * 0x10000;
    // Of all plug-ins only the program and two are still there; another container may call the file anything.
    std::ofstream(folder.file("100/maps"))
        << mapsLine(0x400000, "/elsewhere/sh") << mapsLine(0x700000000000, "/opt/p") << mapsLine(last, "/opt/p");
    Bench bench(false, folder.path());
    std::size_t most = 0;
    for (std::uint64_t i = 0; i <= 5000; ++i) {
        bench.map(100, 0x700000000000 + i * 0x10000, 0x1000, 0, "/opt/p", static_cast<Ticks>(10 + i));
        most = std::max(most, bench.table.findProcess(100)->images.size());
    }
    CHECK(most == kManyImages);
    const auto loads = bench.sink.ofHook(hook::kImageLoad);
    const auto unloads = bench.sink.ofHook(hook::kImageUnload);
    CHECK(loads.size() == 5001);
    CHECK(loads.size() - unloads.size() == bench.table.findProcess(100)->images.size() - 1);
    const auto isKept = [&](std::uint64_t base) {
        return std::none_of(unloads.begin(), unloads.end(),
                            [&](const SinkEvent& unload) { return unload.at<std::uint64_t>(0) == base; });
    };
    CHECK(isKept(0x400000));
    CHECK(isKept(0x700000000000));
    CHECK(isKept(last));
    CHECK_FALSE(isKept(0x700000010000));
    CHECK(bench.sink.disorders == 0);
}

TEST_CASE("a process that hides its mappings is not filled without end", "[linux][translator]") {
    Bench bench;
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        bench.map(100, 0x700000000000 + i * 0x10000, 0x1000, 0, "[vdso]", static_cast<Ticks>(10 + i));
        most = std::max(most, bench.table.findProcess(100)->images.size());
    }
    CHECK(most == 16'384);
    CHECK(bench.sink.ofHook(hook::kImageLoad).size() - bench.sink.ofHook(hook::kImageUnload).size() == most - 1);
}

namespace {

/// The rundown of a bench's table.
std::vector<SinkEvent> rundownOf(Bench& bench, RundownKind kind) {
    RundownFacts facts;
    facts.hasProcesses = facts.hasThreads = facts.hasImages = true;
    facts.processors = {0};
    bench.sink.events.clear();
    writeRundown(kind, facts, bench.table, bench.output, 0, 1'000'000);
    return bench.sink.events;
}

std::size_t countOf(const std::vector<SinkEvent>& events, std::uint16_t hookId) {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const SinkEvent& event) { return event.hook == hookId; }));
}

} // namespace

TEST_CASE("only a ring's rundown names images that are unloaded, and those that are loaded after them",
          "[linux][rundown]") {
    Bench bench(true);
    bench.map(100, 0x400000, 0x800, 0, "/opt/other", 10); // over /bin/sh
    const auto imagesOf = [&](RundownKind kind) {
        std::vector<std::string> names;
        for (const SinkEvent& event : rundownOf(bench, kind)) {
            if (event.hook == hook::kImageDcStart || event.hook == hook::kImageDcEnd) {
                names.push_back(event.imageName());
            }
        }
        return names;
    };
    CHECK(imagesOf(RundownKind::Start) == std::vector<std::string>{"/opt/other"});
    CHECK(imagesOf(RundownKind::End) == std::vector<std::string>{"/opt/other"});
    CHECK(imagesOf(RundownKind::Ring) == std::vector<std::string>{"/bin/sh", "/opt/other"});
}

TEST_CASE("what has ended does not take the ids of what lives in a ring's rundown", "[linux][rundown]") {
    Bench bench(true);
    bench.task(PERF_RECORD_FORK, 200, 100, 200, 100, 1000);
    bench.task(PERF_RECORD_FORK, 100, 100, 201, 100, 1100); // a thread
    bench.task(PERF_RECORD_EXIT, 100, 100, 201, 100, 1200);
    bench.task(PERF_RECORD_EXIT, 200, 100, 200, 100, 2000);
    bench.task(PERF_RECORD_FORK, 300, 100, 300, 100, 2500);
    bench.task(PERF_RECORD_FORK, 200, 300, 200, 300, 3000); // both ids again, of others
    bench.task(PERF_RECORD_FORK, 300, 300, 201, 300, 3100);
    const auto events = rundownOf(bench, RundownKind::Ring);
    CHECK(countOf(events, hook::kProcessDefunct) == 1);
    // Idle's, 100 and the kernel's 16, 200, 201, 300: each once, as it lives.
    CHECK(countOf(events, hook::kThreadDcStart) == 6);
    std::uint32_t parentOf200 = 0;
    std::uint32_t processOf201 = 0;
    for (const SinkEvent& event : events) { // the last word counts
        if (event.hook == hook::kProcessDcStart || event.hook == hook::kProcessDefunct) {
            parentOf200 = event.at<std::uint32_t>(8) == 200 ? event.at<std::uint32_t>(12) : parentOf200;
        } else if (event.hook == hook::kThreadDcStart) {
            processOf201 = event.at<std::uint32_t>(4) == 201 ? event.at<std::uint32_t>(0) : processOf201;
        }
    }
    CHECK(parentOf200 == 300);
    CHECK(processOf201 == 300);
}

} // namespace tracedeck::linux_source
