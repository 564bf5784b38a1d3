// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/recorder.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

namespace tracedeck {
namespace {

using recorder::Recorder;
using recorder::State;
using test::FakeController;
using test::Watched;
using States = std::vector<State>;
using Names = std::vector<std::string>;

/// The machine's files; opening a file whose name holds a given part waits until it is let through.
class GatedFiles final : public FileSystem {
public:
    void close(std::string part) {
        const std::lock_guard lock(m_mutex);
        m_part = std::move(part);
    }
    void open() {
        {
            const std::lock_guard lock(m_mutex);
            m_part.clear();
        }
        m_changed.notify_all();
    }
    void waitForVisitor() {
        std::unique_lock lock(m_mutex);
        REQUIRE(m_changed.wait_for(lock, std::chrono::seconds(20), [this] { return m_isWaiting; }));
    }
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        return systemFiles().create(path, existing);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        std::unique_lock lock(m_mutex);
        if (!m_part.empty() && path.find(m_part) != std::string::npos) {
            m_isWaiting = true;
            m_changed.notify_all();
            m_changed.wait(lock, [this] { return m_part.empty(); });
            m_isWaiting = false;
        }
        lock.unlock();
        return systemFiles().open(path);
    }
    Result<Bytes> freeSpace(const std::string& path) override { return systemFiles().freeSpace(path); }
    Result<std::uint64_t> volumeOf(const std::string& path) override { return systemFiles().volumeOf(path); }
    Status rename(const std::string& from, const std::string& to, Existing existing) override {
        return systemFiles().rename(from, to, existing);
    }
    Status remove(const std::string& path) override { return systemFiles().remove(path); }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::string m_part;
    bool m_isWaiting = false;
};

struct Stage {
    explicit Stage(FileSystem& files = systemFiles())
        : watched(std::in_place, Recorder::Environment{&controller, &controller, &files, &clock}) {}

    test::TemporaryFolder work;
    test::TemporaryFolder saved;
    test::ManualClock clock;
    FakeController controller{clock};
    std::optional<Watched> watched;

    Recorder& recorder() { return watched->recorder; }
    void recordAndStop() {
        recorder::Request request;
        request.plan = test::makePlan();
        request.workFolder = work.path();
        REQUIRE(recorder().start(request));
        REQUIRE(watched->waitForState(State::Recording));
        clock.advance(1'000'000'000);
        REQUIRE(recorder().stop());
        REQUIRE(watched->waitForState(State::Stopped));
        REQUIRE(watched->stopped->rawFiles.size() == 2);
    }
    void requireRawFiles() {
        for (const std::string& file : watched->stopped->rawFiles) {
            CHECK(systemFiles().open(file));
        }
    }
};

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

} // namespace

TEST_CASE("A saved recording is one verified file and nothing else", "[recorder][save]") {
    Stage stage;
    stage.recordAndStop();
    const std::string path = stage.saved.file("out.etl");
    REQUIRE(stage.recorder().save({path, false, "It froze when I saved. Ärger!"}));
    CHECK(stage.recorder().state() == State::Saving);
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(stage.watched->states == States{State::Starting, State::Recording, State::Stopping, State::Stopped,
                                          State::Saving, State::Verifying, State::Idle});
    CHECK(stage.watched->count("finished") == 1);
    CHECK(stage.watched->count("failed") == 0);
    const recorder::Outcome& outcome = *stage.watched->outcome;
    CHECK(outcome.path == path);
    CHECK(outcome.merge.events == 3); // one of each session, and the description
    CHECK(outcome.summary.header.loggerName == "Tracedeck");
    CHECK(outcome.summary.header.logFileName == path);
    const auto described = std::find_if(outcome.summary.names.begin(), outcome.summary.names.end(), [](const auto& n) {
        return n.name.find("ProblemDescription") != std::string::npos;
    });
    REQUIRE(described != outcome.summary.names.end());
    CHECK(described->events == 1);
    CHECK(test::namesIn(stage.saved.path()) == Names{"out.etl"});
    CHECK(test::namesIn(stage.work.path()).empty());
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
}

TEST_CASE("Events that are not in the raw files any more are missed", "[recorder][save]") {
    Stage stage;
    etw::SessionStats stats;
    stats.eventsRecorded = 1; // what the files hold
    stats.eventsProduced = 1;
    stage.controller.setStats("Events", stats);
    const std::uint64_t missing = GENERATE(0U, 4U);
    stats.eventsRecorded += missing;
    stats.eventsProduced = stats.eventsRecorded;
    stage.controller.setStats("System", stats);
    stage.recordAndStop();
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, "Added by the merge."}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    const recorder::Outcome& outcome = *stage.watched->outcome;
    CHECK(outcome.merge.eventsMissing == missing);
    CHECK(outcome.summary.header.eventsLost == missing); // the file says so by itself
    CHECK(outcome.summary.verdict() ==
          (missing == 0 ? etl::Summary::Verdict::Good : etl::Summary::Verdict::Incomplete));
}

TEST_CASE("A raw file that is taken away is missed", "[recorder][save]") {
    Stage stage;
    etw::SessionStats stats;
    stats.eventsRecorded = 1;
    stats.eventsProduced = 1;
    stage.controller.setStats("System", stats);
    stage.controller.setStats("Events", stats);
    stage.recordAndStop();
    REQUIRE(std::filesystem::remove(stage.watched->stopped->rawFiles[0]));
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(test::waitFor([&] { return stage.watched->count("finished") + stage.watched->count("failed") > 0; }));
    // Either is honest; silence is not.
    if (stage.watched->outcome) {
        CHECK(stage.watched->outcome->merge.eventsMissing == 1);
    } else {
        CHECK(stage.watched->errors[0].code == ErrorCode::FileNotFound);
    }
}

TEST_CASE("Saving over a file needs to be said", "[recorder][save]") {
    Stage stage;
    stage.recordAndStop();
    const std::string path = stage.saved.file("out.etl");
    std::ofstream(path) << "precious";
    REQUIRE(stage.recorder().save({path, false, ""}));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::FileExists);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(contentOf(path) == "precious");
    stage.requireRawFiles();

    REQUIRE(stage.recorder().save({path, true, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(contentOf(path) != "precious");
    CHECK(test::namesIn(stage.saved.path()) == Names{"out.etl"});
}

TEST_CASE("A save that fails keeps the raw files and can be repeated", "[recorder][save]") {
    Stage stage;
    stage.recordAndStop();
    REQUIRE(stage.recorder().save({stage.saved.file("missing/out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::FolderNotFound);
    CHECK(stage.recorder().state() == State::Stopped);
    stage.requireRawFiles();
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(stage.watched->count("failed") == 1);
    CHECK(test::namesIn(stage.work.path()).empty());
}

TEST_CASE("Saving needs no longer name than the file's own, and touches no file but that", "[recorder][save]") {
    Stage stage;
    const std::string name = std::string(251, 'n') + ".etl";
    stage.recordAndStop();
    const std::string path = stage.saved.file(name);
    // Names that a recorder could think of, as traps: a link to a file that is not to be touched.
    const std::string precious = stage.saved.file("precious");
    std::ofstream(precious) << "precious";
    for (int number = 1; number <= 3; ++number) {
        std::filesystem::create_symlink(precious, stage.saved.file(".tracedeck-" + std::to_string(getpid()) + "-" +
                                                                   std::to_string(number) + ".partial"));
    }
    REQUIRE(stage.recorder().save({path, false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(contentOf(precious) == "precious");
    CHECK(systemFiles().open(path));
    CHECK(test::namesIn(stage.saved.path()).size() == 5);
}

TEST_CASE("A name that is too long is refused before anything is written", "[recorder][save]") {
    Stage stage;
    stage.recordAndStop();
    REQUIRE(stage.recorder().save({stage.saved.file(std::string(252, 'n') + ".etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::InvalidArgument);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(test::namesIn(stage.saved.path()).empty());
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
}

TEST_CASE("Two recorders that save to one name spoil neither's recording", "[recorder][save]") {
    GatedFiles files;
    Stage first(files);
    Stage second;
    first.recordAndStop();
    second.recordAndStop();
    const std::string path = first.saved.file("out.etl");
    files.close(".partial"); // the first one waits to read back what it has written
    REQUIRE(first.recorder().save({path, false, ""}));
    files.waitForVisitor();
    REQUIRE(second.recorder().save({path, false, ""}));
    REQUIRE(second.watched->waitForSignal("finished"));
    files.open();
    REQUIRE(first.watched->waitForSignal("failed"));
    CHECK(first.watched->errors[0].code == ErrorCode::FileExists);
    CHECK(second.watched->outcome->summary.verdict() == etl::Summary::Verdict::Good);
    CHECK(test::namesIn(first.saved.path()) == Names{"out.etl"});
    first.requireRawFiles();
}

TEST_CASE("A disk that fills up while saving leaves no half file", "[recorder][save]") {
    test::FailingDevice device(kib(40)); // the fake sessions write around it, the merge does not
    Stage stage(device);
    stage.recordAndStop();
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::DiskFull);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(test::namesIn(stage.saved.path()).empty());
    stage.requireRawFiles();
}

TEST_CASE("Raw files that are no recording are kept for somebody to look at", "[recorder][save]") {
    Stage stage;
    stage.controller.writeGarbage();
    stage.recordAndStop();
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::NotAnEtl);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(test::namesIn(stage.saved.path()).empty());
    stage.requireRawFiles();
}

TEST_CASE("A save can be cancelled while it writes and while it is checked", "[recorder][save]") {
    GatedFiles files;
    Stage stage(files);
    stage.recordAndStop();
    SECTION("while it writes") {
        files.close("/events.etl");
    }
    SECTION("while it is checked") {
        files.close(".partial");
    }
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    files.waitForVisitor();
    REQUIRE(stage.recorder().cancelSave());
    // Answered behind it: the save goes on only when it has been cancelled.
    bool isAnswered = false;
    QObject::connect(&stage.recorder(), &Recorder::unfinishedListed, [&] { isAnswered = true; });
    REQUIRE(stage.recorder().listUnfinished());
    REQUIRE(test::waitFor([&] { return isAnswered; }));
    files.open();
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::Cancelled);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(test::namesIn(stage.saved.path()).empty());
    stage.requireRawFiles();
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
}

TEST_CASE("Destroying the recorder while it saves keeps the raw files", "[recorder][destroy]") {
    GatedFiles files;
    Stage stage(files);
    stage.recordAndStop();
    const std::vector<std::string> rawFiles = stage.watched->stopped->rawFiles;
    files.close("/events.etl");
    REQUIRE(stage.recorder().save({stage.saved.file("out.etl"), false, ""}));
    files.waitForVisitor();
    // The destructor waits for the saving thread, which is let through meanwhile; the stop was requested before it is
    // waited for, or the save ends first: in no case half a file is left.
    std::thread opener([&] { files.open(); });
    stage.watched.reset();
    opener.join();
    const Names saved = test::namesIn(stage.saved.path());
    const bool hasRawFiles = std::all_of(rawFiles.begin(), rawFiles.end(),
                                         [](const std::string& file) { return systemFiles().open(file).has_value(); });
    CHECK(hasRawFiles == saved.empty());
    CHECK((saved.empty() || saved == Names{"out.etl"}));
}

} // namespace tracedeck
