// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/catalog.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
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
    const auto row = GENERATE(Row{"CPU", "CPU usage", "Resource Analysis"},
                              Row{"GeneralProfile", "First level triage", "First level triage"});
    const Result<CatalogEntry> entry = catalog.find(row.name);
    REQUIRE(entry);
    CHECK(entry->document->warnings.empty());
    CHECK(entry->description == row.description);
    CHECK(entry->categories == std::vector<std::string>{row.category});
    for (const DetailLevel detail : {DetailLevel::Light, DetailLevel::Verbose}) {
        for (const LoggingMode mode : {LoggingMode::File, LoggingMode::Memory}) {
            CHECK(entry->has(detail, mode));
        }
    }
    CHECK(entry->variants.size() == 4);
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
