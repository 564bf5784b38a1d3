// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/disk_guard.h"
#include "core/recorder/recorder.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/recorder_stage.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace tracedeck {
namespace {

using recorder::Recorder;
using recorder::Request;
using recorder::State;
using recorder::StopReason;
using test::FakeController;
using test::requireWrongState;
using test::Watched;
using Stage = test::RecorderStage;
using Call = FakeController::Call;
using States = std::vector<State>;
using Names = std::vector<std::string>;

etw::SessionStats lossStats(std::uint64_t lost) {
    etw::SessionStats stats;
    stats.eventsProduced = 1000;
    stats.eventsLost = lost;
    stats.losses = {{etw::LossCause::NoFreeBuffer, lost, 5}};
    return stats;
}

} // namespace

TEST_CASE("A recording goes through its states and leaves its raw files", "[recorder][states]") {
    const bool isFileMode = GENERATE(true, false);
    Stage stage;
    stage.recordAndStop({.isFileMode = isFileMode});
    CHECK(stage.watched->states == States{State::Starting, State::Recording, State::Stopping, State::Stopped});
    CHECK(stage.watched->signalNames == Names{"started", "stopped"});
    CHECK_FALSE(stage.watched->wasOnOtherThread);
    const recorder::Stopped& stopped = *stage.watched->stopped;
    CHECK(stopped.reason == StopReason::User);
    CHECK_FALSE(stopped.writeError);
    REQUIRE(stopped.rawFiles.size() == 2);
    CHECK(stopped.rawFiles[0].ends_with("/system.etl"));
    CHECK(stopped.rawFiles[1].ends_with("/events.etl"));
    for (const std::string& file : stopped.rawFiles) {
        CHECK(systemFiles().open(file));
    }
    const Names expected{"start Events", "enable Events Tracedeck-Recorder", "start System", "stop System",
                         "stop Events"};
    CHECK(stage.controller.calls() == expected);
    CHECK(stage.controller.registeredProviders() == 0);
}

TEST_CASE("The recorder's own events say how the recording came about", "[recorder][events]") {
    Stage stage;
    stage.record();
    REQUIRE(stage.recorder().mark("here"));
    REQUIRE(test::waitFor([&] { return !stage.written("Mark").empty(); }));
    stage.clock.advance(2'000'000'000);
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->length == std::chrono::seconds(2));
    const auto started = stage.written("RecordingStarted");
    REQUIRE(started.size() == 1);
    CHECK(started[0].field("Profiles") == "CPU.Verbose.File");
    CHECK(started[0].field("Note") == "a note");
    CHECK(started[0].field("Platform") == "Fake 1.0");
    CHECK(started[0].field("Version") == TRACEDECK_VERSION);
    CHECK(started[0].field("Plan") == plan::toJson(test::makePlan()));
    CHECK_FALSE(started[0].field("Machine").empty());
    CHECK(stage.written("Mark")[0].field("Text") == "here");
    const auto stopped = stage.written("RecordingStopped");
    REQUIRE(stopped.size() == 1);
    CHECK(stopped[0].field("Reason") == "User");
    CHECK(stopped[0].field("LengthMs") == "2000");
    const Names calls = stage.controller.calls();
    CHECK(std::count(calls.begin(), calls.end(), "mark System here") == 1);
}

TEST_CASE("A call in a wrong state is refused at once and changes nothing", "[recorder][states]") {
    Stage stage;
    Recorder& recorder = stage.recorder();
    const auto refuses = [&](const Names& refused) {
        const State before = recorder.state();
        for (const std::string& name : refused) {
            CAPTURE(name, static_cast<int>(before));
            if (name == "start") {
                requireWrongState(recorder.start(stage.request()));
            } else if (name == "stop") {
                requireWrongState(recorder.stop());
            } else if (name == "mark") {
                requireWrongState(recorder.mark("x"));
            } else if (name == "save") {
                requireWrongState(recorder.save({stage.folder.file("x.etl"), false, ""}));
            } else if (name == "cancelSave") {
                requireWrongState(recorder.cancelSave());
            } else {
                requireWrongState(recorder.discard());
            }
            CHECK(recorder.state() == before);
        }
    };
    refuses({"stop", "mark", "save", "cancelSave", "discard"});
    stage.controller.hold(Call::Start);
    REQUIRE(recorder.start(stage.request()));
    CHECK(recorder.state() == State::Starting);
    refuses({"start", "stop", "mark", "save", "cancelSave", "discard"});
    stage.controller.release();
    REQUIRE(stage.watched->waitForState(State::Recording));
    refuses({"start", "save", "cancelSave"});
    stage.controller.hold(Call::Stop);
    REQUIRE(recorder.stop());
    CHECK(recorder.state() == State::Stopping);
    refuses({"start", "stop", "mark", "save", "cancelSave", "discard"});
    stage.controller.release();
    REQUIRE(stage.watched->waitForState(State::Stopped));
    refuses({"start", "stop", "mark", "cancelSave"});
    REQUIRE(recorder.discard());
    refuses({"start", "stop", "mark", "save", "cancelSave", "discard"});
    REQUIRE(stage.watched->waitForSignal("discarded"));
    CHECK(recorder.state() == State::Idle);
    CHECK(stage.watched->errors.empty());
}

TEST_CASE("A plan that makes no recording is refused at once", "[recorder][start]") {
    Stage stage;
    Request request = stage.request();
    ErrorCode code = ErrorCode::InvalidArgument;
    SECTION("without an event session") {
        request.plan.sessions.pop_back();
    }
    SECTION("with an event session that nothing goes into") {
        request.plan.sessions.back().providers.clear();
    }
    SECTION("with a kind of session that is not recorded") {
        plan::PlannedSession other = request.plan.sessions.back();
        other.kind = GENERATE(plan::PlannedSession::Kind::Heap, plan::PlannedSession::Kind::Hypervisor);
        other.config.name = "Another";
        request.plan.sessions.push_back(other);
        code = ErrorCode::NotSupported;
    }
    SECTION("with a kind that contradicts the logging mode") {
        request.plan.sessions.front().config.logFileMode = etlformat::mode::kSequential;
    }
    SECTION("with a negative time limit") {
        request.timeLimit = std::chrono::milliseconds(-1);
    }
    const Status started = stage.recorder().start(request);
    REQUIRE_FALSE(started);
    CHECK(started.error().code == code);
    CHECK((code == ErrorCode::InvalidArgument || started.error().detail.find("Another") == 0));
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.controller.calls().empty());
}

TEST_CASE("A start that fails at any step is rolled back", "[recorder][start]") {
    Stage stage;
    const Error refusal{ErrorCode::SessionLimit, "refused by the test", 1450};
    Names calls;
    SECTION("asking what the machine can do") {
        stage.controller.refuse(Call::Capabilities, "", refusal);
    }
    SECTION("the event session") {
        stage.controller.refuse(Call::Start, "Events", refusal);
        calls = {"start Events"};
    }
    SECTION("our own provider") {
        stage.controller.refuse(Call::Enable, "Tracedeck-Recorder", refusal);
        calls = {"start Events", "enable Events Tracedeck-Recorder", "stop Events"};
    }
    SECTION("the system session") {
        stage.controller.refuse(Call::Start, "System", refusal);
        calls = {"start Events", "enable Events Tracedeck-Recorder", "start System", "stop Events"};
    }
    REQUIRE(stage.recorder().start(stage.request()));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors.front() == refusal);
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.watched->states == States{State::Starting, State::Idle});
    CHECK(stage.controller.calls() == calls);
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(stage.controller.registeredProviders() == 0);
    CHECK(test::namesIn(stage.folder.path()).empty());

    // The next recording is not harmed.
    FakeController healthy(stage.clock);
    Watched next({&healthy, &healthy, &systemFiles(), &stage.clock});
    REQUIRE(next.recorder.start(stage.request()));
    CHECK(next.waitForState(State::Recording));
}

TEST_CASE("A work folder that is missing or cannot be written refuses the start", "[recorder][start]") {
    Stage stage;
    Request request = stage.request();
    ErrorCode code = ErrorCode::FolderNotFound;
    SECTION("missing") {
        request.workFolder = stage.folder.file("missing");
    }
    SECTION("a file system that takes no folders") {
        request.workFolder = "/proc/self";
        code = ErrorCode::FolderNotFound; // what Linux says: ENOENT
    }
    REQUIRE(stage.recorder().start(request));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors.front().code == code);
    CHECK(stage.watched->errors.front().detail.find(request.workFolder) != std::string::npos);
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.controller.calls().empty());
}

TEST_CASE("Without the kernel a recording goes on where other providers are left", "[recorder][start]") {
    Stage stage;
    stage.controller.refuse(Call::Start, "System", {ErrorCode::KernelEventsRefused, "paranoid", 13});
    etw::Capabilities capabilities;
    const etw::Limitation cause{etw::LimitationCode::PerfEventParanoid, "3", 0};
    capabilities.limitations = {cause};
    stage.controller.setCapabilities(capabilities);

    SECTION("other providers are left") {
        etw::Limitation told = cause;
        SECTION("the machine says why") {}
        SECTION("the groups say why, which is nearer") {
            told = {GENERATE(etw::LimitationCode::PidNamespace, etw::LimitationCode::DescriptorLimit,
                             etw::LimitationCode::PerfEventParanoid),
                    "of the group", 0};
            capabilities.limitations = {{etw::LimitationCode::NotElevated, "", 0}};
            capabilities.refusedGroups = {{0x4, {etw::LimitationCode::KeywordNotOnThisPlatform, "Registry", 0}},
                                          {0x8, told}};
            stage.controller.setCapabilities(capabilities);
        }
        SECTION("nothing says why") {
            told = {etw::LimitationCode::NoPerfEvents, "paranoid", 0};
            capabilities.limitations = {{etw::LimitationCode::KernelPointersHidden, "", 0}};
            stage.controller.setCapabilities(capabilities);
        }
        stage.recordAndStop({.hasForeignProvider = true});
        REQUIRE(stage.watched->limitations.size() == 1);
        CHECK(stage.watched->limitations[0] == told);
        CHECK(stage.watched->stopped->limitations == stage.watched->limitations);
        CHECK(stage.watched->stopped->last.sessions.size() == 1);
        REQUIRE(stage.watched->stopped->rawFiles.size() == 1);
        CHECK(stage.watched->stopped->rawFiles[0].ends_with("/events.etl"));
    }
    SECTION("only our own provider is left") {
        REQUIRE(stage.recorder().start(stage.request()));
        REQUIRE(stage.watched->waitForSignal("failed"));
        CHECK(stage.watched->errors.front().code == ErrorCode::KernelEventsRefused);
        CHECK(stage.controller.runningSessions() == 0);
        CHECK(test::namesIn(stage.folder.path()).empty());
    }
    SECTION("the other provider does not exist either") {
        stage.controller.refuse(Call::Enable, "Foreign-Provider", {ErrorCode::ProviderUnknown, "no such", 4200});
        REQUIRE(stage.recorder().start(stage.request({.hasForeignProvider = true})));
        REQUIRE(stage.watched->waitForSignal("failed"));
        CHECK(stage.watched->errors.front().code == ErrorCode::KernelEventsRefused);
    }
}

TEST_CASE("A provider that does not exist is a limitation", "[recorder][start]") {
    Stage stage;
    stage.controller.refuse(Call::Enable, "Foreign-Provider", {ErrorCode::ProviderUnknown, "no such", 4200});
    stage.record({.hasForeignProvider = true});
    REQUIRE(stage.watched->limitations.size() == 1);
    CHECK(stage.watched->limitations[0].code == etw::LimitationCode::ProviderNotOnThisPlatform);
    CHECK(stage.watched->limitations[0].detail == "Foreign-Provider");
}

TEST_CASE("A time limit stops the recording by itself", "[recorder][stop]") {
    Stage stage;
    Request request = stage.request();
    request.timeLimit = std::chrono::minutes(10);
    REQUIRE(stage.recorder().start(request));
    REQUIRE(stage.watched->waitForState(State::Recording));
    REQUIRE(test::waitFor([&] { return !stage.watched->status.empty(); }));
    CHECK(stage.recorder().state() == State::Recording);
    stage.clock.advance(600'000'000'000);
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->reason == StopReason::TimeLimit);
    CHECK(stage.watched->stopped->length == std::chrono::minutes(10));
    CHECK(stage.written("RecordingStopped")[0].field("Reason") == "TimeLimit");
}

TEST_CASE("A short time limit is kept to the millisecond by a timer of its own", "[recorder][stop]") {
    Stage stage;
    SystemClock clock;
    Watched watched({&stage.controller, &stage.controller, &systemFiles(), &clock});
    Request request = stage.request();
    request.timeLimit = std::chrono::milliseconds(60); // shorter than a polling interval
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == StopReason::TimeLimit);
    CHECK(watched.stopped->length >= request.timeLimit);
    CHECK(stage.controller.queries() == 0);
}

TEST_CASE("A session that can write no more stops the recording", "[recorder][stop]") {
    Stage stage;
    stage.record({.maximumFileSizeMib = 1});
    etw::SessionStats stats = lossStats(7);
    stats.losses[0].cause = etw::LossCause::DiskFull;
    stats.bufferSizeKib = 64;
    StopReason reason = StopReason::DiskFull;
    SECTION("the disk is full") {
        stats.writeError = Error{ErrorCode::DiskFull, "no space left", 28};
    }
    SECTION("the device fails") {
        stats.writeError = Error{ErrorCode::WriteFailed, "input/output error", 5};
        reason = StopReason::WriteFailed;
    }
    stage.controller.setStats("System", stats);
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->reason == reason);
    REQUIRE(stage.watched->stopped->writeError);
    CHECK(*stage.watched->stopped->writeError == *stats.writeError);
    CHECK(stage.watched->stopped->rawFiles.size() == 2);
    CHECK(stage.watched->count("eventsLost") == 1);
    CHECK(stage.watched->errors.empty());
}

TEST_CASE("A recording stops while its saved file still fits beside the raw ones", "[recorder][stop]") {
    Stage stage;
    test::FailingDevice disk(mib(1000) + recorder::kSavedMore);
    Watched watched({&stage.controller, &stage.controller, &disk, &stage.clock});
    etw::SessionStats stats;
    stats.fileSize = mib(1000);
    stage.controller.setStats("System", stats);
    REQUIRE(watched.recorder.start(stage.request()));
    REQUIRE(test::waitFor([&] { return !watched.status.empty(); }));
    CHECK(watched.recorder.state() == State::Recording);
    stats.fileSize.count += 1;
    stage.controller.setStats("System", stats);
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == StopReason::DiskFull);
    CHECK_FALSE(watched.stopped->writeError);
}

TEST_CASE("Reaching the size that was set is a normal end", "[recorder][stop]") {
    Stage stage;
    stage.record({.maximumFileSizeMib = 10});
    etw::SessionStats system;
    etw::SessionStats events;
    SECTION("of one session") {
        system.isAtSizeLimit = true;
    }
    SECTION("of all together") {
        system.fileSize = mib(7);
        events.fileSize = mib(2);
        stage.controller.setStats("Events", events);
        stage.controller.setStats("System", system);
        stage.watched->status.clear();
        REQUIRE(test::waitFor([&] {
            return stage.watched->status.size() > 1 &&
                   stage.watched->status.back().sessions[0].stats.fileSize == mib(7);
        }));
        CHECK(stage.recorder().state() == State::Recording);
        events.fileSize = mib(3);
    }
    stage.controller.setStats("System", system);
    stage.controller.setStats("Events", events);
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->reason == StopReason::SizeLimit);
    CHECK_FALSE(stage.watched->stopped->writeError);
    CHECK(stage.watched->count("eventsLost") == 0);
    CHECK(stage.watched->errors.empty());
}

TEST_CASE("A session that ended by itself stops the recording", "[recorder][stop]") {
    Stage stage;
    stage.record();
    stage.controller.refuse(Call::Query, "System", {ErrorCode::SessionUnknown, "gone", 4201});
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->reason == StopReason::SourceFailed);
    REQUIRE(stage.watched->stopped->writeError);
    CHECK(stage.watched->stopped->writeError->code == ErrorCode::SessionUnknown);
}

TEST_CASE("Loss is signalled once per session and written down each time", "[recorder][loss]") {
    Stage stage;
    stage.record();
    stage.controller.setStats("System", lossStats(3));
    REQUIRE(stage.watched->waitForSignal("eventsLost"));
    CHECK(stage.watched->losses[0].first == "System");
    CHECK(stage.watched->losses[0].second.events == 3);
    stage.controller.setStats("System", lossStats(10));
    REQUIRE(test::waitFor([&] { return stage.written("Loss").size() == 2; }));
    stage.controller.setStats("Events", lossStats(1));
    REQUIRE(test::waitFor([&] { return stage.watched->count("eventsLost") == 2; }));
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->count("eventsLost") == 2);
    const auto events = stage.written("Loss");
    REQUIRE(events.size() == 3);
    CHECK(events[0].field("Events") == "3");
    CHECK(events[1].field("Events") == "7");
    CHECK(events[1].field("Cause") == "NoFreeBuffer");
    CHECK(events[2].field("Session") == "Events");
    CHECK(stage.watched->stopped->last.sessions[0].stats.eventsLost == 10);
}

TEST_CASE("A controller that does not answer is not asked again and again", "[recorder][poll]") {
    Stage stage;
    FakeController& controller = stage.controller;
    SystemClock clock;
    Watched watched({&controller, &controller, &systemFiles(), &clock});
    Request request = stage.request();
    request.timeLimit = std::chrono::milliseconds(900); // three polling intervals and more
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    controller.hold(Call::Query);
    controller.waitUntilHeld(Call::Query);
    const std::size_t asked = controller.queries();
    REQUIRE(watched.waitForState(State::Stopping));
    CHECK(controller.queries() <= asked + 1); // the other session's, of the same round
    controller.release();
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == StopReason::TimeLimit);
}

TEST_CASE("Two recordings in a row do not know of each other", "[recorder][states]") {
    Stage stage;
    stage.controller.setStats("System", lossStats(5));
    for (int i = 0; i < 2; ++i) {
        stage.record();
        REQUIRE(test::waitFor([&] { return stage.watched->count("eventsLost") == static_cast<std::size_t>(i + 1); }));
        REQUIRE(stage.recorder().stop());
        REQUIRE(stage.watched->waitForState(State::Stopped));
        REQUIRE(stage.recorder().discard());
        REQUIRE(stage.watched->waitForState(State::Idle));
        CHECK(test::namesIn(stage.folder.path()).empty());
    }
    CHECK(stage.watched->signalNames ==
          Names{"started", "eventsLost", "stopped", "discarded", "started", "eventsLost", "stopped", "discarded"});
}

TEST_CASE("Answers of an earlier recording are ignored", "[recorder][states]") {
    Stage stage;
    stage.record({.isFileMode = false});
    stage.controller.hold(Call::Query);
    stage.controller.waitUntilHeld(Call::Query);
    // The stop waits behind the held query in the controller; discarding goes on with it once it is released.
    REQUIRE(stage.recorder().discard());
    stage.controller.setStats("System", lossStats(9));
    stage.controller.release();
    REQUIRE(stage.watched->waitForSignal("discarded"));
    stage.controller.setStats("System", {});
    stage.record({.isFileMode = false});
    REQUIRE(test::waitFor([&] { return !stage.watched->status.empty(); }));
    CHECK(stage.watched->status.back().sessions[0].stats.eventsLost == 0);
}

TEST_CASE("Discarding while recording leaves nothing behind", "[recorder][discard]") {
    const bool isFileMode = GENERATE(true, false);
    Stage stage;
    stage.record({.isFileMode = isFileMode});
    REQUIRE(stage.recorder().discard());
    REQUIRE(stage.watched->waitForSignal("discarded"));
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.watched->count("stopped") == 0);
    CHECK(test::namesIn(stage.folder.path()).empty());
    CHECK(stage.controller.runningSessions() == 0);
}

TEST_CASE("A session that does not stop properly does not take the others with it", "[recorder][stop]") {
    Stage stage;
    stage.record();
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::Internal, "stuck", 1});
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    REQUIRE(stage.watched->stopped->writeError);
    CHECK(stage.watched->stopped->writeError->detail == "stuck");
    CHECK(stage.watched->stopped->inMemory.empty());
    CHECK(stage.watched->stopped->rawFiles.size() == 2); // what was written before is there, though not closed
    const bool isStuckForever = GENERATE(false, true);
    if (!isStuckForever) {
        stage.controller.allow(Call::Stop, "System");
    }
    // It is asked once more and saved as it is, or properly.
    REQUIRE(stage.recorder().save({stage.folder.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(stage.controller.runningSessions() == (isStuckForever ? 1 : 0));
    CHECK(stage.watched->outcome->recording.writeError.has_value() == isStuckForever);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("A recording of which nothing was written fails", "[recorder][stop]") {
    Stage stage;
    stage.record({.isFileMode = false});
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::SessionUnknown, "gone", 4201});
    stage.controller.refuse(Call::Stop, "Events", {ErrorCode::SessionUnknown, "gone", 4201});
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.watched->count("stopped") == 0);
    CHECK(test::namesIn(stage.folder.path()).empty());
}

TEST_CASE("Destroying the recorder stops the recording and keeps the raw files", "[recorder][destroy]") {
    const bool isFileMode = GENERATE(true, false);
    Stage stage;
    stage.record({.isFileMode = isFileMode});
    stage.watched.reset();
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(stage.controller.registeredProviders() == 0);
    const Names folders = test::namesIn(stage.folder.path());
    REQUIRE(folders.size() == 1);
    CHECK(folders[0].starts_with(".tracedeck-CPU.Verbose.File-"));
    CHECK(test::namesIn(stage.folder.file(folders[0])) == Names{"events.etl", "system.etl"});
}

TEST_CASE("Destroying the recorder while it starts leaves nothing behind", "[recorder][destroy]") {
    Stage stage;
    stage.controller.hold(Call::Start);
    REQUIRE(stage.recorder().start(stage.request()));
    stage.controller.waitUntilHeld(Call::Start);
    std::thread releaser([&] { stage.controller.release(); });
    stage.watched.reset();
    releaser.join();
    CHECK(stage.controller.runningSessions() == 0);
    const Names left = test::namesIn(stage.folder.path());
    // It had started after all when it heard of the end, or it had not: both end properly.
    CHECK(left.size() <= 1);
}

TEST_CASE("Destroying an idle recorder ends its thread", "[recorder][destroy]") {
    Stage stage;
    stage.watched.reset();
    CHECK(stage.controller.calls().empty());
}

TEST_CASE("Two recorders in one folder do not share raw files", "[recorder][start]") {
    Stage stage;
    FakeController other(stage.clock);
    Watched second({&other, &other, &systemFiles(), &stage.clock});
    stage.record();
    REQUIRE(second.recorder.start(stage.request()));
    REQUIRE(second.waitForState(State::Recording));
    CHECK(test::namesIn(stage.folder.path()).size() == 2);
}

} // namespace tracedeck
