// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clocks that sessions count their events' times by.
#include "core/etw/engine/session_clock.h"
#include "tests/engine/engine_fixture.h"

#include <algorithm>
#include <atomic>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

/// Both clocks go where the test puts them.
class SetClock final : public Clock {
public:
    [[nodiscard]] Ticks ticks() const noexcept override { return m_ticks.fetch_add(1000); }
    [[nodiscard]] std::int64_t frequency() const noexcept override { return 1'000'000'000; }
    [[nodiscard]] FileTime wallTime() const noexcept override { return m_wall.fetch_add(10); }
    void setWall(FileTime wall) { m_wall = wall; }

private:
    mutable std::atomic<Ticks> m_ticks{5'000'000'000};
    mutable std::atomic<FileTime> m_wall{kUnixEpoch + 17'000'000'000'000'000};
};

etw::SessionConfig configOf(const std::string& path, etw::ClockType clock) {
    auto config = fileConfig(path);
    config.clock = clock;
    return config;
}

} // namespace

TEST_CASE("System time: the header says so, and an event's time is a FILETIME", "[engine][clock]") {
    const TemporaryFolder folder;
    SetClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Clock");
    Calls calls(engine);
    const FileTime before = clock.wallTime();
    const auto id = calls.start(configOf(folder.file("s.etl"), etw::ClockType::SystemTime)).id;
    calls.enable(id, writer->providerId());
    writer->write({"Event", 4, 0, 0, {}});
    calls.stop(id);
    const RawEtl etl = checkedEtl(folder.file("s.etl"));
    CHECK(etl.header.clockType == 2);
    CHECK(etl.header.perfFreq == clock.frequency());
    REQUIRE(etl.dataEvents() == 1);
    REQUIRE(etl.buffers[0].events.size() >= 1);
    CHECK(etl.buffers[0].events[0].time == etl.header.startTime);
    CHECK(etl.buffers[1].events[0].time > before);
    CHECK(etl.buffers[1].events[0].time < clock.wallTime());
    CHECK(etl.buffers[1].header.timeStamp > before);
}

TEST_CASE("While the time is set back a session's times stand still", "[engine][clock]") {
    const TemporaryFolder folder;
    SetClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Clock");
    Calls calls(engine);
    const auto id = calls.start(configOf(folder.file("s.etl"), etw::ClockType::SystemTime)).id;
    calls.enable(id, writer->providerId());
    const auto write = [&] { writer->write({"Event", 4, 0, 0, {}}); };
    write();
    const FileTime there = clock.wallTime();
    clock.setWall(there - 36'000'000'000); // an hour
    write();
    calls.flush(id); // buffers follow one another in the same order
    write();
    clock.setWall(there + 36'000'000'000);
    write();
    calls.stop(id);
    const RawEtl etl = checkedEtl(folder.file("s.etl")); // complains of times that decrease
    std::vector<Ticks> times;
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        for (const RawEvent& event : etl.buffers[i].events) {
            times.push_back(event.time);
        }
    }
    REQUIRE(times.size() == 4);
    std::sort(times.begin(), times.end()); // the thread may have changed its processor
    CHECK(times[0] <= there);
    CHECK(times[1] == times[0]);
    CHECK(times[2] >= times[1]);
    CHECK(times[2] <= there);
    CHECK(times[3] >= there + 36'000'000'000);
}

TEST_CASE("Threads that step the time back and forth never see a session's clock decrease", "[engine][clock]") {
    SetClock clock;
    const auto stamp = etw::engine::makeSessionClock(etw::ClockType::SystemTime, clock);
    REQUIRE(stamp.has_value());
    const FileTime begin = clock.wallTime();
    std::atomic<int> steps{0};
    std::atomic<bool> isDone{false};
    std::thread stepper([&] {
        for (int i = 0; !isDone; ++i) {
            clock.setWall(begin + (i % 2 == 0 ? 1000 * i : -1000 * i));
            ++steps;
        }
    });
    int decreases = 0;
    Ticks last = 0;
    for (int i = 0; i < 20000 || steps < 1000; ++i) {
        const Ticks now = (*stamp)->ticks();
        decreases += now < last ? 1 : 0;
        last = now;
    }
    isDone = true;
    stepper.join();
    CHECK(decreases == 0);
    CHECK(last > begin);
}

TEST_CASE("The cycle counter stamps where it is a clock, and is refused otherwise", "[engine][clock]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Clock");
    Calls calls(engine);
    const auto config = configOf(folder.file("c.etl"), etw::ClockType::CpuCycle);
    const auto started = calls.tryStart(config);
    const auto mhz = etw::engine::cycleCounterMhz();
    if (!mhz) {
        WARN("SKIPPED: no cycle counter that is a clock");
        REQUIRE_FALSE(started);
        CHECK(started.error().code == ErrorCode::NotSupported);
        CHECK(started.error().native == 50);
        return;
    }
    REQUIRE(started);
    calls.enable(started->id, writer->providerId());
    const FileTime before = clock.wallTime();
    writer->write({"Event", 4, 0, 0, {}});
    const FileTime after = clock.wallTime();
    calls.stop(started->id);
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.header.clockType == 3);
    CHECK(etl.header.cpuSpeedInMhz == *mhz);
    CHECK(etl.header.perfFreq == clock.frequency());
    REQUIRE(etl.dataEvents() == 1);
    // What a reader makes of it, to a millisecond since the start a moment ago.
    const Ticks since = etl.buffers[1].events[0].time - etl.buffers[0].events[0].time;
    const FileTime read = etl.header.startTime + since * 10 / *mhz;
    CHECK(read > before - 10'000);
    CHECK(read < after + 10'000);
}

TEST_CASE("Another clock than the trace clock is not for the kernel, nor for a file of another one",
          "[engine][clock]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 1);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    for (const auto type : {etw::ClockType::SystemTime, etw::ClockType::CpuCycle}) {
        const auto refused = calls.tryStart(systemConfig(configOf(folder.file("k.etl"), type)));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::NotSupported);
        CHECK(refused.error().native == 50);
    }
    const auto none = calls.tryStart(configOf(folder.file("n.etl"), static_cast<etw::ClockType>(4)));
    REQUIRE_FALSE(none);
    CHECK(none.error().native == etw::win32::kInvalidParameter);
    calls.stop(calls.start(configOf(folder.file("a.etl"), etw::ClockType::Qpc)).id);
    auto more = configOf(folder.file("a.etl"), etw::ClockType::SystemTime);
    more.logFileMode = etlformat::mode::kAppend;
    const auto other = calls.tryStart(more);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ErrorCode::SessionBadParameters);
    auto first = configOf(folder.file("b.etl"), etw::ClockType::SystemTime);
    first.logFileMode = etlformat::mode::kAppend;
    calls.stop(calls.start(first).id);
    calls.stop(calls.start(first).id); // the same one goes on
    checkedEtl(folder.file("b.etl"));
}

TEST_CASE("A step of the machine's time spoils no file, whatever the session's clock", "[engine][clock]") {
    const auto kind = GENERATE(etw::ClockType::Qpc, etw::ClockType::SystemTime, etw::ClockType::CpuCycle);
    CAPTURE(etw::toString(kind));
    const TemporaryFolder folder;
    SetClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Clock");
    Calls calls(engine);
    const auto started = calls.tryStart(configOf(folder.file("s.etl"), kind));
    if (kind == etw::ClockType::CpuCycle && !started) {
        CHECK(started.error().code == ErrorCode::NotSupported);
        WARN("SKIPPED: the cycle counter is no clock on this machine");
        return;
    }
    REQUIRE(started.has_value());
    calls.enable(started->id, writer->providerId());
    constexpr FileTime kHour = 36'000'000'000;
    const FileTime begin = clock.wallTime();
    std::uint64_t written = 0;
    const auto write = [&] {
        for (int i = 0; i < 100; ++i) {
            writer->write({"Event", 4, 0, 0, {}});
            ++written;
        }
        calls.flush(started->id);
    };
    write();
    clock.setWall(begin - kHour);
    write();
    clock.setWall(begin + kHour);
    write();
    clock.setWall(begin - 24 * kHour); // and it ends in the past
    write();
    const auto stats = calls.stop(started->id);
    CHECK(stats.eventsRecorded == written);
    CHECK(stats.eventsLost == 0);
    const RawEtl etl = checkedEtl(folder.file("s.etl")); // times do not decrease, and the end is behind the start
    CHECK(etl.dataEvents() == written);
    CHECK(etl.header.clockType == static_cast<std::uint32_t>(kind));
}
