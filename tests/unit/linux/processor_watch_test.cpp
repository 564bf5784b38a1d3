// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/processor_watch.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/log_guard.h"
#include "tests/unit/linux/fake_machine.h"
#include "tests/unit/linux/memory_sink.h"

namespace tracedeck::linux_source {

namespace group = etlformat::group;
namespace hook = etlformat::hook;
using etw::LimitationCode;
using test::FakeMachine;
using test::FakePerf;
using test::RecordBuilder;

namespace {

using Processors = std::vector<std::uint32_t>;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kOnline = "sys/devices/system/cpu/online";
constexpr Origin kAll[] = {Origin::Sideband, Origin::Clock, Origin::Switch, Origin::Waking, Origin::WakeUp};

PerfPlan planOf(Processors processors) {
    PerfPlan plan;
    plan.processors = std::move(processors);
    plan.hasClock = true;
    plan.wakingId = 7;
    plan.ringSize = kib(64);
    return plan;
}

/// Processors 0 and 1 are recorded, of four that the recording has room for.
struct Watched {
    FakeMachine machine;
    FakePerf perf;
    test::ManualClock clock;
    PerfSession session = *PerfSession::open(perf, planOf({0, 1}));
    ProcessorWatch watch{session, clock, {onlineFile(machine.roots()), {0, 1}, 4}};

    Watched() {
        perf.opened.clear();
        REQUIRE(session.enable(kAll));
    }
    /// What a look finds a second later.
    ProcessorWatch::Change lookLater() {
        perf.serve(kSecond);
        clock.advance(kSecond);
        return watch.look();
    }
    [[nodiscard]] std::string missing() const {
        const auto limitation = watch.limitation();
        return limitation ? limitation->detail : std::string();
    }
    int clockEventOf(int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK); }
    int ringEventOf(int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY); }
};

RecordBuilder sampleOf(int event, Ticks time) {
    return RecordBuilder(PERF_RECORD_SAMPLE).sample(static_cast<std::uint64_t>(event), 0x1000, 5, 6, time);
}

/// Returns when the drain thread has served and has looked once more at everything.
void settle(etw::engine::KernelRun& run) {
    run.drain(); // behind this the thread looks, if it is time
    run.drain(); // and behind that it serves again
}

} // namespace

TEST_CASE("while processors stay online nothing is opened, closed or told", "[linux][hotplug]") {
    Watched watched;
    for (int i = 0; i < 5; ++i) {
        CHECK(watched.lookLater().isEmpty());
    }
    CHECK(watched.perf.opened.empty());
    CHECK_FALSE(watched.watch.limitation());
}

TEST_CASE("a processor that goes offline is closed, and what its events counted stays", "[linux][hotplug]") {
    Watched watched;
    watched.perf.lostPerEvent = 3;
    const int waking = watched.perf.eventOf(1, PERF_TYPE_TRACEPOINT, 7);
    watched.perf.setCount(waking, 103);
    watched.perf.setCount(watched.perf.eventOf(0, PERF_TYPE_TRACEPOINT, 7), 13);
    const int openBefore = watched.perf.openNow;
    const auto counts = watched.session.counts();
    REQUIRE(counts);
    CHECK(counts->lost == 2U * 3U * 3U); // sideband, clock and waking of two processors
    CHECK(counts->wakings == 110);
    CHECK(watched.lookLater().isEmpty());

    watched.perf.takeOffline(1);
    watched.machine.write(kOnline, "0\n");
    const auto change = watched.lookLater();
    CHECK(change.closed == Processors{1});
    CHECK(change.opened.empty());
    CHECK(watched.perf.openNow == openBefore / 2);
    CHECK(watched.perf.mapped == 2);
    CHECK(watched.session.descriptors() == std::vector<int>{watched.ringEventOf(0)});
    CHECK(watched.session.wakeUpDescriptors().size() == 1);
    CHECK(watched.session.counts()->lost == counts->lost);
    CHECK(watched.session.counts()->wakings == counts->wakings);
    // Missing since the look before, and still.
    CHECK(watched.watch.limitation() == etw::Limitation{LimitationCode::ProcessorsUnrecorded, "1 (≥ 1.0 s)", 1});
    CHECK(watched.lookLater().isEmpty());
    CHECK(watched.missing() == "1 (≥ 1.0 s)");
}

TEST_CASE("a processor that comes back is recorded again", "[linux][hotplug]") {
    Watched watched;
    const int before = watched.clockEventOf(1);
    watched.perf.takeOffline(1);
    watched.machine.write(kOnline, "0\n");
    CHECK(watched.lookLater().closed == Processors{1});
    watched.perf.bringOnline(1);
    watched.machine.write(kOnline, "0-1\n");
    CHECK(watched.lookLater().opened == Processors{1});
    const int after = watched.clockEventOf(1);
    CHECK(after != before);
    CHECK(watched.perf.isEnabled(after));
    CHECK(watched.perf.isEnabled(watched.ringEventOf(1)));
    CHECK(watched.perf.mapped == 4);
    REQUIRE(watched.session.streams().size() == 2);

    REQUIRE(watched.perf.write(watched.ringEventOf(1), sampleOf(after, 50)));
    RecordStream& stream = watched.session.streams().back();
    stream.gather();
    REQUIRE(stream.pending() == 1);
    const Record record = stream.take();
    CHECK(record.processor == 1);
    CHECK(record.origin == Origin::Clock);
    CHECK(watched.lookLater().isEmpty());
}

TEST_CASE("processors that were away between two looks are found by their events", "[linux][hotplug]") {
    // As when the machine is suspended: no program ever sees them offline.
    Watched watched;
    CHECK(watched.lookLater().isEmpty());
    watched.perf.kill(1);
    const auto change = watched.lookLater();
    CHECK(change.closed == Processors{1});
    CHECK(change.opened == Processors{1});
    CHECK(watched.perf.mapped == 4);
    CHECK(watched.missing() == "1 (1.0-2.0 s)");
    CHECK(watched.lookLater().isEmpty());
    watched.perf.kill(1);
    CHECK_FALSE(watched.lookLater().isEmpty());
    CHECK(watched.watch.limitation() ==
          etw::Limitation{LimitationCode::ProcessorsUnrecorded, "1 (1.0-2.0 s), 1 (3.0-4.0 s)", 1});
}

TEST_CASE("what is missing begins when the events went out of service", "[linux][hotplug]") {
    Watched watched;
    CHECK(watched.lookLater().isEmpty());
    watched.perf.serve(kSecond / 4); // of the second that follows
    watched.perf.kill(1);
    CHECK(watched.lookLater().isEmpty()); // it was in service since the last look
    CHECK(watched.lookLater().closed == Processors{1});
    CHECK(watched.missing() == "1 (1.2-3.0 s)");
}

TEST_CASE("events that the kernel has given up are replaced", "[linux][hotplug]") {
    Watched watched;
    watched.perf.givenUp = watched.ringEventOf(1);
    CHECK(watched.lookLater().closed == Processors{1});
    watched.perf.unreadable = watched.ringEventOf(1);
    CHECK(watched.lookLater().isEmpty()); // nothing is known, so nothing is done
}

TEST_CASE("processors that come online for the first time are recorded from then on", "[linux][hotplug]") {
    Watched watched;
    watched.machine.write(kOnline, "0-3\n");
    CHECK(watched.lookLater().opened == Processors{2, 3});
    CHECK(watched.perf.isEnabled(watched.clockEventOf(3)));
    CHECK(watched.watch.limitation() == etw::Limitation{LimitationCode::ProcessorsUnrecorded, "2-3 (0.0-1.0 s)", 2});
}

TEST_CASE("a processor that the recording has no place for is told and not opened", "[linux][hotplug]") {
    Watched watched;
    watched.machine.write(kOnline, "0-1,4\n");
    CHECK(watched.lookLater().isEmpty());
    CHECK(watched.lookLater().isEmpty());
    CHECK(watched.perf.opened.empty());
    CHECK(watched.missing() == "4 (≥ 0.0 s)");
}

TEST_CASE("where nobody says who is online, the known processors are still followed", "[linux][hotplug]") {
    Watched watched;
    SECTION("the file is gone") {
        watched.machine.remove(kOnline);
    }
    SECTION("the file says nothing") {
        watched.machine.write(kOnline, "\n");
    }
    {
        const test::ExpectErrors expected("tells no processors");
        CHECK(watched.lookLater().isEmpty());
    }
    CHECK(watched.perf.opened.empty());
    watched.perf.takeOffline(1);
    CHECK(watched.lookLater().closed == Processors{1}); // and logs nothing more
    CHECK(watched.lookLater().isEmpty());
    watched.perf.bringOnline(1);
    CHECK(watched.lookLater().opened == Processors{1});
    CHECK(watched.missing() == "1 (1.0-4.0 s)");
}

TEST_CASE("a processor that cannot be opened is told, and tried again", "[linux][hotplug]") {
    Watched watched;
    const int openBefore = watched.perf.openNow;
    watched.machine.write(kOnline, "0-2\n");
    {
        const test::ExpectErrors expected("cannot be recorded");
        SECTION("too many open files") {
            watched.perf.mostDescriptors = openBefore + 2;
        }
        SECTION("no locked memory") {
            watched.perf.mostBytes = 4096;
        }
        SECTION("it cannot be enabled") {
            watched.perf.enableError = -EINVAL;
        }
        CHECK(watched.lookLater().isEmpty());
    }
    CHECK(watched.lookLater().isEmpty());
    CHECK(watched.perf.openNow == openBefore);
    CHECK(watched.perf.mapped == 4);
    CHECK(watched.session.streams().size() == 2);
    CHECK(watched.missing() == "2 (≥ 0.0 s)");
    watched.perf.mostDescriptors = 1 << 20;
    watched.perf.mostBytes = std::size_t{1} << 40U;
    watched.perf.enableError = 0;
    CHECK(watched.lookLater().opened == Processors{2});
    CHECK(watched.missing() == "2 (0.0-3.0 s)");
}

TEST_CASE("what a dead ring still holds is taken before it is closed", "[linux][hotplug]") {
    Watched watched;
    CHECK(watched.lookLater().isEmpty());
    REQUIRE(watched.perf.write(watched.ringEventOf(1), sampleOf(watched.clockEventOf(1), 50)));
    watched.perf.takeOffline(1);
    RecordStream& stream = watched.session.streams().back();
    stream.gather();
    CHECK(watched.lookLater().isEmpty());
    CHECK(watched.missing() == "1 (≥ 1.0 s)");
    CHECK(stream.take().time == 50);
    CHECK(watched.lookLater().closed == Processors{1});
    CHECK(watched.missing() == "1 (≥ 1.0 s)");
}

TEST_CASE("a machine that switches processors all the time fills neither memory nor report", "[linux][hotplug]") {
    Watched watched;
    for (int i = 0; i < 3000; ++i) {
        watched.perf.kill(i % 2);
        REQUIRE(watched.lookLater().opened.size() == 1);
    }
    const auto limitation = watched.watch.limitation();
    REQUIRE(limitation);
    CHECK(limitation->count == 2);
    CHECK(limitation->detail.size() < 300);
    CHECK(limitation->detail.substr(limitation->detail.size() - 5) == ", …");
    CHECK(watched.perf.mapped == 4);
}

TEST_CASE("a recording goes on through processors that go and come", "[linux][hotplug][source]") {
    FakeMachine machine;
    FakePerf perf;
    test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, machine.roots()});
    test::MemorySink sink;
    etw::engine::KernelRequest request = test::requestOf({group::kThread, group::kProfile});
    const auto run = source.start(request, sink);
    REQUIRE(run);
    const auto ringOf = [&](int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY); };
    const auto clockOf = [&](int cpu) { return perf.eventOf(cpu, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK); };
    const auto second = [&] {
        perf.serve(kSecond);
        clock.advance(kSecond);
        settle(**run);
    };
    const auto sample = [&](int cpu) { REQUIRE(perf.write(ringOf(cpu), sampleOf(clockOf(cpu), clock.ticks()))); };
    const auto samplesOf = [&](std::uint32_t cpu) {
        const auto samples = sink.ofHook(hook::kSampledProfile);
        return std::count_if(samples.begin(), samples.end(), [&](const auto& event) { return event.processor == cpu; });
    };
    sample(0);
    sample(1);
    second();
    CHECK(samplesOf(0) == 1);
    CHECK(samplesOf(1) == 1);

    sample(1); // the last one of its ring
    perf.takeOffline(1);
    machine.write(kOnline, "0,2\n");
    second();
    second();
    CHECK(samplesOf(1) == 2);
    CHECK(ringOf(1) == -1);
    sample(0);
    sample(2);
    (*run)->drain();
    CHECK(samplesOf(0) == 2); // no dead ring holds it up
    CHECK(samplesOf(2) == 1);
    CHECK(perf.isPolled(ringOf(2)));

    perf.bringOnline(1);
    machine.write(kOnline, "0-2\n");
    second();
    sample(1);
    (*run)->drain();
    CHECK(samplesOf(1) == 3);
    const auto limitations = (*run)->limitations();
    CHECK(std::count_if(limitations.begin(), limitations.end(), [](const auto& limitation) {
              return limitation.code == LimitationCode::ProcessorsUnrecorded && limitation.count == 2;
          }) == 1);
    (*run)->stop();
    // The idle threads of all that ran.
    const auto threads = sink.ofHook(hook::kThreadDcEnd);
    CHECK(std::count_if(threads.begin(), threads.end(),
                        [](const auto& thread) { return thread.template at<std::uint32_t>(4) == 0; }) == 3);
    CHECK(sink.disorders == 0);
    CHECK(perf.mapped == 6); // until the run is destroyed
}

} // namespace tracedeck::linux_source
