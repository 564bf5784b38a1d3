// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/missing_report.h"
#include "app/cli/profile_selection.h"
#include "tests/cli/program.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace tracedeck {
namespace {

using test::Ended;
using test::run;
using Names = std::vector<std::string>;

std::string contentOf(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string profileOf(const std::string& name) {
    return "<Profile Id=\"" + name + ".Verbose.Memory\" Name=\"" + name +
           "\" Description=\"\" DetailLevel=\"Verbose\" LoggingMode=\"Memory\"/>";
}

void writeProfiles(const std::string& path, const std::string& profiles) {
    std::ofstream(path, std::ios::binary) << "<WindowsPerformanceRecorder Version=\"1.0\"><Profiles>" << profiles
                                          << "</Profiles></WindowsPerformanceRecorder>";
}

/// The program with files of at most a block: writing fails as on a full disk.
const Names kOnFullDisk{"sh", "-c", "ulimit -f 1; exec \"$@\"", "sh"};

} // namespace

TEST_CASE("An export that fails leaves what was there", "[cli][export]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("mine.wprp");
    std::ofstream(path) << "precious";
    const Ended ended = run({"export", "CPU", path, "--force"}, kOnFullDisk);
    CAPTURE(ended.errors);
    CHECK(ended.code == 4);
    CHECK_FALSE(ended.errors.empty());
    CHECK(contentOf(path) == "precious");
    CHECK(test::namesIn(folder.path()) == Names{"mine.wprp"}); // nothing half-done beside it
    CHECK(run({"export", "CPU", folder.file("new.wprp")}, kOnFullDisk).code == 4);
    CHECK(test::namesIn(folder.path()) == Names{"mine.wprp"});
}

TEST_CASE("An export replaces a link and not what it leads to", "[cli][export]") {
    const test::TemporaryFolder folder;
    const std::string target = folder.file("target.wprp");
    const std::string link = folder.file("link.wprp");
    std::ofstream(target) << "precious";
    std::filesystem::create_symlink(target, link);
    CHECK(run({"export", "CPU", link}).code == 4);
    CHECK(std::filesystem::is_symlink(link));
    const Ended ended = run({"export", "CPU", link, "--force"});
    CAPTURE(ended.errors);
    CHECK(ended.code == 0);
    CHECK_FALSE(std::filesystem::is_symlink(link));
    CHECK(contentOf(target) == "precious");
    CHECK(run({"validate", link}).output == link + ": valid, 1 profile\n");
    const Ended intoFolder = run({"export", "CPU", folder.path(), "--force"});
    CHECK(intoFolder.code == 2);
    CHECK(intoFolder.errors.find("is a folder") != std::string::npos);
}

TEST_CASE("A profile that is too large is told in one line, with what is allowed", "[cli][validate]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("large.wprp");
    std::ofstream(path) << std::string(std::size_t{4} * 1024 * 1024 + 1, ' ');
    const Ended ended = run({"validate", path});
    CHECK(ended.code == 1);
    CHECK(ended.output == path + ": the file has 4194305 bytes; a profile has at most 4194304 (4 MB)\n");
    CHECK(ended.errors.empty());
    const Ended plan = run({"plan", path});
    CHECK(plan.code == 2);
    CHECK(plan.errors.find("XML") == std::string::npos);
    CHECK(plan.errors.find("a profile has at most") != std::string::npos);
}

TEST_CASE("Profiles are joined by plus, and names of files and profiles may hold it", "[cli][selection]") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("hyp.wprp");
    const std::string plus = folder.file("a+b.wprp");
    const std::string both = folder.file("c!d+e.wprp");
    writeProfiles(file, profileOf("Mine") + profileOf("Other"));
    writeProfiles(plus, profileOf("Plus"));
    writeProfiles(both, profileOf("Both"));
    const std::string shipped = folder.file("shipped");
    std::filesystem::create_directory(shipped);
    writeProfiles(shipped + "/c.wprp", profileOf("CPU") + profileOf("DiskIO") + profileOf("C++"));
    struct Row {
        Names words;
        Names names;
    };
    // A loop: the names of the files are those of this run's folder.
    const std::vector<Row> rows{{{"CPU+DiskIO"}, {"CPU", "DiskIO"}},
                                {{"CPU", "DiskIO.Light"}, {"CPU", "DiskIO"}},
                                {{file + "!Mine+CPU"}, {"Mine", "CPU"}},
                                {{"CPU+" + file + "!Mine"}, {"CPU", "Mine"}},
                                {{file + "!Mine+" + file + "!Other"}, {"Mine", "Other"}},
                                {{plus}, {"Plus"}},
                                {{plus + "!Plus+CPU"}, {"Plus", "CPU"}},
                                {{plus + "+CPU"}, {"Plus", "CPU"}},
                                {{both + "!Both+DiskIO"}, {"Both", "DiskIO"}},
                                {{"C++"}, {"C++"}},
                                {{file + "!Mine+CPU+DiskIO"}, {"Mine", "CPU", "DiskIO"}}};
    for (const Row& row : rows) {
        CAPTURE(row.words);
        profile::Catalog catalog;
        REQUIRE(catalog.addFolder(shipped));
        const auto selections = cli::selectProfiles(catalog, row.words);
        REQUIRE(selections);
        Names names;
        for (const plan::Selection& selection : *selections) {
            names.push_back(selection.name);
        }
        CHECK(names == row.names);
    }
}

TEST_CASE("A word that names nothing is refused whichever command it is given to", "[cli][selection]") {
    const test::TemporaryFolder folder;
    for (const Names& words : {Names{"plan", "CPU+"}, Names{"plan", "+CPU"}, Names{"plan", "CPU+Nonsense"},
                               Names{"record", "-o", folder.file("x.etl"), "-p", "CPU+Nonsense"}}) {
        const Ended ended = run(words);
        CAPTURE(words, ended.errors);
        CHECK(ended.code == 2);
    }
    CHECK(test::namesIn(folder.path()).empty());
}

TEST_CASE("record takes profiles joined by plus as plan does", "[cli][selection]") {
    const test::TemporaryFolder folder;
    // The output is refused after the profiles are accepted.
    const Ended ended = run({"record", "-p", "CPU+DiskIO", "-o", folder.file("missing/x.etl")});
    CAPTURE(ended.errors);
    CHECK(ended.code == 4);
    CHECK(ended.errors.find("FolderNotFound") != std::string::npos);
}

TEST_CASE("A level of detail is taken in any case", "[cli][arguments]") {
    for (const char* word : {"light", "Light", "LIGHT"}) {
        const cli::Arguments arguments = cli::parseArguments({"plan", "CPU", "--detail", word});
        REQUIRE(std::holds_alternative<cli::PlanArguments>(arguments));
        CHECK(std::get<cli::PlanArguments>(arguments).choice.detail == profile::DetailLevel::Light);
    }
    const cli::Arguments verbose = cli::parseArguments({"record", "-p", "CPU", "--detail", "Verbose"});
    REQUIRE(std::holds_alternative<cli::RecordArguments>(verbose));
    CHECK(std::get<cli::RecordArguments>(verbose).detail == profile::DetailLevel::Verbose);
}

TEST_CASE("A machine's refusals are told once each, without what no remedy helps against", "[cli][report]") {
    using enum etw::LimitationCode;
    etw::Capabilities machine;
    machine.limitations = {{PerfEventParanoid, "3", 0}};
    machine.refusedGroups = {{0x10, {NoTracefs, "/sys/kernel/tracing", 0}},
                             {0x20, {NoTracefs, "/sys/kernel/tracing", 0}},
                             {0x40, {KeywordNotServed, "Power", 0}},
                             {0x80, {KeywordNotOnThisPlatform, "Registry", 0}}};
    const std::string text = cli::limitationsText({}, cli::reasonsOfRefusal(machine), cli::ForeignObjects::Counted);
    const std::string reason = "trace points cannot be reached";
    const std::size_t first = text.find(reason);
    REQUIRE(first != std::string::npos);
    CHECK(text.find(reason, first + 1) == std::string::npos);
    CHECK(text.find("sudo") != std::string::npos);
    CHECK(text.find("Power") == std::string::npos);
    CHECK(text.find("Registry") == std::string::npos);
}

TEST_CASE("A user without rights is told why nothing can be recorded, and what helps", "[cli][plan]") {
    const Names asNobody{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    if (geteuid() != 0 || run({"validate", TRACEDECK_SOURCE_DIR "/profiles/cpu.wprp"}, asNobody).code != 0) {
        std::cerr << "SKIPPED: plans without rights: this test needs root, setpriv, and a source and a build folder "
                     "that everybody may read\n";
        return;
    }
    const Ended plan = run({"plan", "CPU"}, asNobody);
    const Ended profiles = run({"profiles"}, asNobody);
    INFO(plan.output + plan.errors + profiles.output);
    CHECK((plan.code == 0 || plan.code == 3)); // perf_event_paranoid decides whether a part is allowed
    CHECK((plan.output + plan.errors).find("sudo") != std::string::npos);
    if (plan.code == 3) {
        CHECK(plan.output.empty());
        CHECK(plan.errors.find("Not recorded here, or not in full:\n") == 0);
        CHECK(profiles.output.find("recorded here: nothing") != std::string::npos);
        CHECK(profiles.output.find("\nNot recorded here, or not in full:\n") != std::string::npos);
        CHECK(profiles.output.find("sudo") != std::string::npos);
        const Ended json = run({"plan", "CPU", "--json"}, asNobody);
        CHECK(json.output.empty()); // what is no JSON is not printed where JSON is read
        CHECK(json.errors == plan.errors);
    }
}

} // namespace tracedeck
