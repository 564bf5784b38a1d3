// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/builtin.h"
#include "core/profile/catalog.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

using namespace tracedeck;
using profile::Catalog;
using profile::CatalogEntry;
using profile::DetailLevel;
using profile::LoggingMode;
using profile::SelectionText;

namespace {

std::string profileText(const std::string& name, const std::string& variant, const std::string& more = "") {
    const std::size_t dot = variant.find('.');
    return "<Profile Id=\"" + name + "." + variant + "\" Name=\"" + name + "\" Description=\"About " + name +
           "\" DetailLevel=\"" + variant.substr(0, dot) + "\" LoggingMode=\"" + variant.substr(dot + 1) + "\"" + more +
           "/>";
}

void write(const std::string& path, const std::string& profiles) {
    std::ofstream(path, std::ios::binary) << "<WindowsPerformanceRecorder Version=\"1.0\"><Profiles>" << profiles
                                          << "</Profiles></WindowsPerformanceRecorder>";
}

} // namespace

TEST_CASE("The profiles that come with the program load without any problem", "[profile][catalog]") {
    Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    CHECK(catalog.refused().empty());
    struct Row {
        const char* name;
        const char* description;
        const char* category;
    };
    // Names, descriptions and groups as `wpr -profiles` and WPRUI of Windows 11 show them.
    const std::vector<Row> rows = {
        {"GeneralProfile", "First level triage", "First level triage"},
        {"CPU", "CPU usage", "Resource Analysis"},
        {"DiskIO", "Disk I/O activity", "Resource Analysis"},
        {"FileIO", "File I/O activity", "Resource Analysis"},
        {"Registry", "Registry I/O activity", "Resource Analysis"},
        {"Network", "Networking I/O activity", "Resource Analysis"},
        {"Heap", "Heap usage", "Resource Analysis"},
        {"Pool", "Pool usage", "Resource Analysis"},
        {"VirtualAllocation", "VirtualAlloc usage", "Resource Analysis"},
        {"Audio", "Audio glitches", "Scenario Analysis"},
        {"Video", "Video glitches", "Scenario Analysis"},
        {"Power", "Power usage", "Resource Analysis"},
        {"InternetExplorer", "Internet Explorer", "Scenario Analysis"},
        {"EdgeBrowser", "Microsoft Edge Browser", "Scenario Analysis"},
        {"Minifilter", "Minifilter I/O activity", "Scenario Analysis"},
        {"GPU", "GPU activity", "Resource Analysis"},
        {"Handle", "Handle usage", "Resource Analysis"},
        {"XAMLActivity", "XAML activity", "Resource Analysis"},
        {"HTMLActivity", "HTML activity", "Resource Analysis"},
        {"DesktopComposition", "Desktop composition activity", "Resource Analysis"},
        {"XAMLAppResponsiveness", "XAML App Responsiveness analysis", "Scenario Analysis"},
        {"HTMLResponsiveness", "HTML Responsiveness analysis", "Scenario Analysis"},
        {"ReferenceSet", "Reference Set analysis", "Resource Analysis"},
        {"ResidentSet", "Resident Set analysis", "Resource Analysis"},
        {"XAMLHTMLAppMemoryAnalysis", "XAML/HTML application memory analysis", "Scenario Analysis"},
        {"UTC", "UTC Scenarios", "Scenario Analysis"},
        {"DotNET", ".NET Activity", "Resource Analysis"},
        {"WdfTraceLoggingProvider", "WDF Driver Activity", "Resource Analysis"},
        {"HeapSnapshot", "Heap snapshot", "Resource Analysis"},
    };
    CHECK(catalog.entries().size() == rows.size());
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Result<CatalogEntry> entry = catalog.find(row.name);
        REQUIRE(entry);
        CHECK(entry->document->warnings.empty());
        CHECK(entry->description == row.description);
        CHECK(entry->categories == std::vector<std::string>{row.category});
        // A reference set cannot be kept in memory: its own documentation says so.
        const bool isFileOnly = entry->name == "ReferenceSet";
        for (const DetailLevel detail : {DetailLevel::Light, DetailLevel::Verbose}) {
            CHECK(entry->has(detail, LoggingMode::File));
            CHECK(entry->has(detail, LoggingMode::Memory) != isFileOnly);
        }
        CHECK(entry->variants.size() == (isFileOnly ? 2 : 4));
    }
}

TEST_CASE("Of profiles with one name in two folders the first one is offered", "[profile][catalog]") {
    const test::TemporaryFolder first;
    const test::TemporaryFolder second;
    write(first.file("a.wprp"), profileText("Same", "Verbose.File"));
    write(second.file("a.wprp"), profileText("same", "Light.File") + profileText("Other", "Light.File"));
    Catalog catalog;
    REQUIRE(catalog.addFolder(first.path()));
    REQUIRE(catalog.addFolder(second.path()));
    REQUIRE(catalog.entries().size() == 2);
    CHECK(catalog.entries()[0].name == "Same");
    CHECK(catalog.entries()[1].name == "Other");
    // A file that somebody names is what they mean.
    REQUIRE(catalog.addFile(second.file("a.wprp")));
    CHECK(catalog.entries().size() == 4);
}

TEST_CASE("A folder's files are read in the order of their names, and a bad one does not keep out the others",
          "[profile][catalog]") {
    const test::TemporaryFolder folder;
    write(folder.file("b.wprp"), profileText("Beta", "Verbose.File") + profileText("Beta", "Light.File"));
    write(folder.file("a.WPRP"), profileText("Alpha", "Verbose.Memory", " Default=\"true\"") +
                                     "<Profile Id=\"Base\" Name=\"Base\" Description=\"\" DetailLevel=\"Light\" "
                                     "LoggingMode=\"File\" Internal=\"true\"/>" +
                                     profileText("Gamma", "Verbose.File"));
    write(folder.file("c.wprp"), "<Profil/>");
    write(folder.file("notes.txt"), "");
    Catalog catalog;
    REQUIRE(catalog.addFolder(folder.path()));
    std::vector<std::string> names;
    for (const CatalogEntry& entry : catalog.entries()) {
        names.push_back(entry.name);
    }
    CHECK(names == std::vector<std::string>{"Alpha", "Gamma", "Beta"}); // internal ones are not offered
    REQUIRE(catalog.refused().size() == 1);
    CHECK(catalog.refused()[0].path == folder.file("c.wprp"));
    CHECK(catalog.refused()[0].error.code == ErrorCode::ProfileInvalid);
    CHECK_FALSE(catalog.refused()[0].problems.empty());

    const Catalog moved = std::move(catalog);
    const Result<CatalogEntry> beta = moved.find("bETA");
    REQUIRE(beta);
    CHECK(beta->document->path == folder.file("b.wprp"));
    CHECK(beta->variants == std::vector<CatalogEntry::Variant>{{DetailLevel::Verbose, LoggingMode::File},
                                                               {DetailLevel::Light, LoggingMode::File}});
    CHECK_FALSE(beta->has(DetailLevel::Light, LoggingMode::Memory));
}

TEST_CASE("An unknown name gets the nearest one", "[profile][catalog]") {
    const test::TemporaryFolder folder;
    write(folder.file("a.wprp"), profileText("GeneralProfile", "Verbose.File"));
    Catalog catalog;
    REQUIRE(catalog.addFile(folder.file("a.wprp")));
    const Result<CatalogEntry> entry = catalog.find("GenralProfile");
    REQUIRE_FALSE(entry);
    CHECK(entry.error().code == ErrorCode::ProfileUnknown);
    CHECK(entry.error().detail == "profile 'GenralProfile' is not known; did you mean 'GeneralProfile'?");
    CHECK(catalog.find("Xyz").error().detail == "profile 'Xyz' is not known");
}

TEST_CASE("A missing folder is an error, not an empty catalog", "[profile][catalog]") {
    const test::TemporaryFolder folder;
    Catalog catalog;
    const tracedeck::Status added = catalog.addFolder(folder.file("none"));
    REQUIRE_FALSE(added);
    CHECK(added.error().code == ErrorCode::FolderNotFound);
}

TEST_CASE("A bare file means its default profile or its only one", "[profile][catalog]") {
    const test::TemporaryFolder folder;
    write(folder.file("marked.wprp"),
          profileText("A", "Verbose.File") + profileText("B", "Verbose.File", " Default=\"true\""));
    write(folder.file("single.wprp"), profileText("A", "Verbose.File") + profileText("A", "Verbose.Memory"));
    write(folder.file("several.wprp"), profileText("A", "Verbose.File") + profileText("B", "Verbose.File"));
    Catalog catalog;
    CHECK(profile::defaultEntry(**catalog.addFile(folder.file("marked.wprp")))->name == "B");
    CHECK(profile::defaultEntry(**catalog.addFile(folder.file("single.wprp")))->name == "A");
    const Result<CatalogEntry> none = profile::defaultEntry(**catalog.addFile(folder.file("several.wprp")));
    REQUIRE_FALSE(none);
    CHECK(none.error().detail == folder.file("several.wprp") + ": no default profile; name one of A, B");
}

TEST_CASE("Profiles are named as for wpr -start", "[profile][catalog]") {
    struct Row {
        const char* text;
        SelectionText selection;
    };
    const auto row = GENERATE(
        Row{"CPU", {"", "CPU", {}}}, Row{"CPU.Light", {"", "CPU", DetailLevel::Light}},
        Row{"cpu.vERBOSE", {"", "cpu", DetailLevel::Verbose}}, Row{"my.wprp", {"my.wprp", "", {}}},
        Row{"My.WPRP", {"My.WPRP", "", {}}}, Row{"dir/my.wprp!CPU.Light", {"dir/my.wprp", "CPU", DetailLevel::Light}},
        Row{"a!b/my.wprp!Name", {"a!b/my.wprp", "Name", {}}}, Row{"Audio.Glitches", {"", "Audio.Glitches", {}}},
        Row{"my.wprp!Light.Verbose", {"my.wprp", "Light", DetailLevel::Verbose}});
    const Result<SelectionText> selection = profile::parseSelection(row.text);
    REQUIRE(selection);
    CHECK(*selection == row.selection);
}

TEST_CASE("Half a selection is refused", "[profile][catalog]") {
    const auto text = GENERATE("", "!CPU", "my.wprp!", ".Light", "my.wprp!.Verbose");
    const Result<SelectionText> selection = profile::parseSelection(text);
    REQUIRE_FALSE(selection);
    CHECK(selection.error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("The profiles that come along are built in, each with all that it refers to", "[profile][builtin]") {
    const profile::Document& builtin = profile::builtinDefinitions();
    std::size_t profiles = 0;
    for (const auto& file : std::filesystem::directory_iterator(std::string(TRACEDECK_SOURCE_DIR) + "/profiles")) {
        if (file.path().extension() != ".wprp") {
            continue;
        }
        const auto document = profile::load(file.path().string());
        REQUIRE(document);
        for (const profile::Profile& own : document->profiles) {
            INFO(own.id);
            const profile::Profile* found = builtin.findProfile(own.id);
            REQUIRE(found != nullptr);
            CHECK(found->collectors.size() == own.collectors.size());
            CHECK(found->place == own.place);
            ++profiles;
        }
        for (const profile::EventProvider& own : document->eventProviders) {
            INFO(own.id);
            CHECK(builtin.findEventProvider(own.id) != nullptr);
        }
        for (const profile::SystemProvider& own : document->systemProviders) {
            INFO(own.id);
            CHECK(builtin.findSystemProvider(own.id) != nullptr);
        }
    }
    CHECK(builtin.profiles.size() == profiles);
    CHECK(builtin.findSystemProvider("SystemProvider_Base") != nullptr);
    std::set<std::string> ids;
    std::size_t objects = 0;
    const auto count = [&](const auto& definitions) {
        for (const auto& definition : definitions) {
            ids.insert(definition.id);
            ++objects;
        }
    };
    count(builtin.collectors);
    count(builtin.systemProviders);
    count(builtin.eventProviders);
    count(builtin.heapProviders);
    count(builtin.profiles);
    CHECK(ids.size() == objects); // else a base would mean what comes first
}

TEST_CASE("A profile has the categories of a base that is built in", "[profile][catalog]") {
    const profile::Parsed parsed = profile::parse(
        R"(<WindowsPerformanceRecorder Version="1.0"><Profiles><Profile Id="Mine.Light.File" Base="GeneralProfile.Light.File" Name="Mine" Description="" LoggingMode="File" DetailLevel="Light"/></Profiles></WindowsPerformanceRecorder>)",
        "mine.wprp");
    REQUIRE(parsed.document);
    const auto entries = profile::entriesOf(*parsed.document);
    REQUIRE(entries.size() == 1);
    CHECK(entries.front().categories == std::vector<std::string>{"First level triage"});
}
