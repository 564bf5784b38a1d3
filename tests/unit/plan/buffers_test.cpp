// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace tracedeck;
using plan::DetailLevel;
using plan::LoggingMode;
using plan::Overrides;
using plan::PlannedSession;
using plan::RecordingPlan;
using test::Pieces;
using Names = std::vector<std::string>;

namespace {

RecordingPlan planOf(const Pieces& pieces, const Names& profiles = {"P"}, const Overrides& overrides = {},
                     const etw::Capabilities& machine = test::windowsMachine()) {
    const profile::Document document = pieces.document();
    std::vector<plan::Selection> selections;
    for (const std::string& name : profiles) {
        selections.push_back({&document, name, std::nullopt});
    }
    Result<RecordingPlan> plan = plan::compose(selections, overrides, machine);
    INFO((plan ? "" : plan.error().detail));
    REQUIRE(plan);
    return *std::move(plan);
}

const etw::SessionConfig& systemOf(const RecordingPlan& plan) {
    return test::sessionOf(plan, PlannedSession::Kind::System).config;
}
const etw::SessionConfig& eventsOf(const RecordingPlan& plan) {
    return test::sessionOf(plan, PlannedSession::Kind::Event).config;
}

Overrides fileMode(std::optional<std::uint32_t> maximumFileSizeMib = std::nullopt) {
    return {DetailLevel::Verbose, LoggingMode::File, maximumFileSizeMib, mib(200)};
}

std::string secondProfile(const std::string& collector) {
    return R"(<Profile Id="Q.Verbose.Memory" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="Memory">)"
           R"(<Collectors><SystemCollectorId Value=")" +
           collector + R"("><SystemProviderId Value="SP"/></SystemCollectorId></Collectors></Profile>)";
}

} // namespace

// "WPR sets minimum = maximum = this value; ranges are not supported." "Default 128 KB when absent", "default 64".
TEST_CASE("Buffers are what the collector says, or WPR's defaults", "[plan][buffers]") {
    struct Row {
        const char* buffers;
        std::uint32_t sizeKib;
        std::uint32_t count;
    };
    const auto row = GENERATE(Row{R"(<BufferSize Value="1024"/><Buffers Value="20"/>)", 1024, 20},
                              Row{R"(<BufferSize Value="256"/>)", 256, 64}, Row{R"(<Buffers Value="33"/>)", 128, 33},
                              Row{"", 128, 64});
    Pieces pieces;
    pieces.systemBuffers = row.buffers;
    for (const LoggingMode mode : {LoggingMode::File, LoggingMode::Memory}) {
        Overrides overrides;
        overrides.mode = mode;
        const RecordingPlan plan = planOf(pieces, {"P"}, overrides);
        CHECK(systemOf(plan).bufferSizeKib == row.sizeKib);
        CHECK(systemOf(plan).minimumBuffers == row.count);
        CHECK(systemOf(plan).maximumBuffers == row.count);
    }
}

// "buffers = floor(RAM_bytes * pct/100 / (BufferSize*1024)), limited by MaximumBufferSpace MB."
TEST_CASE("Percentages are of physical memory", "[plan][buffers]") {
    struct Row {
        const char* buffers;
        std::uint32_t count;
    };
    // 16384 MB
    const auto row = GENERATE(
        Row{R"(<BufferSize Value="1024"/><Buffers Value="5" PercentageOfTotalMemory="true"/>)", 819},
        Row{R"(<BufferSize Value="1024"/><Buffers Value="1.4" PercentageOfTotalMemory="true"/>)", 229},
        Row{R"(<BufferSize Value="512"/><Buffers Value="3" PercentageOfTotalMemory="true"/>)", 983},
        Row{R"(<BufferSize Value="1024"/><Buffers Value="5" PercentageOfTotalMemory="true" MaximumBufferSpace="256"/>)",
            256},
        Row{R"(<BufferSize Value="1024"/><Buffers Value="5" PercentageOfTotalMemory="true" MaximumBufferSpace="9999"/>)",
            819});
    Pieces pieces;
    pieces.systemBuffers = row.buffers;
    CHECK(systemOf(planOf(pieces)).maximumBuffers == row.count);
}

TEST_CASE("Without a size of memory a percentage becomes the default count", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<Buffers Value="5" PercentageOfTotalMemory="true"/>)";
    etw::Capabilities machine = test::windowsMachine();
    machine.physicalMemory = {};
    const RecordingPlan plan = planOf(pieces, {"P"}, {}, machine);
    CHECK(systemOf(plan).maximumBuffers == 64);
    CHECK(test::summary(plan) == Names{"warning collector SC: the size of physical memory is not known: 64 buffers "
                                       "instead of a percentage of it"});
}

// "BufferSize 4..16384 KB."
TEST_CASE("Sizes that ETW does not have are clamped and told", "[plan][buffers]") {
    struct Row {
        const char* size;
        std::uint32_t sizeKib;
        const char* line;
    };
    const auto row = GENERATE(Row{"2", 4, "warning collector SC: buffer size 2 KB raised to 4 KB"},
                              Row{"65536", 16384, "warning collector SC: buffer size 65536 KB reduced to 16384 KB"});
    Pieces pieces;
    pieces.systemBuffers = "<BufferSize Value=\"" + std::string(row.size) + "\"/><Buffers Value=\"20\"/>";
    const RecordingPlan plan = planOf(pieces);
    CHECK(systemOf(plan).bufferSizeKib == row.sizeKib);
    CHECK(test::summary(plan) == Names{row.line});
    CHECK(plan.diagnostics[0].profile == "P");
}

TEST_CASE("Both limits of the size are allowed", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<BufferSize Value="4"/><Buffers Value="20"/>)";
    pieces.eventBuffers = R"(<BufferSize Value="16384"/><Buffers Value="8"/>)";
    const RecordingPlan plan = planOf(pieces);
    CHECK(systemOf(plan).bufferSizeKib == 4);
    CHECK(eventsOf(plan).bufferSizeKib == 16384);
    CHECK(test::summary(plan).empty());
}

// "MinimumBuffers raised to 2 per CPU."
TEST_CASE("There are two buffers per processor at least", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<BufferSize Value="64"/><Buffers Value="0"/>)";
    const RecordingPlan plan = planOf(pieces);
    CHECK(systemOf(plan).minimumBuffers == 8); // 4 processors
    CHECK(test::summary(plan) ==
          Names{"note session WPR_initiated_WprApp_WPR System Collector: 0 buffers raised to two per processor: 8"});
}

// "When two profiles feed one collector the session gets more buffers than either alone; that the counts are summed,
// and that BufferSize takes the larger value, is inference."
TEST_CASE("Profiles that share a session add up their buffers", "[plan][buffers]") {
    Pieces pieces;
    pieces.moreProfiles = secondProfile("SC");
    const RecordingPlan same = planOf(pieces, {"P", "Q"});
    CHECK(systemOf(same).bufferSizeKib == 1024);
    CHECK(systemOf(same).maximumBuffers == 40);

    pieces.systemBuffers = R"(<BufferSize Value="64"/><Buffers Value="10"/>)";
    pieces.moreProfiles = secondProfile("SystemCollector_WPRSystemCollectorInFile");
    const RecordingPlan different = planOf(pieces, {"P", "Q"});
    CHECK(systemOf(different).bufferSizeKib == 1024);
    CHECK(systemOf(different).maximumBuffers == 30);
}

TEST_CASE("All buffers together take at most half of physical memory", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<BufferSize Value="1024"/><Buffers Value="90" PercentageOfTotalMemory="true"/>)";
    pieces.eventBuffers = R"(<BufferSize Value="1024"/><Buffers Value="10" PercentageOfTotalMemory="true"/>)";
    const RecordingPlan plan = planOf(pieces);
    CHECK(plan.bufferMemory().count <= test::windowsMachine().physicalMemory.count / 2);
    CHECK(plan.bufferMemory().count > test::windowsMachine().physicalMemory.count * 49 / 100);
    CHECK(systemOf(plan).minimumBuffers == systemOf(plan).maximumBuffers);
    const Names lines = test::summary(plan);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("warning session WPR_initiated_WprApp_WPR System Collector: 14745 buffers reduced to "));
    CHECK(lines[0].ends_with("all buffers together take at most half of physical memory"));
}

TEST_CASE("Absurd numbers neither overflow nor fail", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<BufferSize Value="4294967295"/><Buffers Value="999999999999999"/>)";
    pieces.eventBuffers = R"(<BufferSize Value="0"/><Buffers Value="4294967295"/>)";
    const RecordingPlan plan = planOf(pieces);
    CHECK(plan.bufferMemory().count <= test::windowsMachine().physicalMemory.count / 2);
    CHECK(systemOf(plan).bufferSizeKib == 16384);
    CHECK(eventsOf(plan).bufferSizeKib == 4);
    CHECK(systemOf(plan).maximumBuffers >= 8);
}

TEST_CASE("The memory of a plan is that of all its buffers", "[plan][buffers]") {
    CHECK(planOf(Pieces()).bufferMemory() == mib(20) + kib(64) * 8);
}

TEST_CASE("A cap on the file comes from the user, else from the profile", "[plan][file]") {
    struct Row {
        const char* element;
        std::optional<std::uint32_t> override;
        std::uint32_t mib;
        Names lines;
    };
    const auto row = GENERATE(Row{"", std::nullopt, 0, {}}, Row{"", 300, 300, {}},
                              Row{R"(<MaximumFileSize Value="500" FileMode="Sequential"/>)", std::nullopt, 500, {}},
                              Row{R"(<MaximumFileSize Value="500" FileMode="Sequential"/>)", 300, 300, {}});
    Pieces pieces;
    pieces.systemBuffers += row.element;
    const RecordingPlan file = planOf(pieces, {"P"}, fileMode(row.override));
    CHECK(systemOf(file).maximumFileSizeMib == row.mib);
    CHECK(eventsOf(file).maximumFileSizeMib == row.mib);
    CHECK(test::summary(file) == row.lines);
    CHECK(systemOf(planOf(pieces)).maximumFileSizeMib == 0); // memory mode has no file
}

// "MaximumFileSize: FileMode Circular (default) | Sequential"
TEST_CASE("A file is circular where the machine can write one, and told where it cannot", "[plan][file]") {
    Pieces pieces;
    pieces.systemBuffers += R"(<MaximumFileSize Value="500"/>)";
    const RecordingPlan onWindows = planOf(pieces, {"P"}, fileMode());
    CHECK((systemOf(onWindows).logFileMode & etlformat::mode::kCircular) != 0);
    CHECK((systemOf(onWindows).logFileMode & etlformat::mode::kSequential) == 0);
    CHECK(test::summary(onWindows).empty());
    const RecordingPlan onLinux = planOf(pieces, {"P"}, fileMode(), test::linuxMachine());
    CHECK((systemOf(onLinux).logFileMode & etlformat::mode::kSequential) != 0);
    CHECK(systemOf(onLinux).maximumFileSizeMib == 500);
    CHECK(test::summary(onLinux).front() == "warning collector SC: a circular file is not written yet: recording stops "
                                            "at 500 MB instead of dropping the oldest events");
    // A size that the user sets is where it stops.
    CHECK((systemOf(planOf(pieces, {"P"}, fileMode(300))).logFileMode & etlformat::mode::kSequential) != 0);
}

// "MaximumFileSize must be identical in all."
TEST_CASE("Caps that differ are told, and the larger one holds", "[plan][file]") {
    Pieces pieces;
    pieces.systemBuffers += R"(<MaximumFileSize Value="500" FileMode="Sequential"/>)";
    pieces.eventBuffers += R"(<MaximumFileSize Value="300" FileMode="Sequential"/>)";
    const RecordingPlan plan = planOf(pieces, {"P"}, fileMode());
    CHECK(systemOf(plan).maximumFileSizeMib == 500);
    CHECK(test::summary(plan) ==
          Names{"warning collector EC: MaximumFileSize 300 MB differs from 500 MB: the larger one holds for all"});
}

TEST_CASE("A file that would hold nothing is refused, or made large enough for a profile", "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers = R"(<BufferSize Value="1024"/><Buffers Value="20"/>)";
    const profile::Document document = pieces.document();
    etw::Capabilities machine = test::windowsMachine();
    machine.numberOfProcessors = 4;
    const auto small = plan::compose({{&document, "P", {}}}, fileMode(5), machine);
    REQUIRE_FALSE(small);
    CHECK(small.error().code == ErrorCode::InvalidArgument);
    CHECK(small.error().detail == "a file of 5 MB holds nothing: the buffers of these profiles need 6 MB");
    CHECK(plan::compose({{&document, "P", {}}}, fileMode(6), machine));

    pieces.systemBuffers += R"(<MaximumFileSize Value="5" FileMode="Sequential"/>)";
    const RecordingPlan raised = planOf(pieces, {"P"}, fileMode(), machine);
    CHECK(systemOf(raised).maximumFileSizeMib == 6);
    CHECK(eventsOf(raised).maximumFileSizeMib == 5); // smaller buffers fit
    CHECK(test::summary(raised) ==
          Names{"warning session WPR_initiated_WprApp_WPR System Collector: MaximumFileSize 5 MB "
                "raised to 6 MB: less holds nothing"});
}
