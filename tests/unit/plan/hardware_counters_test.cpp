// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/hardware_counters.h"
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <string>
#include <vector>

using namespace tracedeck;
using plan::HardwareCounters;
using Names = std::vector<std::string>;
using Sampled = std::vector<HardwareCounters::Sampled>;

namespace {

constexpr plan::Overrides inFile{plan::DetailLevel::Verbose, plan::LoggingMode::File, std::nullopt, mib(200)};

/// The counters of profiles that use the definitions `ids` among `definitions`.
HardwareCounters countersOf(const std::string& definitions, const Names& ids) {
    std::string text = R"(<SystemCollector Id="SC"/><SystemProvider Id="S"><Keywords><Keyword Value="CSwitch"/>)"
                       R"(</Keywords></SystemProvider>)" +
                       definitions;
    for (const std::string& id : ids) {
        text +=
            "<Profile Id=\"P" + id + ".Verbose.File\" Name=\"P" + id +
            R"(" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC">)"
            "<SystemProviderId Value=\"S\"/><HardwareCounterId Value=\"" +
            id + "\"/></SystemCollectorId></Collectors></Profile>";
    }
    const profile::Document document = test::documentOf(text);
    std::vector<plan::Selection> selections;
    for (const std::string& id : ids) {
        selections.push_back({&document, "P" + id, std::nullopt});
    }
    const auto plan = plan::compose(selections, inFile, test::windowsMachine());
    REQUIRE(plan);
    return test::sessionOf(*plan, plan::PlannedSession::Kind::System).hardwareCounters.value_or(HardwareCounters{});
}

} // namespace

// "Base copies the whole base object; child lists follow Operation: Set replaces, Add appends, Remove deletes."
TEST_CASE("Hardware counters follow their bases", "[plan][counters]") {
    const HardwareCounters counters = countersOf(
        R"(<HardwareCounter Id="A" Strict="true"><MicroArchitecturalConfigId Value="M"/><Counters><Counter Value="One"/><Counter Value="Two"/></Counters>
        <Events><Event Value="CSwitch"/></Events><SampledCounters><SampledCounter Value="X" Interval="10"/><SampledCounter Value="Y"/></SampledCounters>
        <ProcessorTrace><BufferSize Value="4"/><CodeMode Value="User"/></ProcessorTrace></HardwareCounter>
        <HardwareCounter Id="B" Base="A" Strict="false"><Counters Operation="Remove"><Counter Value="One"/></Counters><Events Operation="Add"><Event Value="DPC"/></Events>
        <SampledCounters Operation="Add"><SampledCounter Value="X" Interval="20"/></SampledCounters><ProcessorTrace><BufferSize Value="8"/></ProcessorTrace></HardwareCounter>
        <HardwareCounter Id="C" Base="B"><SampledCounters Operation="Remove"><SampledCounter Value="Y"/></SampledCounters></HardwareCounter>
        <MicroArchitecturalConfig Id="L"><ProfileSources Architecture="INTEL"><ProfileSource Name="Old" Event="0x1" Unit="0x1"/></ProfileSources></MicroArchitecturalConfig>
        <MicroArchitecturalConfig Id="M" Base="L"><ProfileSources Operation="Add" Architecture="INTEL"><ProfileSource Name="New" Event="0x2" Unit="0x2"/></ProfileSources></MicroArchitecturalConfig>)",
        {"C"});
    CHECK_FALSE(counters.isStrict);
    CHECK(counters.counters == Names{"Two"});
    CHECK(counters.events == Names{"CSwitch", "DPC"});
    CHECK(counters.sampled == Sampled{{"X", 20}});
    CHECK(counters.processorTrace == HardwareCounters::ProcessorTrace{8, "User", {}});
    REQUIRE(counters.sources.size() == 2);
    CHECK(counters.sources[0].name == "Old");
    CHECK(counters.sources[1].name == "New");
}

TEST_CASE("Hardware counters of several profiles are united", "[plan][counters]") {
    const std::string definitions =
        R"(<HardwareCounter Id="A"><MicroArchitecturalConfigId Value="M"/><Counters><Counter Value="One"/></Counters><Events><Event Value="CSwitch"/></Events>
        <SampledCounters><SampledCounter Value="X" Interval="10"/><SampledCounter Value="Y"/></SampledCounters>
        <LastBranch><Events><Event Value="E"/></Events><LastBranchFilters><LastBranchFilterOut Value="Kernel"/><LastBranchFilterOut Value="User"/></LastBranchFilters></LastBranch>
        <ProcessorTrace><BufferSize Value="4"/><CodeMode Value="User"/><Events><Event Value="T"/></Events></ProcessorTrace></HardwareCounter>
        <HardwareCounter Id="B" Strict="true"><MicroArchitecturalConfigId Value="N"/><Counters><Counter Value="Two"/><Counter Value="One"/></Counters><Events><Event Value="DPC"/></Events>
        <SampledCounters><SampledCounter Value="X" Interval="5"/><SampledCounter Value="Y" Interval="7"/><SampledCounter Value="Z"/></SampledCounters>
        <LastBranch><Events><Event Value="F"/></Events><LastBranchFilters><LastBranchFilterOut Value="Kernel"/></LastBranchFilters></LastBranch>
        <ProcessorTrace><BufferSize Value="16"/><CodeMode Value="Kernel"/></ProcessorTrace></HardwareCounter>
        <HardwareCounter Id="C"><Counters><Counter Value="Three"/></Counters></HardwareCounter>
        <MicroArchitecturalConfig Id="M"><ProfileSources Architecture="INTEL"><ProfileSource Name="S" Event="0x1" Unit="0x1"/></ProfileSources></MicroArchitecturalConfig>
        <MicroArchitecturalConfig Id="N"><ProfileSources Architecture="INTEL"><ProfileSource Name="S" Event="0x1" Unit="0x1"/><ProfileSource Name="T" Event="0x2" Unit="0x2"/></ProfileSources></MicroArchitecturalConfig>)";
    const HardwareCounters both = countersOf(definitions, {"A", "B"});
    CHECK(both.isStrict);
    CHECK(both.counters == Names{"One", "Two"});
    CHECK(both.events == Names{"CSwitch", "DPC"});
    CHECK(both.sampled == Sampled{{"X", 5}, {"Y", 7}, {"Z", 0}});
    CHECK(both.branchEvents == Names{"E", "F"});
    CHECK(both.branchFiltersOut == Names{"Kernel"});
    CHECK(both.processorTrace == HardwareCounters::ProcessorTrace{16, "UserKernel", {"T"}});
    CHECK(both.sources.size() == 2);
    CHECK(both.names() == "One, Two, X, Y, Z, last branches, processor trace");

    // Who records no branches leaves none out, in whichever order.
    for (const Names& order : {Names{"C", "B"}, Names{"B", "C"}}) {
        const HardwareCounters some = countersOf(definitions, order);
        CHECK(some.branchFiltersOut == Names{"Kernel"});
        CHECK(some.processorTrace == HardwareCounters::ProcessorTrace{16, "Kernel", {}});
    }
}
