// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <string>
#include <vector>

using namespace tracedeck;
using etw::EventFilter;
using plan::LoggingMode;
using plan::PlannedSession;
using plan::RecordingPlan;
using test::Pieces;
using Names = std::vector<std::string>;
using Ids = std::vector<std::uint16_t>;

namespace {

const plan::Overrides inFile{plan::DetailLevel::Verbose, LoggingMode::File, std::nullopt, mib(200)};

RecordingPlan planOf(const profile::Document& document, const Names& profiles = {"P"},
                     const etw::Capabilities& machine = test::windowsMachine()) {
    std::vector<plan::Selection> selections;
    for (const std::string& name : profiles) {
        selections.push_back({&document, name, std::nullopt});
    }
    Result<RecordingPlan> plan = plan::compose(selections, inFile, machine);
    INFO((plan ? "" : plan.error().detail));
    REQUIRE(plan);
    return *std::move(plan);
}

/// Two profiles that feed the collector "Events" with a provider "Test" each.
profile::Document twoProviders(const std::string& first, const std::string& second) {
    Pieces pieces;
    pieces.provider = "<EventProvider Id=\"EP\" Name=\"*Test\" " + first +
                      "</EventProvider><EventProvider Id=\"E2\" Name=\"*Test\" " + second + "</EventProvider>";
    pieces.moreProfiles =
        R"(<Profile Id="Q.Verbose.File" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>)"
        R"(<EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E2"/></EventProviders></EventCollectorId>)"
        R"(</Collectors></Profile>)";
    return pieces.document();
}

etw::ProviderConfig united(const std::string& first, const std::string& second) {
    const RecordingPlan plan = planOf(twoProviders(first, second), {"P", "Q"});
    const auto* provider = test::providerOf(test::sessionOf(plan, PlannedSession::Kind::Event), "Test");
    REQUIRE(provider != nullptr);
    return *provider;
}

} // namespace

// "Same provider in several profiles of one collector: keywords OR, level max, Stack OR."
TEST_CASE("A provider is asked for what all profiles together want of it", "[plan][provider]") {
    const etw::ProviderConfig provider = united(
        R"(Level="2" SID="true"><Keywords><Keyword Value="0x1"/></Keywords><CaptureStateOnSave Timeout="5"><Keyword Value="0x10"/></CaptureStateOnSave>)",
        R"(Level="4" Stack="true" EventKey="true"><Keywords><Keyword Value="0x6"/></Keywords><CaptureStateOnSave Timeout="30"><Keyword Value="0x20"/></CaptureStateOnSave>)");
    CHECK(provider.level == 4);
    CHECK(provider.matchAnyKeyword == 0x7);
    CHECK(provider.captureStack);
    CHECK(provider.enableProperties == 0x101);
    REQUIRE(provider.captureOnSave);
    CHECK(*provider.captureOnSave == etw::CaptureState{0x30, std::chrono::seconds(30)});
    CHECK_FALSE(provider.isCaptureOnly);
}

// "No Keywords or 0x0 = all events." A level that is not given is every level.
TEST_CASE("Who wants everything gets everything", "[plan][provider]") {
    const etw::ProviderConfig provider = united(R"(Level="2"><Keywords><Keyword Value="0x1"/></Keywords>)",
                                                R"(><Keywords><Keyword Value="0x0"/></Keywords>)");
    CHECK(provider.matchAnyKeyword == 0);
    CHECK(provider.level == 0xFF);
}

// "Filters can vanish when WPR merges two definitions of the same provider": here they give way only where they must.
TEST_CASE("A filter stays where no profile wants more than it lets through", "[plan][filter]") {
    struct Row {
        const char* first;
        const char* second;
        std::vector<EventFilter> filters;
    };
    const auto ids = [](bool isIn, Ids list) {
        EventFilter filter;
        filter.isFilterIn = isIn;
        filter.ids = std::move(list);
        return filter;
    };
    EventFilter programs;
    programs.kind = EventFilter::Kind::ExecutableName;
    programs.names = {"a.exe", "b.exe", "c.exe"};
    EventFilter stacks;
    stacks.kind = EventFilter::Kind::StackEventId;
    stacks.ids = {7};
    const std::vector<Row> rows = {
        {R"(><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters>)",
         R"(><EventFilters FilterIn="true"><EventId Value="3"/><EventId Value="1"/></EventFilters>)",
         {ids(true, {1, 3})}},
        {R"(><EventFilters FilterIn="false"><EventId Value="1"/><EventId Value="2"/></EventFilters>)",
         R"(><EventFilters FilterIn="false"><EventId Value="2"/><EventId Value="3"/></EventFilters>)",
         {ids(false, {2})}},
        {R"(><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters>)", ">", {}},
        {">", R"(><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters>)", {}},
        {R"(><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters>)",
         R"(><EventFilters FilterIn="false"><EventId Value="1"/></EventFilters>)",
         {}},
        {R"(ProcessExeFilter="b.exe; a.exe">)", R"(ProcessExeFilter="c.exe">)", {programs}},
        {R"(ProcessExeFilter="a.exe">)", ">", {}},
        // Who wants no stacks at all does not want more of them.
        {R"(Stack="true"><StackFilters FilterIn="true"><EventId Value="7"/></StackFilters>)", ">", {stacks}},
        {">", R"(Stack="true"><StackFilters FilterIn="true"><EventId Value="7"/></StackFilters>)", {stacks}},
        {R"(Stack="true"><StackFilters FilterIn="true"><EventId Value="7"/></StackFilters>)", R"(Stack="true">)", {}}};
    for (const Row& row : rows) {
        CAPTURE(row.first, row.second);
        CHECK(united(row.first, row.second).filters == row.filters);
    }
}

TEST_CASE("A filter that gives way is told", "[plan][filter]") {
    const RecordingPlan plan =
        planOf(twoProviders(R"(><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters>)", ">"), {"P", "Q"});
    CHECK(test::summary(plan) ==
          Names{"note provider Test: a filter is left out, because another profile wants more of it"});
}

// "CaptureStateOnly: provider is not enabled during the session, only at capture-state points."
TEST_CASE("A provider for its state alone is planned as such where states are captured", "[plan][provider]") {
    Pieces pieces;
    pieces.provider =
        R"(<EventProvider Id="EP" Name="*Test" CaptureStateOnly="true"><CaptureStateOnStart><Keyword Value="0x8"/></CaptureStateOnStart></EventProvider>)";
    const profile::Document document = pieces.document();
    const RecordingPlan plan = planOf(document);
    const auto* provider = test::providerOf(test::sessionOf(plan, PlannedSession::Kind::Event), "Test");
    REQUIRE(provider != nullptr);
    CHECK(provider->isCaptureOnly);
    CHECK(provider->captureOnStart == etw::CaptureState{0x8, std::chrono::seconds(0)});

    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Test"));
    const RecordingPlan without = planOf(document, {"P"}, machine);
    CHECK(test::providerOf(test::sessionOf(without, PlannedSession::Kind::Event), "Test") == nullptr);
    CHECK(test::summary(without) == Names{"warning captured state of provider Test: FeatureNotServed(CaptureState)"});
}

TEST_CASE("What the machine does not carry out is told once per thing, and left out", "[plan][features]") {
    Pieces pieces;
    pieces.systemBuffers += R"(<StackCaching BucketCount="8" CacheSize="256"/>)";
    pieces.provider =
        R"(<EventProvider Id="EP" Name="*Test" SID="true" ProcessExeFilter="a.exe"><Stacks><CustomStack Value="0x1C2A"/></Stacks><EventFilters FilterIn="true"><EventId Value="1"/></EventFilters></EventProvider>)";
    const profile::Document document = pieces.document();
    const etw::ProviderConfig full =
        *test::providerOf(test::sessionOf(planOf(document), PlannedSession::Kind::Event), "Test");
    CHECK(full.enableProperties == 1);
    CHECK(full.stackHooks == Ids{0x1C2A});
    CHECK(full.filters.size() == 2);
    CHECK(test::sessionOf(planOf(document), PlannedSession::Kind::System).config.stackCaching ==
          etw::StackCaching{8, 256});

    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Test"));
    const RecordingPlan plan = planOf(document, {"P"}, machine);
    CHECK(
        test::summary(plan) ==
        Names{"note stack caching of session WPR_initiated_WprApp_WPR System Collector: FeatureNotServed(StackCaching)",
              "warning event filters of provider Test: FeatureNotServed(EventFilters)",
              "warning program filter of provider Test: FeatureNotServed(ProcessFilters)",
              "note extra data of provider Test: FeatureNotServed(EnableProperties)",
              "warning stacks of provider Test: FeatureNotServed(ClassicStacks)"});
    const etw::ProviderConfig left = *test::providerOf(test::sessionOf(plan, PlannedSession::Kind::Event), "Test");
    CHECK(left.filters.empty());
    CHECK(left.stackHooks.empty());
    CHECK(left.enableProperties == 0);
}

TEST_CASE("Sessions of heaps, private and secure ones are planned where the machine has them", "[plan][features]") {
    const profile::Document document = test::documentOf(
        R"(<EventCollector Id="EC" Name="Events" Realtime="true" Private="true" ProcessPrivate="true" Secure="true"/>)"
        R"(<HeapEventCollector Id="HC" Name="Heap"><BufferSize Value="1024"/><Buffers Value="8"/></HeapEventCollector>)"
        R"(<EventProvider Id="EP" Name="*Test"/>)"
        R"(<HeapEventProvider Id="HP"><HeapProcessIds><HeapProcessId Value="42"/><HeapProcessId Value="7"/></HeapProcessIds></HeapEventProvider>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>)"
        R"(<EventCollectorId Value="EC"><EventProviders><EventProviderId Value="EP"/></EventProviders></EventCollectorId>)"
        R"(<HeapEventCollectorId Value="HC"><HeapEventProviders><HeapEventProviderId Value="HP"/></HeapEventProviders></HeapEventCollectorId>)"
        R"(</Collectors></Profile>)");
    const RecordingPlan plan = planOf(document);
    using namespace etlformat;
    CHECK(test::sessionOf(plan, PlannedSession::Kind::Event).config.logFileMode ==
          (mode::kSequential | mode::kRealTime | mode::kPrivate | mode::kPrivateInProcess | mode::kSecure));
    const PlannedSession& heap = test::sessionOf(plan, PlannedSession::Kind::Heap);
    CHECK(heap.config.name == "WPR_initiated_WprApp_Heap");
    CHECK(heap.config.bufferSizeKib == 1024);
    CHECK(heap.heapProcesses == std::vector<std::uint32_t>{7, 42});

    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Test"));
    CHECK(test::summary(planOf(document, {"P"}, machine)) ==
          Names{"warning real-time delivery of session WPR_initiated_WprApp_Events: FeatureNotServed(RealTimeSessions)",
                "warning privacy of session WPR_initiated_WprApp_Events: FeatureNotServed(PrivateSessions)",
                "warning process privacy of session WPR_initiated_WprApp_Events: FeatureNotServed(PrivateSessions)",
                "warning access control of session WPR_initiated_WprApp_Events: FeatureNotServed(SecureSessions)",
                "warning heap session Heap: FeatureNotServed(HeapSessions)"});
}

// "PoolTags > PoolTag 1..4": a session has at most four of all profiles.
TEST_CASE("Pool tags are united up to the four of a session", "[plan][features]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/>)"
        R"(<SystemProvider Id="S1"><Keywords><Keyword Value="Pool"/></Keywords><PoolTags><PoolTag Value="b"/><PoolTag Value="a*"/><PoolTag Value="c"/></PoolTags></SystemProvider>)"
        R"(<SystemProvider Id="S2"><PoolTags><PoolTag Value="a*"/><PoolTag Value="d"/><PoolTag Value="e"/></PoolTags></SystemProvider>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="S1"/></SystemCollectorId></Collectors></Profile>)"
        R"(<Profile Id="Q.Verbose.File" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="S2"/></SystemCollectorId></Collectors></Profile>)");
    const RecordingPlan plan = planOf(document, {"P", "Q"});
    CHECK(test::sessionOf(plan, PlannedSession::Kind::System).config.poolTags == Names{"a*", "b", "c", "d"});
    CHECK(test::summary(plan) == Names{"warning pool tag e: left out: a session has at most 4 pool tags"});
}

// "HardwareCounter: Strict: true -> failure to enable fails the whole start."
TEST_CASE("Hardware counters that are strict refuse a machine without them", "[plan][features]") {
    const auto strict = GENERATE(true, false);
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/><SystemProvider Id="S"><Keywords><Keyword Value="CSwitch"/></Keywords></SystemProvider>)"
        "<HardwareCounter Id=\"H\" Strict=\"" +
        std::string(strict ? "true" : "false") +
        "\"><Counters><Counter Value=\"LLCMisses\"/></Counters></HardwareCounter>"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="S"/><HardwareCounterId Value="H"/></SystemCollectorId></Collectors></Profile>)");
    const auto plan = plan::compose({{&document, "P", std::nullopt}}, inFile, test::linuxMachine());
    REQUIRE(plan.has_value() != strict);
    if (strict) {
        CHECK(plan.error() == Error{ErrorCode::StrictRefused, "hardware counters LLCMisses (FeatureNotServed)", 0});
    } else {
        CHECK(test::summary(*plan) == Names{"warning hardware counters LLCMisses: FeatureNotServed(HardwareCounters)"});
    }
}

// "BuffersPerCPU: per-processor buffer count."
TEST_CASE("Buffers per processor are multiplied, caching takes the larger cache, flushing the shorter time",
          "[plan][buffers]") {
    Pieces pieces;
    pieces.systemBuffers =
        R"(<BufferSize Value="64"/><Buffers Value="3"/><BuffersPerCpu Value="5"/><StackCaching BucketCount="8" CacheSize="256"/><FlushTimer Value="9"/><FlushThreshold Value="3"/>)";
    pieces.moreProfiles =
        R"(<Profile Id="Q.Verbose.File" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><BufferSize Value="64"/><StackCaching BucketCount="4" CacheSize="512"/><SystemProviderId Value="SP"/></SystemCollectorId></Collectors></Profile>)";
    const RecordingPlan plan = planOf(pieces.document(), {"P", "Q"});
    const etw::SessionConfig& config = test::sessionOf(plan, PlannedSession::Kind::System).config;
    CHECK(config.maximumBuffers == 2 * 5 * 4); // both profiles', four processors
    CHECK(config.stackCaching == etw::StackCaching{8, 512});
    CHECK(config.flushTimer == std::chrono::seconds(9));
    CHECK(config.flushThreshold == 3);
}

TEST_CASE("Compression is planned where the machine compresses", "[plan][features]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/><SystemProvider Id="S"><Keywords><Keyword Value="CSwitch"/></Keywords></SystemProvider>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="S"/></SystemCollectorId></Collectors>)"
        R"(<TraceMergeProperties><TraceMergeProperty Id="M" Name="M"><FileCompression Value="true"/><SkipMerge Value="true"/></TraceMergeProperty></TraceMergeProperties></Profile>)");
    const RecordingPlan plan = planOf(document);
    CHECK(plan.merge.isCompressed);
    CHECK(test::summary(plan) == Names{"note SkipMerge: is left out: a recording is always one file"});
    const RecordingPlan without = planOf(document, {"P"}, test::linuxMachine());
    CHECK_FALSE(without.merge.isCompressed);
    CHECK(test::summary(without).front() == "note compression of the file: FeatureNotServed(CompressedFiles)");
}
