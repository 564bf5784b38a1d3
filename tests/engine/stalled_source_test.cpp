// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel source that stops delivering, and stops answering.
#include "tests/engine/engine_fixture.h"
#include "tests/support/log_guard.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

struct Stalling {
    Stalling() : engine(environment()), calls(engine) {}
    ~Stalling() {
        kernel.answer(); // its thread ends, and with it the last use of the source
        waitUntil([&] { return !kernel.isRunning(); });
    }
    Stalling(const Stalling&) = delete;
    Stalling& operator=(const Stalling&) = delete;
    etw::engine::Engine::Environment environment() {
        etw::engine::Engine::Environment of{&clock, &systemFiles(), &kernel};
        of.sourceTimeout = std::chrono::seconds(5); // a busy machine is no stalled source
        return of;
    }

    TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel{clock, 2};
    etw::engine::Engine engine;
    Calls calls;
};

} // namespace

TEST_CASE("A source that does not answer at the stop leaves a file with what there is, and that is said",
          "[engine][kernel][stall]") {
    Stalling stalling;
    const auto id = stalling.calls.start(systemConfig(fileConfig(stalling.folder.file("s.etl")))).id;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        REQUIRE(stalling.kernel.emit(i % 2));
    }
    const ExpectErrors expected("no answer within");
    stalling.kernel.stall();
    const auto stats = stalling.calls.stop(id);
    REQUIRE(stats.sourceError);
    CHECK(stats.sourceError->code == ErrorCode::KernelSourceFailed);
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsLost);
    const RawEtl etl = checkedEtl(stalling.folder.file("s.etl"));
    CHECK(etl.dataEvents() == stats.eventsRecorded);
    CHECK(etl.dataEvents() >= 1000);
    // What it still does reaches nothing.
    stalling.kernel.answer();
    CHECK(waitUntil([&] { return !stalling.kernel.isRunning(); }));
    CHECK(checkedEtl(stalling.folder.file("s.etl")).dataEvents() == stats.eventsRecorded);
}

TEST_CASE("A source that stalls in between holds up neither its session nor others", "[engine][kernel][stall]") {
    Stalling stalling;
    const auto id = stalling.calls.start(systemConfig(ringConfig())).id;
    for (std::uint32_t i = 0; i < 100; ++i) {
        REQUIRE(stalling.kernel.emit(i % 2));
    }
    const ExpectErrors expected("no answer within");
    stalling.kernel.stall();
    CHECK_FALSE(stalling.calls.query(id).sourceError); // it answers that much
    stalling.calls.flush(id, stalling.folder.file("snapshot.etl"));
    const auto stats = stalling.calls.query(id);
    REQUIRE(stats.sourceError);
    CHECK(stats.sourceError->code == ErrorCode::KernelSourceFailed);
    CHECK(stats.limitations.size() == 1); // those known before
    CHECK(checkedEtl(stalling.folder.file("snapshot.etl")).dataEvents() == 100);
    const Status paused = etw::await<void>([&](auto done) { stalling.engine.pause(id, std::move(done)); });
    REQUIRE_FALSE(paused);
    CHECK(paused.error().code == ErrorCode::KernelSourceFailed);
    CHECK_FALSE(stalling.kernel.emit(0)); // the door is closed
    CHECK(stalling.calls.stop(id, stalling.folder.file("r.etl")).eventsRecorded == 100);
    CHECK(checkedEtl(stalling.folder.file("r.etl")).dataEvents() == 100);
}
