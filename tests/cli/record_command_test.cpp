// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record_command.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace tracedeck::cli {
namespace {

using test::FakeController;
using Call = FakeController::Call;
using Names = std::vector<std::string>;

/// What the program says, on either stream, while this is there.
class Said {
public:
    Said() {
        std::fflush(stdout);
        const int file = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
        REQUIRE(file != -1);
        for (std::size_t i = 0; i < m_kept.size(); ++i) {
            m_kept[i] = ::dup(kStreams[i]);
            ::dup2(file, kStreams[i]);
        }
        ::close(file);
    }
    ~Said() { restore(); }
    Said(const Said&) = delete;
    Said& operator=(const Said&) = delete;
    /// All of it; ends the listening.
    std::string text() {
        restore();
        std::ostringstream content;
        content << std::ifstream(m_path).rdbuf();
        return content.str();
    }

private:
    void restore() {
        std::fflush(stdout);
        for (std::size_t i = 0; i < m_kept.size(); ++i) {
            if (m_kept[i] != -1) {
                ::dup2(m_kept[i], kStreams[i]);
                ::close(std::exchange(m_kept[i], -1));
            }
        }
    }
    static constexpr std::array kStreams{STDOUT_FILENO, STDERR_FILENO};
    test::TemporaryFolder m_folder;
    std::string m_path = m_folder.file("said");
    std::array<int, 2> m_kept{-1, -1};
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

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
    recorder::WhenDiskShort whenDiskShort = recorder::WhenDiskShort::StopAndSave;
    std::string output = folder.file("out.etl");
    std::vector<etw::Limitation> told;

    void start(std::chrono::milliseconds timeLimit = {}) {
        test::needApplication();
        RecordArguments arguments;
        arguments.timeLimit = timeLimit;
        arguments.whenDiskShort = whenDiskShort;
        command.emplace(arguments, test::makePlan({.isFileMode = isFileMode}), output, told,
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
    // A third one, while it is being discarded, changes nothing.
    QObject::connect(&*stage.command, &RecordCommand::ended, &*stage.command, &RecordCommand::interrupt,
                     Qt::QueuedConnection);
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
    if (GENERATE(false, true)) {
        stage.command->interrupt(); // the first one
    }
    stage.controller.release();
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
}

TEST_CASE("The first Ctrl+C discards nothing that has ended already, the second one does", "[cli][record]") {
    const int interrupts = GENERATE(1, 2, 3);
    const bool hasStopped = GENERATE(false, true); // it stops, or it has stopped
    CAPTURE(interrupts, hasStopped);
    Stage stage;
    stage.start(std::chrono::seconds(5));
    stage.waitUntilRecording();
    const auto interrupt = [&] {
        for (int i = 0; i < interrupts; ++i) {
            stage.command->interrupt();
        }
    };
    if (hasStopped) {
        QObject::connect(&*stage.command, &RecordCommand::ended, interrupt);
        stage.clock.advance(5'000'000'000);
    } else {
        stage.controller.hold(Call::Stop);
        stage.clock.advance(5'000'000'000);
        REQUIRE(test::waitFor([&] { return stage.controller.isHeld(Call::Stop); }));
        interrupt();
        stage.controller.release();
    }
    const ExitCode code = stage.end();
    // A save that has begun may be faster than the second Ctrl+C; the file that is there then stays.
    const bool maySave = interrupts == 1 || hasStopped;
    CHECK((code == ExitCode::Discarded ? interrupts > 1 : code == ExitCode::Ok && maySave));
    CHECK(test::namesIn(stage.folder.path()) == (code == ExitCode::Ok ? Names{"out.etl"} : Names{}));
}

TEST_CASE("Ctrl+C lets a save go on that is under way", "[cli][record]") {
    Stage stage;
    stage.start();
    stage.waitUntilRecording();
    // Behind the command's own slot, which begins to save.
    QObject::connect(
        &*stage.command, &RecordCommand::ended, &*stage.command, [&] { stage.command->interrupt(); },
        Qt::QueuedConnection);
    stage.command->terminate();
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

TEST_CASE("A recording that begins to overwrite its oldest events says so once, and goes on", "[cli][record][disk]") {
    Stage stage;
    Said said;
    stage.whenDiskShort = recorder::WhenDiskShort::KeepNewest;
    stage.start();
    stage.waitUntilRecording();
    etw::SessionStats stats;
    stats.fileSize = mib(1);
    stats.eventsOverwritten = 5;
    stage.controller.setStats("System", stats);
    const std::size_t before = stage.controller.queries();
    REQUIRE(test::waitFor([&] { return stage.controller.queries() >= before + 8; })); // of two sessions
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::Ok);
    const std::string text = said.text();
    INFO(text);
    const std::size_t first = text.find("newer events take the place of the oldest");
    REQUIRE(first != std::string::npos);
    CHECK(text.find("newer events take the place", first + 1) == std::string::npos);
    CHECK(has(text, "5 older ones made room for newer"));
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
    Stage stage;
    Said said;
    const test::TemporaryAt temporaryAt(temporary.path());
    stage.isFileMode = false;
    std::filesystem::create_directory(stage.folder.file("work"));
    stage.output = stage.folder.file("work/out.etl");
    stage.start();
    stage.waitUntilRecording();
    std::filesystem::remove_all(stage.folder.file("work"));
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::FileError);
    CHECK(test::namesIn(temporary.path()) == Names{"out.etl"});
    CHECK(stage.controller.runningSessions() == 0);
    const std::string text = said.text();
    INFO(text);
    const std::size_t saved = text.find("Saved " + temporary.file("out.etl"));
    REQUIRE(saved != std::string::npos);
    CHECK(text.find("is saved as " + temporary.file("out.etl")) > saved); // not before it is
}

TEST_CASE("A memory recording that no folder takes is told to be lost, and nothing else", "[cli][record]") {
    const test::TemporaryFolder temporary;
    const Error full{ErrorCode::DiskFull, "no space left", 28};
    Stage stage;
    Said said;
    const test::TemporaryAt temporaryAt(temporary.path());
    stage.isFileMode = false;
    stage.start();
    stage.waitUntilRecording();
    stage.controller.refuse(Call::Stop, "System", full);
    const bool isAllLost = GENERATE(false, true);
    if (isAllLost) {
        stage.controller.refuse(Call::Stop, "Events", full);
    }
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::FileError);
    const std::string text = said.text();
    INFO(text);
    CHECK_FALSE(has(text, "is saved as"));
    CHECK_FALSE(has(text, "Saved "));
    CHECK(has(text, isAllLost ? "what was in memory of System, Events" : "what was in memory of System\n"));
    CHECK(has(text, "What was recorded is still there") == !isAllLost);
    CHECK(has(text, "/events.etl") == !isAllLost);
    CHECK(test::namesIn(temporary.path()).empty());
}

TEST_CASE("A ring that is rescued at the last moment is named", "[cli][record]") {
    const test::TemporaryFolder temporary;
    Stage stage;
    Said said;
    const test::TemporaryAt temporaryAt(temporary.path());
    stage.isFileMode = false;
    stage.controller.writeGarbage(); // the rings can be written, but not be saved
    std::filesystem::create_directory(stage.folder.file("work"));
    stage.output = stage.folder.file("work/out.etl");
    stage.start();
    stage.waitUntilRecording();
    std::filesystem::remove_all(stage.folder.file("work"));
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::FileError);
    const std::string text = said.text();
    INFO(text);
    CHECK(has(text, "What was recorded is still there"));
    CHECK(has(text, temporary.path() + "/.tracedeck-"));
    CHECK(has(text, "/system.etl"));
    CHECK_FALSE(has(text, "Lost"));
}

TEST_CASE("A folder for raw files that is gone is no error where memory holds everything", "[cli][record]") {
    Stage stage;
    Said said;
    stage.isFileMode = false;
    stage.start();
    stage.waitUntilRecording();
    for (const std::string& name : test::namesIn(stage.folder.path())) {
        std::filesystem::remove_all(stage.folder.file(name));
    }
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::Ok);
    CHECK(test::namesIn(stage.folder.path()) == Names{"out.etl"});
    const std::string text = said.text();
    INFO(text);
    CHECK_FALSE(has(text, "tracedeck-cli:")); // how errors begin
    CHECK_FALSE(has(text, "Create the folder"));
    CHECK(has(text, "is in memory and is saved from there"));
}

TEST_CASE("Limitations that are found or grow while it records are told with their last numbers", "[cli][record]") {
    using enum etw::LimitationCode;
    Stage stage;
    Said said;
    stage.told = {{ProcUnreadable, "images", 3}, {EventsUnreported, "context switches", 5}};
    etw::SessionStats stats;
    stats.limitations = {
        {ProcUnreadable, "images", 7}, {ProcUnreadable, "command lines", 2}, {EventsUnreported, "context switches", 5}};
    stage.controller.setStats("System", stats);
    stage.start();
    stage.waitUntilRecording();
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::Ok);
    const std::string text = said.text();
    INFO(text);
    const std::size_t found = text.find("Found while recording");
    REQUIRE(found != std::string::npos);
    CHECK(text.find("images: 7×, command lines: 2×") > found);
    CHECK(has(text, "images: 7×, command lines: 2×"));
    CHECK_FALSE(has(text, "context switches"));
}

TEST_CASE("A recording with events missing is a problem", "[cli][record]") {
    Stage stage;
    etw::SessionStats stats;
    stats.eventsRecorded = 9;
    stats.eventsProduced = 9;
    stage.controller.setStats("System", stats);
    Said said;
    stage.start();
    stage.waitUntilRecording();
    stage.command->interrupt();
    CHECK(stage.end() == ExitCode::Problems);
    const std::string text = said.text();
    CHECK(has(text, "7 events, which were recorded and are not in the raw files"));
    CHECK(has(text, "incomplete"));
}

} // namespace tracedeck::cli
