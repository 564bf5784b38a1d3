// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/rundown.h"
#include "core/sources/linux/translator.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/memory_sink.h"
#include "tests/unit/linux/perf_memory.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

namespace tracedeck::linux_source {

using test::RecordBuilder;
using test::SinkEvent;
namespace hook = etlformat::hook;

namespace {

constexpr std::uint64_t kSideband = 1;
constexpr std::uint64_t kClock = 3;
constexpr std::uint64_t kSwitch = 4;
constexpr std::uint64_t kWaking = 5;

class FakeFacts final : public LiveFacts {
public:
    std::optional<ExecFacts> takeExec(std::uint32_t process, Ticks, const std::string&) override {
        const auto found = execs.find(process);
        return found == execs.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<std::int32_t> takeExit(std::uint32_t process, Ticks) override {
        const auto found = exits.find(process);
        return found == exits.end() ? std::nullopt : std::optional(found->second);
    }
    std::map<std::uint32_t, ExecFacts> execs;
    std::map<std::uint32_t, std::int32_t> exits;
};

TranslationPlan everything() {
    TranslationPlan plan;
    plan.hasProcesses = plan.hasThreads = plan.hasImages = true;
    plan.hasProfileStacks = plan.hasSwitchStacks = plan.hasWakingStacks = true;
    plan.switches.previousId = {0, 4, true};
    plan.switches.previousPrio = {4, 4, true};
    plan.switches.previousState = {8, 8, true};
    plan.switches.nextId = {16, 4, true};
    plan.switches.nextPrio = {20, 4, true};
    plan.waking.id = {0, 4, true};
    plan.waking.flags = {4, 1, false};
    plan.processors = 2;
    return plan;
}

/// A translator on processor 0 and what it wrote.
class Bench {
public:
    explicit Bench(bool keepsEnded = false, const std::string& procRoot = "/nonexistent")
        : proc(procRoot), table(keepsEnded), output(sink, 2),
          translator(everything(), table, output, facts, proc, clock) {
        Process shell;
        shell.id = 100;
        shell.parent = 1;
        shell.session = 100;
        shell.uid = 1000;
        shell.name = "sh";
        shell.commandLine = "sh -i";
        Image image;
        image.fileName = "/bin/sh";
        image.place = {0x400000, 0x1000, 0x400000};
        image.codeBegin = 0x400000;
        image.codeEnd = 0x401000;
        shell.images.push_back(image);
        table.addProcess(shell);
        addThread(100, 100);
        addThread(16, kSystemProcess);
    }
    void addThread(std::uint32_t tid, std::uint32_t process) {
        Thread thread;
        thread.id = tid;
        thread.process = process;
        table.addThread(thread);
    }
    void translate(const RecordBuilder& record) {
        memory.write(record);
        stream().gather();
        while (!stream().isEmpty()) {
            translator.translate(stream().take());
        }
        stream().release();
    }
    void task(std::uint32_t type, std::uint32_t pid, std::uint32_t ppid, std::uint32_t tid, std::uint32_t ptid,
              Ticks time) {
        translate(
            RecordBuilder(type).put(pid).put(ppid).put(tid).put(ptid).put(time).trailer(ppid, ptid, time, kSideband));
    }
    void exec(std::uint32_t pid, const char* name, Ticks time) {
        translate(RecordBuilder(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
                      .put(pid)
                      .put(pid)
                      .text(name)
                      .trailer(pid, pid, time, kSideband));
    }
    void map(std::uint32_t pid, std::uint64_t address, std::uint64_t length, std::uint64_t offset, const char* file,
             Ticks time) {
        translate(RecordBuilder(PERF_RECORD_MMAP2)
                      .put(pid)
                      .put(pid)
                      .put(address)
                      .put(length)
                      .put(offset)
                      .put(8U)
                      .put(1U)
                      .put(std::uint64_t{77})
                      .put(std::uint64_t{0})
                      .put(5U)
                      .put(2U)
                      .text(file)
                      .trailer(pid, pid, time, kSideband));
    }
    void switchTo(std::uint32_t from, std::uint32_t to, std::int64_t state, Ticks time,
                  const std::vector<std::uint64_t>& chain) {
        std::vector<std::byte> raw(24);
        const auto put = [&](std::size_t at, auto value) { std::memcpy(raw.data() + at, &value, sizeof(value)); };
        put(0, from);
        put(4, 120);
        put(8, state);
        put(16, to);
        put(20, 100);
        translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kSwitch, 0, from, from, time).chain(chain).raw(raw));
    }
    std::vector<std::uint16_t> hooks() const {
        std::vector<std::uint16_t> all;
        for (const SinkEvent& event : sink.events) {
            all.push_back(event.hook);
        }
        return all;
    }

    test::MemorySink sink;
    test::ManualClock clock;
    ProcFiles proc;
    FakeFacts facts;
    ProcessTable table;
    EventOutput output;
    Translator translator;
    test::RingMemory memory{65536};

private:
    RecordStream& stream() {
        if (!m_stream) {
            m_stream.emplace(PerfRing(memory.mapping()), 0);
            m_stream->addEvent(kSideband, Origin::Sideband);
            m_stream->addEvent(kClock, Origin::Clock);
            m_stream->addEvent(kSwitch, Origin::Switch);
            m_stream->addEvent(kWaking, Origin::Waking);
        }
        return *m_stream;
    }
    std::optional<RecordStream> m_stream;
};

const std::uint64_t kUser = static_cast<std::uint64_t>(PERF_CONTEXT_USER);
const std::uint64_t kKernel = static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL);

} // namespace

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

TEST_CASE("a ring's table keeps what ended until the ring has forgotten it", "[linux][translator]") {
    Bench bench(true);
    bench.task(PERF_RECORD_FORK, 200, 100, 200, 100, 1000);
    bench.task(PERF_RECORD_EXIT, 200, 100, 200, 100, 2000);
    bench.map(100, 0x400000, 0x800, 0, "/opt/other", 2000);
    bench.translator.prune(3'000);
    REQUIRE(bench.table.endedProcesses().size() == 1);
    REQUIRE(bench.table.findProcess(100)->unloadedImages.size() == 1);
    CHECK(bench.table.findProcess(100)->images.size() == 1);
    bench.sink.oldestTime = 2001;
    bench.translator.prune(10'000'000'000);
    CHECK(bench.table.endedProcesses().empty());
    CHECK(bench.table.findProcess(100)->unloadedImages.empty());
    CHECK(bench.table.findThread(200) == nullptr);
}

TEST_CASE("a file's table forgets an image when it is unloaded", "[linux][translator]") {
    Bench bench;
    for (int i = 0; i < 100; ++i) { // two plug-ins that take turns at one address
        bench.map(100, 0x700000000000, 0x1000, 0, i % 2 == 0 ? "/opt/a.so" : "/opt/b.so", 10 + i);
    }
    CHECK(bench.table.findProcess(100)->images.size() == 2); // and the program itself
    CHECK(bench.table.findProcess(100)->unloadedImages.empty());
    CHECK(bench.sink.ofHook(hook::kImageUnload).size() == 99);
}

namespace {

std::string mapsLine(std::uint64_t begin, const char* file) {
    char line[200];
    std::snprintf(line, sizeof(line), "%" PRIx64 "-%" PRIx64 " r-xp 00000000 08:01 77 %s\n", begin, begin + 0x1000,
                  file);
    return line;
}

} // namespace

TEST_CASE("images that were unmapped without a word are found out before there are too many", "[linux][translator]") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("100"));
    const std::uint64_t last = 0x700000000000 + 5000ULL * 0x10000;
    // Of all plug-ins only the program and two are still there; another container may call the file anything.
    std::ofstream(folder.file("100/maps"))
        << mapsLine(0x400000, "/elsewhere/sh") << mapsLine(0x700000000000, "/opt/p") << mapsLine(last, "/opt/p");
    Bench bench(false, folder.path());
    std::size_t most = 0;
    for (std::uint64_t i = 0; i <= 5000; ++i) {
        bench.map(100, 0x700000000000 + i * 0x10000, 0x1000, 0, "/opt/p", static_cast<Ticks>(10 + i));
        most = std::max(most, bench.table.findProcess(100)->images.size());
    }
    CHECK(most == kManyImages);
    const auto loads = bench.sink.ofHook(hook::kImageLoad);
    const auto unloads = bench.sink.ofHook(hook::kImageUnload);
    CHECK(loads.size() == 5001);
    CHECK(loads.size() - unloads.size() == bench.table.findProcess(100)->images.size() - 1);
    const auto isKept = [&](std::uint64_t base) {
        return std::none_of(unloads.begin(), unloads.end(),
                            [&](const SinkEvent& unload) { return unload.at<std::uint64_t>(0) == base; });
    };
    CHECK(isKept(0x400000));
    CHECK(isKept(0x700000000000));
    CHECK(isKept(last));
    CHECK_FALSE(isKept(0x700000010000));
    CHECK(bench.sink.disorders == 0);
}

TEST_CASE("a process that hides its mappings is not filled without end", "[linux][translator]") {
    Bench bench;
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        bench.map(100, 0x700000000000 + i * 0x10000, 0x1000, 0, "[vdso]", static_cast<Ticks>(10 + i));
        most = std::max(most, bench.table.findProcess(100)->images.size());
    }
    CHECK(most == 16'384);
    CHECK(bench.sink.ofHook(hook::kImageLoad).size() - bench.sink.ofHook(hook::kImageUnload).size() == most - 1);
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

namespace {

/// The rundown of a bench's table.
std::vector<SinkEvent> rundownOf(Bench& bench, RundownKind kind) {
    RundownFacts facts;
    facts.hasProcesses = facts.hasThreads = facts.hasImages = true;
    facts.processors = {0};
    bench.sink.events.clear();
    writeRundown(kind, facts, bench.table, bench.output, 0, 1'000'000);
    return bench.sink.events;
}

std::size_t countOf(const std::vector<SinkEvent>& events, std::uint16_t hookId) {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const SinkEvent& event) { return event.hook == hookId; }));
}

} // namespace

TEST_CASE("only a ring's rundown names images that are unloaded, and those that are loaded after them",
          "[linux][rundown]") {
    Bench bench(true);
    bench.map(100, 0x400000, 0x800, 0, "/opt/other", 10); // over /bin/sh
    const auto imagesOf = [&](RundownKind kind) {
        std::vector<std::string> names;
        for (const SinkEvent& event : rundownOf(bench, kind)) {
            if (event.hook == hook::kImageDcStart || event.hook == hook::kImageDcEnd) {
                names.push_back(event.imageName());
            }
        }
        return names;
    };
    CHECK(imagesOf(RundownKind::Start) == std::vector<std::string>{"/opt/other"});
    CHECK(imagesOf(RundownKind::End) == std::vector<std::string>{"/opt/other"});
    CHECK(imagesOf(RundownKind::Ring) == std::vector<std::string>{"/bin/sh", "/opt/other"});
}

TEST_CASE("what has ended does not take the ids of what lives in a ring's rundown", "[linux][rundown]") {
    Bench bench(true);
    bench.task(PERF_RECORD_FORK, 200, 100, 200, 100, 1000);
    bench.task(PERF_RECORD_FORK, 100, 100, 201, 100, 1100); // a thread
    bench.task(PERF_RECORD_EXIT, 100, 100, 201, 100, 1200);
    bench.task(PERF_RECORD_EXIT, 200, 100, 200, 100, 2000);
    bench.task(PERF_RECORD_FORK, 300, 100, 300, 100, 2500);
    bench.task(PERF_RECORD_FORK, 200, 300, 200, 300, 3000); // both ids again, of others
    bench.task(PERF_RECORD_FORK, 300, 300, 201, 300, 3100);
    const auto events = rundownOf(bench, RundownKind::Ring);
    CHECK(countOf(events, hook::kProcessDefunct) == 1);
    // Idle's, 100 and the kernel's 16, 200, 201, 300: each once, as it lives.
    CHECK(countOf(events, hook::kThreadDcStart) == 6);
    std::uint32_t parentOf200 = 0;
    std::uint32_t processOf201 = 0;
    for (const SinkEvent& event : events) { // the last word counts
        if (event.hook == hook::kProcessDcStart || event.hook == hook::kProcessDefunct) {
            parentOf200 = event.at<std::uint32_t>(8) == 200 ? event.at<std::uint32_t>(12) : parentOf200;
        } else if (event.hook == hook::kThreadDcStart) {
            processOf201 = event.at<std::uint32_t>(4) == 201 ? event.at<std::uint32_t>(0) : processOf201;
        }
    }
    CHECK(parentOf200 == 300);
    CHECK(processOf201 == 300);
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
