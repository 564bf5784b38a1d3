// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

using namespace tracedeck;
using Names = std::vector<std::string>;

namespace {

constexpr plan::Overrides inFile{plan::DetailLevel::Verbose, plan::LoggingMode::File, std::nullopt, mib(200)};

struct File {
    std::string collector{};  ///< attributes of the event collector
    std::string buffers{};    ///< its children
    std::string provider{};   ///< attributes and children of the event provider, from behind its name
    std::string profile{};    ///< attributes of the profile
    std::string collectors{}; ///< attributes of its Collectors
    std::string merge{};      ///< children of its TraceMergeProperty
};

Names summaryOf(const File& file) {
    const profile::Document document = test::documentOf(
        "<EventCollector Id=\"EC\" Name=\"Events\" " + file.collector + ">" + file.buffers + "</EventCollector>" +
        "<EventProvider Id=\"EP\" Name=\"*Test\" " + (file.provider.empty() ? ">" : file.provider) +
        "</EventProvider>" + R"(<EventProvider Id="E2" Name="*Other"/>)" +
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File" )" +
        file.profile + "><Collectors " + file.collectors + "><EventCollectorId Value=\"EC\">" +
        R"(<EventProviders><EventProviderId Value="EP"/><EventProviderId Value="E2"/></EventProviders></EventCollectorId></Collectors>)" +
        (file.merge.empty() ? ""
                            : "<TraceMergeProperties><TraceMergeProperty Id=\"M\" Name=\"M\">" + file.merge +
                                  "</TraceMergeProperty></TraceMergeProperties>") +
        "</Profile>");
    const auto plan = plan::compose({{&document, "P", std::nullopt}}, inFile, test::windowsMachine());
    INFO((plan ? "" : plan.error().detail));
    REQUIRE(plan);
    return test::summary(*plan);
}

} // namespace

// Whatever the schema has and no plan carries out is told by its name.
TEST_CASE("What no plan carries out is told, each by its name", "[plan][leftout]") {
    struct Row {
        File file;
        Names told;
    };
    const std::string noGuests =
        "warning HostGuestCorrelation of collector EC: is left out: the events of a virtual machine and those of its "
        "host are not correlated";
    const std::vector<Row> rows = {
        {{}, {}},
        {{.collector = R"(HostGuestCorrelation="true")"}, {noGuests}},
        {{.collectors = R"(HostGuestCorrelation="true")"}, {noGuests}},
        {{.collector = R"(HostGuestCorrelation="true")", .collectors = R"(HostGuestCorrelation="false")"}, {}},
        {{.collector = R"(FileName="a.etl")"},
         {"note FileName of collector EC: is left out: the recorder names its files itself"}},
        {{.buffers = R"(<FileMax Value="4"/>)"},
         {"note FileMax of collector EC: is left out: it counts the files of sessions that begin with the system, "
          "which are not planned"}},
        {{.buffers = R"(<Buffers Value="64" MaximumBufferSpace="10"/>)"},
         {"note MaximumBufferSpace of collector EC: has no effect: it limits a percentage of memory, and there is "
          "none"}},
        {{.buffers = R"(<Buffers Value="1" PercentageOfTotalMemory="true" MaximumBufferSpace="10"/>)"}, {}},
        {{.profile = R"(Strict="true")"},
         {"note Strict of profile P: is left out: only what the profile calls strict by itself is"}},
        {{.merge = R"(<InjectOnly Value="true"/><DeletePreMergedTraceFiles Value="false"/>)"},
         {"note InjectOnly: is left out: a recording is always one file with all of its events",
          "note DeletePreMergedTraceFiles: is left out: raw files go once the saved file has been read back"}},
        {{.merge = R"(<CustomEvents><CustomEvent Value="ImageId"/></CustomEvents>)"},
         {"note CustomEvents: is left out: merging adds nothing to the events that were recorded"}},
        {{.merge = R"(<CustomEvents><CustomEvent Value="None"/></CustomEvents>)"}, {}},
        {{.provider = R"(CaptureStateOnly="true">)"},
         {"warning provider Test: is left out: its state is asked for, but at no time"}},
    };
    for (const Row& row : rows) {
        CHECK(summaryOf(row.file) == row.told);
    }
}

TEST_CASE("Transitions of a file are told once, for none is recorded", "[plan][leftout]") {
    const profile::Parsed parsed = profile::parse(
        R"(<WindowsPerformanceRecorder Version="1.0"><Profiles><EventCollector Id="EC" Name="Events"/><EventProvider Id="EP" Name="*Test"/>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="EP"/></EventProviders></EventCollectorId></Collectors></Profile></Profiles>)"
        R"(<OnOffTransitionConfigurations><OnOffTransitionConfiguration Id="Boot" Name="Boot" Type="On/Off - Boot"><PrepareSystem Value="true"/><NumberOfRuns Value="3"/></OnOffTransitionConfiguration></OnOffTransitionConfigurations></WindowsPerformanceRecorder>)",
        "test.wprp");
    REQUIRE(parsed.document);
    const auto plan = plan::compose({{&*parsed.document, "P", std::nullopt}}, inFile, test::windowsMachine());
    REQUIRE(plan);
    CHECK(test::summary(*plan) ==
          Names{"note transition Boot: is left out: a recording neither begins nor goes on over a restart or sleep"});
}

// "Strict: failure to enable fails the whole start." A keyword of an event provider comes and goes with its provider; a
// provider of another platform is strict there.
TEST_CASE("What is strict of an event provider's parts holds", "[plan][leftout]") {
    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Other"));
    struct Row {
        const char* provider;
        bool isHere;
        const char* refused;
    };
    const auto row = GENERATE(Row{R"(<Keywords><Keyword Value="0x1" Strict="true"/></Keywords>)", false, ""},
                              Row{R"(<Stacks><CustomStack Value="0x1C2A" Strict="true"/></Stacks>)", true,
                                  "stacks of provider Test (FeatureNotServed)"});
    if (row.isHere) {
        machine.providers.push_back(guidFromProviderName("Test"));
    }
    const profile::Document document = test::documentOf(
        R"(<EventCollector Id="EC" Name="Events"/><EventProvider Id="EP" Name="*Test">)" + std::string(row.provider) +
        R"(</EventProvider><EventProvider Id="E2" Name="*Other"/><Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="EP"/><EventProviderId Value="E2"/></EventProviders></EventCollectorId></Collectors></Profile>)");
    const auto plan = plan::compose({{&document, "P", std::nullopt}}, inFile, machine);
    const std::string refused = row.refused;
    REQUIRE(plan.has_value() == refused.empty());
    if (plan) {
        CHECK(test::summary(*plan) ==
              Names{"warning provider Test: ProviderNotOnThisPlatform(Test) the profile calls it strict"});
    } else {
        CHECK(plan.error() == Error{ErrorCode::StrictRefused, refused, 0});
    }
}

// Definitions that are nowhere, of each kind that a profile can refer to.
TEST_CASE("References that lead nowhere are told, and the rest is planned", "[plan][leftout]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/><HeapEventCollector Id="HC" Name="Heap"/><SystemProvider Id="S"><Keywords><Keyword Value="CSwitch"/></Keywords></SystemProvider>)"
        R"(<HeapEventProvider Id="HP"><HeapProcessIds><HeapProcessId Value="1"/></HeapProcessIds></HeapEventProvider>)"
        R"(<HardwareCounter Id="H"><MicroArchitecturalConfigId Value="NoConfig"/><Counters><Counter Value="X"/></Counters></HardwareCounter>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="S"/><HardwareCounterId Value="H"/></SystemCollectorId>)"
        R"(<HeapEventCollectorId Value="HC"><HeapEventProviders><HeapEventProviderId Value="NoHeap"/><HeapEventProviderId Value="HP"/></HeapEventProviders></HeapEventCollectorId></Collectors></Profile>)"
        R"(<Profile Id="Q.Verbose.File" Name="Q" Base="P.Verbose.File" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors Operation="Add"><SystemCollectorId Value="SC"><SystemProviderId Value="NoSystem"/><HardwareCounterId Value="NoCounter"/></SystemCollectorId>)"
        R"(<HeapEventCollectorId Value="HC"><HeapEventProviders Operation="Remove"><HeapEventProviderId Value="HP"/></HeapEventProviders><HeapEventProviders Operation="Add"><HeapEventProvider Id="HQ" Base="HP"><HeapProcessIds Operation="Add"><HeapProcessId Value="2"/></HeapProcessIds></HeapEventProvider></HeapEventProviders></HeapEventCollectorId></Collectors></Profile>)");
    const auto plan = plan::compose({{&document, "Q", std::nullopt}}, inFile, test::windowsMachine());
    REQUIRE(plan);
    CHECK(test::sessionOf(*plan, plan::PlannedSession::Kind::Heap).heapProcesses == std::vector<std::uint32_t>{1, 2});
    CHECK(test::sessionOf(*plan, plan::PlannedSession::Kind::System).hardwareCounters.has_value());
    Names missing;
    for (const plan::Diagnostic& diagnostic : plan->diagnostics) {
        if (diagnostic.detail == "is not defined in this file or built in: what it would add is missing") {
            missing.push_back(diagnostic.object);
        }
    }
    CHECK(missing == Names{"micro-architectural configuration NoConfig", "heap provider NoHeap",
                           "system provider NoSystem", "hardware counter NoCounter"});
}

// ETW_MAX_STACKWALK_FILTER is 256.
TEST_CASE("Stacks beyond those of a session are told", "[plan][leftout]") {
    test::Pieces pieces;
    pieces.stacks.clear();
    for (int hook = 0xE000; hook < 0xE000 + 258; ++hook) {
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "<CustomStack Value=\"0x%04X\"/>", static_cast<unsigned>(hook));
        pieces.stacks += text.data();
    }
    etw::Capabilities machine = test::windowsMachine();
    for (int hook = 0xE000; hook < 0xE000 + 258; ++hook) {
        machine.stackHooks.push_back(static_cast<std::uint16_t>(hook));
    }
    const profile::Document document = pieces.document();
    const auto plan = plan::compose({{&document, "P", std::nullopt}}, inFile, machine);
    REQUIRE(plan);
    CHECK(test::sessionOf(*plan, plan::PlannedSession::Kind::System).config.stackHooks.size() == 256);
    CHECK(test::summary(*plan) == Names{"warning stack 0xE100: left out: a session has at most 256 stacks",
                                        "warning stack 0xE101: left out: a session has at most 256 stacks"});
}

// A later filter of a kind takes the place of the base's, with its list applied to the inherited one.
TEST_CASE("A filter of a derived provider follows its Operation", "[plan][leftout]") {
    test::Pieces pieces;
    pieces.provider =
        R"(<EventProvider Id="EB" Name="*Test"><EventFilters FilterIn="true"><EventId Value="1"/><EventId Value="2"/></EventFilters></EventProvider>)"
        R"(<EventProvider Id="EP" Base="EB" Name="*Test"><EventFilters FilterIn="true" Operation="Add"><EventId Value="3"/></EventFilters></EventProvider>)";
    const profile::Document document = pieces.document();
    const auto plan = plan::compose({{&document, "P", std::nullopt}}, inFile, test::windowsMachine());
    REQUIRE(plan);
    const auto* provider = test::providerOf(test::sessionOf(*plan, plan::PlannedSession::Kind::Event), "Test");
    REQUIRE(provider != nullptr);
    REQUIRE(provider->filters.size() == 1);
    CHECK(provider->filters.front().ids == std::vector<std::uint16_t>{1, 2, 3});
}
