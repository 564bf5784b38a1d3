// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/interrupt_activity.h"
#include "core/sources/linux/interrupts.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/activity_bench.h"
#include "tests/unit/linux/fake_machine.h"

#include <cstring>

namespace tracedeck::linux_source {
namespace {

using test::SinkEvent;
namespace hook = etlformat::hook;

enum Point : std::size_t { kEntry, kExit };

TracepointFormat formatOf(const std::string& number) {
    return *TracepointFormat::parse("ID: 7\n\tfield:int " + number +
                                    ";\toffset:8;\tsize:4;\tsigned:1;\n"
                                    "\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n");
}

class Bench : public test::ActivityBench {
public:
    Bench(const ActivityKind& kind, const std::string& number, std::vector<std::uint64_t> functions = {}) {
        const std::vector<std::optional<TracepointFormat>> formats{formatOf(number), formatOf(number)};
        REQUIRE(kind.check(formats));
        ActivityWish wish;
        wish.functions = std::move(functions);
        m_activity = kind.make(formats, wish, *this);
    }
    void at(Point point, Ticks time, std::int32_t number, std::int32_t result = 1, std::uint32_t processor = 0) {
        std::byte raw[16] = {};
        std::memcpy(raw + 8, &number, 4);
        std::memcpy(raw + 12, &result, 4);
        Record record;
        record.processor = processor;
        record.time = time;
        m_activity->translate(record, {{}, raw}, point);
    }
    void breakOff() { m_activity->breakOff(); }

private:
    std::unique_ptr<Activity> m_activity;
};

} // namespace

TEST_CASE("an interrupt's handler is one event when it returns, with when it was called", "[linux][interrupt]") {
    Bench bench(interruptActivityKind(), "irq");
    bench.at(kEntry, 100, 36);
    bench.at(kEntry, 110, 24, 0, 1); // another processor
    bench.at(kExit, 120, 36);
    bench.at(kExit, 150, 24, 0, 1); // not its device's
    REQUIRE(bench.hooks() == std::vector<std::uint16_t>{hook::kInterrupt, hook::kInterrupt});
    const SinkEvent& first = bench.sink.events[0];
    CHECK_FALSE(first.hasThread);
    CHECK(first.version == 2);
    CHECK(first.payload.size() == 20);
    CHECK(first.time == 120);
    CHECK(first.at<Ticks>(0) == 100);
    CHECK(first.at<std::uint8_t>(16) == 1);
    CHECK(first.at<std::uint16_t>(17) == 36);
    CHECK(bench.sink.events[1].processor == 1);
    CHECK(bench.sink.events[1].at<Ticks>(0) == 110);
    CHECK(bench.sink.events[1].at<std::uint8_t>(16) == 0);
    CHECK(bench.sink.events[1].at<std::uint16_t>(17) == 24);
}

TEST_CASE("an end without a beginning is no event, one that was lost takes nothing from others", "[linux][interrupt]") {
    Bench bench(interruptActivityKind(), "irq");
    bench.at(kExit, 50, 36); // it was running when the recording began
    CHECK(bench.hooks().empty());
    bench.at(kEntry, 100, 36); // its exit was lost
    bench.at(kEntry, 200, 37);
    bench.at(kExit, 210, 37);
    bench.at(kEntry, 300, 36);
    bench.breakOff();
    bench.at(kExit, 310, 36);
    REQUIRE(bench.hooks().size() == 1);
    CHECK(bench.sink.events[0].at<Ticks>(0) == 200);
    for (int i = 0; i < 10; ++i) { // more beginnings than there is room for
        bench.at(kEntry, 400 + i, 40 + i);
    }
    bench.at(kExit, 500, 49);
    REQUIRE(bench.hooks().size() == 2);
    CHECK(bench.sink.events[1].at<Ticks>(0) == 409);
}

TEST_CASE("deferred work is a DPC with the kernel's function for it, timers are TimerDPCs", "[linux][interrupt]") {
    std::vector<std::uint64_t> functions(dpcActivityKind().functions.size());
    for (std::size_t i = 0; i < functions.size(); ++i) {
        functions[i] = 0xffffffff81000000 + i;
    }
    Bench bench(dpcActivityKind(), "vec", functions);
    bench.at(kEntry, 100, 3);
    bench.at(kExit, 180, 3);
    bench.at(kEntry, 200, 1);
    bench.at(kExit, 210, 1);
    bench.at(kEntry, 220, 12); // a kind that is not known
    bench.at(kExit, 230, 12);
    REQUIRE(bench.hooks() == std::vector<std::uint16_t>{hook::kDpc, hook::kTimerDpc, hook::kDpc});
    CHECK(bench.sink.events[0].payload.size() == 16);
    CHECK(bench.sink.events[0].version == 2);
    CHECK(bench.sink.events[0].at<Ticks>(0) == 100);
    CHECK(bench.sink.events[0].time == 180);
    CHECK(bench.sink.events[0].at<std::uint64_t>(8) == 0xffffffff81000003);
    CHECK(bench.sink.events[1].at<std::uint64_t>(8) == 0xffffffff81000001);
    CHECK(bench.sink.events[2].at<std::uint64_t>(8) == 0);
}

TEST_CASE("the scheduler's balancing has its older name before Linux 6.10", "[linux][interrupt]") {
    std::vector<std::uint64_t> functions(dpcActivityKind().functions.size());
    functions.back() = 0xffffffff81234567;
    REQUIRE(dpcActivityKind().functions.back() == "run_rebalance_domains");
    Bench bench(dpcActivityKind(), "vec", functions);
    bench.at(kEntry, 100, 7);
    bench.at(kExit, 180, 7);
    REQUIRE(bench.hooks().size() == 1);
    CHECK(bench.sink.events[0].at<std::uint64_t>(8) == 0xffffffff81234567);
}

TEST_CASE("interrupt tracepoints without what is needed are refused", "[linux][interrupt]") {
    const std::vector<std::optional<TracepointFormat>> other{formatOf("number"), formatOf("number")};
    CHECK_FALSE(interruptActivityKind().check(other));
    CHECK_FALSE(dpcActivityKind().check(other));
}

TEST_CASE("interrupts that are handled have their devices' names", "[linux][interrupt]") {
    test::FakeMachine machine;
    machine.write("sys/kernel/irq/36/actions", "virtio1-req.0\n");
    machine.write("proc/irq/36/smp_affinity", "00000001,80000003\n");
    machine.write("sys/kernel/irq/9/actions", "acpi,gpio\n");
    machine.write("sys/kernel/irq/10/actions", "\n");
    const auto interrupts = readInterrupts(machine.roots());
    REQUIRE(interrupts.size() == 2);
    CHECK(interrupts[0].number == 9);
    CHECK(interrupts[0].device == "acpi,gpio");
    CHECK(interrupts[0].affinity == 0);
    CHECK(interrupts[1].number == 36);
    CHECK(interrupts[1].device == "virtio1-req.0");
    CHECK(interrupts[1].affinity == 0x0000000180000003);
    const auto bytes = etlformat::encodeConfigIrq(interrupts[0]);
    CHECK(bytes.size() == 20 + 2 * 10);
    CHECK(bytes[16] == std::byte{10});
}

} // namespace tracedeck::linux_source
