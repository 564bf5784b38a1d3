// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/wait.h"
#include "core/recorder/disk_guard.h"
#include "tests/recorder/recorder_stage.h"
#include "tests/support/catch.h"

#include <atomic>
#include <memory>

namespace tracedeck {
namespace {

using namespace std::chrono_literals;
using etlformat::mode::kCircular;
using etlformat::mode::kSequential;
using recorder::DiskGuard;
using recorder::DiskRoom;
using recorder::FreeSpace;
using recorder::LiveStatus;
using recorder::State;
using recorder::StopReason;
using recorder::WhenDiskShort;
using test::PlanOptions;
using test::Watched;
using Call = test::FakeController::Call;

/// The machine's files, on volumes that say what the test wants: those below `other` are another one.
class Volumes final : public FileSystem {
public:
    explicit Volumes(std::string other) : m_other(std::move(other)) {}
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        return systemFiles().create(path, existing);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override { return systemFiles().open(path); }
    Result<Bytes> freeSpace(const std::string& path) override {
        if (!isTold) {
            return fail(ErrorCode::ReadFailed, path);
        }
        return Bytes{path.starts_with(m_other) ? ofOther.load() : ofRaw.load()};
    }
    Result<std::uint64_t> volumeOf(const std::string& path) override {
        return std::uint64_t{path.starts_with(m_other) ? 2U : 1U};
    }
    tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override {
        return systemFiles().rename(from, to, existing);
    }
    tracedeck::Status remove(const std::string& path) override { return systemFiles().remove(path); }

    std::atomic<std::uint64_t> ofRaw = mib(50'000).count;
    std::atomic<std::uint64_t> ofOther = mib(50'000).count;
    std::atomic<bool> isTold = true;

private:
    std::string m_other;
};

/// A recorder whose raw files and target are on two volumes.
struct GuardStage {
    test::TemporaryFolder folder;
    test::TemporaryFolder target;
    Volumes volumes{target.path()};
    test::ManualClock clock;
    test::FakeController controller{clock};
    Watched watched{{&controller, &controller, &volumes, &clock}};

    recorder::Request request(const PlanOptions& options = {}) const {
        recorder::Request request;
        request.plan = test::makePlan(options);
        request.workFolder = folder.path();
        request.targetFolder = target.path();
        return request;
    }
    void record(recorder::Request request) {
        REQUIRE(watched.recorder.start(std::move(request)));
        REQUIRE(watched.waitForState(State::Recording));
    }
    void hasWritten(Bytes size, std::uint64_t overwritten = 0) {
        etw::SessionStats stats;
        stats.fileSize = size;
        stats.eventsOverwritten = overwritten;
        controller.setStats("System", stats);
    }
    /// Statuses that were asked for from now on.
    [[nodiscard]] bool waitForStatus(std::size_t count, const std::function<bool(const LiveStatus&)>& isRight) {
        const std::size_t seen = watched.status.size();
        return test::waitFor([&] { return watched.status.size() >= seen + count && isRight(watched.status.back()); });
    }
};

LiveStatus statusOf(std::uint64_t writtenMib, std::uint32_t usedBuffers = 0, double bytesPerSecond = 0,
                    std::chrono::milliseconds elapsed = 1h) {
    LiveStatus status;
    status.elapsed = elapsed; // far beyond what rates are smoothed over
    recorder::SessionStatus session;
    session.name = "System";
    session.bytesPerSecond = bytesPerSecond;
    session.stats.fileSize = mib(writtenMib);
    session.stats.bufferSizeKib = 1024;
    session.stats.numberOfBuffers = 1000;
    session.stats.freeBuffers = 1000 - usedBuffers;
    status.sessions.push_back(session);
    return status;
}

FreeSpace oneVolume(std::uint64_t freeMib) {
    return {mib(freeMib), mib(freeMib), true};
}

FreeSpace twoVolumes(std::uint64_t rawMib, std::uint64_t targetMib) {
    return {mib(rawMib), mib(targetMib), false};
}

plan::RecordingPlan planWithFloor(std::uint64_t floorMib) {
    plan::RecordingPlan plan = test::makePlan();
    for (plan::PlannedSession& session : plan.sessions) {
        session.config.minimumFreeDisk = mib(floorMib);
    }
    return plan;
}

} // namespace

TEST_CASE("One volume is told from two, also where its parts have different numbers", "[recorder][disk]") {
    GuardStage stage;
    recorder::Request request = stage.request();
    stage.volumes.ofRaw = 5000;
    stage.volumes.ofOther = 3000;
    FreeSpace free = freeSpaceOf(stage.volumes, request);
    CHECK_FALSE(free.isOneVolume);
    CHECK(free.raw == Bytes{5000});
    CHECK(free.target == Bytes{3000});
    stage.volumes.ofOther = 5000; // two numbers, one space: subvolumes
    CHECK(freeSpaceOf(stage.volumes, request).isOneVolume);
    stage.volumes.ofOther = 3000;
    request.targetFolder.clear();
    free = freeSpaceOf(stage.volumes, request);
    CHECK(free.isOneVolume);
    CHECK(free.target == Bytes{5000});
    stage.volumes.isTold = false;
    CHECK_FALSE(freeSpaceOf(stage.volumes, request).raw);

    const test::TemporaryFolder folder;
    request.workFolder = folder.path();
    request.targetFolder = folder.path() + "/.";
    CHECK(freeSpaceOf(systemFiles(), request).isOneVolume);
}

TEST_CASE("What is left of the disks is counted for the raw files and the saved one", "[recorder][disk]") {
    struct Row {
        const char* what;
        FreeSpace free;
        std::uint64_t written;
        std::uint32_t pending;
        std::uint64_t floor;
        std::uint64_t left;
        bool isExhausted;
        bool isOfTarget = false;
    };
    const std::vector<Row> rows = {
        {"each byte takes two of one volume", oneVolume(1004), 100, 0, 0, 450, false},
        {"what is in buffers, too", oneVolume(1004), 100, 50, 0, 400, false},
        {"just enough to save it", oneVolume(204), 100, 50, 0, 0, false},
        {"a megabyte less", oneVolume(203), 100, 50, 0, 0, true},
        {"the floor comes first", oneVolume(1000), 10, 0, 800, 200, false},
        {"and is kept before anything is lost", oneVolume(810), 10, 20, 800, 0, true},
        {"nothing is written yet", oneVolume(1), 0, 50, 0, 0, false},
        {"the raw files' volume is the smaller one", twoVolumes(500, 5000), 100, 50, 200, 250, false},
        {"the target's is", twoVolumes(5000, 504), 100, 50, 200, 350, false, true},
        {"the target takes no more", twoVolumes(5000, 153), 100, 50, 200, 0, true, true},
        {"no target is known", {mib(500), std::nullopt, false}, 100, 50, 200, 250, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        const auto room = DiskGuard().look(statusOf(row.written, row.pending), row.free, planWithFloor(row.floor),
                                           WhenDiskShort::StopAndSave);
        REQUIRE(room);
        CHECK(room->left == mib(row.left));
        CHECK(room->isExhausted == row.isExhausted);
        CHECK(room->isOfTarget == row.isOfTarget);
        CHECK_FALSE(room->keepsNewest);
    }
    CHECK_FALSE(DiskGuard().look(statusOf(100), FreeSpace(), planWithFloor(0), WhenDiskShort::StopAndSave));
}

TEST_CASE("A warning comes with little space or little time, and does not flicker", "[recorder][disk]") {
    const plan::RecordingPlan plan = planWithFloor(0);
    DiskGuard guard;
    const auto isShort = [&](std::uint64_t leftMib, double mibPerSecond, std::chrono::milliseconds elapsed) {
        const auto room = guard.look(statusOf(0, 0, mibPerSecond * 1024 * 1024, elapsed), oneVolume(leftMib * 2 + 4),
                                     plan, WhenDiskShort::StopAndSave);
        REQUIRE(room);
        CHECK(room->left == mib(leftMib));
        return room->isShort;
    };
    CHECK_FALSE(isShort(300, 0, 1h));
    CHECK(isShort(255, 0, 2h));
    CHECK(isShort(300, 0, 3h)); // around the edge it stays
    CHECK(isShort(511, 0, 4h));
    CHECK_FALSE(isShort(512, 0, 5h));
    CHECK_FALSE(isShort(300, 0, 6h));
    CHECK_FALSE(isShort(3001, 10, 7h));
    CHECK(isShort(2999, 10, 8h));
    CHECK(isShort(5900, 10, 9h));
    CHECK_FALSE(isShort(6100, 10, 10h));

    // A burst at the beginning is no rate.
    DiskGuard fresh;
    const auto room =
        fresh.look(statusOf(0, 0, 100.0 * 1024 * 1024, 250ms), oneVolume(20'000), plan, WhenDiskShort::StopAndSave);
    REQUIRE(room);
    CHECK_FALSE(room->isShort);
    REQUIRE(room->timeLeft);
    CHECK(*room->timeLeft > 30min);
}

TEST_CASE("A file that has its largest size before never comes to the disk's end", "[recorder][disk]") {
    plan::RecordingPlan plan = test::makePlan({.maximumFileSizeMib = 200});
    const auto room = DiskGuard().look(statusOf(100), oneVolume(404), plan, WhenDiskShort::StopAndSave);
    REQUIRE(room);
    CHECK(room->left == mib(150));
    CHECK_FALSE(room->isShort);
    CHECK(DiskGuard().look(statusOf(100), oneVolume(290), plan, WhenDiskShort::StopAndSave)->isShort);
}

TEST_CASE("Keeping the newest turns sequential files into circular ones that leave room to save them",
          "[recorder][disk]") {
    plan::RecordingPlan plan = planWithFloor(200);
    REQUIRE(keepNewest(plan, oneVolume(2204)));
    for (const plan::PlannedSession& session : plan.sessions) {
        CHECK((session.config.logFileMode & (kSequential | kCircular)) == kCircular);
        CHECK(session.config.maximumFileSizeMib == 1000);
        CHECK(session.config.minimumFreeDisk == mib(1204)); // 1000 and a little for the saved one, 200
    }
    CHECK(isKeepingNewest(plan, WhenDiskShort::KeepNewest));
    CHECK_FALSE(isKeepingNewest(plan, WhenDiskShort::StopAndSave));

    plan = planWithFloor(200);
    REQUIRE(keepNewest(plan, twoVolumes(5000, 704)));
    CHECK(plan.sessions[0].config.maximumFileSizeMib == 700);
    CHECK(plan.sessions[0].config.minimumFreeDisk == mib(4300));

    plan = test::makePlan({.maximumFileSizeMib = 50}); // stays as it was asked for
    REQUIRE(keepNewest(plan, oneVolume(2204)));
    CHECK((plan.sessions[0].config.logFileMode & kCircular) == 0);
    CHECK(plan.sessions[0].config.maximumFileSizeMib == 50);
    CHECK_FALSE(isKeepingNewest(plan, WhenDiskShort::KeepNewest));

    plan = test::makePlan({.isFileMode = false});
    REQUIRE(keepNewest(plan, oneVolume(0)));
    CHECK((plan.sessions[0].config.logFileMode & kCircular) == 0);

    plan = planWithFloor(200);
    CHECK(recorder::keepNewest(plan, {}).error().code == ErrorCode::ReadFailed);
    CHECK(keepNewest(plan, oneVolume(201)).error().code == ErrorCode::DiskFull);
}

TEST_CASE("What keeps the newest is never exhausted, and says when it begins to overwrite", "[recorder][disk]") {
    plan::RecordingPlan plan = planWithFloor(200);
    REQUIRE(keepNewest(plan, oneVolume(2204)));
    LiveStatus status = statusOf(900);
    auto room = DiskGuard().look(status, oneVolume(1304), plan, WhenDiskShort::KeepNewest);
    REQUIRE(room);
    CHECK(room->keepsNewest);
    CHECK(room->left == mib(100));
    CHECK(room->isShort);
    CHECK_FALSE(room->isOverwriting);
    status.sessions[0].stats.eventsOverwritten = 1;
    room = DiskGuard().look(status, oneVolume(1), plan, WhenDiskShort::KeepNewest);
    REQUIRE(room);
    CHECK(room->isOverwriting);
    CHECK(room->left == Bytes{});
    CHECK_FALSE(room->isExhausted);
}

TEST_CASE("A recording stops for the volume that it will be saved on, and warns before", "[recorder][disk]") {
    GuardStage stage;
    stage.record(stage.request());
    stage.hasWritten(mib(100));
    REQUIRE(stage.waitForStatus(2, [](const LiveStatus& status) { return status.disk && !status.disk->isShort; }));
    stage.volumes.ofOther = mib(150).count;
    REQUIRE(stage.waitForStatus(1, [](const LiveStatus& status) { return status.disk && status.disk->isShort; }));
    CHECK(stage.watched.status.back().disk->isOfTarget);
    CHECK(stage.watched.count("stopped") == 0);
    stage.volumes.ofOther = mib(99).count;
    REQUIRE(stage.watched.waitForSignal("stopped"));
    CHECK(stage.watched.stopped->reason == StopReason::DiskFull);
    CHECK_FALSE(stage.watched.stopped->writeError); // it stopped before anything was lost
    REQUIRE(stage.watched.recorder.save({stage.folder.file("out.etl"), false, ""}));
    REQUIRE(stage.watched.waitForSignal("finished"));
}

TEST_CASE("A recording that keeps the newest goes on whatever the disk has left, and says so", "[recorder][disk]") {
    GuardStage stage;
    recorder::Request request = stage.request();
    request.whenDiskShort = WhenDiskShort::KeepNewest;
    stage.record(std::move(request));
    const auto sessions = etw::await<std::vector<etw::SessionInfo>>(
        [&](etw::Completion<std::vector<etw::SessionInfo>> done) { stage.controller.list(std::move(done)); });
    REQUIRE(sessions);
    for (const etw::SessionInfo& session : *sessions) {
        CHECK((session.logFileMode & kCircular) != 0);
    }
    stage.hasWritten(mib(100), 1204);
    stage.volumes.ofRaw = 1;
    stage.volumes.ofOther = 1;
    REQUIRE(stage.waitForStatus(4, [](const LiveStatus& status) { return status.disk && status.disk->isOverwriting; }));
    CHECK(stage.watched.count("stopped") == 0);
    REQUIRE(stage.watched.recorder.stop());
    REQUIRE(stage.watched.waitForSignal("stopped"));
    CHECK(stage.watched.stopped->reason == StopReason::User);
    REQUIRE(stage.watched.recorder.save({stage.folder.file("out.etl"), false, ""}));
    REQUIRE(stage.watched.waitForSignal("finished"));
    const auto written = stage.controller.written();
    const auto ended = std::find_if(written.begin(), written.end(),
                                    [](const auto& one) { return one.event.name == "RecordingStopped"; });
    REQUIRE(ended != written.end());
    const auto field = std::find_if(ended->event.fields.begin(), ended->event.fields.end(),
                                    [](const auto& one) { return one.first == "EventsOverwritten"; });
    REQUIRE(field != ended->event.fields.end());
    CHECK(std::get<std::uint64_t>(field->second) == 1204);
}

TEST_CASE("Keeping the newest is refused where nobody can tell how much that is", "[recorder][disk]") {
    GuardStage stage;
    stage.volumes.isTold = false;
    recorder::Request request = stage.request();
    request.whenDiskShort = WhenDiskShort::KeepNewest;
    REQUIRE(stage.watched.recorder.start(std::move(request)));
    REQUIRE(stage.watched.waitForSignal("failed"));
    CHECK(stage.watched.errors[0].code == ErrorCode::ReadFailed);
    CHECK(stage.watched.recorder.state() == State::Idle);
    CHECK(stage.controller.calls().empty());
    CHECK(test::namesIn(stage.folder.path()).empty());
}

TEST_CASE("A recording in memory is neither stopped nor dropped for lack of space", "[recorder][disk][memory]") {
    GuardStage stage;
    recorder::Request request = stage.request({.isFileMode = false});
    request.whenDiskShort = GENERATE(WhenDiskShort::StopAndSave, WhenDiskShort::KeepNewest);
    stage.volumes.ofRaw = 1;
    stage.volumes.ofOther = 1;
    stage.record(std::move(request));
    etw::SessionStats stats;
    stats.bufferSizeKib = 1024;
    stats.numberOfBuffers = 100;
    stats.eventsOverwritten = 5;
    stage.controller.setStats("System", stats);
    REQUIRE(stage.waitForStatus(4, [](const LiveStatus& status) { return !status.disk; }));
    CHECK(stage.watched.count("stopped") == 0);
    stage.controller.refuse(Call::Stop, "System", {ErrorCode::DiskFull, "full", 28});
    REQUIRE(stage.watched.recorder.stop());
    REQUIRE(stage.watched.waitForSignal("stopped"));
    CHECK(stage.watched.stopped->reason == StopReason::User);
    CHECK(stage.watched.stopped->inMemory == std::vector<std::string>{"System"});
    stage.controller.allow(Call::Stop, "System"); // somebody has made room
    REQUIRE(stage.watched.recorder.save({stage.target.file("out.etl"), false, ""}));
    REQUIRE(stage.watched.waitForSignal("finished"));
    CHECK(stage.watched.outcome->merge.events == 2); // of both sessions
}

} // namespace tracedeck
