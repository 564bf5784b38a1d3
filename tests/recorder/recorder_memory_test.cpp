// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rings whose file could not be written at the stop: nothing of them is lost while somebody can still say where to.
#include "tests/recorder/recorder_stage.h"
#include "tests/support/catch.h"
#include "tests/unit/etw/controller_conformance.h"

namespace tracedeck {
namespace {

using recorder::State;
using test::FakeController;
using test::requireWrongState;
using Stage = test::RecorderStage;
using Call = FakeController::Call;
using Names = std::vector<std::string>;

} // namespace

TEST_CASE("The fake controller keeps a ring that cannot be written, as every controller must", "[recorder][stop]") {
    Stage stage;
    const auto writer = stage.controller.registerProvider("Conformance");
    test::conformance::keepsARingThatCannotBeWritten({stage.controller, writer->providerId(),
                                                      [&] {
                                                          writer->write({"Event", 4, 0, 1, {}});
                                                      },
                                                      [&](const std::string& name) { return stage.folder.file(name); },
                                                      [](const std::string& path) {
                                                          const auto summary = etl::summarize(systemFiles(), path);
                                                          REQUIRE(summary.has_value());
                                                          return summary->events - 2; // those of the header
                                                      }});
}

TEST_CASE("A ring whose file cannot be written waits in memory for another folder", "[recorder][stop][memory]") {
    const Error gone{ErrorCode::FolderNotFound, "the work folder is gone", 2};
    Stage stage;
    stage.record({.isFileMode = false});
    stage.controller.refuse(Call::Stop, "System", gone);
    SECTION("one of two sessions") {}
    SECTION("both") {
        stage.controller.refuse(Call::Stop, "Events", gone);
    }
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.recorder().state() == State::Stopped);
    const recorder::Stopped& stopped = *stage.watched->stopped;
    CHECK(stopped.writeError == gone);
    CHECK(stopped.inMemory.size() + stopped.rawFiles.size() == 2);
    CHECK(stopped.inMemory.front() == "System");
    CHECK(stage.controller.runningSessions() == stopped.inMemory.size());

    const test::TemporaryFolder elsewhere;
    // The other folder is no better: nothing is lost, nothing is left there.
    REQUIRE(stage.recorder().save({elsewhere.file("out.etl"), false, ""}));
    REQUIRE(test::waitFor([&] { return stage.watched->errors.size() == 1; }));
    CHECK(stage.watched->errors[0] == gone);
    CHECK(stage.recorder().state() == State::Stopped);
    CHECK(stage.controller.runningSessions() == stopped.inMemory.size());
    CHECK(test::namesIn(elsewhere.path()).empty());
    // Nor is one that does not exist.
    REQUIRE(stage.recorder().save({elsewhere.file("missing/out.etl"), false, ""}));
    REQUIRE(test::waitFor([&] { return stage.watched->errors.size() == 2; }));
    CHECK(stage.watched->errors[1].code == ErrorCode::FolderNotFound);

    stage.controller.allow(Call::Stop, "System");
    stage.controller.allow(Call::Stop, "Events");
    REQUIRE(stage.recorder().save({elsewhere.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(stage.recorder().state() == State::Idle);
    const recorder::Outcome& outcome = *stage.watched->outcome;
    CHECK(outcome.merge.events == 2); // one of each session
    CHECK(outcome.summary.verdict() == etl::Summary::Verdict::Good);
    CHECK_FALSE(outcome.recording.writeError);
    CHECK(outcome.recording.inMemory.empty());
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(test::namesIn(elsewhere.path()) == Names{"out.etl"});
    CHECK(test::namesIn(stage.folder.path()).empty());
    stage.record(); // the names are free again
}

TEST_CASE("A ring that waits in memory is dropped when it is discarded", "[recorder][discard][memory]") {
    Stage stage;
    stage.record({.isFileMode = false});
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::DiskFull, "full", 28});
    stage.controller.refuse(Call::Stop, "Events", {ErrorCode::DiskFull, "full", 28});
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->rawFiles.empty());
    stage.controller.allow(Call::Stop, "System");
    stage.controller.allow(Call::Stop, "Events");
    stage.controller.hold(Call::Stop);
    REQUIRE(stage.recorder().discard());
    stage.controller.waitUntilHeld(Call::Stop);
    requireWrongState(stage.recorder().save({stage.folder.file("out.etl"), false, ""}));
    stage.controller.release();
    REQUIRE(stage.watched->waitForSignal("discarded"));
    CHECK(stage.recorder().state() == State::Idle);
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(test::namesIn(stage.folder.path()).empty());
    CHECK(stage.watched->errors.empty());
}

TEST_CASE("A save that is cancelled while the memory is written keeps what was written", "[recorder][memory]") {
    Stage stage;
    stage.record({.isFileMode = false});
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::DiskFull, "full", 28});
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    stage.controller.allow(Call::Stop, "System");
    stage.controller.hold(Call::Stop);
    const test::TemporaryFolder elsewhere;
    REQUIRE(stage.recorder().save({elsewhere.file("out.etl"), false, ""}));
    stage.controller.waitUntilHeld(Call::Stop);
    REQUIRE(stage.recorder().cancelSave());
    stage.controller.release(); // the answer to the stop is posted behind the cancellation
    REQUIRE(stage.watched->waitForSignal("failed"));
    CHECK(stage.watched->errors[0].code == ErrorCode::Cancelled);
    CHECK(stage.recorder().state() == State::Stopped);
    REQUIRE(stage.recorder().save({stage.folder.file("out.etl"), false, ""}));
    REQUIRE(stage.watched->waitForSignal("finished"));
    CHECK(stage.watched->outcome->merge.events == 2);
    CHECK(test::namesIn(elsewhere.path()).empty());
}

TEST_CASE("Destroying the recorder brings what waits in memory to the temporary folder",
          "[recorder][destroy][memory]") {
    const test::TemporaryFolder temporary;
    Stage stage;
    const test::TemporaryAt temporaryAt(temporary.path());
    stage.record({.isFileMode = false});
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::FolderNotFound, "gone", 2});
    const bool isLost = GENERATE(false, true);
    const bool isAsked = GENERATE(false, true);
    CAPTURE(isLost, isAsked);
    REQUIRE(stage.recorder().stop());
    REQUIRE(stage.watched->waitForSignal("stopped"));
    CHECK(stage.watched->stopped->isMerelyInMemory());
    const Names written = stage.watched->stopped->rawFiles;
    if (!isLost) {
        stage.controller.allow(Call::Stop, "System");
    }
    if (isAsked) {
        const recorder::Remains remains = stage.recorder().close();
        CHECK(remains.lost == (isLost ? Names{"System"} : Names{}));
        CHECK(remains.error.has_value() == isLost);
        REQUIRE(remains.rawFiles.size() == (isLost ? 1 : 2));
        CHECK(remains.rawFiles[0] == written[0]);
        for (const std::string& file : remains.rawFiles) {
            CHECK(etl::summarize(systemFiles(), file).has_value());
        }
        CHECK(stage.recorder().close().rawFiles.empty()); // told once
    } else {
        stage.watched.reset();
    }
    CHECK(stage.controller.runningSessions() == (isLost ? 1 : 0)); // this controller refuses to drop it, too
    const Names folders = test::namesIn(temporary.path());
    REQUIRE(folders.size() == (isLost ? 0 : 1));
    if (!isLost) {
        CHECK(test::namesIn(temporary.file(folders[0])) == Names{"system.etl"});
    }
}

TEST_CASE("A recorder that closes says what it leaves, and nothing afterwards", "[recorder][destroy]") {
    Stage stage;
    const State when = GENERATE(State::Idle, State::Recording, State::Stopped);
    CAPTURE(toString(when));
    if (when == State::Recording) {
        stage.record();
    } else if (when == State::Stopped) {
        stage.recordAndStop();
    }
    const std::size_t said = stage.watched->signalNames.size();
    const recorder::Remains remains = stage.recorder().close();
    CHECK(remains.lost.empty());
    CHECK_FALSE(remains.error);
    CHECK(stage.controller.runningSessions() == 0);
    CHECK(remains.rawFiles.size() == (when == State::Idle ? 0 : 2));
    for (const std::string& file : remains.rawFiles) {
        CHECK(etl::summarize(systemFiles(), file).has_value());
    }
    QCoreApplication::processEvents();
    CHECK(stage.watched->signalNames.size() == said);
    requireWrongState(stage.recorder().start(stage.request()));
    requireWrongState(stage.recorder().save({stage.folder.file("out.etl"), false, ""}));
    requireWrongState(stage.recorder().discard());
}

} // namespace tracedeck
