// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/journal.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>

namespace tracedeck {
namespace {

using recorder::Journal;
using recorder::JournalEntry;

JournalEntry someEntry() {
    JournalEntry entry;
    entry.boot = "a boot";
    entry.isHosted = true;
    entry.begun = std::numeric_limits<FileTime>::max() - 1; // more than a double holds
    entry.begin = std::numeric_limits<Ticks>::min() + 1;
    entry.profiles = {"CPU.Verbose.Memory", "Ünïcode \"quoted\"\n"};
    entry.detail = plan::DetailLevel::Light;
    entry.mode = plan::LoggingMode::File;
    entry.timeLimit = std::chrono::hours(100);
    entry.note = "what was going on";
    entry.platform = "Linux";
    entry.plan = "{}";
    entry.workFolder = "/recordings";
    entry.targetFolder = "/elsewhere";
    entry.keepsNewest = true;
    entry.marks = 7;
    entry.rawFolders = {"/recordings/a", "/recordings/b"};
    entry.otherRawFiles = {"/recordings/b/system.etl"};
    entry.sessions = {{plan::PlannedSession::Kind::System,
                       "System",
                       randomGuid(),
                       0x02000001,
                       100,
                       "/recordings/a/system.etl",
                       {"CSwitch", "Loader"},
                       {"CSwitch"},
                       {}},
                      {plan::PlannedSession::Kind::Event,
                       "Events",
                       randomGuid(),
                       0x400,
                       0xFFFFFFFF,
                       "/recordings/a/events.etl",
                       {},
                       {},
                       {{randomGuid(), "A provider"}, {randomGuid(), ""}},
                       Bytes{0x7FFFFFFFFFFFFFFF}}};
    return entry;
}

} // namespace

TEST_CASE("A journal gives back what was written into it, to one process at a time", "[recorder][journal]") {
    const test::TemporaryFolder folder;
    const Journal journal(folder.file("new/unfinished"));
    CHECK(journal.left().empty());
    JournalEntry entry = someEntry();
    auto hold = journal.begin(entry);
    REQUIRE(hold.has_value());
    entry.id = (*hold)->entry().id;
    CHECK((*hold)->entry() == entry);
    CHECK(journal.left().empty()); // it is held
    const auto taken = journal.take(entry.id);
    REQUIRE_FALSE(taken.has_value());
    CHECK(taken.error().code == ErrorCode::WrongState);
    struct stat status {};
    REQUIRE(::stat(folder.file("new/unfinished/" + entry.id).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);

    entry.note = "changed";
    REQUIRE((*hold)->update(entry).has_value());
    hold->reset();
    REQUIRE(journal.left() == std::vector{entry});
    hold = journal.take(entry.id);
    REQUIRE(hold.has_value());
    CHECK((*hold)->entry() == entry);
    REQUIRE((*hold)->forget().has_value());
    hold->reset();
    CHECK(journal.left().empty());
    CHECK(test::namesIn(folder.file("new/unfinished")).empty());
    const auto gone = journal.take(entry.id);
    REQUIRE_FALSE(gone.has_value());
    CHECK(gone.error().code == ErrorCode::FileNotFound);
}

TEST_CASE("An entry whose process dies is left to others", "[recorder][journal]") {
    const test::TemporaryFolder folder;
    const JournalEntry entry = someEntry();
    const pid_t child = ::fork();
    if (child == 0) {
        const auto hold = Journal(folder.path()).begin(entry);
        ::kill(::getpid(), SIGKILL);
        ::_exit(hold ? 0 : 1);
    }
    REQUIRE(child > 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    const Journal journal(folder.path());
    const auto left = journal.left();
    REQUIRE(left.size() == 1);
    CHECK(left[0].sessions == entry.sessions);
    CHECK(journal.take(left[0].id).has_value());
}

TEST_CASE("The oldest entry comes first", "[recorder][journal]") {
    const test::TemporaryFolder folder;
    const Journal journal(folder.path());
    for (const FileTime begun : {30, 10, 20}) {
        JournalEntry entry = someEntry();
        entry.begun = begun;
        REQUIRE(journal.begin(entry).has_value());
    }
    std::vector<FileTime> order;
    for (const JournalEntry& entry : journal.left()) {
        order.push_back(entry.begun);
    }
    CHECK(order == std::vector<FileTime>{10, 20, 30});
}

TEST_CASE("What is no entry is passed over, and said", "[recorder][journal]") {
    const test::TemporaryFolder folder;
    const Journal journal(folder.path());
    REQUIRE(journal.begin(someEntry()).has_value());
    const std::string good = journal.left().at(0).id;
    const std::string text = GENERATE("", "{", "[]", "{\"version\":1}", "{\"version\":2,\"sessions\":[]}",
                                      "{\"version\":1,\"sessions\":[{\"kind\":\"system\"}]}",
                                      "{\"version\":1,\"sessions\":[{\"kind\":\"other\",\"guid\":"
                                      "\"68fdd900-4a3e-11d1-84f4-0000f80464e3\"}]}");
    std::ofstream(folder.file("bad.recording")) << text;
    std::ofstream(folder.file("notes.txt")) << "mine";
    std::filesystem::create_directory(folder.file("folder.recording"));
    const auto left = journal.left();
    REQUIRE(left.size() == 1);
    CHECK(left[0].id == good);
    const auto taken = journal.take("bad.recording");
    REQUIRE_FALSE(taken.has_value());
    CHECK(taken.error().code == ErrorCode::ReadFailed);
    for (const std::string& id : {"../" + good, std::string("notes.txt"), std::string()}) {
        const auto other = journal.take(id);
        REQUIRE_FALSE(other.has_value());
        CHECK(other.error().code == ErrorCode::FileNotFound);
    }
}

TEST_CASE("A folder that takes no file is an error of the journal", "[recorder][journal]") {
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("file")) << "x";
    const auto hold = Journal(folder.file("file/unfinished")).begin(someEntry());
    CHECK_FALSE(hold.has_value());
    CHECK(Journal(folder.file("file/unfinished")).left().empty());
    CHECK(Journal("").left().empty());
}

} // namespace tracedeck
