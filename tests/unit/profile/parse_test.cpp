// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf.h"
#include "core/profile/document.h"
#include "core/profile/inherit.h"
#include "core/profile/text.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace tracedeck;
using profile::Operation;
using profile::Parsed;
using profile::Place;
using profile::Problem;

namespace {

/// A valid file; `inside` stands first among the children of Profiles.
std::string fileWith(const std::string& inside, const std::string& afterProfiles = "") {
    return "<WindowsPerformanceRecorder Version=\"1.0\" Author=\"Test\">\n<Profiles>\n" + inside + R"(
<Profile Id="P.Verbose.File" Name="P" Description="A profile" LoggingMode="File" DetailLevel="Verbose"/>
</Profiles>)" +
           afterProfiles + "</WindowsPerformanceRecorder>\n";
}

std::string text(const Parsed& parsed) {
    std::string all;
    for (const Problem& problem : parsed.problems) {
        all += profile::format("f", problem) + "\n";
    }
    return all;
}

std::string repeated(const std::string& piece, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += piece;
    }
    return all;
}

/// The characters as UTF-16 with byte order mark.
std::string asUtf16(const std::string& utf8, bool isLittleEndian) {
    std::string bytes;
    for (const char16_t unit : u"\uFEFF" + toUtf16(utf8)) {
        const auto low = static_cast<char>(unit & 0xFF);
        const auto high = static_cast<char>(unit >> 8);
        bytes += isLittleEndian ? low : high;
        bytes += isLittleEndian ? high : low;
    }
    return bytes;
}

} // namespace

TEST_CASE("A document holds what its author wrote", "[profile][parse]") {
    const std::string content = R"(<?xml version="1.0" encoding="utf-8"?>
<?Copyright (c) somebody ?>
<!-- before -->
<WindowsPerformanceRecorder Version="1" Author='A &amp; B' Comments="c" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <Profiles>
    <SystemCollector Id="SC" Base="">
      <BufferSize Value="1024"/>
      <Buffers Value="3.5" PercentageOfTotalMemory="true" MaximumBufferSpace="256"/>
      <MaximumFileSize Value="500" FileMode="Sequential"/>
    </SystemCollector>
    <EventCollector Id="EC" Name="Events" Base="Other"/>
    <SystemProvider Id="SP">
      <Keywords Operation="Add">
        <Keyword Value="CSwitch" Strict="true"/>
        <CustomKeyword Value="0x20000200"/>
      </Keywords>
      <Stacks>
        <Stack Value="CSwitch"/>
        <CustomStack Value="0x1C2A"/>
      </Stacks>
    </SystemProvider>
    <EventProvider Id="EP" Name="{E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4}" NonPagedMemory="1" Stack="true" Level="5" Strict="0">
      <Keywords>
        <Keyword Value="0x98"/>
      </Keywords>
      <CaptureStateOnSave Timeout="30">
        <Keyword Value="0x118"/>
      </CaptureStateOnSave>
    </EventProvider>
    <Profile Id="Base" Name="Base" Description="" LoggingMode="File" DetailLevel="Light" Internal="true"/>
    <Profile Id="P.Light.Memory" Base="Base" Name="P" Description="Some &lt;thing&gt;" LoggingMode="Memory" DetailLevel="Light" Default="true">
      <ProblemCategories>
        <ProblemCategory Value="Resource Analysis"/>
      </ProblemCategories>
      <Collectors Operation="Add">
        <SystemCollectorId Value="SC">
          <Buffers Operation="Add" Value="8"/>
          <SystemProviderId Value="SP">
            <Keywords Operation="Remove">
              <Keyword Value="CSwitch"/>
            </Keywords>
          </SystemProviderId>
        </SystemCollectorId>
        <EventCollectorId Value="EC">
          <EventProviders>
            <EventProviderId Value="EP"/>
            <EventProvider Id="Inner" Name="*Inner"/>
          </EventProviders>
          <EventProviders Operation="Set">
            <EventProviderId Value="EP"/>
          </EventProviders>
        </EventCollectorId>
      </Collectors>
    </Profile>
  </Profiles>
</WindowsPerformanceRecorder>
<!-- after -->
)";
    const Parsed parsed = profile::parse(content, "my.wprp");
    INFO(text(parsed));
    REQUIRE(parsed.document);
    const profile::Document& document = *parsed.document;
    CHECK(document.path == "my.wprp");
    CHECK(document.author == "A & B");
    CHECK(document.comments == "c");

    const profile::Collector* system = document.findCollector("SC");
    REQUIRE(system != nullptr);
    CHECK(system->kind == profile::Collector::Kind::System);
    CHECK(system->place == Place{6, 5});
    CHECK(system->buffers.bufferSizeKib->value == 1024);
    CHECK(system->buffers.buffers->value == 3.5);
    CHECK(system->buffers.buffers->isPercentageOfTotalMemory);
    CHECK(system->buffers.buffers->maximumBufferSpaceMib == 256);
    CHECK(system->buffers.maximumFileSizeMib->value == 500);
    CHECK_FALSE(system->buffers.isMaximumFileSizeCircular);

    const profile::SystemProvider* kernel = document.findSystemProvider("SP");
    REQUIRE(kernel != nullptr);
    REQUIRE(kernel->keywords.size() == 1);
    CHECK(kernel->keywords[0].operation == Operation::Add);
    CHECK(kernel->keywords[0].items[0].strict == true);
    CHECK_FALSE(kernel->keywords[0].items[0].isCustom);
    CHECK(kernel->keywords[0].items[1].value == "0x20000200");
    CHECK(kernel->keywords[0].items[1].isCustom);
    CHECK(kernel->stacks[0].items[1].value == "0x1C2A");

    const profile::EventProvider* provider = document.findEventProvider("EP");
    REQUIRE(provider != nullptr);
    CHECK(provider->name == "{E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4}");
    CHECK(provider->nonPagedMemory == true);
    CHECK(provider->stack == true);
    CHECK(provider->level == 5);
    CHECK(provider->strict == false);
    CHECK_FALSE(provider->captureStateOnly.has_value());
    CHECK(provider->captureStateOnSave[0].keywords.items[0].value == "0x118");

    const profile::Profile* light = document.findProfile("P.Light.Memory");
    REQUIRE(light != nullptr);
    CHECK(light->description == "Some <thing>");
    CHECK(light->isDefault);
    CHECK(document.findProfile("Base")->isInternal);
    CHECK(profile::categoriesOf(*light, profile::Definitions({&document})) ==
          std::vector<std::string>{"Resource Analysis"});
    REQUIRE(light->collectors.size() == 1);
    const profile::CollectorRef& reference = light->collectors[0].collectors[0];
    CHECK(reference.buffers.buffers->operation == Operation::Add);
    REQUIRE(reference.systemProviders[0].inPlace);
    CHECK(reference.systemProviders[0].inPlace->id.empty()); // overrides, no definition
    const profile::CollectorRef& events = light->collectors[0].collectors[1];
    REQUIRE(events.eventProviders.size() == 2);
    CHECK(events.eventProviders[0].operation == Operation::Add); // that of the enclosing Collectors
    CHECK(events.eventProviders[1].operation == Operation::Set);
    CHECK_FALSE(events.eventProviders[0].providers[0].inPlace);
    CHECK(events.eventProviders[0].providers[1].inPlace->name == "*Inner");
    CHECK(events.eventProviders[0].providers[1].value == "Inner");
    // "Other" is nobody's id here, but may be one of WPR's own.
    REQUIRE(document.warnings.size() == 1);
    CHECK(document.warnings[0].message == "Base: no EventCollector 'Other' in this file or built in");
}

TEST_CASE("Every element of the schema arrives with what it says", "[profile][parse]") {
    const std::string content =
        R"(<SystemCollector Id="SC" HostGuestCorrelation="true"><BufferSize Value="64"/><StackCaching BucketCount="8" CacheSize="256"/></SystemCollector>
<EventCollector Id="EC" Name="E" Realtime="1" Private="true" ProcessPrivate="true" Secure="true" FileName="e.etl"><BuffersPerCpu Value="16"/><FileMax Value="3"/><FlushTimer Value="5"/><FlushThreshold Value="7"/></EventCollector>
<HeapEventCollector Id="HC" Name="Heap"><BufferSize Value="1024"/></HeapEventCollector>
<HypervisorEventCollector Id="HV" Name="HV" MergeAlone="true"><BufferSize Value="64"/><BuffersPerCPU Value="2"/></HypervisorEventCollector>
<SystemProvider Id="SP"><PoolTags Operation="Add"><PoolTag Value="a*"/></PoolTags><CaptureStateOnSave Timeout="9"><Keyword Value="Loader"/></CaptureStateOnSave></SystemProvider>
<EventProvider Id="EP" Name="*E" SID="true" TSID="1" EventKey="true" ExcludeInPrivate="true" ProcessExeFilter="a.exe;b.exe"><CaptureStateOnDemand><Keyword Value="0x4"/></CaptureStateOnDemand><Stacks><CustomStack Value="0x1C2A"/></Stacks><EventFilters FilterIn="false"><EventId Value="0x16"/><EventId Value="5"/></EventFilters><StackKeywordLevelFilter FilterIn="true" Level="3"><Keyword Value="0xF0"/></StackKeywordLevelFilter></EventProvider>
<HeapEventProvider Id="HP"><HeapProcessIds><HeapProcessId Value="42"/></HeapProcessIds></HeapEventProvider>
<HardwareCounter Id="HWC" Strict="true"><MicroArchitecturalConfigId Value="MA"/><Counters><Counter Value="LLCMisses"/></Counters><Events><Event Value="CSwitch"/></Events><SampledCounters><SampledCounter Value="LbrInserts" Interval="1000"/></SampledCounters><LastBranch><LastBranchFilters><LastBranchFilterOut Value="Kernel"/></LastBranchFilters></LastBranch><ProcessorTrace><BufferSize Value="16"/><CodeMode Value="User"/></ProcessorTrace></HardwareCounter>
<MicroArchitecturalConfig Id="MA"><ProfileSources Architecture="INTEL"><ProfileSource Name="X" Event="0xF4" Unit="0x10"/></ProfileSources></MicroArchitecturalConfig>
<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="SP"/><HardwareCounterId Value="HWC"/></SystemCollectorId><HeapEventCollectorId Value="HC"><HeapEventProviders><HeapEventProviderId Value="HP"/></HeapEventProviders></HeapEventCollectorId></Collectors><TraceMergeProperties><TraceMergeProperty Id="M" Name="M"><FileCompression Value="true"/><CustomEvents><CustomEvent Value="ImageId"/></CustomEvents></TraceMergeProperty></TraceMergeProperties></Profile>)";
    const Parsed parsed = profile::parse(
        "<WindowsPerformanceRecorder Version=\"1.0\"><Profiles>" + content +
            R"(</Profiles><OnOffTransitionConfigurations><OnOffTransitionConfiguration Id="O" Name="Boot" Type="On/Off - Boot"><PrepareSystem Value="false"/><NumberOfRuns Value="2"/><PostBootDelay Value="90"/></OnOffTransitionConfiguration></OnOffTransitionConfigurations></WindowsPerformanceRecorder>)",
        "f");
    INFO(text(parsed));
    REQUIRE(parsed.document);
    CHECK(parsed.problems.empty());
    const profile::Document& document = *parsed.document;
    using Kind = profile::Collector::Kind;
    CHECK(document.findCollector("SC")->hostGuestCorrelation == true);
    CHECK(document.findCollector("SC")->buffers.stackCaching == profile::StackCaching{8, 256});
    const profile::Collector& events = *document.findCollector("EC");
    CHECK(events.realtime == true);
    CHECK(events.isPrivate == true);
    CHECK(events.processPrivate == true);
    CHECK(events.secure == true);
    CHECK(events.fileName == "e.etl");
    CHECK(events.buffers.buffersPerProcessor->value == 16);
    CHECK(events.buffers.fileMax->value == 3);
    CHECK(events.buffers.flushTimerSeconds->value == 5);
    CHECK(events.buffers.flushThreshold->value == 7);
    CHECK(document.findCollector("HC")->kind == Kind::Heap);
    CHECK(document.findCollector("HV")->kind == Kind::Hypervisor);
    CHECK(document.findCollector("HV")->mergeAlone == true);
    const profile::SystemProvider& system = *document.findSystemProvider("SP");
    CHECK(system.poolTags[0].operation == Operation::Add);
    CHECK(system.poolTags[0].items[0].value == "a*");
    CHECK(system.captureStateOnSave[0].timeoutSeconds == 9U);
    const profile::EventProvider& provider = *document.findEventProvider("EP");
    CHECK(provider.sid == true);
    CHECK(provider.tsid == true);
    CHECK(provider.eventKey == true);
    CHECK(provider.excludeInPrivate == true);
    CHECK(provider.processExeFilter == "a.exe;b.exe");
    CHECK(provider.captureStateOnDemand[0].keywords.items[0].value == "0x4");
    CHECK(provider.stacks[0].items[0].isCustom);
    REQUIRE(provider.filters.size() == 2);
    CHECK(provider.filters[0].kind == profile::EventFilter::Kind::EventId);
    CHECK_FALSE(provider.filters[0].isFilterIn);
    CHECK(provider.filters[0].values.items.size() == 2);
    CHECK(provider.filters[1].kind == profile::EventFilter::Kind::StackKeywordLevel);
    CHECK(provider.filters[1].level == 3);
    CHECK(provider.filters[1].keyword == "0xF0");
    CHECK(provider.filters[1].values.items.empty());
    CHECK(document.findHeapProvider("HP")->processIds[0].items[0].value == "42");
    const profile::HardwareCounter& counter = *document.findHardwareCounter("HWC");
    CHECK(counter.strict == true);
    CHECK(counter.microArchitecturalConfig == "MA");
    CHECK(counter.counters[0].items[0].value == "LLCMisses");
    CHECK(counter.events[0].items[0].value == "CSwitch");
    CHECK(counter.sampledCounters[0].counters[0].interval == 1000U);
    CHECK(counter.lastBranchFiltersOut[0].items[0].value == "Kernel");
    CHECK(counter.hasProcessorTrace);
    CHECK(counter.processorTraceBufferSize->value == 16);
    CHECK(counter.processorTraceCodeMode == "User");
    REQUIRE(document.microArchitecturalConfigs.size() == 1);
    CHECK(document.microArchitecturalConfigs[0].sources[0].architecture == "INTEL");
    CHECK(document.microArchitecturalConfigs[0].sources[0].sources[0].event == "0xF4");
    const profile::CollectorList& collectors = document.profiles[0].collectors[0];
    CHECK(collectors.collectors[0].hardwareCounter == "HWC");
    CHECK(collectors.collectors[1].kind == Kind::Heap);
    CHECK(collectors.collectors[1].heapProviders[0].providers[0].value == "HP");
    REQUIRE(document.findMergeProperty("M") != nullptr);
    CHECK(document.findMergeProperty("M")->fileCompression == true);
    CHECK(document.findMergeProperty("M")->customEvents[0].items[0].value == "ImageId");
    REQUIRE(document.onOffTransitions.size() == 1);
    CHECK(document.onOffTransitions[0].type == "On/Off - Boot");
    CHECK_FALSE(document.onOffTransitions[0].prepareSystem);
    CHECK(document.onOffTransitions[0].numberOfRuns == 2);
    CHECK(document.onOffTransitions[0].postBootDelaySeconds == 90U);
}

TEST_CASE("Event keywords without 0x are hexadecimal and get a warning", "[profile][parse]") {
    const Parsed parsed = profile::parse(
        fileWith(R"(<EventProvider Id="E" Name="*E"><Keywords><Keyword Value="8001"/></Keywords></EventProvider>)"),
        "f");
    REQUIRE(parsed.document);
    REQUIRE(parsed.problems.size() == 1);
    CHECK(parsed.problems[0].severity == Problem::Severity::Warning);
    CHECK(parsed.problems[0].message == "Value: '8001' has no 0x and is read as hexadecimal");
}

TEST_CASE("References to nothing get a warning with the nearest id", "[profile][parse]") {
    const std::string content = R"(<WindowsPerformanceRecorder Version="1.0"><Profiles>
<SystemProvider Id="SystemProvider_Cpu"/>
<Profile Id="P.Verbose.File" Name="P" Description="" LoggingMode="File" DetailLevel="Verbose"><Collectors>
<SystemCollectorId Value="SystemCollector_WPRSystemCollectorInFile">
<SystemProviderId Value="SystemProvider_CPUs"/>
</SystemCollectorId></Collectors></Profile></Profiles></WindowsPerformanceRecorder>)";
    const Parsed parsed = profile::parse(content, "f");
    REQUIRE(parsed.document);
    REQUIRE(parsed.problems.size() == 1); // the collector is built in
    CHECK(parsed.problems[0].place == Place{5, 1});
    CHECK(
        parsed.problems[0].message ==
        "Value: no SystemProvider 'SystemProvider_CPUs' in this file or built in; did you mean 'SystemProvider_Cpu'?");
}

TEST_CASE("Line and column are those of the characters that an editor shows", "[profile][place]") {
    struct Row {
        const char* name;
        std::string before; ///< stands before the erroneous element
        Place place;
    };
    const std::string bad = "<EventProvider Id=\"E\" Name=\"*E\" level=\"5\"/>";
    const auto row = GENERATE_COPY(
        Row{"first column", "", {3, 1}}, Row{"blanks", "    ", {3, 5}}, Row{"a tab is one character", "\t\t", {3, 3}},
        Row{"two bytes, one character", "<!--\xC3\xA4\xC3\xB6-->", {3, 10}},
        Row{"three bytes, one character", "<!--\xE2\x82\xAC-->", {3, 9}},
        Row{"four bytes, one character", "<!--\xF0\x9F\x98\x80-->", {3, 9}}, Row{"LF", "\n\n  ", {5, 3}},
        Row{"CR LF", "\r\n\r\n  ", {5, 3}}, Row{"CR alone", "\r\r  ", {5, 3}},
        Row{"behind another element on the line", "<EventProvider Id=\"A\" Name=\"*A\"/> ", {3, 35}},
        Row{"behind entities", "<EventProvider Id=\"A\" Name=\"&amp;&lt;\"/>", {3, 41}},
        Row{"far along a long line", std::string(700, ' ') + "<!--" + repeated("\xC3\xA4", 300) + "-->", {3, 1008}});
    INFO(row.name);
    const std::string content = fileWith(row.before + bad);
    const std::string encodings[] = {content, "\xEF\xBB\xBF" + content, asUtf16(content, true),
                                     asUtf16(content, false)};
    for (const std::string& bytes : encodings) {
        const Parsed parsed = profile::parse(bytes, "f");
        INFO(text(parsed));
        REQUIRE(parsed.problems.size() == 1);
        CHECK(parsed.problems[0].place == row.place);
    }
}

TEST_CASE("A document reads the same from each encoding", "[profile][place]") {
    const std::string content = fileWith("<EventProvider Id=\"E\" Name=\"*\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"/>");
    const std::string declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n";
    for (const std::string& bytes :
         {content, declaration + content, "\xEF\xBB\xBF" + declaration + content, asUtf16(content, true),
          asUtf16(content, false), asUtf16(declaration + content, true)}) {
        const Parsed parsed = profile::parse(bytes, "f");
        INFO(text(parsed));
        REQUIRE(parsed.document);
        CHECK(parsed.document->eventProviders[0].name == "*\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    }
}

TEST_CASE("No cut of a valid file crashes or loads, and none is slow", "[profile][hostile]") {
    const std::string content =
        fileWith(R"(<EventProvider Id="E" Name="*E"><Keywords><Keyword Value="0x1"/></Keywords></EventProvider>)");
    const std::size_t last = content.rfind('>');
    for (std::size_t length = 0; length <= last; ++length) {
        const Parsed parsed = profile::parse(std::string_view(content).substr(0, length), "f");
        CHECK_FALSE(parsed.document);
        CHECK_FALSE(parsed.problems.empty());
    }
}

TEST_CASE("Random bytes and random damage end in problems or in a document", "[profile][hostile]") {
    std::mt19937 random(20220607); // fixed: a failure can be repeated
    const std::string content = fileWith(
        R"(<EventProvider Id="E" Name="*E" Level="5"><Keywords><Keyword Value="0x1"/></Keywords></EventProvider>)");
    std::size_t refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = content;
        if (round % 3 == 0) {
            bytes.resize(random() % 400);
            for (char& c : bytes) {
                c = static_cast<char>(random() & 0xFF);
            }
        } else {
            for (unsigned i = 0; i < 1 + random() % 4; ++i) {
                bytes[random() % bytes.size()] =
                    round % 3 == 1 ? static_cast<char>(random() & 0xFF) : "<>&\"'/= -!?"[random() % 11];
            }
        }
        const Parsed parsed = profile::parse(bytes, "f");
        const bool hasErrors = std::any_of(parsed.problems.begin(), parsed.problems.end(), [](const Problem& problem) {
            return problem.severity == Problem::Severity::Error;
        });
        REQUIRE(parsed.document.has_value() != hasErrors);
        refused += hasErrors ? 1U : 0U;
    }
    CHECK(refused > 2000);
}

TEST_CASE("Hostile sizes end in an error at once", "[profile][hostile]") {
    const auto fill = [](const std::string& piece, std::size_t bytes) { return repeated(piece, bytes / piece.size()); };
    constexpr std::size_t kMost = profile::kLargestProfile - 1000;
    const std::string prefix = "<WindowsPerformanceRecorder Version=\"1.0\"><Profiles>";
    const std::string suffix = "</Profiles></WindowsPerformanceRecorder>";
    struct Row {
        const char* name;
        std::string content;
    };
    const Row rows[] = {
        {"100 MB", std::string(100'000'000, 'a')},
        {"one line of unknown elements", prefix + fill("<a/>", kMost) + suffix},
        {"nesting without end", fill("<a>", kMost)},
        {"attributes without end", "<a " + fill("b='' ", kMost) + "/>"},
        {"providers that lead nowhere",
         prefix + fill("<EventProvider Id=\"a\" Name=\"b\" Base=\"c\"/>", kMost) + suffix},
        {"comments with hyphens", prefix + fill("<!-- -- -->", kMost) + suffix},
        {"a comment without end", "<a><!--" + fill("-", kMost)},
        {"references without end", "<a b='" + fill("&x;", kMost) + "'/>"},
        {"tags in one line without end", fill("</", kMost)},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        const std::clock_t start = std::clock(); // processor time: other programs do not count
        const Parsed parsed = profile::parse(row.content, "f");
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        CHECK_FALSE(parsed.document);
        CHECK_FALSE(parsed.problems.empty());
        CHECK(parsed.problems.size() <= 300);
        // Generous for sanitizers: quadratic work would take minutes.
        CHECK(seconds < 10);
    }
}

TEST_CASE("A file that is no profile by its size is not read", "[profile][hostile]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("large.wprp");
    {
        std::ofstream file(path, std::ios::binary);
        file.seekp(static_cast<std::streamoff>(profile::kLargestProfile) + 10);
        file << 'x';
    }
    std::vector<Problem> problems;
    const Result<profile::Document> document = profile::load(path, &problems);
    REQUIRE_FALSE(document);
    // It is not said to be no XML, nor is there a place to correct.
    CHECK(document.error() == Error{ErrorCode::InvalidArgument,
                                    path + ": the file has 4194315 bytes; a profile has at most 4194304 (4 MB)", 0});
    REQUIRE(problems.size() == 1);
    CHECK(profile::format(path, problems.front()) == document.error().detail);
}

TEST_CASE("A missing file is told as such", "[profile][load]") {
    const test::TemporaryFolder folder;
    const Result<profile::Document> document = profile::load(folder.file("none.wprp"));
    REQUIRE_FALSE(document);
    CHECK(document.error().code == ErrorCode::FileNotFound);
}

TEST_CASE("An id that is not that of its variant is a warning with the right one", "[profile][parse]") {
    const Parsed parsed = profile::parse(
        fileWith(R"(<Profile Id="Mine.Verbose" Name="Mine" Description="" DetailLevel="Verbose" LoggingMode="File"/>)"),
        "f");
    INFO(text(parsed));
    REQUIRE(parsed.document);
    REQUIRE_FALSE(parsed.problems.empty());
    CHECK(parsed.problems.front().severity == Problem::Severity::Warning);
    CHECK(parsed.problems.front().message ==
          "Id: 'Mine.Verbose' should be Name.DetailLevel.LoggingMode, here 'Mine.Verbose.File'");
}

// XML 1.0: "Characters referred to using character references MUST match the production for Char."
TEST_CASE("References are read as XML has them", "[profile][parse]") {
    struct Row {
        const char* description; ///< of the profile, as the file writes it
        const char* text;        ///< what it says; null: the file is not well-formed
    };
    const auto row =
        GENERATE(Row{"a&#65;b", "aAb"}, Row{"&#x41;&#x1f600;", "A\xF0\x9F\x98\x80"}, Row{"&#xd7ff;", "\xED\x9F\xBF"},
                 Row{"&lt;&gt;&amp;&quot;&apos;", "<>&\"'"}, Row{"&#0;", nullptr}, Row{"&#x1;", nullptr},
                 Row{"&#xD800;", nullptr}, Row{"&#xFFFF;", nullptr}, Row{"&#x110000;", nullptr},
                 Row{"&#99999999999999;", nullptr}, Row{"&#;", nullptr}, Row{"&#x;", nullptr}, Row{"&#4a;", nullptr},
                 Row{"&#xg;", nullptr}, Row{"&nothing;", nullptr});
    CAPTURE(row.description);
    const profile::Parsed parsed = profile::parse(
        R"(<WindowsPerformanceRecorder Version="1.0"><Profiles><EventCollector Id="EC" Name="E"/><EventProvider Id="EP" Name="*T"/><Profile Id="P.Verbose.File" Name="P" DetailLevel="Verbose" LoggingMode="File" Description=")" +
            std::string(row.description) +
            R"("><Collectors><EventCollectorId Value="EC"><EventProviders><EventProviderId Value="EP"/></EventProviders></EventCollectorId></Collectors></Profile></Profiles></WindowsPerformanceRecorder>)",
        "test.wprp");
    CHECK(parsed.isWellFormed == (row.text != nullptr));
    REQUIRE(parsed.document.has_value() == (row.text != nullptr));
    if (row.text != nullptr) {
        CHECK(parsed.document->profiles.front().description == row.text);
    }
}

TEST_CASE("What is open at the end, or outside of the root, is told", "[profile][parse]") {
    struct Row {
        const char* content;
        const char* message;
    };
    const auto row = GENERATE(
        Row{"<A><![CDATA[x]]", "this CDATA section is not closed by ']]>'"},
        Row{"<A/><![CDATA[x]]>", "text is not allowed outside of the root element"},
        Row{"<?xml version=\"1.0\"", "this processing instruction is not closed by '?>'"},
        Row{"<? x?><A/>", "a processing instruction must begin with a name"},
        Row{"<A><![CDATA[x]]></A>", "the root element is <A>, a profile begins with <WindowsPerformanceRecorder>"});
    CAPTURE(row.content);
    const profile::Parsed parsed = profile::parse(row.content, "test.wprp");
    REQUIRE_FALSE(parsed.problems.empty());
    CHECK(parsed.problems.front().message == row.message);
    CHECK_FALSE(parsed.document);
}

// Each kind refers to its own kind, in the file or built in.
TEST_CASE("References of every kind are checked", "[profile][parse]") {
    struct Row {
        const char* inside; ///< of Profiles
        const char* collectors;
        const char* message; ///< null: nothing is wrong
    };
    const auto row = GENERATE(
        Row{R"(<HeapEventCollector Id="HC" Name="H"/>)",
            R"(<HeapEventCollectorId Value="HD"><HeapEventProviders><HeapEventProvider Id="HP"/></HeapEventProviders></HeapEventCollectorId>)",
            "Value: no HeapEventCollector 'HD' in this file or built in"},
        Row{R"(<HeapEventCollector Id="HC" Name="H"/>)", R"(<EventCollectorId Value="HC"/>)",
            "Value: no EventCollector 'HC' in this file or built in; it is the id of a HeapEventCollector"},
        Row{"",
            R"(<HeapEventCollectorId Value="HeapCollector_WPRHeapCollector"><HeapEventProviders><HeapEventProviderId Value="Gone"/></HeapEventProviders></HeapEventCollectorId>)",
            "Value: no HeapEventProvider 'Gone' in this file or built in"},
        Row{"", R"(<EventCollectorId Value="HeapCollector_WPRHeapCollector"/>)",
            "Value: no EventCollector 'HeapCollector_WPRHeapCollector' in this file or built in; it is the id of a "
            "HeapEventCollector"},
        Row{"",
            R"(<SystemCollectorId Value="SystemCollector_WPRSystemCollectorInFile"><HardwareCounterId Value="Counters"/></SystemCollectorId>)",
            "Value: no HardwareCounter 'Counters' in this file or built in"},
        Row{R"(<HardwareCounter Id="Count1"/><HardwareCounter Id="H2" Base="Count3"/>)", "",
            "Base: no HardwareCounter 'Count3' in this file or built in; did you mean 'Count1'?"},
        Row{R"(<HardwareCounter Id="H1"><MicroArchitecturalConfigId Value="Intel"/></HardwareCounter>)", "",
            "Value: no MicroArchitecturalConfig 'Intel' in this file or built in"},
        Row{"",
            R"(<HypervisorEventCollectorId Value="HypervisorCollector"><EventProviders><EventProvider Id="E" Name="*E"/></EventProviders></HypervisorEventCollectorId>)",
            "Value: no HypervisorEventCollector 'HypervisorCollector' in this file or built in"},
        Row{R"(<HypervisorEventCollector Id="HV" Base="SystemCollector_WPRSystemCollectorInFile" Name="V"/>)", "",
            "Base: no HypervisorEventCollector 'SystemCollector_WPRSystemCollectorInFile' in this file or built in; it "
            "is the id of a SystemCollector"},
        Row{R"(<HeapEventProvider Id="HP" Base="HQ"/>)", "",
            "Base: no HeapEventProvider 'HQ' in this file or built in"},
        Row{R"(<SystemProvider Id="S" Base="SystemProvider_Base"/>)", "", nullptr},
        Row{R"(<Profile Id="Q.Light.File" Base="GeneralProfile.Light.File" Name="Q" Description="" LoggingMode="File" DetailLevel="Light"/>)",
            "", nullptr},
        Row{R"(<EventProvider Id="E" Base="EventProvider_GeneralWin32k" Name="*E"/>)", "", nullptr});
    CAPTURE(row.inside, row.collectors);
    const std::string profile =
        R"(<Profile Id="C.Verbose.File" Name="C" Description="" LoggingMode="File" DetailLevel="Verbose"><Collectors>)";
    const std::string collectors = row.collectors;
    const Parsed parsed = profile::parse(
        fileWith(row.inside + (collectors.empty() ? "" : profile + collectors + "</Collectors></Profile>")), "f");
    INFO(text(parsed));
    REQUIRE(parsed.document);
    if (row.message == nullptr) {
        CHECK(parsed.problems.empty());
    } else {
        REQUIRE(parsed.problems.size() == 1);
        CHECK(parsed.problems.front().message == row.message);
    }
}

TEST_CASE("Bases of merge properties are checked, beside the profiles and in them", "[profile][parse]") {
    const std::string base = GENERATE("M", "N");
    const Parsed parsed = profile::parse(
        fileWith(
            "",
            R"(<TraceMergeProperties><TraceMergeProperty Id="M" Name="M"/><TraceMergeProperty Id="O" Name="O" Base=")" +
                base + R"("/></TraceMergeProperties>)"),
        "f");
    INFO(text(parsed));
    REQUIRE(parsed.document);
    CHECK(parsed.problems.empty() == (base == "M"));
    if (!parsed.problems.empty()) {
        CHECK(parsed.problems.front().message == "Base: no TraceMergeProperty 'N' in this file or built in");
    }
}

TEST_CASE("A problem names its element, the id around it, and what is allowed", "[profile][parse]") {
    const Parsed parsed = profile::parse(
        fileWith(
            R"(<EventCollector Id="E" Name="E"/><SystemProvider Id="SP"><Keywords><Keyword Value="Qwertyuiopasdfgh"/></Keywords></SystemProvider>
<EventProvider Id="E" Name="*E"/>)"),
        "f");
    REQUIRE(parsed.problems.size() == 2);
    const std::string first = profile::format("f", parsed.problems[0]);
    CHECK(first.find("f:3:68: Value: 'Qwertyuiopasdfgh' is no system keyword; 69 are allowed, the nearest are ") == 0);
    CHECK(first.find(" [Keyword, Id SP]") == first.size() - std::string(" [Keyword, Id SP]").size());
    CHECK(std::count(first.begin(), first.end(), ',') == 4); // between the three and the others
    CHECK(profile::format("f", parsed.problems[1]) ==
          "f:4:1: Id: 'E' is already the id of an EventCollector in this file [EventProvider, Id E]");
}
