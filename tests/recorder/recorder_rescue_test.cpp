// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/wait.h"
#include "core/platform/paths.h"
#include "tests/recorder/adopting_host.h"

#include <filesystem>
#include <fstream>

namespace tracedeck {
namespace {

using recorder::Journal;
using recorder::JournalEntry;
using recorder::Recorder;
using recorder::State;
using recorder::StopReason;
using test::FakeController;
using test::Watched;
using Call = FakeController::Call;
using Names = std::vector<std::string>;
using Host = test::AdoptingHost;

} // namespace

TEST_CASE("A recording whose process and sessions have died is saved from its raw files", "[recorder][adopt]") {
    Host host;
    const JournalEntry entry = host.dead({.isFileMode = true});
    Watched watched(host.environment());
    REQUIRE(watched.recorder.adopt(entry.id));
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == StopReason::RecorderEnded);
    CHECK(watched.stopped->length.count() == 0);
    REQUIRE(watched.stopped->rawFiles.size() == 2);
    CHECK_FALSE(watched.stopped->writeError);
    CHECK(watched.recorder.state() == State::Stopped);
    SECTION("saved") {
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, "what happened"}));
        REQUIRE(watched.waitForSignal("finished"));
        // The file itself says how it ended, and what had been turned on.
        const auto& said = watched.outcome->summary.recorder;
        CHECK(said.at("RecordingStopped.Reason") == "RecorderEnded");
        CHECK(said.at("RecordingStopped.Note") == "a note");
        CHECK(said.at("RecordingStopped.Providers").find("Tracedeck-Recorder") != std::string::npos);
        CHECK(test::namesIn(host.folder.path()) == Names{"a.etl", "journal"});
    }
    SECTION("discarded") {
        REQUIRE(watched.recorder.discard());
        REQUIRE(watched.waitForSignal("discarded"));
        CHECK(test::namesIn(host.folder.path()) == Names{"journal"});
    }
    CHECK(host.left().empty());
}

TEST_CASE("A recording that was stopped and not saved is not called cut off by whoever saves it", "[recorder][adopt]") {
    Host host;
    const bool isFileMode = GENERATE(true, false);
    std::string id;
    {
        Watched watched(host.environment());
        host.record(watched, {.isFileMode = isFileMode});
        host.clock.advance(3'000'000'000);
        REQUIRE(watched.recorder.stop());
        REQUIRE(watched.waitForSignal("stopped"));
        REQUIRE(watched.recorder.save({host.folder.file("missing/a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("failed"));
    }
    REQUIRE(host.left().size() == 1);
    REQUIRE(host.left()[0].ended);
    CHECK(host.left()[0].ended->reason == StopReason::User);
    Watched watched(host.environment());
    REQUIRE(watched.recorder.adopt(host.left()[0].id));
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == StopReason::User);
    CHECK(watched.stopped->length == std::chrono::seconds(3));
    REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
    REQUIRE(watched.waitForSignal("finished"));
    CHECK(watched.outcome->summary.recorder.count("RecordingStopped.Reason") == 0); // no second one is written
    CHECK(host.left().empty());
}

TEST_CASE("What dead sessions had in memory is rescued, with who is who now", "[recorder][adopt]") {
    Host host;
    const JournalEntry entry = host.dead({.isFileMode = false});
    const test::TemporaryFolder memory;
    // A raw file stands for each session's memory.
    for (const JournalEntry::Session& session : entry.sessions) {
        etw::SessionConfig config;
        config.name = "memory " + session.name;
        config.logFileName = memory.file(session.name);
        const auto started =
            etw::await<etw::StartedSession>([&](auto done) { host.controller.start(config, std::move(done)); });
        REQUIRE(started.has_value());
        const auto stopped = etw::await<etw::SessionStats>(
            [&](auto done) { host.controller.stop(started->id, std::string(), std::move(done)); });
        REQUIRE(stopped.has_value());
        host.rescue.left[session.guid] = config.logFileName;
    }
    Watched watched(host.environment());
    SECTION("saved") {
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("stopped"));
        CHECK(watched.stopped->reason == StopReason::RecorderEnded);
        CHECK(watched.stopped->rawFiles.size() == 3);
        CHECK(host.rescue.discarded.empty()); // until it is saved
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("finished"));
        CHECK(host.rescue.left.empty());
        const Names calls = host.controller.calls();
        CHECK(std::find(calls.begin(), calls.end(), "start System_rundown") != calls.end());
    }
    SECTION("in the place of a file that its controller died over") {
        std::ofstream(entry.sessions.at(0).rawFile) << "half a file";
        std::ofstream(entry.sessions.at(0).rawFile + ".left") << "and half of another try";
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("stopped"));
        CHECK(watched.stopped->rawFiles.size() == 3);
        CHECK(std::filesystem::file_size(entry.sessions.at(0).rawFile) ==
              std::filesystem::file_size(host.rescue.left.at(entry.sessions.at(0).guid)));
        CHECK_FALSE(std::filesystem::exists(entry.sessions.at(0).rawFile + ".left"));
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("finished"));
        CHECK(host.rescue.left.empty());
    }
    SECTION("but not in the place of a file that is complete") {
        const std::string& rawFile = entry.sessions.at(0).rawFile;
        std::filesystem::copy_file(host.rescue.left.at(entry.sessions.at(0).guid), rawFile);
        host.rescue.left.at(entry.sessions.at(0).guid) = "/nowhere/at/all"; // would throw
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("stopped"));
        CHECK(watched.stopped->rawFiles.size() == 3);
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("finished"));
        CHECK(host.rescue.left.empty());
    }
    SECTION("without a rundown where the kernel refuses") {
        host.controller.refuse(Call::Start, "System_rundown", {ErrorCode::KernelEventsRefused, "no", 5});
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("stopped"));
        CHECK(watched.stopped->rawFiles.size() == 2);
        REQUIRE(watched.recorder.discard());
        REQUIRE(watched.waitForSignal("discarded"));
        CHECK(host.rescue.left.empty());
    }
    SECTION("another time, where there is no room now") {
        host.rescue.error = Error{ErrorCode::DiskFull, "no room", 28};
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("failed"));
        CHECK(watched.errors.back().code == ErrorCode::DiskFull);
        CHECK(watched.recorder.state() == State::Idle);
        REQUIRE(host.left().size() == 1);
        CHECK(host.rescue.left.size() == 2);
        host.rescue.error.reset();
        REQUIRE(watched.recorder.adopt(entry.id));
        REQUIRE(watched.waitForSignal("stopped"));
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("finished"));
    }
    CHECK(host.left().empty());
}

TEST_CASE("A recording of which nothing is left is forgotten", "[recorder][adopt]") {
    Host host;
    const JournalEntry entry = host.dead({.isFileMode = false});
    const bool isFolderGone = GENERATE(true, false);
    if (isFolderGone) {
        std::filesystem::remove_all(entry.rawFolders.at(0));
    }
    Watched watched(host.environment());
    REQUIRE(watched.recorder.adopt(entry.id));
    REQUIRE(watched.waitForSignal("failed"));
    CHECK(watched.errors.back().code == ErrorCode::NothingToRecord);
    CHECK(watched.recorder.state() == State::Idle);
    CHECK(host.left().empty());
    CHECK(test::namesIn(host.folder.path()) == Names{"journal"});
}

} // namespace tracedeck
