// SPDX-License-Identifier: GPL-3.0-or-later
//
// Activity that ends for a while, or goes on otherwise.
#include "tests/support/log_guard.h"
#include "tests/unit/linux/fake_machine.h"
#include "tests/unit/linux/translator_bench.h"

#include <linux/perf_event.h>

namespace tracedeck::linux_source {

namespace group = etlformat::group;
using test::FakeMachine;
using test::FakePerf;
using test::requestOf;

namespace {

struct Running {
    explicit Running(std::initializer_list<std::uint32_t> groups) : source({&clock, &perf, fake.roots()}) {
        auto started = source.start(requestOf(groups), sink);
        REQUIRE(started);
        run = std::move(*started);
    }
    ~Running() { run->stop(); }
    int clockEvent(int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK); }
    int table(int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY); }
    /// All three tracepoints have the id 7 here; the first one opened that is not closed.
    int tracepoint(int cpu) { return perf.eventOf(cpu, PERF_TYPE_TRACEPOINT, 7); }
    std::size_t rundowns() { return sink.ofHook(etlformat::hook::kRundownComplete).size(); }

    FakeMachine fake;
    FakePerf perf;
    test::ManualClock clock;
    LinuxKernelSource source;
    test::MemorySink sink;
    std::unique_ptr<etw::engine::KernelRun> run;
};

} // namespace

TEST_CASE("a pause takes samples out of service, and processes not", "[linux][pause]") {
    Running running({group::kProcess, group::kProfile});
    REQUIRE(running.run->pause());
    for (const int cpu : {0, 1}) {
        CHECK_FALSE(running.perf.isEnabled(running.clockEvent(cpu)));
        CHECK(running.perf.isEnabled(running.table(cpu)));
    }
    running.run->drain();
    running.run->mark("while paused");
    CHECK(running.sink.ofHook(etlformat::hook::kMark).size() == 1);
    REQUIRE(running.run->resume());
    for (const int cpu : {0, 1}) {
        CHECK(running.perf.isEnabled(running.clockEvent(cpu)));
    }
}

TEST_CASE("a processor that comes while paused has its activity in service after the pause", "[linux][pause]") {
    FakePerf perf;
    PerfPlan plan;
    plan.processors = {0};
    plan.hasClock = true;
    plan.ringSize = kib(64);
    auto session = PerfSession::open(perf, plan);
    REQUIRE(session);
    constexpr Origin kAll[] = {Origin::Sideband, Origin::Clock};
    constexpr Origin kSamples[] = {Origin::Clock};
    REQUIRE(session->enable(kAll));
    session->disable(kSamples);
    REQUIRE(session->openAnew(1).value_or(false));
    const auto clockOf = [&](int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK); };
    CHECK_FALSE(perf.isEnabled(clockOf(1)));
    CHECK(perf.isEnabled(perf.eventOf(1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY)));
    REQUIRE(session->enable(kSamples));
    CHECK(perf.isEnabled(clockOf(0)));
    CHECK(perf.isEnabled(clockOf(1)));
}

TEST_CASE("another request takes the place of the one before, with its rundown", "[linux][pause]") {
    Running running({group::kProfile});
    const int before = running.perf.openNow;
    const int first = running.clockEvent(0);
    auto request = requestOf({group::kProcess, group::kProfile, group::kContextSwitch});
    request.profileInterval = std::chrono::milliseconds(5);
    CHECK(running.sink.ofHook(etlformat::hook::kProcessDcStart).empty());
    const std::size_t rundowns = running.rundowns();
    REQUIRE(running.run->reconfigure(request));
    CHECK(running.perf.openNow == before + 2); // a switch event for each of two processors
    const int second = running.clockEvent(0);
    CHECK(second != first);
    CHECK(running.perf.isEnabled(second));
    CHECK(running.perf.opened[static_cast<std::size_t>(running.perf.opened.size() - 1)].config == 7);
    const bool hasNewPeriod =
        std::any_of(running.perf.opened.begin(), running.perf.opened.end(), [](const auto& event) {
            return event.config == PERF_COUNT_SW_CPU_CLOCK && event.type == PERF_TYPE_SOFTWARE &&
                   event.sample_period == 5'000'000;
        });
    CHECK(hasNewPeriod);
    CHECK_FALSE(running.sink.ofHook(etlformat::hook::kProcessDcStart).empty());
    CHECK(running.rundowns() == rundowns + 1);

    // While paused what is new waits, too.
    REQUIRE(running.run->pause());
    REQUIRE(running.run->reconfigure(requestOf({group::kProfile})));
    CHECK(running.perf.openNow == before);
    CHECK_FALSE(running.perf.isEnabled(running.clockEvent(0)));
    REQUIRE(running.run->resume());
    CHECK(running.perf.isEnabled(running.clockEvent(0)));
}

TEST_CASE("a request that the kernel refuses leaves everything as it was", "[linux][pause]") {
    Running running({group::kProfile});
    const int before = running.perf.openNow;
    const int first = running.clockEvent(0);
    const auto none = running.run->reconfigure(requestOf({0x00020000})); // Registry
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::KernelEventsRefused);
    running.perf.mostDescriptors = before + 1;
    const auto full = running.run->reconfigure(requestOf({group::kProfile, group::kContextSwitch}));
    REQUIRE_FALSE(full);
    CHECK(full.error().native == EMFILE);
    CHECK(running.perf.openNow == before);
    CHECK(running.clockEvent(0) == first);
    CHECK(running.perf.isEnabled(first));
    CHECK_FALSE(running.run->failure());
}

TEST_CASE("after a break the first switches tell nothing of what was before", "[linux][pause]") {
    Bench bench;
    bench.addThread(101, 100);
    bench.switchTo(101, 100, 1, 1'000'000, {kUser, 0xA1});
    bench.translator.breakOff(2'000'000);
    bench.switchTo(102, 101, 1, 50'000'000, {kUser, 0xB1});
    const auto switches = bench.sink.ofHook(hook::kCSwitch);
    REQUIRE(switches.size() == 2);
    CHECK(switches[1].at<std::uint32_t>(16) == 0); // how long 101 was away is not known
    CHECK(bench.sink.ofHook(hook::kStackWalk).empty());
    CHECK(bench.translator.unreported().switches == 0); // and no switch is missing
}

} // namespace tracedeck::linux_source
