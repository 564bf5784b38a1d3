// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/selection.h"
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
using plan::Selection;
using test::Pieces;
using Names = std::vector<std::string>;

namespace {

constexpr Overrides inFile{DetailLevel::Verbose, LoggingMode::File, std::nullopt, mib(200)};
constexpr Overrides inMemory{DetailLevel::Verbose, LoggingMode::Memory, std::nullopt, mib(200)};

RecordingPlan planOf(const profile::Document& document, const Names& profiles, const Overrides& overrides = inFile,
                     const etw::Capabilities& machine = test::windowsMachine()) {
    std::vector<Selection> selections;
    for (const std::string& name : profiles) {
        selections.push_back({&document, name, std::nullopt});
    }
    Result<RecordingPlan> plan = plan::compose(selections, overrides, machine);
    INFO((plan ? "" : plan.error().detail));
    REQUIRE(plan);
    return *std::move(plan);
}

const PlannedSession& systemOf(const RecordingPlan& plan) {
    return test::sessionOf(plan, PlannedSession::Kind::System);
}
const PlannedSession& eventsOf(const RecordingPlan& plan) {
    return test::sessionOf(plan, PlannedSession::Kind::Event);
}

bool contains(const Names& lines, const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

/// A profile with the given content, in both modes.
std::string profileText(const std::string& name, const std::string& content, const std::string& base = "") {
    std::string all;
    for (const std::string mode : {"File", "Memory"}) {
        all += "<Profile Id=\"" + name + ".Verbose." + mode + "\" Name=\"" + name + "\"" +
               (base.empty() ? "" : " Base=\"" + base + "\"") +
               " Description=\"\" DetailLevel=\"Verbose\" LoggingMode=\"" + mode + "\">" + content + "</Profile>\n";
    }
    return all;
}

std::string collectors(const std::string& content, const std::string& operation = "") {
    return "<Collectors" + (operation.empty() ? "" : " Operation=\"" + operation + "\"") + ">" + content +
           "</Collectors>";
}

std::string events(const std::string& collector, const std::string& providers, const std::string& operation = "") {
    std::string list;
    for (std::size_t i = 0; i < providers.size(); i += 2) {
        list += "<EventProviderId Value=\"" + providers.substr(i, 2) + "\"/>";
    }
    return "<EventCollectorId Value=\"" + collector + "\"><EventProviders" +
           (operation.empty() ? "" : " Operation=\"" + operation + "\"") + ">" + list +
           "</EventProviders></EventCollectorId>";
}

Names providerNames(const PlannedSession& session) {
    Names names;
    for (const etw::ProviderConfig& provider : session.providers) {
        names.push_back(provider.name);
    }
    return names;
}

} // namespace

// "Session name = WPR_initiated_ + instance + _ + collector Name; the system one is always WPR System Collector."
TEST_CASE("Sessions are named after the instance and the collector", "[plan][names]") {
    const profile::Document document = Pieces().document();
    const auto plan = plan::compose({{&document, "P", {}}}, inFile, test::windowsMachine(), "Mine");
    REQUIRE(plan);
    REQUIRE(plan->sessions.size() == 2);
    CHECK(plan->sessions[0].config.name == "WPR_initiated_Mine_WPR System Collector");
    CHECK(plan->sessions[1].config.name == "WPR_initiated_Mine_Events");
    CHECK(plan->profiles == Names{"P.Verbose.File"});
}

// "Memory mode: EVENT_TRACE_BUFFERING_MODE; file mode: sequential." "SYSTEM_LOGGER preferred for the system session."
TEST_CASE("The logging mode decides the modes of the sessions", "[plan][mode]") {
    using namespace etlformat::mode;
    const profile::Document document = Pieces().document();
    const RecordingPlan file = planOf(document, {"P"}, inFile);
    CHECK(systemOf(file).config.logFileMode == (kSequential | kSystemLogger));
    CHECK(eventsOf(file).config.logFileMode == (kSequential | kPagedMemory));
    CHECK(systemOf(file).config.minimumFreeDisk == mib(200));
    const RecordingPlan memory = planOf(document, {"P"}, inMemory);
    CHECK(systemOf(memory).config.logFileMode == (kBuffering | kSystemLogger));
    CHECK(eventsOf(memory).config.logFileMode == (kBuffering | kPagedMemory));
    CHECK(systemOf(memory).config.minimumFreeDisk == Bytes{0});
    CHECK(memory.profiles == Names{"P.Verbose.Memory"});
}

// "Keywords, stacks and pool tags of all selected system providers are OR-ed."
TEST_CASE("Keywords and stacks of all profiles are united in one system session", "[plan][system]") {
    Pieces pieces;
    pieces.moreProfiles = profileText(
        "Q", collectors(R"(<SystemCollectorId Value="SC"><SystemProvider Id="S2"><Keywords><Keyword Value="Loader"/>)"
                        R"(<Keyword Value="CSwitch"/></Keywords><Stacks><Stack Value="CSwitch"/></Stacks>)"
                        R"(</SystemProvider></SystemCollectorId>)"));
    const profile::Document document = pieces.document();
    const RecordingPlan plan = planOf(document, {"P", "Q"});
    CHECK(systemOf(plan).keywords == Names{"CSwitch", "Loader", "SampledProfile"});
    CHECK(systemOf(plan).stacks == Names{"CSwitch", "SampledProfile"});
    etlformat::GroupMasks expected;
    expected.set(etlformat::group::kContextSwitch);
    expected.set(etlformat::group::kLoader);
    expected.set(etlformat::group::kProfile);
    CHECK(systemOf(plan).config.kernelGroups == expected);
    CHECK(systemOf(plan).config.stackHooks ==
          std::vector<std::uint16_t>{etlformat::hook::kCSwitch, etlformat::hook::kSampledProfile});
    CHECK(plan.profiles == Names{"P.Verbose.File", "Q.Verbose.File"});
}

// "CustomKeyword is a PERF_* group id", "CustomStack takes the whole hook id".
TEST_CASE("Custom keywords and stacks are numbers, shown by name where they have one", "[plan][system]") {
    Pieces pieces;
    pieces.keywords =
        R"(<Keyword Value="CSwitch"/><CustomKeyword Value="0x20000200"/><CustomKeyword Value="0x20001000"/>)";
    pieces.stacks = R"(<Stack Value="CSwitch"/><CustomStack Value="0x0532"/>)";
    const RecordingPlan plan = planOf(pieces.document(), {"P"});
    CHECK(systemOf(plan).keywords == Names{"CSwitch", "IdealProcessor", "ReadyThread"});
    CHECK(systemOf(plan).stacks == Names{"CSwitch", "ReadyThread"});
    CHECK(systemOf(plan).config.kernelGroups.has(etlformat::group::kDispatcher));
}

// "Collectors with equal Name are coalesced into one session; different names give separate sessions, and one provider
// in two sessions is enabled twice."
TEST_CASE("Event collectors are coalesced by name", "[plan][events]") {
    Pieces pieces;
    pieces.provider += R"(<EventProvider Id="E2" Name="*Second"/>)";
    // Collectors stand before providers, so the second and third are made by reference to built-in ones.
    pieces.moreProfiles = profileText("Q", collectors(events("EventCollector_WPREventCollectorInFile", "E2"))) +
                          profileText("R", collectors(events("EventCollector_WPREventCollectorInFileLarge", "E2EP")));
    const profile::Document document = pieces.document();
    const RecordingPlan plan = planOf(document, {"P", "Q", "R"});
    REQUIRE(plan.sessions.size() == 3);
    CHECK(plan.sessions[1].config.name == "WPR_initiated_WprApp_Events");
    CHECK(providerNames(plan.sessions[1]) == Names{"Test", "Tracedeck-Recorder"});
    CHECK(plan.sessions[2].config.name == "WPR_initiated_WprApp_WPR Event Collector");
    CHECK(providerNames(plan.sessions[2]) == Names{"Second", "Test"});
    CHECK(plan.sessions[2].config.maximumBuffers == 20 + 64);
}

// "Same provider in several profiles of one collector: keywords OR, level max, Stack OR."
TEST_CASE("One provider of several profiles is enabled once with all that they want", "[plan][events]") {
    Pieces pieces;
    pieces.provider +=
        R"(<EventProvider Id="E2" Name="*tEST" Level="2" Stack="true"><Keywords><Keyword Value="0x8"/></Keywords></EventProvider>)";
    pieces.moreProfiles = profileText("Q", collectors(events("EC", "E2")));
    const RecordingPlan plan = planOf(pieces.document(), {"P", "Q"});
    REQUIRE(eventsOf(plan).providers.size() == 2);
    const etw::ProviderConfig& provider = eventsOf(plan).providers[0];
    CHECK(provider.provider == guidFromProviderName("Test"));
    CHECK(provider.matchAnyKeyword == 0xE);
    CHECK(provider.level == 4);
    CHECK(provider.captureStack);
}

// "No Keywords or 0x0 = all events." "Level absent/0 -> ETW all (status shows 0xff)."
TEST_CASE("Missing keywords and levels mean all", "[plan][events]") {
    struct Row {
        const char* provider;
        std::uint64_t keywords;
        unsigned level;
    };
    const auto row = GENERATE(
        Row{R"(<EventProvider Id="EP" Name="*T"/>)", 0, 0xFF},
        Row{R"(<EventProvider Id="EP" Name="*T" Level="0"/>)", 0, 0xFF},
        Row{R"(<EventProvider Id="EP" Name="*T" Level="5"><Keywords><Keyword Value="0x0"/></Keywords></EventProvider>)",
            0, 5},
        Row{R"(<EventProvider Id="EP" Name="*T"><Keywords><Keyword Value="0x1"/></Keywords><Keywords><Keyword Value="8000000000000000"/></Keywords></EventProvider>)",
            0x8000000000000001U, 0xFF});
    Pieces pieces;
    pieces.provider = row.provider;
    const RecordingPlan plan = planOf(pieces.document(), {"P"});
    const etw::ProviderConfig* provider = test::providerOf(eventsOf(plan), "T");
    REQUIRE(provider != nullptr);
    CHECK(provider->matchAnyKeyword == row.keywords);
    CHECK(unsigned{provider->level} == row.level);
}

TEST_CASE("A provider that wants everything is not narrowed by another profile", "[plan][events]") {
    Pieces pieces;
    pieces.provider += R"(<EventProvider Id="E2" Name="*Test"/>)";
    pieces.moreProfiles = profileText("Q", collectors(events("EC", "E2")));
    const RecordingPlan plan = planOf(pieces.document(), {"P", "Q"});
    CHECK(eventsOf(plan).providers[0].matchAnyKeyword == 0);
    CHECK(eventsOf(plan).providers[0].level == 0xFF);
}

// "Name: registered name, GUID with or without braces, *Name = TraceLogging provider name hashed to GUID,
// DotNetProvider."
TEST_CASE("Provider names become ids", "[plan][events]") {
    struct Row {
        const char* text;
        const char* guid;
        const char* name; ///< for people
    };
    const auto row = GENERATE(
        Row{"{E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4}", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
            ".NET Common Language Runtime"},
        Row{"8c416c79-d49b-4f01-a467-e56d3aa8234c", "8c416c79-d49b-4f01-a467-e56d3aa8234c", "Microsoft-Windows-Win32k"},
        Row{"{00000001-0002-0003-0004-000000000005}", "00000001-0002-0003-0004-000000000005",
            "{00000001-0002-0003-0004-000000000005}"},
        Row{"DotNetProvider", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "DotNetProvider"},
        Row{"microsoft-windows-win32k", "8c416c79-d49b-4f01-a467-e56d3aa8234c", "microsoft-windows-win32k"},
        Row{"*Own-Provider", "2d8452dd-599d-5dd8-48c6-64220f40c5ff", "Own-Provider"},
        Row{"Nobody-Knows-Me", "00000000-0000-0000-0000-000000000000", "Nobody-Knows-Me"});
    CAPTURE(row.text);
    Pieces pieces;
    pieces.provider = "<EventProvider Id=\"EP\" Name=\"" + std::string(row.text) + "\"/>";
    const RecordingPlan plan = planOf(pieces.document(), {"P"});
    const etw::ProviderConfig* provider = test::providerOf(eventsOf(plan), row.name);
    REQUIRE(provider != nullptr);
    CHECK(toString(provider->provider) == row.guid); // null: only the machine can resolve the name
    // What is missing goes by the same name, with the id beside it.
    const profile::Document document = pieces.document();
    const auto here = plan::compose({{&document, "P", std::nullopt}}, inFile, test::linuxMachine());
    REQUIRE(here);
    REQUIRE(here->diagnostics.size() == 1);
    CHECK(here->diagnostics.front().object == "provider " + std::string(row.name));
    CHECK(here->diagnostics.front().provider.value_or(Guid{}) == provider->provider);
    const std::string id = "\"provider\": \"" + std::string(row.guid) + "\"";
    CHECK((plan::toJson(*here).find(id) != std::string::npos) == !provider->provider.isNull());
}

// "WPR uses paged ETW buffers by default; a provider with NonPagedMemory forces a non-paged collector." The mode is
// "ignored if EVENT_TRACE_PRIVATE_LOGGER_MODE is set" and never goes with a system logger.
TEST_CASE("Buffers are paged unless a provider of the kernel writes to them", "[plan][mode]") {
    struct Row {
        const char* collector;
        const char* provider;
        bool isPaged;
    };
    const auto row = GENERATE(Row{"", "", true}, Row{"", "NonPagedMemory=\"false\"", true},
                              Row{"", "NonPagedMemory=\"true\"", false}, Row{"Private=\"true\"", "", false});
    CAPTURE(row.collector, row.provider);
    const profile::Document document =
        test::documentOf("<EventCollector Id=\"EC\" Name=\"Events\" " + std::string(row.collector) +
                         "/><EventProvider Id=\"E1\" Name=\"*One\"/><EventProvider Id=\"E2\" Name=\"*Two\" " +
                         row.provider + "/>" + profileText("P", collectors(events("EC", "E1") + events("EC", "E2"))));
    const RecordingPlan plan = planOf(document, {"P"});
    CHECK(((eventsOf(plan).config.logFileMode & etlformat::mode::kPagedMemory) != 0) == row.isPaged);
}

// "Tracedeck-Recorder is enabled in the first event session, which is added where no profile has one."
TEST_CASE("Our own provider is in the first event session, with everything", "[plan][own]") {
    Pieces pieces;
    pieces.provider =
        R"(<EventProvider Id="EP" Name="*Tracedeck-Recorder" Level="1"><Keywords><Keyword Value="0x1"/></Keywords></EventProvider>)";
    pieces.moreProfiles = profileText(
        "Kernel", collectors(R"(<SystemCollectorId Value="SC"><SystemProviderId Value="SP"/></SystemCollectorId>)"));
    const profile::Document document = pieces.document();
    const RecordingPlan asked = planOf(document, {"P"});
    REQUIRE(eventsOf(asked).providers.size() == 1); // asked for less, gets all
    const RecordingPlan added = planOf(document, {"Kernel"});
    CHECK(eventsOf(added).config.name == "WPR_initiated_WprApp_WPR Event Collector");
    CHECK(eventsOf(added).config.bufferSizeKib == 64);
    CHECK(eventsOf(added).config.maximumBuffers == 16);
    for (const RecordingPlan* plan : {&asked, &added}) {
        const etw::ProviderConfig* own = test::providerOf(eventsOf(*plan), "Tracedeck-Recorder");
        REQUIRE(own != nullptr);
        CHECK(own->provider == guidFromProviderName("Tracedeck-Recorder"));
        CHECK(own->level == 0xFF);
        CHECK(own->matchAnyKeyword == 0);
    }
}

TEST_CASE("A profile that is selected twice is recorded once", "[plan][selection]") {
    const profile::Document document = Pieces().document();
    const RecordingPlan plan = planOf(document, {"P", "p"});
    CHECK(plan.profiles == Names{"P.Verbose.File"});
    CHECK(systemOf(plan).config.maximumBuffers == 20);
    CHECK(contains(test::summary(plan), "note profile P: is selected twice and recorded once"));
}

// "Names are case-insensitive." "Selecting memory mode for a profile that only has a File variant fails."
TEST_CASE("What cannot be selected is told with what there is", "[plan][selection]") {
    Pieces pieces;
    pieces.moreProfiles =
        R"(<Profile Id="OnlyFile.Light.File" Name="OnlyFile" Description="" DetailLevel="Light" LoggingMode="File"/>)"
        R"(<Profile Id="Base" Name="Hidden" Description="" DetailLevel="Verbose" LoggingMode="File" Internal="true"/>)";
    const profile::Document document = pieces.document();
    struct Row {
        Selection selection;
        Overrides overrides;
        ErrorCode code;
        const char* detail;
    };
    const auto row = GENERATE_REF(
        Row{{&document, "PP", {}}, inFile, ErrorCode::ProfileUnknown, "profile 'PP' is not in test.wprp"},
        Row{{&document, "OnlyFiles", {}},
            inFile,
            ErrorCode::ProfileUnknown,
            "profile 'OnlyFiles' is not in test.wprp; did you mean 'OnlyFile'?"},
        Row{{&document, "Hidden", {}}, inFile, ErrorCode::ProfileUnknown, "profile 'Hidden' is not in test.wprp"},
        Row{{&document, "onlyfile", {}},
            inMemory,
            ErrorCode::ProfileVariantMissing,
            "profile 'onlyfile' has no variant Verbose.Memory; it has OnlyFile.Light.File"},
        Row{{&document, "OnlyFile", DetailLevel::Verbose},
            inFile,
            ErrorCode::ProfileVariantMissing,
            "profile 'OnlyFile' has no variant Verbose.File; it has OnlyFile.Light.File"},
        Row{{&document, "P", DetailLevel::Light},
            inFile,
            ErrorCode::ProfileVariantMissing,
            "profile 'P' has no variant Light.File; it has P.Verbose.File, P.Verbose.Memory"},
        Row{{nullptr, "P", {}}, inFile, ErrorCode::InvalidArgument, "profile 'P' has no document"});
    const auto plan = plan::compose({row.selection}, row.overrides, test::windowsMachine());
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == row.code);
    CHECK(plan.error().detail == row.detail);
}

TEST_CASE("No selection and too many are refused", "[plan][selection]") {
    const profile::Document document = Pieces().document();
    CHECK(plan::compose({}, inFile, test::windowsMachine()).error().code == ErrorCode::InvalidArgument);
    const std::vector<Selection> many(65, Selection{&document, "P", {}});
    CHECK(plan::compose(many, inFile, test::windowsMachine()).error().code == ErrorCode::InvalidArgument);
}

// "Verbose is used when no level is given, unless the profile has only Light."
TEST_CASE("A profile that has only Light is recorded as Light where no level is asked for", "[plan][selection]") {
    Pieces pieces;
    pieces.moreProfiles =
        R"(<Profile Id="L.Light.File" Base="P.Verbose.File" Name="L" Description="" DetailLevel="Light" LoggingMode="File"/>)";
    const RecordingPlan plan = planOf(pieces.document(), {"L"});
    CHECK(plan.profiles == Names{"L.Light.File"});
    CHECK(contains(test::summary(plan), "note profile L: is recorded as Light: it has no Verbose variant"));
}

TEST_CASE("The detail of one selection wins over that of all", "[plan][selection]") {
    Pieces pieces;
    pieces.moreProfiles =
        R"(<Profile Id="P.Light.File" Name="P" Description="" DetailLevel="Light" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProvider Id="Q"><Keywords><Keyword Value="Loader"/></Keywords></SystemProvider></SystemCollectorId></Collectors></Profile>)";
    const profile::Document document = pieces.document();
    const auto plan = plan::compose({{&document, "P", DetailLevel::Light}}, inFile, test::windowsMachine());
    REQUIRE(plan);
    CHECK(plan->profiles == Names{"P.Light.File"});
    CHECK(systemOf(*plan).keywords == Names{"Loader"});
}

TEST_CASE("The same input gives the same plan, byte for byte", "[plan][pure]") {
    const profile::Document document = Pieces().document();
    const std::string first = plan::toJson(planOf(document, {"P"}, inMemory, test::linuxMachine()));
    const profile::Document again = Pieces().document();
    CHECK(plan::toJson(planOf(again, {"P"}, inMemory, test::linuxMachine())) == first);
}

// WPRUI: "General is always recorded together with custom profiles." (The wpr command line starts what it is given.)
TEST_CASE("General is added to profiles of one's own, in front of them", "[plan][general]") {
    const std::string general =
        "<SystemProvider Id=\"SP\"/>" + profileText("GeneralProfile", collectors(events("EC", "E1")));
    const profile::Document ours = test::documentOf(general);
    const profile::Document others = test::documentOf(profileText("CPU", collectors(events("EC", "E1"))));
    const profile::Document own = test::documentOf(profileText("Mine", collectors(events("EC", "E1"))));
    const profile::Document ownGeneral = test::documentOf(general);
    using Documents = std::vector<const profile::Document*>;
    struct Row {
        std::vector<Selection> selected;
        Documents builtIn;
        Names recorded;
    };
    const Selection mine{&own, "Mine", std::nullopt};
    const Selection cpu{&others, "CPU", DetailLevel::Light};
    const std::vector<Row> rows = {
        {{mine}, {&others, &ours}, {"GeneralProfile", "Mine"}},
        {{cpu, mine}, {&others, &ours}, {"GeneralProfile", "CPU", "Mine"}},
        {{cpu}, {&others, &ours}, {"CPU"}},
        {{}, {&others, &ours}, {}},
        {{mine, {&ours, "generalprofile", std::nullopt}}, {&others, &ours}, {"Mine", "generalprofile"}},
        {{mine, {&ownGeneral, "GeneralProfile", std::nullopt}}, {&others, &ours}, {"Mine", "GeneralProfile"}},
        {{mine}, {&others}, {"Mine"}}, // a library without it
    };
    for (const Row& row : rows) {
        const plan::WithGeneral result = plan::withGeneral(row.selected, row.builtIn);
        Names names;
        for (const Selection& selection : result.selections) {
            names.push_back(selection.name);
        }
        CHECK(names == row.recorded);
        const bool isAdded = names.size() > row.selected.size();
        CHECK(result.note.has_value() == isAdded);
        if (isAdded) {
            CHECK(result.selections.front().document == &ours);
            CHECK_FALSE(result.selections.front().detail);
            CHECK(result.note->severity == plan::Severity::Note);
            CHECK(result.note->object == "profile GeneralProfile");
        }
    }
}
