// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/profile/catalog.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

using namespace tracedeck;
using plan::DetailLevel;
using plan::LoggingMode;
using plan::RecordingPlan;

namespace {

plan::Overrides overridesOf(DetailLevel detail, LoggingMode mode) {
    return {detail, mode, std::nullopt, mib(200)};
}

/// The plan as JSON, without what an export cannot know: the profiles' names, and the rules that applied on the way (a
/// buffer size that was clamped is in the file as it became). What the machine does not give stays in it.
std::string contentOf(RecordingPlan plan) {
    for (std::string& name : plan.profiles) {
        name.clear();
    }
    plan.profiles.resize(1);
    std::erase_if(plan.diagnostics, [](const plan::Diagnostic& diagnostic) { return !diagnostic.limitation; });
    for (plan::Diagnostic& diagnostic : plan.diagnostics) {
        diagnostic.profile.clear();
    }
    return plan::toJson(plan);
}

/// Rules that applied to `second` and not to `first`: none, for whatever a rule changes is changed once.
std::vector<std::string> newRules(const RecordingPlan& first, const RecordingPlan& second) {
    std::vector<std::string> rules;
    for (const plan::Diagnostic& diagnostic : second.diagnostics) {
        const bool isKnown = diagnostic.limitation || std::any_of(first.diagnostics.begin(), first.diagnostics.end(),
                                                                  [&](const plan::Diagnostic& other) {
                                                                      return other.detail == diagnostic.detail;
                                                                  });
        if (!isKnown) {
            rules.push_back(diagnostic.object + ": " + diagnostic.detail);
        }
    }
    return rules;
}

/// The exported text's only profile on `machine`.
Result<RecordingPlan> planAgain(const profile::Document& exported, const RecordingPlan& first,
                                const etw::Capabilities& machine) {
    return plan::compose({{&exported, exported.profiles.front().name, std::nullopt}},
                         overridesOf(first.detail, first.mode), machine);
}

/// Exports what the profiles want and plans it again, on machines that give all of it, some of it and what Windows
/// gives: the same plan each time, or the same refusal. False where the profiles give no plan at all.
bool isFixedPoint(const std::vector<plan::Selection>& selections, const plan::Overrides& overrides) {
    const auto everything = plan::compose(selections, overrides, plan::everythingServed(test::linuxMachine()));
    if (!everything) {
        CHECK(everything.error().code == ErrorCode::NothingToRecord);
        return false;
    }
    const std::string text = plan::exportProfile(*everything);
    const profile::Parsed parsed = profile::parse(text, "exported.wprp");
    INFO(text);
    for (const profile::Problem& problem : parsed.problems) {
        UNSCOPED_INFO(profile::format("exported.wprp", problem));
    }
    CHECK(parsed.problems.empty());
    REQUIRE(parsed.document);
    REQUIRE(parsed.document->profiles.size() == 1);
    const auto again = planAgain(*parsed.document, *everything, plan::everythingServed(test::linuxMachine()));
    REQUIRE(again);
    CHECK(contentOf(*again) == contentOf(*everything));
    CHECK(newRules(*everything, *again) == std::vector<std::string>());
    CHECK(plan::exportProfile(*again) == text);
    // Buffers are those of the machine that exports.
    etw::Capabilities windows = test::windowsMachine();
    windows.numberOfProcessors = test::linuxMachine().numberOfProcessors;
    windows.physicalMemory = test::linuxMachine().physicalMemory;
    for (const etw::Capabilities& machine : {test::linuxMachine(), windows}) {
        CAPTURE(machine.platform);
        const auto first = plan::compose(selections, overrides, machine);
        const auto second = planAgain(*parsed.document, *everything, machine);
        REQUIRE(first.has_value() == second.has_value());
        if (first) {
            CHECK(contentOf(*second) == contentOf(*first));
            CHECK(newRules(*first, *second) == std::vector<std::string>());
        } else {
            CHECK(second.error() == first.error());
        }
    }
    return true;
}

/// Every variant of every profile of a document.
std::size_t checkDocument(const profile::Document& document) {
    std::size_t plans = 0;
    for (const profile::CatalogEntry& entry : profile::entriesOf(document)) {
        for (const profile::CatalogEntry::Variant& variant : entry.variants) {
            CAPTURE(document.path, entry.name, toString(variant.detail), toString(variant.mode));
            plans += isFixedPoint({{&document, entry.name, variant.detail}}, overridesOf(variant.detail, variant.mode))
                         ? 1U
                         : 0U;
        }
    }
    return plans;
}

} // namespace

TEST_CASE("Every profile that comes along gives the same plan after an export", "[plan][export]") {
    profile::Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    REQUIRE(catalog.refused().empty());
    std::vector<const profile::Document*> documents;
    for (const profile::CatalogEntry& entry : catalog.entries()) {
        if (std::find(documents.begin(), documents.end(), entry.document) == documents.end()) {
            documents.push_back(entry.document);
            CHECK(checkDocument(*entry.document) >= 2);
        }
    }
    CHECK(documents.size() >= 29);
}

// Each thing that a profile can ask for, once.
TEST_CASE("Nothing that a profile asks for is lost in an export", "[plan][export]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC" Realtime="true"><BufferSize Value="256"/><Buffers Value="30"/><StackCaching BucketCount="8" CacheSize="256"/><FlushTimer Value="2"/><FlushThreshold Value="3"/></SystemCollector>
        <EventCollector Id="EC" Name="Events" Secure="true"><BufferSize Value="128"/><Buffers Value="20"/><MaximumFileSize Value="500" FileMode="Circular"/></EventCollector>
        <HeapEventCollector Id="HC" Name="Heap"><BufferSize Value="512"/><Buffers Value="10"/></HeapEventCollector>
        <HypervisorEventCollector Id="YC" Name="Hypervisor"><BufferSize Value="64"/><BuffersPerCPU Value="4"/></HypervisorEventCollector>
        <SystemProvider Id="SP"><Keywords><Keyword Value="CSwitch" Strict="true"/><Keyword Value="Pool"/><CustomKeyword Value="0x28000000" Strict="true"/></Keywords>
          <Stacks><Stack Value="CSwitch" Strict="true"/><CustomStack Value="0x1C2A"/></Stacks><PoolTags><PoolTag Value="a*"/></PoolTags>
          <CaptureStateOnStart Timeout="7"><Keyword Value="Loader"/></CaptureStateOnStart><CaptureStateOnSave><CustomKeyword Value="0x28000000"/></CaptureStateOnSave>
          <CaptureStateOnDemand Timeout="9"><Keyword Value="ProcessThread"/></CaptureStateOnDemand></SystemProvider>
        <EventProvider Id="E1" Name="{8C416C79-D49B-4F01-A467-E56D3AA8234C}" NonPagedMemory="true" Stack="true" SID="true" TSID="true" Level="4" Strict="true" ProcessExeFilter="a.exe;b.exe" EventKey="true" ExcludeInPrivate="true">
          <Keywords><Keyword Value="0x6"/></Keywords><CaptureStateOnStart Timeout="3"><Keyword Value="0x1"/></CaptureStateOnStart><CaptureStateOnSave><Keyword Value="0x2"/></CaptureStateOnSave>
          <CaptureStateOnDemand><Keyword Value="0x4"/></CaptureStateOnDemand><Stacks><CustomStack Value="0x1C20" Strict="true"/></Stacks>
          <EventFilters FilterIn="true"><EventId Value="5"/></EventFilters><StackFilters FilterIn="false"><EventId Value="6"/></StackFilters>
          <EventNameFilters FilterIn="true" Level="3"><Keyword Value="0x8"/><EventName Value="Begin"/></EventNameFilters><StackEventNameFilters FilterIn="true"><EventName Value="End"/></StackEventNameFilters>
          <StackKeywordLevelFilter FilterIn="true" Level="2"><Keyword Value="0x10"/></StackKeywordLevelFilter></EventProvider>
        <EventProvider Id="E2" Name="*Test" CaptureStateOnly="true"><CaptureStateOnSave Timeout="30"><Keyword Value="0x1"/></CaptureStateOnSave></EventProvider>
        <EventProvider Id="E3" Name="microsoft-windows-dxgkrnl"/><EventProvider Id="E4" Name="Nobody-Knows-Me"><Keywords><Keyword Value="0x1" Strict="true"/></Keywords></EventProvider>
        <HeapEventProvider Id="HP"><HeapProcessIds><HeapProcessId Value="4"/><HeapProcessId Value="8"/></HeapProcessIds></HeapEventProvider>
        <HeapEventProvider Id="HQ"><HeapProcessIds><HeapProcessId Value="15"/></HeapProcessIds></HeapEventProvider>
        <HardwareCounter Id="HW" Strict="true"><MicroArchitecturalConfigId Value="MC"/><Counters><Counter Value="LLCMisses"/><Counter Value="Mine"/></Counters><Events><Event Value="CSwitch"/></Events>
          <SampledCounters><SampledCounter Value="TotalCycles" Interval="65536"/><SampledCounter Value="CacheMisses"/></SampledCounters>
          <LastBranch><Events><Event Value="PmcInterrupt"/></Events><LastBranchFilters><LastBranchFilterOut Value="Kernel"/></LastBranchFilters></LastBranch>
          <ProcessorTrace><BufferSize Value="16"/><CodeMode Value="User"/><Events><Event Value="CSwitch"/></Events></ProcessorTrace></HardwareCounter>
        <MicroArchitecturalConfig Id="MC"><ProfileSources Architecture="INTEL"><ProfileSource Name="Mine" Event="0xF4" Unit="0x10" Interval="1000" AllowsHalt="true"/><ProfileSource Name="Other" Event="0x01" Unit="0x02"/></ProfileSources>
          <ProfileSources Architecture="AMD"><ProfileSource Name="Mine" Event="0x76" Unit="0x00"/></ProfileSources></MicroArchitecturalConfig>
        <Profile Id="P.Light.File" Name="P" Description="" DetailLevel="Light" LoggingMode="File"><ProblemCategories><ProblemCategory Value="Energy"/><ProblemCategory Value="Storage &amp; more"/></ProblemCategories><Collectors>
          <SystemCollectorId Value="SC"><SystemProviderId Value="SP"/><HardwareCounterId Value="HW"/></SystemCollectorId>
          <EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E1"/><EventProviderId Value="E2"/><EventProviderId Value="E3"/><EventProviderId Value="E4"/></EventProviders></EventCollectorId>
          <HeapEventCollectorId Value="HC"><HeapEventProviders><HeapEventProviderId Value="HP"/><HeapEventProviderId Value="HQ"/></HeapEventProviders></HeapEventCollectorId>
          <HypervisorEventCollectorId Value="YC"><BuffersPerCPU Value="5"/><EventProviders><EventProviderId Value="E3"/></EventProviders></HypervisorEventCollectorId></Collectors>
          <TraceMergeProperties><TraceMergeProperty Id="M" Name="M"><FileCompression Value="true"/></TraceMergeProperty></TraceMergeProperties></Profile>)");
    CHECK(checkDocument(document) == 1);
    const auto plan =
        plan::compose({{&document, "P", std::nullopt}}, overridesOf(DetailLevel::Light, LoggingMode::File),
                      plan::everythingServed(test::linuxMachine()));
    REQUIRE(plan);
    CHECK(plan->categories == std::vector<std::string>{"Energy", "Storage & more"});
    const plan::PlannedSession& system = test::sessionOf(*plan, plan::PlannedSession::Kind::System);
    CHECK(system.strict == std::vector<std::string>{"keyword 0x28000000", "keyword CSwitch", "stack CSwitch"});
    CHECK(system.captureOnStart == plan::SystemCapture{{"Loader"}, std::chrono::seconds(7)});
    CHECK(system.captureOnSave == plan::SystemCapture{{"0x28000000"}, std::chrono::seconds(0)});
    CHECK(system.captureOnDemand == plan::SystemCapture{{"ProcessThread"}, std::chrono::seconds(9)});
    REQUIRE(system.hardwareCounters);
    CHECK(system.hardwareCounters->isStrict);
    CHECK(system.hardwareCounters->counters == std::vector<std::string>{"LLCMisses", "Mine"});
    CHECK(system.hardwareCounters->sources.size() == 3);
    CHECK(test::sessionOf(*plan, plan::PlannedSession::Kind::Event).strict ==
          std::vector<std::string>{"provider Microsoft-Windows-Win32k", "provider Nobody-Knows-Me",
                                   "stacks of provider Microsoft-Windows-Win32k"});
    const std::string text = plan::exportProfile(*plan);
    CHECK(text.find("Name=\"8c416c79-d49b-4f01-a467-e56d3aa8234c\"") != std::string::npos);
    CHECK(text.find("Name=\"microsoft-windows-dxgkrnl\"") != std::string::npos);
}

TEST_CASE("Several profiles are exported as one", "[plan][export]") {
    profile::Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    std::vector<plan::Selection> selections;
    for (const char* name : {"CPU", "DiskIO", "Heap", "GPU"}) {
        const auto entry = catalog.find(name);
        REQUIRE(entry);
        selections.push_back({entry->document, entry->name, std::nullopt});
    }
    const auto mode = GENERATE(LoggingMode::File, LoggingMode::Memory);
    CHECK(isFixedPoint(selections, overridesOf(DetailLevel::Verbose, mode)));
    const auto plan = plan::compose(selections, overridesOf(DetailLevel::Verbose, mode),
                                    plan::everythingServed(test::linuxMachine()));
    REQUIRE(plan);
    CHECK(plan::exportProfile(*plan).find("Name=\"CPU_DiskIO_Heap_GPU\"") != std::string::npos);
    CHECK(plan::exportProfile(*plan, "My own").find("Id=\"My_own.Verbose.") != std::string::npos);
    CHECK(plan::exportProfile(*plan).find("Tracedeck-Recorder") == std::string::npos);
}

TEST_CASE("Every public profile gives the same plan after an export", "[plan][export][corpus]") {
    const std::string shared = test::sharedFolder("public profiles exported and planned again");
    if (shared.empty()) {
        return;
    }
    std::size_t plans = 0;
    for (const auto& file : std::filesystem::directory_iterator(shared + "/corpus/wprp")) {
        if (file.path().extension() != ".wprp") {
            continue;
        }
        const auto document = profile::load(file.path().string());
        if (document) {
            plans += checkDocument(*document);
        }
    }
    CHECK(plans > 300);
}

// Collectors and providers whose names come to one id, and providers that have a collector's.
TEST_CASE("Every id of an exported file is its own", "[plan][export]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/><EventCollector Id="A" Name="My Events"/><EventCollector Id="B" Name="My_Events"/><EventCollector Id="C" Name="My"/><EventCollector Id="D" Name="WPR System Collector_Provider"/>
        <HeapEventCollector Id="H" Name="My Events"/><SystemProvider Id="SP"><Keywords><Keyword Value="CSwitch"/></Keywords></SystemProvider>
        <EventProvider Id="E1" Name="*One"/><EventProvider Id="E2" Name="*Events"/><EventProvider Id="E3" Name="*Events_One"/><EventProvider Id="E4" Name="*Events One"/>
        <HeapEventProvider Id="HP"/>
        <Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>
          <SystemCollectorId Value="SC"><SystemProviderId Value="SP"/></SystemCollectorId>
          <EventCollectorId Value="A"><EventProviders><EventProviderId Value="E1"/></EventProviders></EventCollectorId>
          <EventCollectorId Value="B"><EventProviders><EventProviderId Value="E1"/></EventProviders></EventCollectorId>
          <EventCollectorId Value="C"><EventProviders><EventProviderId Value="E2"/><EventProviderId Value="E3"/><EventProviderId Value="E4"/></EventProviders></EventCollectorId>
          <EventCollectorId Value="D"><EventProviders><EventProviderId Value="E1"/></EventProviders></EventCollectorId>
          <HeapEventCollectorId Value="H"><HeapEventProviders><HeapEventProviderId Value="HP"/></HeapEventProviders></HeapEventCollectorId></Collectors></Profile>)");
    CHECK(checkDocument(document) == 1);
}

// HypervisorEventCollector: "BufferSize req, BuffersPerCPU req".
TEST_CASE("A hypervisor's buffers are counted per processor", "[plan][export]") {
    const std::string buffers = GENERATE(
        R"(<BufferSize Value="64"/><BuffersPerCPU Value="4"/>)", R"(<BufferSize Value="64"/><Buffers Value="7"/>)",
        R"(<BufferSize Value="16384"/><Buffers Value="801"/>)"); // more than half of the memory
    const profile::Document document = test::documentOf(R"(<HypervisorEventCollector Id="Y" Name="Hypervisor">)" +
                                                        buffers + R"(</HypervisorEventCollector>
        <EventProvider Id="E" Name="*One"/><Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>
        <HypervisorEventCollectorId Value="Y"><EventProviders><EventProviderId Value="E"/></EventProviders></HypervisorEventCollectorId></Collectors></Profile>)");
    CHECK(checkDocument(document) == 1);
    etw::Capabilities machine = plan::everythingServed(test::linuxMachine());
    machine.numberOfProcessors = 3;
    const auto plan =
        plan::compose({{&document, "P", std::nullopt}}, overridesOf(DetailLevel::Verbose, LoggingMode::File), machine);
    REQUIRE(plan);
    const auto& config = test::sessionOf(*plan, plan::PlannedSession::Kind::Hypervisor).config;
    CHECK(config.maximumBuffers % 3 == 0);
    const std::string text = plan::exportProfile(*plan);
    const std::size_t at = text.find("<HypervisorEventCollector ");
    REQUIRE(at != std::string::npos);
    const std::string collector = text.substr(at, text.find("</HypervisorEventCollector>") - at);
    CHECK(collector.find("<BuffersPerCPU Value=\"" + std::to_string(config.maximumBuffers / 3) + "\"") !=
          std::string::npos);
    CHECK(collector.find("<Buffers ") == std::string::npos);
}

TEST_CASE("A name that is no text becomes one", "[plan][export]") {
    const profile::Document document = test::Pieces().document();
    const auto plan =
        plan::compose({{&document, "P", std::nullopt}}, overridesOf(DetailLevel::Verbose, LoggingMode::File),
                      plan::everythingServed(test::linuxMachine()));
    REQUIRE(plan);
    const profile::Parsed parsed = profile::parse(plan::exportProfile(*plan, "My\xFF\xC3 \x01name"), "exported.wprp");
    REQUIRE(parsed.document);
    CHECK(parsed.problems.empty());
    CHECK(parsed.document->profiles.front().name == "My\xEF\xBF\xBD\xEF\xBF\xBD__name");
}
