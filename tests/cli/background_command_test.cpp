// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/background_command.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <optional>

namespace tracedeck::cli {
namespace {

using recorder::JournalEntry;
using test::FakeController;
using Call = FakeController::Call;
using Names = std::vector<std::string>;
using Task = BackgroundArguments::Task;

/// Commands one after another, on sessions that outlive them.
struct Stage {
    Stage() { test::needApplication(); }

    test::TemporaryFolder folder;
    test::TemporaryFolder journal;
    test::ManualClock clock;
    FakeController controller{clock};
    Console console;

    recorder::Recorder::Environment environment() {
        recorder::Recorder::Environment all{&controller, &controller, &systemFiles(), &clock};
        all.journalFolder = journal.path();
        all.sessionsOutliveClient = true;
        return all;
    }
    [[nodiscard]] std::vector<JournalEntry> left() const { return recorder::Journal(journal.path()).left(); }
    template <class Command>
    ExitCode end(Command& command) {
        std::optional<ExitCode> ended;
        int endings = 0;
        QObject::connect(&command, &Command::done, [&](ExitCode code) {
            ended = code;
            ++endings;
        });
        command.start();
        REQUIRE(test::waitFor([&] { return ended.has_value(); }));
        CHECK(endings == 1);
        return *ended;
    }
    ExitCode start() {
        StartCommand command({test::makePlan(), folder.path(), {}, "a note"}, {}, environment(), console);
        return end(command);
    }
    ExitCode go(Task task, const std::string& output = {}) {
        BackgroundArguments arguments;
        arguments.task = task;
        arguments.mark = "here";
        arguments.description = "what happened";
        BackgroundCommand command(arguments, left().at(0).id, output, environment(), console);
        return end(command);
    }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("A recording is started, marked, stopped and saved by commands of their own", "[cli][background]") {
    Stage stage;
    REQUIRE(stage.start() == ExitCode::Ok);
    CHECK(stage.controller.runningSessions() == 2);
    REQUIRE(stage.left().size() == 1);
    CHECK(stage.go(Task::Mark) == ExitCode::Ok);
    REQUIRE(stage.left().size() == 1);
    CHECK(stage.go(Task::Stop, stage.folder.file("a.etl")) == ExitCode::Ok);
    CHECK(stage.left().empty());
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(test::namesIn(stage.folder.path()) == Names{"a.etl"});
    const Names calls = stage.controller.calls();
    CHECK(std::count(calls.begin(), calls.end(), "mark System here") == 1);
    CHECK(std::count(calls.begin(), calls.end(), "start System") == 1);
}

TEST_CASE("A recording in the background can be discarded", "[cli][background]") {
    Stage stage;
    REQUIRE(stage.start() == ExitCode::Ok);
    CHECK(stage.go(Task::Cancel) == ExitCode::Ok);
    CHECK(stage.left().empty());
    CHECK(test::namesIn(stage.folder.path()).empty());
}

TEST_CASE("A start that is refused leaves nothing", "[cli][background]") {
    Stage stage;
    stage.controller.refuse(Call::Start, "Events", {ErrorCode::SessionNameTaken, "Events", 183});
    CHECK(stage.start() == ExitCode::NothingRecorded);
    CHECK(stage.left().empty());
    CHECK(test::namesIn(stage.folder.path()).empty());
}

TEST_CASE("Ctrl+C while it starts discards it", "[cli][background]") {
    Stage stage;
    stage.controller.hold(Call::Start);
    StartCommand command({test::makePlan(), stage.folder.path(), {}, {}}, {}, stage.environment(), stage.console);
    std::optional<ExitCode> ended;
    QObject::connect(&command, &StartCommand::done, [&](ExitCode code) { ended = code; });
    command.start();
    stage.controller.waitUntilHeld(Call::Start);
    command.interrupt();
    stage.controller.release();
    REQUIRE(test::waitFor([&] { return ended.has_value(); }));
    CHECK(*ended == ExitCode::Discarded);
    CHECK(stage.left().empty());
}

TEST_CASE("A recording that cannot be saved there stays, for another place", "[cli][background]") {
    Stage stage;
    REQUIRE(stage.start() == ExitCode::Ok);
    CHECK(stage.go(Task::Stop, stage.folder.file("missing/a.etl")) == ExitCode::FileError);
    CHECK(stage.controller.runningSessions() == 0); // it was stopped
    REQUIRE(stage.left().size() == 1);
    REQUIRE(stage.left()[0].ended); // it is whole, and not cut off
    CHECK(stage.go(Task::Stop, stage.folder.file("a.etl")) == ExitCode::Ok);
    CHECK(stage.left().empty());
    CHECK(test::namesIn(stage.folder.path()) == Names{"a.etl"});
}

TEST_CASE("Nothing can be marked in a recording that was cut off", "[cli][background]") {
    Stage stage;
    REQUIRE(stage.start() == ExitCode::Ok);
    CHECK(stage.go(Task::Stop, stage.folder.file("missing/a.etl")) == ExitCode::FileError);
    CHECK(stage.go(Task::Mark) == ExitCode::NothingRecorded);
    CHECK(stage.left().size() == 1);
    CHECK(stage.go(Task::Cancel) == ExitCode::Ok);
    CHECK(stage.left().empty());
}

TEST_CASE("The status says what records and what was cut off", "[cli][background]") {
    JournalEntry running;
    running.profiles = {"CPU.Verbose.File"};
    running.mode = plan::LoggingMode::File;
    running.begun = 133'700'000'000'000'000;
    running.note = "slow\x1B[2J start";
    running.sessions = {{plan::PlannedSession::Kind::Event, "Events", randomGuid(), 0, 0, ""}};
    JournalEntry cutOff = running;
    cutOff.profiles = {"GeneralProfile.Light.Memory"};
    cutOff.mode = plan::LoggingMode::Memory;
    cutOff.sessions[0].guid = randomGuid();
    const std::vector<etw::SessionInfo> sessions{{{1}, "Events", 0, "", running.sessions[0].guid}};
    const std::string text = statusText({running, cutOff}, sessions, running.begun + 65 * 10'000'000LL);
    CAPTURE(text);
    CHECK(has(text, "1  CPU.Verbose.File, in a file\n   recording since "));
    CHECK(has(text, "(1 min 5 s)"));
    CHECK(has(text, "2  GeneralProfile.Light.Memory, in memory\n   begun "));
    CHECK(has(text, "cut off"));
    CHECK(has(text, "--recording N"));
    CHECK_FALSE(has(text, "\x1B"));
    CHECK_FALSE(has(statusText({cutOff}, {}, 0), "--recording N"));
    CHECK(statusText({}, sessions, 0) == "No recording in the background, and none that was cut off.\n");
}

TEST_CASE("The arguments of background commands arrive as they were written", "[cli][arguments]") {
    const auto start = std::get<StartArguments>(
        parseArguments({"start", "-p", "CPU", "--file", "--max-size", "1GB", "--note", "x", "--raw-folder", "/raw"}));
    CHECK(start.recording.profiles == Names{"CPU"});
    CHECK(start.recording.mode == profile::LoggingMode::File);
    CHECK(start.recording.maximumFileSizeMib == 1024U);
    CHECK(start.recording.note == "x");
    CHECK(start.rawFolder == "/raw");
    const auto stop = std::get<BackgroundArguments>(
        parseArguments({"stop", "a.etl", "--recording", "2", "--note", "it froze", "--force"}));
    CHECK(stop.task == Task::Stop);
    CHECK(stop.output == "a.etl");
    CHECK(stop.number == 2);
    CHECK(stop.description == "it froze");
    CHECK(stop.replace);
    CHECK(std::get<BackgroundArguments>(parseArguments({"status"})).task == Task::Status);
    CHECK(std::get<BackgroundArguments>(parseArguments({"cancel"})).task == Task::Cancel);
    const auto mark = std::get<BackgroundArguments>(parseArguments({"mark", "here it is"}));
    CHECK(mark.task == Task::Mark);
    CHECK(mark.mark == "here it is");
    for (const Names& words :
         {Names{"mark"}, Names{"stop", "--recording", "0"}, Names{"stop", "a", "b"}, Names{"start"},
          Names{"status", "x"}, Names{"stop", "--note", std::string(40'000, 'x')}}) {
        CAPTURE(words);
        CHECK(std::get<Answer>(parseArguments(words)).code == ExitCode::Usage);
    }
}

} // namespace tracedeck::cli
