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

TEST_CASE("A recording is in the journal from its start until it is saved or discarded", "[recorder][journal]") {
    Host host;
    Watched watched(host.environment());
    const auto names = [&] { return test::namesIn(host.journalFolder); };
    SECTION("saved") {
        host.record(watched);
        CHECK(names().size() == 2); // the entry and its lock
        CHECK(host.left().empty()); // this process has it
        REQUIRE(watched.recorder.stop());
        REQUIRE(watched.waitForSignal("stopped"));
        CHECK(names().size() == 2);
        REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(watched.waitForSignal("finished"));
    }
    SECTION("discarded") {
        host.record(watched);
        REQUIRE(watched.recorder.discard());
        REQUIRE(watched.waitForSignal("discarded"));
    }
    SECTION("not started") {
        host.controller.refuse(Call::Start, "System", {ErrorCode::AccessDenied, "no", 5});
        REQUIRE(watched.recorder.start(host.request()));
        REQUIRE(watched.waitForSignal("failed"));
    }
    SECTION("closed before it was saved") {
        host.record(watched);
        const recorder::Remains remains = watched.recorder.close();
        REQUIRE(remains.rawFiles.size() == 2);
        const auto left = host.left();
        REQUIRE(left.size() == 1);
        Watched other(host.environment());
        REQUIRE(other.recorder.adopt(left[0].id));
        REQUIRE(other.waitForSignal("stopped"));
        CHECK(other.stopped->rawFiles == remains.rawFiles);
        REQUIRE(other.recorder.save({host.folder.file("a.etl"), false, {}}));
        REQUIRE(other.waitForSignal("finished"));
    }
    CHECK(names().empty());
}

TEST_CASE("A journal that cannot be written hinders no recording", "[recorder][journal]") {
    Host host;
    std::ofstream(host.folder.file("journal")) << "a file where the folder should be";
    Watched watched(host.environment());
    host.record(watched);
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForSignal("stopped"));
    REQUIRE(watched.recorder.save({host.folder.file("a.etl"), false, {}}));
    REQUIRE(watched.waitForSignal("finished"));
}

TEST_CASE("A detached recording goes on, and another recorder stops and saves it", "[recorder][adopt]") {
    const bool isFileMode = GENERATE(true, false);
    Host host;
    const std::string path = host.folder.file("a.etl");
    std::string journalId;
    {
        Watched first(host.environment());
        host.record(first, {.isFileMode = isFileMode});
        REQUIRE(first.recorder.detach());
        REQUIRE(first.waitForSignal("detached"));
        CHECK(first.recorder.state() == State::Idle);
        const recorder::Remains remains = first.recorder.close();
        CHECK(remains.rawFiles.empty());
        CHECK_FALSE(first.count("stopped"));
    }
    CHECK(host.controller.runningSessions() == 2);
    const auto left = host.left();
    REQUIRE(left.size() == 1);
    CHECK(left[0].profiles == Names{"CPU.Verbose.File"});
    CHECK(left[0].note == "a note");
    CHECK(left[0].boot == platform::bootId());
    host.clock.advance(3'000'000'000);

    Watched second(host.environment());
    REQUIRE(second.recorder.adopt(left[0].id));
    REQUIRE(second.waitForState(State::Recording));
    CHECK(second.count("started") == 1);
    CHECK(host.left().empty()); // it has an owner again
    REQUIRE(second.recorder.mark("here"));
    REQUIRE(second.recorder.stop());
    REQUIRE(second.waitForSignal("stopped"));
    CHECK(second.stopped->last.marks == 1);
    CHECK(second.stopped->reason == StopReason::User);
    CHECK(second.stopped->length == std::chrono::seconds(3)); // since it began, whoever recorded it
    REQUIRE(second.recorder.save({path, false, {}}));
    REQUIRE(second.waitForSignal("finished"));
    CHECK(second.outcome->summary.events > 2);
    CHECK(host.left().empty());
    CHECK(test::namesIn(host.folder.path()) == Names{"a.etl", "journal"});
    const Names expected{"start Events", "enable Events Tracedeck-Recorder",
                         "start System", "mark System here",
                         "stop System",  "stop Events"};
    CHECK(host.controller.calls() == expected);
    // What is kept in the trace is what was asked for at first, whoever stops it.
    const auto written = host.controller.written();
    const auto named = [&](const std::string& name) {
        return *std::find_if(written.begin(), written.end(), [&](const auto& one) { return one.event.name == name; });
    };
    const auto begun = named("RecordingStarted");
    const auto ended = named("RecordingStopped");
    CHECK_FALSE(begun.field("Providers").empty());
    for (const char* field : {"Plan", "Note", "Profiles", "Platform", "Keywords", "Stacks", "Providers"}) {
        CAPTURE(field);
        CHECK(ended.field(field) == begun.field(field));
    }
}

TEST_CASE("Marks are counted on by whoever has the recording", "[recorder][adopt][mark]") {
    Host host;
    for (std::uint32_t round = 1; round <= 3; ++round) {
        Watched one(host.environment());
        if (round == 1) {
            host.record(one);
        } else {
            REQUIRE(host.left().size() == 1);
            CHECK(host.left()[0].marks == round - 1);
            REQUIRE(one.recorder.adopt(host.left()[0].id));
            REQUIRE(one.waitForState(State::Recording));
        }
        REQUIRE(test::waitFor([&] { return !one.status.empty() && one.status.back().marks == round - 1; }));
        REQUIRE(one.recorder.mark("here"));
        REQUIRE(test::waitFor([&] { return one.status.back().marks == round; }));
        // What a program that is killed now would leave.
        std::size_t entries = 0;
        for (const auto& file : std::filesystem::directory_iterator(host.journalFolder)) {
            if (file.path().extension() == ".recording") {
                std::ifstream stream(file.path());
                const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
                CHECK(text.find("\"marks\": " + std::to_string(round)) != std::string::npos);
                ++entries;
            }
        }
        CHECK(entries == 1);
        if (round < 3) {
            REQUIRE(one.recorder.detach());
            REQUIRE(one.waitForSignal("detached"));
        } else {
            REQUIRE(one.recorder.discard());
            REQUIRE(one.waitForSignal("discarded"));
        }
    }
}

TEST_CASE("What was chosen for a short disk holds for whoever has the recording", "[recorder][adopt][disk]") {
    Host host;
    {
        Watched first(host.environment());
        recorder::Request request = host.request();
        request.whenDiskShort = recorder::WhenDiskShort::KeepNewest;
        request.targetFolder = host.folder.path();
        REQUIRE(first.recorder.start(request));
        REQUIRE(first.waitForState(State::Recording));
        REQUIRE(first.recorder.detach());
        REQUIRE(first.waitForSignal("detached"));
    }
    const auto left = host.left();
    REQUIRE(left.size() == 1);
    CHECK(left[0].keepsNewest);
    CHECK(left[0].targetFolder == host.folder.path());
    CHECK(left[0].sessions[0].minimumFreeDisk.count > 0);
    Watched second(host.environment());
    REQUIRE(second.recorder.adopt(left[0].id));
    REQUIRE(test::waitFor([&] { return !second.status.empty(); }));
    REQUIRE(second.status.back().disk);
    CHECK(second.status.back().disk->keepsNewest);
    REQUIRE(second.recorder.discard());
    REQUIRE(second.waitForSignal("discarded"));
}

TEST_CASE("An adopted recording can be discarded, detached again, and ends at its time limit", "[recorder][adopt]") {
    Host host;
    std::string journalId;
    {
        Watched first(host.environment());
        recorder::Request request = host.request();
        request.timeLimit = std::chrono::seconds(10);
        REQUIRE(first.recorder.start(request));
        REQUIRE(first.waitForState(State::Recording));
        REQUIRE(first.recorder.detach());
        REQUIRE(first.waitForSignal("detached"));
    }
    journalId = host.left().at(0).id;
    Watched second(host.environment());
    REQUIRE(second.recorder.adopt(journalId));
    REQUIRE(second.waitForState(State::Recording));
    SECTION("discarded") {
        REQUIRE(second.recorder.discard());
        REQUIRE(second.waitForSignal("discarded"));
        CHECK(test::namesIn(host.folder.path()) == Names{"journal"});
        CHECK(host.left().empty());
        CHECK(host.controller.runningSessions() == 0);
    }
    SECTION("detached again") {
        REQUIRE(second.recorder.detach());
        REQUIRE(second.waitForSignal("detached"));
        REQUIRE(host.left().size() == 1);
        CHECK(host.left()[0].id == journalId);
        CHECK(host.controller.runningSessions() == 2);
    }
    SECTION("time limit") {
        host.clock.advance(11'000'000'000);
        REQUIRE(second.waitForSignal("stopped"));
        CHECK(second.stopped->reason == StopReason::TimeLimit);
    }
}

TEST_CASE("A recording with a folder that was named from here is found from everywhere", "[recorder][adopt]") {
    Host host;
    recorder::Request request = host.request({.isFileMode = true});
    request.workFolder = std::filesystem::relative(host.folder.path()).string();
    REQUIRE_FALSE(std::filesystem::path(request.workFolder).is_absolute());
    Watched watched(host.environment());
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    REQUIRE(watched.recorder.detach());
    REQUIRE(watched.waitForSignal("detached"));
    const auto left = host.left();
    REQUIRE(left.size() == 1);
    CHECK(std::filesystem::path(left[0].workFolder).is_absolute());
    REQUIRE(left[0].rawFolders.size() == 1);
    CHECK(std::filesystem::path(left[0].rawFolders[0]).is_absolute());
    for (const JournalEntry::Session& session : left[0].sessions) {
        CHECK(std::filesystem::path(session.rawFile).is_absolute());
    }
    REQUIRE(watched.recorder.adopt(left[0].id));
    REQUIRE(watched.waitForState(State::Recording));
    REQUIRE(watched.recorder.discard());
    REQUIRE(watched.waitForSignal("discarded"));
}

TEST_CASE("Recordings that were left are listed, and whether they run", "[recorder][journal]") {
    Host host;
    std::optional<std::vector<recorder::Unfinished>> listed;
    Watched watched(host.environment());
    QObject::connect(&watched.recorder, &Recorder::unfinishedListed, &watched.recorder,
                     [&](const std::vector<recorder::Unfinished>& recordings) { listed = recordings; });
    const auto look = [&] {
        listed.reset();
        REQUIRE(watched.recorder.listUnfinished());
        REQUIRE(test::waitFor([&] { return listed.has_value(); }));
    };
    look();
    CHECK(listed->empty());
    const JournalEntry cutOff = host.dead({.isFileMode = true});
    host.clock.advance(1'000'000'000);
    {
        Watched first(host.environment());
        host.record(first);
        REQUIRE(first.recorder.detach());
        REQUIRE(first.waitForSignal("detached"));
    }
    look();
    REQUIRE(listed->size() == 2);
    CHECK(listed->at(0).entry == cutOff);
    CHECK_FALSE(listed->at(0).isRunning);
    CHECK(listed->at(1).isRunning);
    recorder::Request another = host.request(); // beside the one that runs
    for (plan::PlannedSession& session : another.plan.sessions) {
        session.config.name += " of another";
    }
    SECTION("while another one is recorded, which is nobody else's business") {
        REQUIRE(watched.recorder.start(another));
        REQUIRE(watched.waitForState(State::Recording));
        look();
        CHECK(listed->size() == 2);
    }
    SECTION("an answer that comes after a recording has begun is an answer all the same") {
        host.controller.hold(Call::List);
        listed.reset();
        REQUIRE(watched.recorder.listUnfinished());
        host.controller.waitUntilHeld(Call::List);
        REQUIRE(watched.recorder.start(another));
        host.controller.release();
        REQUIRE(test::waitFor([&] { return listed.has_value(); }));
        CHECK(listed->size() == 2);
        REQUIRE(watched.waitForState(State::Recording));
    }
    SECTION("none is said to run where the controller does not tell") {
        host.controller.refuse(Call::List, {}, {ErrorCode::Internal, "no answer", 0});
        look();
        REQUIRE(listed->size() == 2);
        CHECK_FALSE(listed->at(1).isRunning);
    }
    SECTION("not of a recorder that is closed") {
        static_cast<void>(watched.recorder.close());
        test::requireWrongState(watched.recorder.listUnfinished());
    }
}

TEST_CASE("Adopting is refused, and leaves everything as it is", "[recorder][adopt]") {
    Host host;
    Watched owner(host.environment());
    host.record(owner);
    std::string id;
    for (const std::string& name : test::namesIn(host.journalFolder)) {
        id = name.ends_with(".recording") ? name : id;
    }
    Watched other(host.environment());
    SECTION("another one has it") {
        REQUIRE(other.recorder.adopt(id));
        REQUIRE(other.waitForSignal("failed"));
        CHECK(other.errors.back().code == ErrorCode::WrongState);
    }
    SECTION("there is none") {
        REQUIRE(other.recorder.adopt("nothing.recording"));
        REQUIRE(other.waitForSignal("failed"));
        CHECK(other.errors.back().code == ErrorCode::FileNotFound);
    }
    SECTION("the controller does not answer") {
        REQUIRE(owner.recorder.detach());
        REQUIRE(owner.waitForSignal("detached"));
        const Call refused = GENERATE(Call::Capabilities, Call::List);
        host.controller.refuse(refused, "", {ErrorCode::AccessDenied, "no", 5});
        REQUIRE(other.recorder.adopt(id));
        REQUIRE(other.waitForSignal("failed"));
        CHECK(other.errors.back().code == ErrorCode::AccessDenied);
        CHECK(host.left().size() == 1);
    }
    SECTION("it is recording itself") {
        test::requireWrongState(owner.recorder.adopt(id));
    }
    CHECK(other.recorder.state() == State::Idle);
    CHECK(host.controller.runningSessions() == 2);
}

TEST_CASE("Only sessions that outlive the program can be left to themselves", "[recorder][adopt]") {
    Host host;
    Recorder::Environment environment = host.environment();
    environment.sessionsOutliveClient = false;
    Watched watched(environment);
    test::requireWrongState(watched.recorder.detach());
    host.record(watched);
    const Status detached = watched.recorder.detach();
    REQUIRE_FALSE(detached.has_value());
    CHECK(detached.error().code == ErrorCode::NotSupported);
    CHECK(watched.recorder.state() == State::Recording);
}

} // namespace tracedeck
