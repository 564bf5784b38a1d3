// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/cost_store.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

using namespace tracedeck;
using namespace std::chrono_literals;

namespace {

recorder::Stopped recordingOf(std::chrono::milliseconds length, std::uint64_t bytes) {
    recorder::Stopped recording;
    recording.length = length;
    recording.last.sessions.resize(2);
    recording.last.sessions[0].stats.bytesProduced = bytes;
    recording.last.sessions[1].stats.bytesProduced = bytes;
    return recording;
}

} // namespace

TEST_CASE("What recordings cost is kept for the next program", "[cli][costs]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("new/costs.txt");
    plan::RecordingPlan plan = test::makePlan();
    plan.sessions.front().keywords = {"CSwitch"};
    etw::Capabilities machine;
    machine.numberOfProcessors = 2;
    app::CostStore store(systemFiles(), path);
    CHECK_FALSE(store.history().measured(plan));
    store.note(plan, machine, recordingOf(1s, 1'000'000)); // says too little
    CHECK_FALSE(store.history().measured(plan));
    store.note(plan, machine, recordingOf(10s, 1'000'000));
    CHECK(store.history().measured(plan) == Approx(200'000));
    CHECK(app::CostStore(systemFiles(), path).history().measured(plan) == Approx(200'000));
    CHECK(test::namesIn(folder.file("new")) == std::vector<std::string>{"costs.txt"});
}

TEST_CASE("A disk without room keeps the costs for this program alone", "[cli][costs]") {
    const test::TemporaryFolder folder;
    test::FailingDevice disk({10});
    plan::RecordingPlan plan = test::makePlan();
    plan.sessions.front().keywords = {"CSwitch"};
    app::CostStore store(disk, folder.file("costs.txt"));
    store.note(plan, {}, recordingOf(10s, 1'000'000));
    CHECK(store.history().measured(plan) == Approx(200'000));
    CHECK_FALSE(app::CostStore(disk, folder.file("costs.txt")).history().measured(plan));
}
