// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

/// What the independent reader says of a file.
struct Expected {
    std::string file;
    std::uint64_t events = 0;
    std::uint64_t buffers = 0;
    std::uint64_t lost = 0;
    std::int64_t perfFreq = 0;
    std::int64_t startTime = 0;
    std::int64_t endTime = 0;
    double span = 0;
    std::vector<std::uint64_t> counts; ///< of its names, the most frequent first
};

/// Prints a JSON of results, by file, as lines of numbers.
constexpr const char* kFlatten = R"(
import json, sys
for name, r in json.load(sys.stdin).items():
    h = r['header']
    print(name, r['events'], r['buffers'], h['EventsLost'], h['PerfFreq'], h['StartTime'], h['EndTime'],
          r.get('span_s', 0), *sorted(r['names'].values(), reverse=True))
)";

std::vector<Expected> parse(const std::string& lines) {
    std::vector<Expected> all;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        Expected one;
        fields >> one.file >> one.events >> one.buffers >> one.lost >> one.perfFreq >> one.startTime >> one.endTime >>
            one.span;
        for (std::uint64_t count = 0; fields >> count;) {
            one.counts.push_back(count);
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Expected> flatten(const TemporaryFolder& folder, const std::string& json) {
    std::ofstream(folder.file("flatten.py")) << kFlatten;
    const CommandResult result = runCommand("python3 '" + folder.file("flatten.py") + "' < '" + json + "'");
    INFO(result.output);
    REQUIRE(result.status == 0);
    return parse(result.output);
}

std::vector<std::uint64_t> countsOf(const etl::Summary& summary) {
    std::vector<std::uint64_t> counts;
    for (const auto& name : summary.names) {
        counts.push_back(name.events);
    }
    return counts;
}

void compare(const etl::Summary& summary, const Expected& expected) {
    CHECK(summary.events == expected.events);
    CHECK(summary.buffers == expected.buffers);
    CHECK(summary.header.eventsLost == expected.lost);
    CHECK(summary.header.perfFreq == expected.perfFreq);
    CHECK(summary.header.startTime == expected.startTime);
    CHECK(summary.header.endTime == expected.endTime);
    CHECK(std::abs(summary.spanSeconds - expected.span) <= 1e-6);
    CHECK(countsOf(summary) == expected.counts);
}

/// The independent reader's opinion of one file.
Expected independently(const TemporaryFolder& folder, const std::string& shared, const std::string& file) {
    const CommandResult result = runCommand("(printf '{\"x\":'; python3 '" + shared + "/tools/etlcheck.py' --json '" +
                                            file + "'; printf '}') > '" + folder.file("one.json") + "'");
    INFO(result.output);
    const auto all = flatten(folder, folder.file("one.json"));
    REQUIRE(all.size() == 1);
    return all.front();
}

std::uint64_t countOf(const etl::Summary& summary, const std::string& name) {
    const auto found =
        std::find_if(summary.names.begin(), summary.names.end(), [&](const auto& count) { return count.name == name; });
    return found == summary.names.end() ? 0 : found->events;
}

/// Counts by name of what a merge copies; the events of the header buffer it makes anew.
std::map<std::string, std::uint64_t> withoutHeaders(const etl::Summary& summary, std::uint64_t stacksLess) {
    std::map<std::string, std::uint64_t> counts;
    for (const auto& name : summary.names) {
        counts[name.name] = name.events;
    }
    counts.erase("EventTrace/Header");
    counts.erase("EventTrace/Extension");
    counts.erase("EventTrace/PartitionInfo");
    if (stacksLess != 0) {
        counts["StackWalk/Stack"] -= stacksLess;
    }
    return counts;
}

} // namespace

TEST_CASE("Files of Windows are read as an independent reader reads them", "[etl][corpus]") {
    const std::string shared = sharedFolder("reading files of Windows");
    if (shared.empty()) {
        return;
    }
    const TemporaryFolder folder;
    const auto all = flatten(folder, shared + "/corpus/etl/EXPECTED.json");
    REQUIRE(all.size() >= 14);
    for (const Expected& expected : all) {
        CAPTURE(expected.file);
        const auto summary = etl::summarize(systemFiles(), shared + "/corpus/etl/" + expected.file);
        REQUIRE(summary.has_value());
        compare(*summary, expected);
        const bool isWhole = expected.lost == 0 && expected.endTime != 0;
        CHECK(summary->verdict() == (isWhole ? etl::Summary::Verdict::Good : etl::Summary::Verdict::Incomplete));
    }
}

TEST_CASE("Events of Windows have their names", "[etl][corpus]") {
    const std::string shared = sharedFolder("names of events of Windows");
    if (shared.empty()) {
        return;
    }
    const auto shutdown = etl::summarize(systemFiles(), shared + "/corpus/etl/ShutdownPerfDiagLogger.etl");
    REQUIRE(shutdown.has_value());
    CHECK(countOf(*shutdown, "Image/DCStart") == 6745);
    CHECK(countOf(*shutdown, "Thread/DCStart") == 1175);
    CHECK(countOf(*shutdown, "Process/Defunct") == 5);
    const auto amsi = etl::summarize(systemFiles(), shared + "/corpus/etl/AMSITrace.etl");
    REQUIRE(amsi.has_value());
    CHECK(countOf(*amsi, "AmsiTrace/AmsiScript") == 19);
    const auto net = etl::summarize(systemFiles(), shared + "/corpus/etl/net.4.5.2.x64.etl");
    REQUIRE(net.has_value());
    CHECK(net->stacks == 252);
    CHECK(net->stacksWithoutEvent == 1);
}

TEST_CASE("Merged files of Windows pass the independent checkers", "[etl][corpus][merge]") {
    const std::string shared = sharedFolder("merging files of Windows");
    if (shared.empty()) {
        return;
    }
    const TemporaryFolder folder;
    for (const Expected& expected : flatten(folder, shared + "/corpus/etl/EXPECTED.json")) {
        CAPTURE(expected.file);
        etl::MergeRequest request;
        request.inputs = {shared + "/corpus/etl/" + expected.file};
        request.output = folder.file(expected.file);
        request.sessionName = "merged";
        const auto merged = etl::merge(systemFiles(), request);
        REQUIRE(merged.has_value());
        CHECK(merged->buffersDamaged == 0);
        CHECK(merged->eventsOutOfOrder == 0);
        // kernelcheck knows no layout of some events of Windows: what counts is that all others fit.
        for (const std::string& checker :
             {std::string("etlcheck.py' --strict"), std::string("etlscan.py'"), std::string("kernelcheck.py'")}) {
            const CommandResult checked =
                runCommand("python3 '" + shared + "/tools/" + checker + " '" + request.output + "'");
            INFO(checked.output);
            CHECK(checked.status == 0);
        }
        const auto original = etl::summarize(systemFiles(), request.inputs.front());
        const auto summary = etl::summarize(systemFiles(), request.output);
        REQUIRE(original.has_value());
        REQUIRE(summary.has_value());
        CHECK(withoutHeaders(*summary, 0) == withoutHeaders(*original, merged->stacksDropped));
        CHECK(merged->stacksDropped == original->stacksWithoutEvent);
        CHECK(std::abs(summary->spanSeconds - expected.span) <= 1e-6);
        compare(*summary, independently(folder, shared, request.output));
    }
}
