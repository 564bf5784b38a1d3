// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/resolve.h"
#include "core/profile/builtin.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace tracedeck;
using plan::Definitions;
using plan::ResolvedCollector;
using plan::ResolvedProfile;
using Names = std::vector<std::string>;

namespace {

Names values(const std::vector<profile::ListItem>& items) {
    Names result;
    for (const profile::ListItem& item : items) {
        result.push_back(item.value);
    }
    return result;
}

Names ids(const ResolvedCollector& collector) {
    Names result;
    for (const plan::ResolvedProvider& provider : collector.providers) {
        result.push_back(provider.id);
    }
    return result;
}

/// The profile D.Verbose.File, derived from B.Verbose.File, resolved. B has both collectors with SP and E1, E2.
ResolvedProfile derived(const std::string& content, const std::string& moreProviders = "") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"><BufferSize Value="512"/><Buffers Value="20"/></SystemCollector>)"
        R"(<SystemCollector Id="SD" Base="SC"><Buffers Operation="Add" Value="5"/></SystemCollector>)"
        R"(<EventCollector Id="EC" Name="Events"><Buffers Value="10"/></EventCollector>)"
        R"(<SystemProvider Id="SP"><Keywords><Keyword Value="CSwitch"/><Keyword Value="Loader"/></Keywords>)"
        R"(<Stacks><Stack Value="CSwitch"/></Stacks></SystemProvider>)"
        R"(<SystemProvider Id="SA" Base="SP"><Keywords Operation="Add"><Keyword Value="DPC"/></Keywords></SystemProvider>)"
        R"(<SystemProvider Id="SR" Base="SP"><Keywords Operation="Remove"><Keyword Value="CSwitch"/></Keywords></SystemProvider>)"
        R"(<SystemProvider Id="SS" Base="SP"><Keywords><Keyword Value="DPC"/></Keywords></SystemProvider>)"
        R"(<EventProvider Id="E1" Name="*One" Level="3" Stack="true"><Keywords><Keyword Value="0x1"/></Keywords></EventProvider>)"
        R"(<EventProvider Id="E2" Name="*Two"/><EventProvider Id="E3" Name="*Three"/>)" +
        moreProviders +
        R"(<Profile Id="B.Verbose.File" Name="B" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>)"
        R"(<SystemCollectorId Value="SC"><SystemProviderId Value="SP"/></SystemCollectorId>)"
        R"(<EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E1"/><EventProviderId Value="E2"/>)"
        R"(</EventProviders></EventCollectorId></Collectors></Profile>)"
        R"(<Profile Id="D.Verbose.File" Base="B.Verbose.File" Name="D" Description="" DetailLevel="Verbose" LoggingMode="File">)" +
        content + "</Profile>");
    const Definitions definitions({&document, &profile::builtinDefinitions()});
    return plan::resolve(*document.findProfile("D.Verbose.File"), document, definitions);
}

std::string system(const std::string& collector, const std::string& provider) {
    return "<SystemCollectorId Value=\"" + collector + "\"><SystemProviderId Value=\"" + provider +
           "\"/></SystemCollectorId>";
}

} // namespace

// "Usual Memory twin: Profile Base=… with no children."
TEST_CASE("A profile without content has all of its base", "[plan][base]") {
    const ResolvedProfile profile = derived("");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(values(profile.collectors[0].keywords) == Names{"CSwitch", "Loader"});
    CHECK(ids(profile.collectors[1]) == Names{"E1", "E2"});
    CHECK(profile.diagnostics.empty());
}

// "Child lists follow Operation: absent/Set replaces the inherited list, Add appends, Remove deletes the listed
// members."
TEST_CASE("Collectors follow their operation", "[plan][base]") {
    const ResolvedProfile set = derived("<Collectors>" + system("SC", "SP") + "</Collectors>");
    REQUIRE(set.collectors.size() == 1);
    CHECK(set.collectors[0].id == "SC");

    const ResolvedProfile removed =
        derived(R"(<Collectors Operation="Remove"><EventCollectorId Value="EC"/></Collectors>)");
    REQUIRE(removed.collectors.size() == 1);
    CHECK(removed.collectors[0].id == "SC");

    const ResolvedProfile replaced =
        derived("<Collectors Operation=\"Remove\">" + system("SC", "SP") +
                "</Collectors><Collectors Operation=\"Add\">" + system("SD", "SA") + "</Collectors>");
    REQUIRE(replaced.collectors.size() == 2);
    CHECK(replaced.collectors[1].id == "SD");
    CHECK(values(replaced.collectors[1].keywords) == Names{"CSwitch", "Loader", "DPC"});
}

// "Collectors Operation=Add with the same collector Value adds providers to the inherited collector; SystemProviderId
// entries of one collector are united."
TEST_CASE("A collector that is added again keeps its providers", "[plan][base]") {
    const ResolvedProfile profile = derived(
        "<Collectors Operation=\"Add\">" + system("SC", "SS") +
        R"(<EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E3"/></EventProviders></EventCollectorId></Collectors>)");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(values(profile.collectors[0].keywords) == Names{"CSwitch", "Loader", "DPC"});
    CHECK(ids(profile.collectors[1]) == Names{"E1", "E2", "E3"});
}

// "Listing a collector's providers again in a derived profile replaces them unless Operation=Add."
TEST_CASE("Event providers follow their operation", "[plan][base]") {
    struct Row {
        const char* operation;
        const char* provider;
        Names ids;
    };
    const auto row = GENERATE(Row{"Set", "E3", {"E3"}}, Row{"Add", "E3", {"E1", "E2", "E3"}},
                              Row{"Add", "E1", {"E1", "E2"}}, Row{"Remove", "E1", {"E2"}});
    const ResolvedProfile profile =
        derived("<Collectors Operation=\"Add\"><EventCollectorId Value=\"EC\"><EventProviders Operation=\"" +
                std::string(row.operation) + "\"><EventProviderId Value=\"" + row.provider +
                "\"/></EventProviders></EventCollectorId></Collectors>");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(ids(profile.collectors[1]) == row.ids);
}

TEST_CASE("Keywords follow their operation along the bases", "[plan][base]") {
    struct Row {
        const char* provider;
        Names keywords;
    };
    const auto row = GENERATE(Row{"SA", {"CSwitch", "Loader", "DPC"}}, Row{"SR", {"Loader"}}, Row{"SS", {"DPC"}});
    const ResolvedProfile profile = derived("<Collectors>" + system("SC", row.provider) + "</Collectors>");
    REQUIRE(profile.collectors.size() == 1);
    CHECK(values(profile.collectors[0].keywords) == row.keywords);
    CHECK(values(profile.collectors[0].stacks) == Names{"CSwitch"}); // inherited
}

TEST_CASE("A reference may override the lists of what it refers to", "[plan][base]") {
    const ResolvedProfile profile = derived(
        R"(<Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="SP"><Keywords Operation="Add">)"
        R"(<Keyword Value="DPC"/></Keywords></SystemProviderId></SystemCollectorId><EventCollectorId Value="EC">)"
        R"(<EventProviders><EventProviderId Value="E1"><Keywords><Keyword Value="0x20"/></Keywords></EventProviderId>)"
        R"(</EventProviders></EventCollectorId></Collectors>)");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(values(profile.collectors[0].keywords) == Names{"CSwitch", "Loader", "DPC"});
    CHECK(values(profile.collectors[1].providers[0].keywords) == Names{"0x20"});
    CHECK(profile.collectors[1].providers[0].level == 3);
}

// "Attributes given on the derived one win."
TEST_CASE("A derived provider keeps what it does not give itself", "[plan][base]") {
    const ResolvedProfile profile = derived(
        R"(<Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E4"/></EventProviders></EventCollectorId></Collectors>)",
        R"(<EventProvider Id="E4" Base="E1" Name="*Four" Level="5"><Keywords Operation="Add"><Keyword Value="0x2"/></Keywords></EventProvider>)");
    const plan::ResolvedProvider& provider = profile.collectors.at(0).providers.at(0);
    CHECK(provider.id == "E4");
    CHECK(provider.name == "*Four");
    CHECK(provider.level == 5);
    CHECK(provider.captureStack);
    CHECK(values(provider.keywords) == Names{"0x1", "0x2"});
}

// "On numbers: Set overwrites, Add adds, Remove subtracts."
TEST_CASE("Numbers follow their operation", "[plan][base]") {
    struct Row {
        const char* buffers;
        double count;
        double sizeKib;
    };
    const auto row =
        GENERATE(Row{R"(<Buffers Operation="Add" Value="8"/>)", 28, 512},
                 Row{R"(<Buffers Operation="Remove" Value="8"/>)", 12, 512},
                 Row{R"(<Buffers Operation="Remove" Value="80"/>)", 0, 512}, Row{R"(<Buffers Value="8"/>)", 8, 512},
                 Row{R"(<BufferSize Operation="Add" Value="512"/>)", 20, 1024},
                 // a percentage cannot be added to a count
                 Row{R"(<Buffers Operation="Add" Value="2" PercentageOfTotalMemory="true"/>)", 2, 512});
    const ResolvedProfile profile = derived("<Collectors Operation=\"Add\"><SystemCollectorId Value=\"SC\">" +
                                            std::string(row.buffers) + "</SystemCollectorId></Collectors>");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(profile.collectors[0].buffers.buffers->value == row.count);
    CHECK(profile.collectors[0].buffers.bufferSizeKib->value == row.sizeKib);
    CHECK(values(profile.collectors[0].keywords) == Names{"CSwitch", "Loader"});
}

TEST_CASE("A derived collector adds to the buffers of its base", "[plan][base]") {
    const ResolvedProfile profile = derived("<Collectors>" + system("SD", "SP") + "</Collectors>");
    CHECK(profile.collectors.at(0).buffers.buffers->value == 25);
    CHECK(profile.collectors.at(0).buffers.bufferSizeKib->value == 512);
}

// "Value may name an Id in the same file, a base file, or a built-in Id."
TEST_CASE("The collectors that WPR has built in are known", "[plan][base]") {
    struct Row {
        const char* id;
        double buffers;
        bool isPercentage;
    };
    const auto row = GENERATE(Row{"SystemCollector_WPRSystemCollectorInFile", 20, false},
                              Row{"SystemCollector_WPRSystemCollectorInFileLarge", 64, false},
                              Row{"SystemCollector_WPRSystemCollectorInMemory", 5, true});
    const ResolvedProfile profile = derived("<Collectors>" + system(row.id, "SP") + "</Collectors>");
    REQUIRE(profile.collectors.size() == 1);
    CHECK(profile.collectors[0].buffers.buffers->value == row.buffers);
    CHECK(profile.collectors[0].buffers.buffers->isPercentageOfTotalMemory == row.isPercentage);
    CHECK(profile.collectors[0].name == "WPR System Collector");
}

TEST_CASE("References and bases that lead nowhere are told, and the rest is recorded", "[plan][base]") {
    const ResolvedProfile profile = derived(
        R"(<Collectors><SystemCollectorId Value="SC"><SystemProvider Id="S4" Base="SystemProvider_Nowhere"><Keywords>)"
        R"(<Keyword Value="DPC"/></Keywords></SystemProvider></SystemCollectorId><EventCollectorId Value="EC">)"
        R"(<EventProviders><EventProviderId Value="Missing"/><EventProviderId Value="E1"/></EventProviders>)"
        R"(</EventCollectorId><EventCollectorId Value="Gone"/></Collectors>)");
    REQUIRE(profile.collectors.size() == 2);
    CHECK(values(profile.collectors[0].keywords) == Names{"DPC"});
    CHECK(ids(profile.collectors[1]) == Names{"E1"});
    REQUIRE(profile.diagnostics.size() == 3);
    CHECK(profile.diagnostics[0].object == "system provider SystemProvider_Nowhere");
    CHECK(profile.diagnostics[1].object == "provider Missing");
    CHECK(profile.diagnostics[2].object == "collector Gone");
    CHECK(profile.diagnostics[0].profile == "D");
    CHECK(profile.diagnostics[0].detail == "is not defined in this file or built in: what it would add is missing");
}

TEST_CASE("A circle of bases is cut and told", "[plan][base]") {
    const ResolvedProfile profile = derived(
        R"(<Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E5"/></EventProviders></EventCollectorId></Collectors>)",
        R"(<EventProvider Id="E5" Base="E6" Name="*Five"/><EventProvider Id="E6" Base="E5" Name="*Six"/>)");
    REQUIRE(ids(profile.collectors.at(0)) == Names{"E5"});
    REQUIRE(profile.diagnostics.size() == 1);
    CHECK(profile.diagnostics[0].detail == "is its own base: the circle is cut");
}

TEST_CASE("The first document of the search list that defines an id wins", "[plan][base]") {
    const profile::Document own = test::documentOf(
        R"(<EventProvider Id="E" Name="*Own"/><Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"/>)");
    const profile::Document other = test::documentOf(
        R"(<EventProvider Id="E" Name="*Other"/><EventProvider Id="F" Name="*More"/><Profile Id="Q.Verbose.File" Name="Q" Description="" DetailLevel="Verbose" LoggingMode="File"/>)");
    const Definitions definitions({&own, &other});
    CHECK(definitions.eventProvider("E")->name == "*Own");
    CHECK(definitions.eventProvider("F")->name == "*More");
    CHECK(definitions.profile("Q.Verbose.File") != nullptr);
    CHECK(definitions.collector("none") == nullptr);
}

// "0x10" and "0x0010" are one keyword: what is removed goes by its value.
TEST_CASE("Lists of numbers are compared by value", "[plan][base]") {
    const auto removed = GENERATE("0x10", "0x0010", "0X10", "10");
    const ResolvedProfile profile = derived(
        R"(<Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="E8"/></EventProviders></EventCollectorId></Collectors>)",
        R"(<EventProvider Id="E7" Name="*Seven"><Keywords><Keyword Value="0x10"/><Keyword Value="0xaB"/></Keywords>)"
        R"(<CaptureStateOnSave><Keyword Value="0x10"/><Keyword Value="0x20"/></CaptureStateOnSave>)"
        R"(<Stacks><CustomStack Value="0x1c2a"/></Stacks><EventFilters FilterIn="true"><EventId Value="16"/><EventId Value="17"/></EventFilters></EventProvider>)"
        R"(<EventProvider Id="E8" Base="E7" Name="*Eight"><Keywords Operation="Remove"><Keyword Value=")" +
            std::string(removed) + R"("/></Keywords><Keywords Operation="Add"><Keyword Value="0x00AB"/></Keywords>)" +
            R"(<CaptureStateOnSave Operation="Remove"><Keyword Value=")" + removed + R"("/></CaptureStateOnSave>)" +
            R"(<Stacks Operation="Remove"><CustomStack Value="0x1C2A"/></Stacks>)" +
            R"(<EventFilters Operation="Remove" FilterIn="true"><EventId Value="0x10"/></EventFilters></EventProvider>)");
    const plan::ResolvedProvider& provider = profile.collectors.at(0).providers.at(0);
    CHECK(values(provider.keywords) == Names{"0xaB"});
    REQUIRE(provider.captureOnSave);
    CHECK(values(provider.captureOnSave->keywords) == Names{"0x20"});
    CHECK(provider.stacks.empty());
    REQUIRE(provider.filters.size() == 1);
    CHECK(values(provider.filters[0].values.items) == Names{"17"});
}

// CC is a keyword, and two hexadecimal digits.
TEST_CASE("Lists of names are compared as they are written", "[plan][base]") {
    const profile::Document document = test::documentOf(
        R"(<SystemCollector Id="SC"/><SystemProvider Id="SX"><Keywords><Keyword Value="CC"/><CustomKeyword Value="0xCC"/><CustomKeyword Value="0xcd"/></Keywords></SystemProvider>)"
        R"(<SystemProvider Id="SY" Base="SX"><Keywords Operation="Remove"><CustomKeyword Value="0x00CD"/></Keywords></SystemProvider>)"
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>)" +
        system("SC", "SY") + "</Collectors></Profile>");
    const ResolvedProfile profile = plan::resolve(document.profiles.front(), document, Definitions({&document}));
    CHECK(values(profile.collectors.at(0).keywords) == Names{"CC", "0xCC"});
}

// "Base and ids that only the built-ins define".
TEST_CASE("A base that is built in brings what it holds", "[plan][base]") {
    const profile::Document document = test::documentOf(
        R"(<SystemProvider Id="SP" Base="SystemProvider_Base"><Keywords Operation="Add"><Keyword Value="DPC"/></Keywords></SystemProvider>)"
        R"(<EventProvider Id="EW" Base="EventProvider_GeneralWin32k" Name="*Mine"><Keywords Operation="Add"><Keyword Value="0x1"/></Keywords></EventProvider>)"
        R"(<Profile Id="G.Light.File" Base="GeneralProfile.Light.File" Name="G" Description="" DetailLevel="Light" LoggingMode="File"><Collectors Operation="Add">)"
        R"(<SystemCollectorId Value="SystemCollector_WPRSystemCollectorInFile"><SystemProviderId Value="SP"/></SystemCollectorId>)"
        R"(<EventCollectorId Value="EventCollector_WPREventCollectorInFile"><EventProviders Operation="Add"><EventProviderId Value="EW"/></EventProviders></EventCollectorId></Collectors></Profile>)"
        R"(<Profile Id="H.Verbose.Memory" Base="Heap.Verbose.Memory" Name="H" Description="" DetailLevel="Verbose" LoggingMode="Memory"/>)");
    CHECK(document.warnings.empty());
    const Definitions definitions({&document, &profile::builtinDefinitions()});
    const ResolvedProfile general = plan::resolve(*document.findProfile("G.Light.File"), document, definitions);
    CHECK(general.diagnostics.empty());
    REQUIRE(general.collectors.size() == 2);
    const Names keywords = values(general.collectors[0].keywords);
    for (const char* keyword : {"SampledProfile", "ProcessThread", "Loader", "CSwitch", "DPC"}) {
        INFO(keyword);
        CHECK(std::count(keywords.begin(), keywords.end(), keyword) == 1);
    }
    CHECK(general.collectors[0].buffers.buffers->value == 20);
    CHECK(general.collectors[1].providers.size() == 8);
    CHECK(values(general.collectors[1].providers.back().keywords) == Names{"0x402000", "0x1"});
    const ResolvedProfile heap = plan::resolve(*document.findProfile("H.Verbose.Memory"), document, definitions);
    CHECK(heap.diagnostics.empty());
    CHECK(std::any_of(heap.collectors.begin(), heap.collectors.end(), [](const ResolvedCollector& collector) {
        return collector.kind == profile::Collector::Kind::Heap;
    }));
}

TEST_CASE("A public profile that is derived from a built-in one has what that records", "[plan][base][corpus]") {
    const std::string shared = test::sharedFolder("public profiles with built-in bases");
    if (shared.empty()) {
        return;
    }
    const char* file =
        GENERATE("HiTechAI-VN__terminal-windows-project__ConsolePerf.wprp",
                 "microsoft__terminal__ConsolePerf@2c1ab620.wprp", "microsoft__terminal__TerminalPerf@2188e570.wprp");
    CAPTURE(file);
    const auto document = profile::load(shared + "/corpus/wprp/" + file);
    REQUIRE(document);
    const auto plan = plan::compose({{&*document, "ConsolePerfProfile", std::nullopt}},
                                    {plan::DetailLevel::Verbose, plan::LoggingMode::File, std::nullopt, mib(200)},
                                    test::linuxMachine());
    REQUIRE(plan);
    const Names& keywords = test::sessionOf(*plan, plan::PlannedSession::Kind::System).keywords;
    for (const char* keyword : {"SampledProfile", "ProcessThread", "Loader"}) {
        INFO(keyword);
        CHECK(std::count(keywords.begin(), keywords.end(), keyword) == 1);
    }
    for (const plan::Diagnostic& diagnostic : plan->diagnostics) {
        INFO(diagnostic.object);
        CHECK(diagnostic.detail.find("is not defined in this file or built in") == std::string::npos);
    }
}

TEST_CASE("Bases beyond any use are cut and told", "[plan][base]") {
    std::string providers = R"(<EventProvider Id="N0" Name="*N"/>)";
    for (int i = 1; i <= 300; ++i) {
        providers +=
            "<EventProvider Id=\"N" + std::to_string(i) + "\" Base=\"N" + std::to_string(i - 1) + "\" Name=\"*N\"/>";
    }
    const ResolvedProfile profile = derived(
        R"(<Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="N300"/></EventProviders></EventCollectorId></Collectors>)",
        providers);
    CHECK(ids(profile.collectors.at(0)) == Names{"N300"});
    REQUIRE(profile.diagnostics.size() == 1);
    CHECK(profile.diagnostics[0].detail == "has more than 256 bases: those beyond are left out");
}
