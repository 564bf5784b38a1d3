// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/linux/translator_bench.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tracedeck::linux_source {

using test::RecordBuilder;
using test::SinkEvent;
namespace hook = etlformat::hook;

TEST_CASE("a sample becomes a SampledProfile and the StackWalk right behind it", "[linux][translator]") {
    Bench bench;
    bench.translate(
        RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 0x400123, 100, 100, 50).chain({kUser, 0x400123, 0x400456}));
    REQUIRE(bench.hooks() == std::vector<std::uint16_t>{hook::kSampledProfile, hook::kStackWalk});
    const SinkEvent& sample = bench.sink.events[0];
    CHECK(sample.time == 50);
    CHECK(sample.version == 2);
    CHECK(sample.at<std::uint64_t>(0) == 0x400123);
    CHECK(sample.at<std::uint32_t>(8) == 100);
    CHECK(sample.at<std::uint16_t>(12) == 1);
    const SinkEvent& stack = bench.sink.events[1];
    CHECK(stack.time == 50);
    CHECK(stack.at<Ticks>(0) == 50);
    CHECK(stack.at<std::uint32_t>(8) == 100);
    CHECK(stack.at<std::uint32_t>(12) == 100);
    CHECK(stack.payload.size() == 16 + 2 * 8);
    CHECK(stack.at<std::uint64_t>(24) == 0x400456);
}

TEST_CASE("idle samples are thread 0's and kernel threads are process 4's", "[linux][translator]") {
    Bench bench;
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 0, 0, 10).chain({kKernel, 1}));
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 16, 16, 20).chain({kKernel, 1}));
    const auto stacks = bench.sink.ofHook(hook::kStackWalk);
    REQUIRE(stacks.size() == 2);
    CHECK(stacks[0].at<std::uint32_t>(8) == 0);
    CHECK(stacks[0].at<std::uint32_t>(12) == 0);
    CHECK(stacks[1].at<std::uint32_t>(8) == kSystemProcess);
    CHECK(stacks[1].at<std::uint32_t>(12) == 16);
}

TEST_CASE("no two events of a processor have one time", "[linux][translator]") {
    Bench bench;
    for (int i = 0; i < 3; ++i) {
        bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 100, 100, 50).chain({kUser, 1}));
    }
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 100, 100, 20).chain({kUser, 1}));
    const auto samples = bench.sink.ofHook(hook::kSampledProfile);
    const auto stacks = bench.sink.ofHook(hook::kStackWalk);
    REQUIRE(samples.size() == 4);
    for (int i = 0; i < 4; ++i) {
        CHECK(samples[static_cast<std::size_t>(i)].time == 50 + i);
        CHECK(stacks[static_cast<std::size_t>(i)].at<Ticks>(0) == 50 + i);
    }
    CHECK(bench.sink.disorders == 0);
}

TEST_CASE("the stack of a context switch is where the new thread left off", "[linux][translator]") {
    Bench bench;
    bench.addThread(101, 100);
    bench.switchTo(101, 100, 1, 1'000'000, {kKernel, 0xffffffff81000001, kUser, 0xA1});
    bench.switchTo(100, 101, 0x100, 13'000'000, {kKernel, 0xffffffff81000002, kUser, 0xB1});
    const auto switches = bench.sink.ofHook(hook::kCSwitch);
    const auto stacks = bench.sink.ofHook(hook::kStackWalk);
    REQUIRE(switches.size() == 2);
    // 100 was not seen leaving: the first switch, which brings it, has no stack.
    REQUIRE(stacks.size() == 1);
    CHECK(stacks[0].at<Ticks>(0) == switches[1].time);
    CHECK(stacks[0].at<std::uint32_t>(8) == 100);
    CHECK(stacks[0].at<std::uint32_t>(12) == 101);
    CHECK(stacks[0].at<std::uint64_t>(16) == 0xffffffff81000001);
    CHECK(stacks[0].at<std::uint64_t>(24) == 0xA1);

    const SinkEvent& away = switches[0];
    CHECK(away.at<std::uint32_t>(0) == 100);
    CHECK(away.at<std::uint32_t>(4) == 101);
    CHECK(away.at<std::int8_t>(8) == 15); // nice -20
    CHECK(away.at<std::int8_t>(9) == 8);
    CHECK(away.at<std::int8_t>(12) == 6);          // UserRequest
    CHECK(away.at<std::int8_t>(14) == 5);          // Waiting
    CHECK(switches[1].at<std::int8_t>(12) == 32);  // WrPreempted
    CHECK(switches[1].at<std::int8_t>(14) == 1);   // Ready
    CHECK(switches[1].at<std::uint32_t>(16) == 3); // 12 ms of 4 ms ticks
}

TEST_CASE("a thread that died or was never seen has no stack and no place in the table", "[linux][translator]") {
    Bench bench;
    bench.switchTo(555, 0, 0x10, 100, {kUser, 1}); // dead
    CHECK(bench.table.findThread(555) == nullptr);
    bench.switchTo(0, 556, 0, 200, {kKernel, 1});
    CHECK(bench.sink.ofHook(hook::kStackWalk).empty());
    bench.switchTo(556, 0, 1, 300, {kUser, 2}); // its start was lost; from here it is known
    bench.switchTo(0, 556, 0, 400, {kKernel, 1});
    CHECK(bench.sink.ofHook(hook::kStackWalk).size() == 1);
    const auto idle = bench.sink.ofHook(hook::kCSwitch).back();
    CHECK(idle.at<std::int8_t>(14) == 2); // Running: the idle thread
    CHECK(idle.at<std::int8_t>(9) == 0);
}

TEST_CASE("a wake is the waking processor's ReadyThread", "[linux][translator]") {
    Bench bench;
    std::vector<std::byte> raw(8);
    raw[0] = std::byte{101};
    raw[4] = std::byte{0x10}; // soft interrupt
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kWaking, 0, 100, 100, 70).chain({kUser, 9}).raw(raw));
    REQUIRE(bench.hooks() == std::vector<std::uint16_t>{hook::kReadyThread, hook::kStackWalk});
    CHECK(bench.sink.events[0].at<std::uint32_t>(0) == 101);
    CHECK(bench.sink.events[0].at<std::int8_t>(4) == 1);
    CHECK(bench.sink.events[0].at<std::int8_t>(6) == 1);
    CHECK(bench.sink.events[1].at<std::uint32_t>(12) == 100); // who woke it
}

TEST_CASE("fork, exec, map and exit of a program", "[linux][translator]") {
    Bench bench;
    bench.facts.execs[200] = {"/usr/bin/true", "true -x", 0U, 100U};
    bench.facts.exits[200] = 3;
    bench.task(PERF_RECORD_FORK, 200, 100, 200, 100, 1000);
    bench.exec(200, "true", 2000);
    bench.map(200, 0x555500001000, 0x2000, 0x1000, "/nowhere/bin/true", 3000);
    bench.map(200, 0x555500001000, 0x3000, 0x1000, "/nowhere/bin/true", 3100); // the same again, other rights
    bench.map(200, 0x700000000000, 0x1000, 0, "//anon", 3200);
    bench.task(PERF_RECORD_EXIT, 200, 100, 200, 100, 4000);

    CHECK(bench.hooks() == std::vector<std::uint16_t>{hook::kProcessStart, hook::kThreadStart, hook::kImageLoad, // fork
                                                      hook::kThreadEnd, hook::kImageUnload, hook::kProcessEnd,   // exec
                                                      hook::kProcessStart, hook::kThreadStart,
                                                      hook::kImageLoad, // and its image
                                                      hook::kThreadEnd, hook::kImageUnload, hook::kProcessEnd});
    const auto starts = bench.sink.ofHook(hook::kProcessStart);
    const auto ends = bench.sink.ofHook(hook::kProcessEnd);
    CHECK(starts[0].processName() == "sh");
    CHECK(starts[0].processId == 100); // who did it
    CHECK(starts[0].threadId == 100);
    CHECK(starts[0].at<std::uint32_t>(8) == 200);
    CHECK(starts[0].at<std::uint32_t>(12) == 100);
    CHECK(starts[1].processName() == "true");
    CHECK(starts[1].commandLine() == "true -x");
    CHECK(starts[1].at<std::uint32_t>(12) == 100);
    CHECK(starts[0].at<std::uint64_t>(0) != starts[1].at<std::uint64_t>(0));
    CHECK(ends[0].at<std::uint64_t>(0) == starts[0].at<std::uint64_t>(0));
    CHECK(ends[1].at<std::uint64_t>(0) == starts[1].at<std::uint64_t>(0));
    CHECK(ends[1].at<std::uint32_t>(20) == 3);
    CHECK(ends[1].processId == 200);
    const auto loads = bench.sink.ofHook(hook::kImageLoad);
    CHECK(loads[0].imageName() == "/bin/sh"); // inherited
    CHECK(loads[1].imageName() == "/nowhere/bin/true");
    CHECK(loads[1].at<std::uint64_t>(0) == 0x555500000000);
    CHECK(loads[1].at<std::uint64_t>(8) == 0x3000);
    CHECK(loads[1].at<std::uint32_t>(16) == 200);
    CHECK(bench.table.findProcess(200) == nullptr);
    CHECK(bench.sink.disorders == 0);
}

TEST_CASE("a process lives until its last thread ends", "[linux][translator]") {
    Bench bench;
    bench.task(PERF_RECORD_FORK, 100, 100, 150, 100, 10);
    CHECK(bench.hooks() == std::vector<std::uint16_t>{hook::kThreadStart});
    bench.task(PERF_RECORD_EXIT, 100, 1, 100, 1, 20);
    CHECK(bench.sink.ofHook(hook::kProcessEnd).empty());
    bench.task(PERF_RECORD_EXIT, 100, 1, 150, 1, 30);
    REQUIRE(bench.sink.ofHook(hook::kProcessEnd).size() == 1);
    CHECK(bench.sink.ofHook(hook::kProcessEnd)[0].at<std::uint32_t>(20) == 0x103); // status not known
    bench.task(PERF_RECORD_EXIT, 100, 1, 150, 1, 40);                              // nobody knows it any more
    CHECK(bench.sink.ofHook(hook::kThreadEnd).size() == 2);
}

TEST_CASE("threads of the kernel belong to System until they run a program", "[linux][translator]") {
    Bench bench;
    bench.task(PERF_RECORD_FORK, 300, kKthreadd, 300, kKthreadd, 10);
    CHECK(bench.sink.ofHook(hook::kProcessStart).empty());
    CHECK(bench.sink.ofHook(hook::kThreadStart).back().at<std::uint32_t>(0) == kSystemProcess);
    // A worker starts modprobe.
    bench.task(PERF_RECORD_FORK, 301, 16, 301, 16, 20);
    CHECK(bench.table.processOf(301, 301) == kSystemProcess);
    bench.exec(301, "modprobe", 30);
    REQUIRE(bench.sink.ofHook(hook::kProcessStart).size() == 1);
    CHECK(bench.sink.ofHook(hook::kProcessStart)[0].at<std::uint32_t>(12) == kSystemProcess);
    CHECK(bench.table.processOf(301, 301) == 301);
    bench.task(PERF_RECORD_EXIT, 300, kKthreadd, 300, kKthreadd, 40);
    CHECK(bench.table.findProcess(kSystemProcess) != nullptr);
}

TEST_CASE("a mapping over another image unloads that one", "[linux][translator]") {
    Bench bench;
    bench.map(100, 0x400000, 0x800, 0, "/opt/other", 10);
    REQUIRE(bench.hooks() == std::vector<std::uint16_t>{hook::kImageUnload, hook::kImageLoad});
    CHECK(bench.sink.events[0].imageName() == "/bin/sh");
}

TEST_CASE("a thread that takes a name says so", "[linux][translator]") {
    Bench bench;
    bench.translate(
        RecordBuilder(PERF_RECORD_COMM).put(100U).put(100U).text("worker").trailer(100, 100, 10, kSideband));
    const auto names = bench.sink.ofHook(hook::kThreadSetName);
    REQUIRE(names.size() == 1);
    CHECK(names[0].at<std::uint32_t>(4) == 100);
    CHECK(names[0].wideText(8) == "worker");
}

TEST_CASE("loss is counted once, from records and the kernel's own count", "[linux][translator]") {
    Bench bench;
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 100, 100, 40).chain({}));
    bench.translate(RecordBuilder(PERF_RECORD_LOST).put(kClock).put(std::uint64_t{5}).trailer(0, 0, 50, kSideband));
    bench.translate(RecordBuilder(PERF_RECORD_LOST_SAMPLES).put(std::uint64_t{2}).trailer(0, 0, 60, kSideband));
    CHECK(bench.sink.lostEvents() == 7);
    CHECK(bench.sink.losses[0].first == 40);
    bench.translator.finish(KernelCounts{8, 0}, 100); // 3 more were lost after the last LOST record
    CHECK(bench.sink.lostEvents() == 10);
    CHECK(bench.sink.losses.back().cause == etw::LossCause::SourceOverflow);
    bench.translator.finish(KernelCounts{8, 0}, 100);
    CHECK(bench.sink.lostEvents() == 10);
}

TEST_CASE("switches and wakes that came as no record are counted", "[linux][translator]") {
    Bench bench;
    bench.addThread(101, 100);
    const auto leave = [&](std::uint32_t from, std::uint32_t to, Ticks time) {
        bench.switchTo(from, to, 1, time, {kUser, 1});
    };
    const auto unreported = [&] { return bench.translator.unreported().switches; };
    leave(16, 0, 10);
    leave(0, 16, 20);
    CHECK(unreported() == 0);
    leave(101, 16, 30); // 16 -> 101 is missing
    CHECK(unreported() == 1);
    bench.translate(RecordBuilder(PERF_RECORD_LOST).put(kSwitch).put(std::uint64_t{5}).trailer(0, 0, 40, kSideband));
    leave(0, 101, 50); // after a loss nothing is known
    CHECK(unreported() == 1);
    leave(100, 16, 60); // 101 started a program meanwhile and goes on under its process' id
    CHECK(unreported() == 1);
    bench.translator.loseProcessor(0);
    leave(0, 101, 65); // nor after the processor was away
    CHECK(unreported() == 1);

    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kWaking, 0, 100, 100, 70).raw(std::vector<std::byte>(8)));
    bench.translator.finish(KernelCounts{5, 4}, 100);
    CHECK(bench.translator.unreported().wakings == 3);
    CHECK(bench.translator.unreported().switches == 1);
}

TEST_CASE("a throttled span counts the samples that were due in it", "[linux][translator]") {
    Bench bench;
    const auto throttle = [&](std::uint32_t type, Ticks time) {
        bench.translate(RecordBuilder(type).put(time).put(kClock).put(kClock).trailer(0, 0, time, kClock));
    };
    throttle(PERF_RECORD_THROTTLE, 1'000'000);
    throttle(PERF_RECORD_UNTHROTTLE, 5'200'000);
    REQUIRE(bench.sink.losses.size() == 1);
    CHECK(bench.sink.losses[0] == etw::LossCount{etw::LossCause::SourceThrottled, 4, 1'000'000});
    throttle(PERF_RECORD_UNTHROTTLE, 6'000'000); // without a beginning
    CHECK(bench.sink.losses.size() == 1);
    throttle(PERF_RECORD_THROTTLE, 7'000'000);
    bench.translator.finish(std::nullopt, 9'000'000);
    CHECK(bench.sink.losses.back() == etw::LossCount{etw::LossCause::SourceThrottled, 2, 7'000'000});
}

TEST_CASE("where no switch tells what runs, a throttled span counts for one clock tick", "[linux][translator]") {
    Bench bench;
    const auto throttle = [&](std::uint32_t type, Ticks time) {
        bench.translate(RecordBuilder(type).put(time).put(kClock).put(kClock).trailer(0, 0, time, kClock));
    };
    throttle(PERF_RECORD_THROTTLE, 1'000'000);
    throttle(PERF_RECORD_UNTHROTTLE, 2'001'000'000); // a busy processor ends it at its next tick: this one was idle
    REQUIRE(bench.sink.losses.size() == 1);
    CHECK(bench.sink.losses[0] == etw::LossCount{etw::LossCause::SourceThrottled, 4, 1'000'000});
    throttle(PERF_RECORD_THROTTLE, 3'000'000'000);
    bench.switchTo(0, 16, 1, 3'500'000'000, {kUser, 1}); // from here on it is known
    throttle(PERF_RECORD_UNTHROTTLE, 3'510'000'000);
    REQUIRE(bench.sink.losses.size() == 2);
    CHECK(bench.sink.losses[1] == etw::LossCount{etw::LossCause::SourceThrottled, 14, 3'000'000'000});
}

TEST_CASE("a throttled idle processor has lost nothing until a thread runs on it", "[linux][translator]") {
    Bench bench;
    const auto throttle = [&](std::uint32_t type, Ticks time) {
        bench.translate(RecordBuilder(type).put(time).put(kClock).put(kClock).trailer(0, 0, time, kClock));
    };
    bench.switchTo(100, 0, 1, 1'000'000, {kUser, 1});
    throttle(PERF_RECORD_THROTTLE, 2'000'000);
    throttle(PERF_RECORD_UNTHROTTLE, 6'000'000);
    CHECK(bench.sink.losses.empty());
    throttle(PERF_RECORD_THROTTLE, 7'000'000);
    bench.switchTo(0, 100, 0, 8'000'000, {});
    bench.switchTo(100, 16, 1, 9'000'000, {kUser, 1});
    bench.switchTo(16, 0, 1, 10'500'000, {kUser, 1});
    bench.switchTo(0, 16, 0, 20'000'000, {});
    throttle(PERF_RECORD_UNTHROTTLE, 20'600'000);
    REQUIRE(bench.sink.losses.size() == 1);
    CHECK(bench.sink.losses[0] == etw::LossCount{etw::LossCause::SourceThrottled, 3, 8'000'000});
}

TEST_CASE("a lost event takes its stack with it, and both are counted", "[linux][translator]") {
    Bench bench;
    const auto sampleAt = [&](Ticks time) {
        bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClock, 1, 100, 100, time).chain({kUser, 1}));
    };
    sampleAt(10);
    bench.sink.refusals = 1;
    sampleAt(20);
    sampleAt(30);
    CHECK(bench.hooks() ==
          std::vector<std::uint16_t>{hook::kSampledProfile, hook::kStackWalk, hook::kSampledProfile, hook::kStackWalk});
    CHECK(bench.sink.events[2].time == 30);
    CHECK(bench.sink.lostEvents() == 2);
    CHECK(bench.sink.events.size() + bench.sink.lostEvents() == 6); // all that was produced
    // Only the stack itself is lost: its event stays.
    bench.sink.refuseHook = hook::kStackWalk;
    sampleAt(40);
    CHECK(bench.sink.events.back().hook == hook::kSampledProfile);
    CHECK(bench.sink.lostEvents() == 3);
}

TEST_CASE("records of unknown origin or too short change nothing", "[linux][translator]") {
    Bench bench;
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(99, 1, 100, 100, 10));
    bench.translate(RecordBuilder(PERF_RECORD_SAMPLE).put(1U).put(2U));
    bench.translate(RecordBuilder(PERF_RECORD_MMAP2).put(100U).trailer(1, 1, 20, kSideband));
    bench.translate(RecordBuilder(PERF_RECORD_EXIT).trailer(1, 1, 30, kSideband));
    bench.translate(RecordBuilder(1234).trailer(1, 1, 40, kSideband));
    CHECK(bench.sink.events.empty());
}

} // namespace tracedeck::linux_source
