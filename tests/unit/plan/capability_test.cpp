// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace tracedeck;
using etw::LimitationCode;
using plan::DetailLevel;
using plan::LoggingMode;
using plan::Overrides;
using plan::PlannedSession;
using plan::RecordingPlan;
using test::Pieces;
using Names = std::vector<std::string>;

namespace {

constexpr Overrides inFile{DetailLevel::Verbose, LoggingMode::File, std::nullopt, mib(200)};

Result<RecordingPlan> composed(const profile::Document& document, const std::string& name,
                               const etw::Capabilities& machine, const Overrides& overrides = inFile) {
    return plan::compose({{&document, name, std::nullopt}}, overrides, machine);
}

profile::Document shipped(const std::string& file) {
    auto document = profile::load(std::string(TRACEDECK_SOURCE_DIR) + "/profiles/" + file);
    REQUIRE(document);
    return *std::move(document);
}

const PlannedSession& systemOf(const RecordingPlan& plan) {
    return test::sessionOf(plan, PlannedSession::Kind::System);
}

/// A machine without tracefs: no context switches and no ready-thread.
etw::Capabilities withoutTracefs() {
    etw::Capabilities machine = test::linuxMachine();
    etlformat::GroupMasks served;
    for (const std::uint32_t group : {etlformat::group::kProcess, etlformat::group::kThread, etlformat::group::kLoader,
                                      etlformat::group::kProfile}) {
        served.set(group);
    }
    machine.kernelGroups = served;
    machine.stackHooks = {etlformat::hook::kSampledProfile};
    const etw::Limitation reason{LimitationCode::NoTracefs, "/sys/kernel/tracing", 0};
    machine.refusedGroups = {{etlformat::group::kContextSwitch, reason}, {etlformat::group::kDispatcher, reason}};
    return machine;
}

} // namespace

TEST_CASE("The CPU profile on Linux says exactly what is missing", "[plan][capability]") {
    const profile::Document document = shipped("cpu.wprp");
    const auto plan = composed(document, "CPU", test::linuxMachine());
    REQUIRE(plan);
    CHECK(systemOf(*plan).keywords == Names{"CSwitch", "Loader", "ProcessThread", "ReadyThread", "SampledProfile"});
    CHECK(systemOf(*plan).stacks == Names{"CSwitch", "ReadyThread", "SampledProfile"});
    CHECK(test::summary(*plan) ==
          Names{
              "warning keyword CpuConfig: KeywordNotServed(CpuConfig)",
              "warning keyword IdealProcessor: KeywordNotServed(IdealProcessor)",
              "warning keyword MemoryInfo: KeywordNotServed(MemoryInfo)",
              "warning keyword Power: KeywordNotServed(Power)",
              "warning keyword ThreadPriority: KeywordNotServed(ThreadPriority)",
              "warning provider Microsoft-Windows-Kernel-EventTracing: "
              "ProviderNotOnThisPlatform(Microsoft-Windows-Kernel-EventTracing)",
              "warning provider e7ef96be-969f-414f-97d7-3ddb7b558ccc: "
              "ProviderNotOnThisPlatform(e7ef96be-969f-414f-97d7-3ddb7b558ccc)",
              "warning provider Microsoft-Windows-Win32k: ProviderNotOnThisPlatform(Microsoft-Windows-Win32k)",
              "warning provider Microsoft-Windows-Networking-Correlation: "
              "ProviderNotOnThisPlatform(Microsoft-Windows-Networking-Correlation)",
              "warning provider Microsoft-Windows-RPC: ProviderNotOnThisPlatform(Microsoft-Windows-RPC)",
              "warning provider Microsoft-Windows-RPCSS: ProviderNotOnThisPlatform(Microsoft-Windows-RPCSS)",
              "warning provider Microsoft-Windows-ProcessStateManager: "
              "ProviderNotOnThisPlatform(Microsoft-Windows-ProcessStateManager)",
              "warning provider Microsoft-Windows-BrokerInfrastructure: "
              "ProviderNotOnThisPlatform(Microsoft-Windows-BrokerInfrastructure)",
              "warning provider .NET Common Language Runtime: "
              "ProviderNotOnThisPlatform(.NET Common Language Runtime)",
              "warning provider Microsoft-Windows-DotNETRuntimeRundown: "
              "ProviderNotOnThisPlatform(Microsoft-Windows-DotNETRuntimeRundown)",
              "warning provider Microsoft-JScript: "
              "ProviderNotOnThisPlatform(Microsoft-JScript)",
          });
    // The event session holds nothing but our own events and stays small.
    const PlannedSession& events = test::sessionOf(*plan, PlannedSession::Kind::Event);
    REQUIRE(events.providers.size() == 1);
    CHECK(events.config.bufferSizeKib == 64);
    CHECK(events.config.maximumBuffers == 16);
    CHECK(systemOf(*plan).config.bufferSizeKib == 1024);
    CHECK(systemOf(*plan).config.maximumBuffers == 20);
}

TEST_CASE("Both profiles that come with the program can be recorded in every variant", "[plan][capability]") {
    const auto [file, name] = GENERATE(std::pair("cpu.wprp", "CPU"), std::pair("general.wprp", "GeneralProfile"));
    const auto detail = GENERATE(DetailLevel::Light, DetailLevel::Verbose);
    const auto mode = GENERATE(LoggingMode::File, LoggingMode::Memory);
    const profile::Document document = shipped(file);
    const auto machine = GENERATE(test::linuxMachine(), withoutTracefs(), test::windowsMachine());
    const auto plan = composed(document, name, machine, {detail, mode, std::nullopt, mib(200)});
    REQUIRE(plan);
    const Names& keywords = systemOf(*plan).keywords;
    for (const char* keyword : {"Loader", "ProcessThread", "SampledProfile"}) {
        CHECK(std::find(keywords.begin(), keywords.end(), keyword) != keywords.end());
    }
    if (machine.hasWindowsProviders) {
        CHECK(test::summary(*plan).empty());
    }
}

TEST_CASE("What the machine refuses is left out with its reason, and the rest is recorded", "[plan][capability]") {
    const auto plan = composed(shipped("cpu.wprp"), "CPU", withoutTracefs());
    REQUIRE(plan);
    CHECK(systemOf(*plan).keywords == Names{"Loader", "ProcessThread", "SampledProfile"});
    CHECK(systemOf(*plan).stacks == Names{"SampledProfile"});
    Names told;
    for (const std::string& line : test::summary(*plan)) {
        if (line.find("NoTracefs") != std::string::npos) {
            told.push_back(line);
        }
    }
    CHECK(told == Names{"warning keyword CSwitch: NoTracefs(/sys/kernel/tracing)",
                        "warning keyword ReadyThread: NoTracefs(/sys/kernel/tracing)",
                        "warning stack CSwitch: NoTracefs(/sys/kernel/tracing) its event is not recorded",
                        "warning stack ReadyThread: NoTracefs(/sys/kernel/tracing) its event is not recorded"});
}

TEST_CASE("What a platform cannot have is told apart from what is not served yet", "[plan][capability]") {
    struct Row {
        const char* keyword;
        LimitationCode code;
    };
    const auto row = GENERATE(
        Row{"Registry", LimitationCode::KeywordNotOnThisPlatform},
        Row{"Alpc", LimitationCode::KeywordNotOnThisPlatform},
        Row{"FilterIO", LimitationCode::KeywordNotOnThisPlatform},
        Row{"WDFDPC", LimitationCode::KeywordNotOnThisPlatform}, Row{"DiskIO", LimitationCode::KeywordNotServed},
        Row{"NetworkTrace", LimitationCode::KeywordNotServed}, Row{"DPC", LimitationCode::KeywordNotServed});
    Pieces pieces;
    pieces.keywords += "<Keyword Value=\"" + std::string(row.keyword) + "\"/>";
    const profile::Document document = pieces.document();
    const auto plan = composed(document, "P", test::linuxMachine());
    REQUIRE(plan);
    REQUIRE(plan->diagnostics.size() == 2); // and the provider *Test
    CHECK(plan->diagnostics[0].object == "keyword " + std::string(row.keyword));
    CHECK(plan->diagnostics[0].profile == "P");
    REQUIRE(plan->diagnostics[0].limitation);
    CHECK(plan->diagnostics[0].limitation->code == row.code);
    CHECK(plan->diagnostics[0].limitation->detail == row.keyword);
    // Elsewhere nothing is foreign.
    etw::Capabilities other = test::linuxMachine();
    other.platform = "Plan9";
    CHECK(composed(document, "P", other)->diagnostics[0].limitation->code == LimitationCode::KeywordNotServed);
}

TEST_CASE("A keyword of which the machine has a part is recorded in part", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords = R"(<Keyword Value="DiskIO"/>)";
    pieces.stacks.clear();
    etw::Capabilities machine = test::linuxMachine();
    machine.kernelGroups.set(0x100);
    const auto plan = composed(pieces.document(), "P", machine);
    REQUIRE(plan);
    CHECK(systemOf(*plan).keywords == Names{"DiskIO"});
    CHECK(systemOf(*plan).config.kernelGroups.words[0] == 0x100);
    CHECK(test::summary(*plan)[0] ==
          "warning keyword DiskIO: KeywordNotServed(DiskIO) in part: group 0x00000200 is missing");
}

// "Stacks only appear for events whose keyword is on (silently ignored otherwise)."
TEST_CASE("A stack whose keyword no profile turns on is left out with a note", "[plan][capability]") {
    Pieces pieces;
    pieces.stacks = R"(<Stack Value="SampledProfile"/><Stack Value="ReadyThread"/>)";
    const auto plan = composed(pieces.document(), "P", test::windowsMachine());
    REQUIRE(plan);
    CHECK(systemOf(*plan).stacks == Names{"SampledProfile"});
    CHECK(test::summary(*plan) == Names{"note stack ReadyThread: without effect: no profile turns the event on"});
}

TEST_CASE("Stacks that the machine does not walk are told by name", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords += R"(<Keyword Value="ProcessThread"/>)";
    pieces.stacks = R"(<Stack Value="SampledProfile"/><Stack Value="ThreadCreate"/><Stack Value="KernelWaitSync"/>)";
    const auto plan = composed(pieces.document(), "P", test::linuxMachine());
    REQUIRE(plan);
    CHECK(systemOf(*plan).stacks == Names{"SampledProfile"});
    const Names lines = test::summary(*plan);
    CHECK(lines[0] == "warning stack KernelWaitSync: StackNotServed(KernelWaitSync) its event is not recorded");
    CHECK(lines[1] == "warning stack ThreadCreate: StackNotServed(ThreadCreate)");
}

TEST_CASE("What is strict and missing refuses the plan", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords += R"(<Keyword Value="Power" Strict="true"/>)";
    const auto plan = composed(pieces.document(), "P", test::linuxMachine());
    REQUIRE_FALSE(plan);
    CHECK(plan.error() == Error{ErrorCode::StrictRefused, "keyword Power (KeywordNotServed)", 0});
}

TEST_CASE("What a file asks for without effect, or wrongly, is in the plan", "[plan][capability]") {
    const Pieces pieces;
    profile::Document document = pieces.document();
    profile::Problem pending;
    pending.severity = profile::Problem::Severity::Warning;
    pending.place = {7, 3};
    pending.message = "StackCaching has no effect yet";
    document.warnings = {pending, pending};
    const auto plan = composed(document, "P", test::windowsMachine());
    REQUIRE(plan);
    CHECK(test::summary(*plan) == Names{"warning line 7 of " + document.path + ": StackCaching has no effect yet"});
}

TEST_CASE("Strictness is for the platform that has the thing", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords += R"(<Keyword Value="Registry" Strict="true"/>)";
    pieces.provider = R"(<EventProvider Id="EP" Name="*Test" Strict="true"/>)";
    const auto plan = composed(pieces.document(), "P", test::linuxMachine());
    REQUIRE(plan);
    CHECK(test::summary(*plan) ==
          Names{"warning keyword Registry: KeywordNotOnThisPlatform(Registry) the profile calls it strict",
                "warning provider Test: ProviderNotOnThisPlatform(Test) the profile calls it strict"});
}

// A stack has no other severity than the keyword of its event: alone it asks for nothing more.
TEST_CASE("A strict stack of what the platform does not have is left out like its keyword", "[plan][capability]") {
    struct Row {
        const char* keyword;
        const char* stack;
        const char* refused; ///< null: the rest is planned
    };
    const auto row =
        GENERATE(Row{R"(<Keyword Value="Registry" Strict="true"/>)",
                     R"(<Stack Value="RegistryQueryValue" Strict="true"/>)", nullptr},
                 Row{R"(<Keyword Value="Registry"/>)", R"(<Stack Value="RegistryQueryValue" Strict="true"/>)", nullptr},
                 Row{"", R"(<Stack Value="HeapAllocation" Strict="true"/>)", nullptr},
                 Row{"", R"(<Stack Value="ThreadPoolTimerSet" Strict="true"/>)", nullptr},
                 Row{R"(<Keyword Value="Pool"/>)", R"(<Stack Value="PoolAllocation" Strict="true"/>)",
                     "stack PoolAllocation (StackNotServed)"},
                 Row{R"(<Keyword Value="DPC"/>)", R"(<Stack Value="DpcExecute" Strict="true"/>)",
                     "stack DpcExecute (StackNotServed)"});
    CAPTURE(row.keyword, row.stack);
    Pieces pieces;
    pieces.keywords += row.keyword;
    pieces.stacks += row.stack;
    const profile::Document document = pieces.document();
    const auto plan = composed(document, "P", test::linuxMachine());
    REQUIRE(plan.has_value() == (row.refused == nullptr));
    if (plan) {
        const Names told = test::summary(*plan);
        CHECK(std::any_of(told.begin(), told.end(),
                          [](const std::string& line) { return line.starts_with("warning stack "); }));
    } else {
        CHECK(plan.error() == Error{ErrorCode::StrictRefused, row.refused, 0});
    }
}

TEST_CASE("Providers that this machine has are enabled by either form of their name", "[plan][capability]") {
    const auto name = GENERATE("*Company-Product", "Company-Product", "company-product");
    Pieces pieces;
    pieces.provider = "<EventProvider Id=\"EP\" Name=\"" + std::string(name) + "\"/>";
    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Company-Product"));
    const auto plan = composed(pieces.document(), "P", machine);
    REQUIRE(plan);
    const PlannedSession& events = test::sessionOf(*plan, PlannedSession::Kind::Event);
    REQUIRE(events.providers.size() == 2);
    CHECK(events.providers[0].provider == guidFromProviderName("Company-Product"));
    CHECK(events.config.maximumBuffers == 8); // its collector's own size
    CHECK(plan->diagnostics.empty());
}

TEST_CASE("A diagnostic names the profile it concerns, or none where several do", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords += R"(<Keyword Value="Power"/>)";
    pieces.moreProfiles =
        R"(<Profile Id="Q.Verbose.File" Base="P.Verbose.File" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="File"/>)";
    const profile::Document document = pieces.document();
    const auto plan = plan::compose({{&document, "P", {}}, {&document, "Q", {}}}, inFile, test::linuxMachine());
    REQUIRE(plan);
    REQUIRE(plan->diagnostics.size() == 2); // the keyword once, the provider once
    CHECK(plan->diagnostics[0].profile.empty());
    CHECK(plan->diagnostics[1].profile.empty());
}

TEST_CASE("A plan that would record nothing is refused with the reasons", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords = R"(<Keyword Value="Registry"/>)";
    pieces.stacks.clear();
    const auto plan = composed(pieces.document(), "P", test::linuxMachine());
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == ErrorCode::NothingToRecord);
    CHECK(plan.error().detail == "nothing of what the profiles ask for can be recorded here: keyword Registry "
                                 "(KeywordNotOnThisPlatform), provider Test (ProviderNotOnThisPlatform)");
}

TEST_CASE("A profile of event providers alone is recorded where one of them exists", "[plan][capability]") {
    Pieces pieces;
    pieces.keywords = R"(<Keyword Value="Registry"/>)";
    pieces.stacks.clear();
    etw::Capabilities machine = test::linuxMachine();
    machine.providers.push_back(guidFromProviderName("Test"));
    const auto plan = composed(pieces.document(), "P", machine);
    REQUIRE(plan);
    REQUIRE(plan->sessions.size() == 1); // no system session without groups
    CHECK(plan->sessions[0].kind == PlannedSession::Kind::Event);
    CHECK(test::summary(*plan).back() ==
          "note session WPR_initiated_WprApp_WPR System Collector: is left out: none of its keywords is served");
}

TEST_CASE("A plan as JSON stays as it is", "[plan][json]") {
    const auto plan = composed(shipped("cpu.wprp"), "CPU", test::linuxMachine(),
                               {DetailLevel::Light, LoggingMode::Memory, std::nullopt, mib(200)});
    REQUIRE(plan);
    std::ifstream file(std::string(TRACEDECK_SOURCE_DIR) + "/tests/unit/plan/cpu_light_memory.json", std::ios::binary);
    REQUIRE(file);
    std::ostringstream golden;
    golden << file.rdbuf();
    CHECK(plan::toJson(*plan) == golden.str());
}

TEST_CASE("Text in JSON is escaped", "[plan][json]") {
    RecordingPlan plan;
    plan.profiles = {"a\"b\\c\n\x01"};
    CHECK(plan::toJson(plan).find(R"("a\"b\\c\u000a\u0001")") != std::string::npos);
    CHECK(plan::toJson(plan).find("\"sessions\": [],\n") != std::string::npos);
}

// A path of Linux may hold any bytes; JSON is UTF-8.
TEST_CASE("What is no UTF-8 does not get into JSON", "[plan][json]") {
    RecordingPlan plan;
    plan.diagnostics.push_back({plan::Severity::Note, {}, "line 1 of a\xFF\xC3.wprp", std::nullopt, "x", std::nullopt});
    const std::string json = plan::toJson(plan);
    CHECK(json.find("line 1 of a\xEF\xBF\xBD\xEF\xBF\xBD.wprp") != std::string::npos);
}
