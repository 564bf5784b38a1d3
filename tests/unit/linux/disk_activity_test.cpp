// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/disk_activity.h"
#include "core/sources/linux/mounts.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/activity_bench.h"

#include <cstring>
#include <string>

namespace tracedeck::linux_source {
namespace {

using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

constexpr std::uint32_t kDisk = kernelDevice(254, 0);
constexpr std::uint32_t kOther = kernelDevice(8, 16);
constexpr std::size_t kRawSize = 64;

/// As Linux 5.10 and Linux 6.18 have them; the parts that are read.
enum class Kernel { Old, New };

TracepointFormat formatOf(Kernel kernel, bool hasBytes) {
    std::string text = "ID: 7\n"
                       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                       "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
                       "\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
                       "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n";
    if (hasBytes) {
        text += "\tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;\n";
    } else {
        text += "\tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n";
    }
    text += kernel == Kernel::Old ? "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n"
                                  : "\tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;\n"
                                    "\tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n";
    return *TracepointFormat::parse(text);
}

enum Point : std::size_t { kStart, kIssue, kFrontMerge, kComplete };

class Bench final : public test::ActivityBench {
public:
    explicit Bench(Kernel kernel = Kernel::New, bool hasEnds = true, bool hasInits = true,
                   std::vector<std::uint16_t> stackHooks = {})
        : m_kernel(kernel) {
        m_formats = {kernel == Kernel::Old ? std::nullopt : std::optional(formatOf(kernel, true)),
                     formatOf(kernel, true), formatOf(kernel, false), formatOf(kernel, false)};
        const ActivityKind kind = diskActivityKind();
        REQUIRE(kind.check(m_formats));
        ActivityWish wish;
        if (hasEnds) {
            wish.groups.set(group::kDiskIo);
        }
        if (hasInits) {
            wish.groups.set(group::kDiskIoInit);
        }
        wish.stackHooks = std::move(stackHooks);
        wish.disks.disks = {{kOther, {}}, {kDisk, {}}};
        m_activity = kind.make(m_formats, wish, *this);
    }

    void at(Point point, Ticks time, std::uint32_t thread, const std::string& rwbs, std::uint64_t sector,
            std::uint32_t sectors, std::uint32_t device = kDisk, std::uint16_t ioprio = 0x4004) {
        std::vector<std::byte> raw(kRawSize);
        const auto put = [&](std::size_t offset, auto value) {
            std::memcpy(raw.data() + offset, &value, sizeof(value));
        };
        put(8, device);
        put(16, sector);
        put(24, sectors);
        put(28, point == kStart || point == kIssue ? sectors * 512 : 0U);
        std::size_t text = 32;
        if (m_kernel == Kernel::New) {
            put(32, ioprio);
            text = 34;
        }
        std::memcpy(raw.data() + text, rwbs.data(), rwbs.size());
        Record record;
        record.processor = point == kComplete ? 1 : 0;
        record.processId = thread;
        record.threadId = thread;
        record.time = time;
        m_activity->translate(record, {m_chain, raw}, point);
    }
    void breakOff() { m_activity->breakOff(); }

private:
    Kernel m_kernel;
    std::vector<std::optional<TracepointFormat>> m_formats;
    std::vector<std::uint64_t> m_chain{0xA1, 0xA2};
    std::unique_ptr<Activity> m_activity;
};

using Hooks = std::vector<std::uint16_t>;

std::uint64_t responseOf(const SinkEvent& event) {
    return event.at<std::uint64_t>(event.hook == hook::kDiskFlush ? 8 : 40);
}

} // namespace

TEST_CASE("a transfer has the thread that asked, where it was and how long it took", "[linux][disk]") {
    const bool isRead = GENERATE(true, false);
    Bench bench;
    bench.at(kStart, 1000, 70, isRead ? "R" : "WS", 2048, 16);
    bench.at(kIssue, 1500, 9, isRead ? "R" : "WS", 2048, 16);
    bench.at(kComplete, 9000, 0, isRead ? "R" : "WS", 2048, 16);
    REQUIRE(bench.hooks() ==
            (isRead ? Hooks{hook::kDiskReadInit, hook::kDiskRead} : Hooks{hook::kDiskWriteInit, hook::kDiskWrite}));
    const SinkEvent& init = bench.sink.events[0];
    CHECK(init.hasThread);
    CHECK(init.threadId == 70);
    CHECK(init.version == 3);
    CHECK(init.payload.size() == 12);
    CHECK(init.at<std::uint32_t>(8) == 70);
    const SinkEvent& end = bench.sink.events[1];
    CHECK_FALSE(end.hasThread);
    CHECK(end.processor == 1);
    CHECK(end.version == 3);
    CHECK(end.payload.size() == 52);
    CHECK(end.at<std::uint32_t>(0) == 1); // the second disk
    CHECK(end.at<std::uint32_t>(4) == (isRead ? 0x60001U : 0x60005U));
    CHECK(end.at<std::uint32_t>(8) == 16 * 512);
    CHECK(end.at<std::uint64_t>(16) == 2048 * 512);
    CHECK(end.at<std::uint64_t>(24) == 0);
    CHECK(end.at<std::uint64_t>(32) == init.at<std::uint64_t>(0));
    CHECK(responseOf(end) == 8000);
    CHECK(end.at<std::uint32_t>(48) == 70);
}

TEST_CASE("a request that others were joined to is one transfer of all of it", "[linux][disk]") {
    Bench bench;
    bench.at(kStart, 100, 70, "W", 1000, 8);
    bench.at(kFrontMerge, 150, 70, "W", 992, 8);
    bench.at(kIssue, 200, 70, "W", 992, 24); // another one was joined behind it
    bench.at(kComplete, 300, 0, "W", 992, 24);
    REQUIRE(bench.hooks() == Hooks{hook::kDiskWriteInit, hook::kDiskWrite});
    const SinkEvent& end = bench.sink.events[1];
    CHECK(end.at<std::uint32_t>(4) == 0x60003); // the kernel writes it back of itself
    CHECK(end.at<std::uint32_t>(8) == 24 * 512);
    CHECK(end.at<std::uint64_t>(16) == 992 * 512);
    CHECK(responseOf(end) == 200);
    CHECK(end.at<std::uint32_t>(48) == 70);
}

TEST_CASE("a request that ends in parts is one transfer, at its last part", "[linux][disk]") {
    Bench bench;
    bench.at(kStart, 100, 70, "RA", 1000, 24);
    bench.at(kIssue, 200, 70, "RA", 1000, 24);
    bench.at(kComplete, 300, 0, "RA", 1000, 8);
    CHECK(bench.sink.ofHook(hook::kDiskRead).empty());
    bench.at(kComplete, 400, 0, "RA", 1008, 16);
    const auto ends = bench.sink.ofHook(hook::kDiskRead);
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].at<std::uint32_t>(4) == 0x60003); // read ahead
    CHECK(ends[0].at<std::uint32_t>(8) == 24 * 512);
    CHECK(ends[0].at<std::uint64_t>(16) == 1000 * 512);
    CHECK(responseOf(ends[0]) == 300);
}

TEST_CASE("threads that wait for a flush share it; one that comes while it is done waits for the next",
          "[linux][disk]") {
    Bench bench;
    bench.at(kStart, 100, 70, "FWS", 0, 0);
    bench.at(kStart, 110, 71, "FWS", 0, 0);
    bench.at(kIssue, 120, 9, "FF", 0, 0);
    bench.at(kStart, 130, 72, "FWS", 0, 0);
    bench.at(kComplete, 500, 0, "FF", ~std::uint64_t{0}, 0);
    bench.at(kIssue, 510, 9, "FF", 0, 0);
    bench.at(kComplete, 900, 0, "FF", ~std::uint64_t{0}, 0);
    REQUIRE(bench.hooks() == Hooks{hook::kDiskFlushInit, hook::kDiskFlushInit, hook::kDiskFlush, hook::kDiskFlush});
    const auto ends = bench.sink.ofHook(hook::kDiskFlush);
    CHECK(ends[0].payload.size() == 28);
    CHECK(ends[0].at<std::uint32_t>(0) == 1);
    CHECK(ends[0].at<std::uint32_t>(4) == 0x60000);
    CHECK(responseOf(ends[0]) == 400);
    CHECK(ends[0].at<std::uint64_t>(16) == bench.sink.events[0].at<std::uint64_t>(0));
    CHECK(ends[0].at<std::uint32_t>(24) == 70);
    CHECK(responseOf(ends[1]) == 770);
    CHECK(ends[1].at<std::uint32_t>(24) == 72);
}

TEST_CASE("a flush ahead of a write is one of its own", "[linux][disk]") {
    Bench bench;
    bench.at(kStart, 100, 70, "FWFS", 640, 8);
    bench.at(kIssue, 110, 9, "FF", 0, 0); // nobody but the write asked for it
    bench.at(kComplete, 200, 0, "FF", ~std::uint64_t{0}, 0);
    bench.at(kIssue, 210, 9, "FWFS", 640, 8);
    bench.at(kComplete, 300, 0, "FWFS", 640, 8);
    CHECK(bench.hooks() == Hooks{hook::kDiskWriteInit, hook::kDiskFlushInit, hook::kDiskFlush, hook::kDiskWrite});
    CHECK(bench.sink.ofHook(hook::kDiskFlush)[0].at<std::uint32_t>(24) == 9);
    CHECK(responseOf(bench.sink.ofHook(hook::kDiskWrite)[0]) == 200);
}

TEST_CASE("before Linux 6.5 a request begins when it goes to the device", "[linux][disk]") {
    Bench bench(Kernel::Old);
    bench.at(kIssue, 200, 70, "R", 64, 8);
    bench.at(kIssue, 200, 71, "R", 64, 8, kOther);
    bench.at(kComplete, 300, 0, "R", 64, 8);
    bench.at(kComplete, 450, 0, "R", 64, 8, kOther);
    REQUIRE(bench.hooks() == Hooks{hook::kDiskReadInit, hook::kDiskReadInit, hook::kDiskRead, hook::kDiskRead});
    CHECK(responseOf(bench.sink.events[2]) == 100);
    CHECK(responseOf(bench.sink.events[3]) == 250);
    CHECK(bench.sink.events[3].at<std::uint32_t>(0) == 0);
    CHECK(bench.sink.events[3].at<std::uint32_t>(48) == 71);
}

TEST_CASE("what was under way before anybody looked ends with no time and no thread", "[linux][disk]") {
    Bench bench;
    SECTION("at the start") {
        bench.at(kComplete, 300, 0, "R", 64, 8);
    }
    SECTION("after a gap") {
        bench.at(kStart, 100, 70, "R", 64, 8);
        bench.breakOff();
        bench.at(kComplete, 300, 0, "R", 64, 8);
    }
    const auto ends = bench.sink.ofHook(hook::kDiskRead);
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].at<std::uint32_t>(8) == 8 * 512);
    CHECK(responseOf(ends[0]) == 0);
    CHECK(ends[0].at<std::uint32_t>(48) == 0xFFFFFFFF);
}

TEST_CASE("an end that was lost does not give its thread and time to the next request there", "[linux][disk]") {
    Bench bench;
    bench.at(kStart, 100, 70, "R", 64, 8);
    bench.at(kIssue, 110, 70, "R", 64, 8);
    bench.at(kStart, 5000, 71, "R", 64, 16);
    bench.at(kIssue, 5010, 71, "R", 64, 16);
    bench.at(kComplete, 5100, 0, "R", 64, 16);
    const auto ends = bench.sink.ofHook(hook::kDiskRead);
    REQUIRE(ends.size() == 1);
    CHECK(responseOf(ends[0]) == 100);
    CHECK(ends[0].at<std::uint32_t>(48) == 71);
}

TEST_CASE("discards and commands are no transfers; a request that is tried again is one", "[linux][disk]") {
    Bench bench;
    for (const char* other : {"D", "DE", "N", "", "DS"}) {
        bench.at(kStart, 100, 70, other, 64, 8);
        bench.at(kIssue, 110, 70, other, 64, 8);
        bench.at(kComplete, 120, 0, other, 64, 8);
    }
    CHECK(bench.hooks().empty());
    bench.at(kStart, 100, 70, "R", 64, 8);
    bench.at(kIssue, 110, 70, "R", 64, 8);
    bench.at(kIssue, 150, 9, "R", 64, 8);
    bench.at(kComplete, 200, 0, "R", 64, 8);
    REQUIRE(bench.hooks() == Hooks{hook::kDiskReadInit, hook::kDiskRead});
    CHECK(responseOf(bench.sink.events[1]) == 100);
}

TEST_CASE("what is wanted of a disk is what is written", "[linux][disk]") {
    const bool hasEnds = GENERATE(true, false);
    Bench bench(Kernel::New, hasEnds, !hasEnds, {hook::kDiskReadInit});
    bench.at(kStart, 100, 70, "R", 64, 8);
    bench.at(kStart, 110, 70, "W", 96, 8);
    bench.at(kComplete, 200, 0, "R", 64, 8);
    if (hasEnds) {
        CHECK(bench.hooks() == Hooks{hook::kDiskRead});
        return;
    }
    REQUIRE(bench.hooks() == Hooks{hook::kDiskReadInit, hook::kStackWalk, hook::kDiskWriteInit});
    CHECK(bench.sink.events[1].at<Ticks>(0) == bench.sink.events[0].time);
    CHECK(bench.sink.events[1].at<std::uint32_t>(12) == 70);
}

TEST_CASE("priorities are those of the request, disks without a number get the next one", "[linux][disk]") {
    Bench bench;
    const std::uint32_t plugged = kernelDevice(8, 32);
    for (const auto& [ioprio, flags] : {std::pair{std::uint16_t{0x2000}, 0x80001U},
                                        {std::uint16_t{0x6000}, 0x20001U},
                                        {std::uint16_t{0}, 0x60001U}}) {
        bench.at(kStart, 100, 70, "R", 64, 8, plugged, ioprio);
        bench.at(kComplete, 200, 0, "R", 64, 8, plugged, ioprio);
        const auto end = bench.sink.ofHook(hook::kDiskRead).back();
        CHECK(end.at<std::uint32_t>(4) == flags);
        CHECK(end.at<std::uint32_t>(0) == 2);
    }
}

TEST_CASE("far more requests than are kept under way cost time and thread of the oldest alone", "[linux][disk]") {
    Bench bench;
    constexpr std::uint64_t kMany = 60'000;
    for (std::uint64_t i = 0; i < kMany; ++i) {
        bench.at(kStart, static_cast<Ticks>(100 + i), 70, "R", i * 8, 8);
    }
    for (std::uint64_t i = 0; i < kMany; ++i) {
        bench.at(kComplete, static_cast<Ticks>(1'000'000 + i), 0, "R", i * 8, 8);
    }
    const auto ends = bench.sink.ofHook(hook::kDiskRead);
    REQUIRE(ends.size() == kMany);
    CHECK(responseOf(ends.back()) == 1'000'000 - 100);
    CHECK(std::all_of(ends.begin(), ends.end(), [](const SinkEvent& end) {
        return responseOf(end) == (end.at<std::uint32_t>(48) == 70 ? 1'000'000U - 100U : 0U);
    }));
    CHECK(std::count_if(ends.begin(), ends.end(), [](const SinkEvent& end) { return responseOf(end) != 0; }) > 10'000);
}

TEST_CASE("a block tracepoint without what is needed is refused", "[linux][disk]") {
    const ActivityKind kind = diskActivityKind();
    std::vector<std::optional<TracepointFormat>> formats(4);
    formats[kIssue] = formatOf(Kernel::New, true);
    formats[kComplete] = formatOf(Kernel::New, false);
    CHECK(kind.check(formats));
    const char* const missing = GENERATE("dev", "sector", "nr_sector", "bytes", "rwbs");
    std::erase_if(formats[kIssue]->fields, [&](const auto& field) { return field.name == missing; });
    CHECK_FALSE(kind.check(formats));
}

} // namespace tracedeck::linux_source
