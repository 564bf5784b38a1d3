// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record_command.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace tracedeck::cli {
namespace {

using test::FakeController;
using Call = FakeController::Call;
using Names = std::vector<std::string>;

/// The command on a fake controller, in a folder of its own.
struct Stage {
    test::TemporaryFolder folder;
    test::ManualClock clock;
    FakeController controller{clock};
    Console console;
    std::optional<RecordCommand> command;
    std::optional<ExitCode> ended;
    int endings = 0;
    bool isFileMode = true;
    std::string output = folder.file("out.etl");

    void start(std::chrono::milliseconds timeLimit = {}) {
        test::needApplication();
        RecordArguments arguments;
        arguments.timeLimit = timeLimit;
        command.emplace(arguments, test::makePlan({.isFileMode = isFileMode}), output, std::vector<etw::Limitation>(),
                        recorder::Recorder::Environment{&controller, &controller, &systemFiles(), &clock}, console);
        QObject::connect(&*command, &RecordCommand::done, [this](ExitCode code) {
            ended = code;
            ++endings;
        });
        command->start();
    }
    void waitUntilRecording() {
        REQUIRE(test::waitFor([&] { return controller.queries() > 0; }));
    }
    ExitCode end() {
        REQUIRE(test::waitFor([&] { return ended.has_value(); }));
        CHECK(endings == 1);
        return *ended;
    }
};

} // namespace

TEST_CASE("One Ctrl+C stops and saves", "[cli][record]") {
    Stage stage;
    stage.start();
    stage.waitUntilRecording();
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("Ctrl+C while it starts counts, too", "[cli][record]") {
    Stage stage;
    stage.controller.hold(Call::Start);
    stage.start();
    stage.controller.waitUntilHeld(Call::Start);
    stage.command->interrupt();
    stage.controller.release();
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("A second Ctrl+C discards whatever is going on", "[cli][record]") {
    Stage stage;
    const Call held = GENERATE(Call::Start, Call::Stop);
    if (held == Call::Start) {
        stage.controller.hold(held);
        stage.start();
        stage.controller.waitUntilHeld(held);
        stage.command->interrupt();
    } else {
        stage.start();
        stage.waitUntilRecording();
        stage.controller.hold(held);
        stage.command->interrupt();
        stage.controller.waitUntilHeld(held);
    }
    stage.command->interrupt();
    stage.controller.release();
    CHECK(stage.end() == ExitCode::Discarded);
    CHECK(test::namesIn(stage.folder.path()).empty());
    CHECK(stage.controller.runningSessions() == 0);
}

TEST_CASE("A signal to end stops and saves however often it comes", "[cli][record]") {
    Stage stage;
    stage.start();
    stage.waitUntilRecording();
    stage.controller.hold(Call::Stop);
    stage.command->terminate();
    stage.controller.waitUntilHeld(Call::Stop);
    stage.command->terminate();
    stage.controller.release();
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("The time limit saves without being asked", "[cli][record]") {
    Stage stage;
    stage.start(std::chrono::seconds(5));
    stage.waitUntilRecording();
    stage.clock.advance(5'000'000'000);
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("A refused start says so with its exit code and leaves nothing", "[cli][record]") {
    Stage stage;
    stage.controller.refuse(Call::Start, "System", {ErrorCode::KernelEventsRefused, "paranoid", 13});
    stage.start();
    CHECK(stage.end() == ExitCode::NothingRecorded);
    CHECK(test::namesIn(stage.folder.path()).empty());
}

TEST_CASE("A recording that could not be written to the end is saved and says so", "[cli][record]") {
    Stage stage;
    stage.start();
    stage.waitUntilRecording();
    etw::SessionStats stats;
    stats.writeError = Error{ErrorCode::DiskFull, "no space left", 28};
    stage.controller.setStats("System", stats);
    CHECK(stage.end() == ExitCode::Problems);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("A recording that cannot be saved keeps its raw files", "[cli][record]") {
    Stage stage;
    stage.controller.writeGarbage();
    stage.start();
    stage.waitUntilRecording();
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::FileError);
    const Names left = test::namesIn(stage.folder.path());
    REQUIRE(left.size() == 1);
    CHECK(test::namesIn(stage.folder.file(left[0])) == Names{"events.etl", "system.etl"});
}

TEST_CASE("A memory recording whose folder is gone is saved in the temporary folder and says so", "[cli][record]") {
    const test::TemporaryFolder temporary;
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    Stage stage;
    REQUIRE(setenv("TMPDIR", temporary.path().c_str(), 1) == 0);
    stage.isFileMode = false;
    std::filesystem::create_directory(stage.folder.file("work"));
    stage.output = stage.folder.file("work/out.etl");
    stage.start();
    stage.waitUntilRecording();
    std::filesystem::remove_all(stage.folder.file("work"));
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::FileError);
    REQUIRE((before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1)) == 0);
    CHECK(test::namesIn(temporary.path()) == Names{"out.etl"});
    CHECK(stage.controller.runningSessions() == 0);
}

} // namespace tracedeck::cli
