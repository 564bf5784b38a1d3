// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/perf_ring.h"
#include "core/sources/linux/stack_pool.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/perf_memory.h"

namespace tracedeck::linux_source {

using test::RecordBuilder;
using test::RingMemory;

namespace {

constexpr std::uint64_t kClockId = 7;
constexpr std::uint64_t kSidebandId = 9;

RecordBuilder sampleAt(Ticks time) {
    return RecordBuilder(PERF_RECORD_SAMPLE).sample(kClockId, 0x1000, 5, 6, time).chain({1, 2});
}

RecordStream streamOf(RingMemory& memory) {
    RecordStream stream(PerfRing(memory.mapping()), 3);
    stream.addEvent(kClockId, Origin::Clock);
    stream.addEvent(kSidebandId, Origin::Sideband);
    return stream;
}

} // namespace

TEST_CASE("samples and other records say who, when and from which event", "[linux][ring]") {
    RingMemory memory(4096);
    RecordStream stream = streamOf(memory);
    memory.write(sampleAt(100));
    memory.write(RecordBuilder(PERF_RECORD_EXIT)
                     .put(1U)
                     .put(2U)
                     .put(3U)
                     .put(4U)
                     .put(Ticks{200})
                     .trailer(11, 12, 200, kSidebandId));
    stream.gather();
    REQUIRE(stream.pending() == 2);

    const Record sample = stream.take();
    CHECK(sample.processor == 3);
    CHECK(sample.origin == Origin::Clock);
    CHECK(sample.time == 100);
    CHECK(sample.processId == 5);
    CHECK(sample.threadId == 6);
    CHECK(sample.instructionPointer == 0x1000);
    const SampleBody body = SampleBody::of(sample, true, false);
    REQUIRE(body.chain.size() == 2);
    CHECK(body.chain[1] == 2);

    const Record exit = stream.take();
    CHECK(exit.type == PERF_RECORD_EXIT);
    CHECK(exit.origin == Origin::Sideband);
    CHECK(exit.time == 200);
    CHECK(exit.threadId == 12);
    CHECK(exit.at<std::uint32_t>(8) == 3);
    CHECK(exit.at<std::uint32_t>(4000) == 0);
    CHECK(stream.isEmpty());
}

TEST_CASE("a ring goes round, and records that lie across its end are whole", "[linux][ring]") {
    RingMemory memory(512);
    RecordStream stream = streamOf(memory);
    Ticks written = 0;
    Ticks read = 0;
    std::size_t refused = 0;
    while (read < 500) {
        while (memory.write(sampleAt(written + 1))) {
            ++written;
        }
        ++refused;
        stream.gather();
        while (!stream.isEmpty()) {
            const Record record = stream.take();
            ++read;
            REQUIRE(record.time == read);
            REQUIRE(SampleBody::of(record, true, false).chain.size() == 2);
            REQUIRE(SampleBody::of(record, true, false).chain[1] == 2);
        }
        stream.release();
        REQUIRE(memory.page().data_tail == memory.page().data_head);
    }
    CHECK(refused > 50); // it was full each time
    CHECK(stream.brokenBytes() == 0);
}

TEST_CASE("a record that was written before an earlier one is put in its place", "[linux][ring]") {
    RingMemory memory(4096);
    RecordStream stream = streamOf(memory);
    const std::size_t size = sampleAt(0).bytes().size();
    for (const Ticks time : {10, 30, 20, 40, 15}) {
        memory.write(sampleAt(time));
    }
    stream.gather();
    CHECK(stream.take().time == 10);
    CHECK(stream.take().time == 15);
    // 30 and 20 still lie before what was taken last: only the first record's place can be given back.
    stream.release();
    CHECK(memory.page().data_tail == size);
    CHECK(stream.take().time == 20);
    CHECK(stream.take().time == 30);
    memory.write(sampleAt(35));
    stream.gather();
    CHECK(stream.take().time == 35);
    CHECK(stream.take().time == 40);
    stream.release();
    CHECK(memory.page().data_tail == 6 * size);
}

TEST_CASE("rings are merged by time up to a watermark", "[linux][ring]") {
    RingMemory first(4096);
    RingMemory second(4096);
    std::vector<RecordStream> streams;
    streams.push_back(streamOf(first));
    streams.push_back(streamOf(second));
    RecordMerger merger(streams);
    for (const Ticks time : {1, 4, 5, 9}) {
        first.write(sampleAt(time));
    }
    for (const Ticks time : {2, 3, 8}) {
        second.write(sampleAt(time));
    }
    std::vector<Ticks> times;
    const auto takeUpTo = [&](Ticks watermark) {
        for (RecordStream& stream : streams) {
            stream.gather();
        }
        merger.takeUpTo(watermark, [&](const Record& record) { times.push_back(record.time); });
    };
    takeUpTo(5);
    CHECK(times == std::vector<Ticks>{1, 2, 3, 4, 5});
    second.write(sampleAt(7)); // late, but behind the watermark
    takeUpTo(100);
    CHECK(times == std::vector<Ticks>{1, 2, 3, 4, 5, 7, 8, 9});
}

TEST_CASE("bytes that are no record are counted and skipped", "[linux][ring]") {
    RingMemory memory(4096);
    RecordStream stream = streamOf(memory);
    memory.write(sampleAt(1));
    memory.write(std::vector<std::byte>(64)); // size 0
    stream.gather();
    CHECK(stream.pending() == 1);
    CHECK(stream.brokenBytes() == 64);
    memory.write(sampleAt(2));
    stream.gather();
    CHECK(stream.take().time == 1);
    CHECK(stream.take().time == 2);
}

TEST_CASE("a record that is shorter than it says gives nothing, and harms nothing", "[linux][ring]") {
    RingMemory memory(4096);
    RecordStream stream = streamOf(memory);
    memory.write(RecordBuilder(PERF_RECORD_SAMPLE).put(kClockId));
    memory.write(RecordBuilder(PERF_RECORD_SAMPLE).sample(kClockId, 1, 2, 3, 50).put(std::uint64_t{1'000'000}));
    stream.gather();
    CHECK(stream.take().origin == Origin::Unknown);
    CHECK(SampleBody::of(stream.take(), true, true).chain.empty());
}

TEST_CASE("chains lose their markers and keep their order", "[linux][stack]") {
    Frames frames;
    const std::uint64_t chain[] = {
        static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL), 0xffffffff81000010, 0xffffffff81000020,
        static_cast<std::uint64_t>(PERF_CONTEXT_USER),   0x400010,           0x400020};
    frames.assign(chain);
    CHECK(std::vector<std::uint64_t>(frames.view().begin(), frames.view().end()) ==
          std::vector<std::uint64_t>{0xffffffff81000010, 0xffffffff81000020, 0x400010, 0x400020});
    CHECK(frames.userCount == 2);
    const std::vector<std::uint64_t> deep(500, 0x1234);
    frames.assign(deep);
    CHECK(frames.count == etlformat::kMostStackFrames);
}

TEST_CASE("the stack pool gives slots again and takes the oldest when it is full", "[linux][stack]") {
    StackPool pool(2);
    std::int32_t a = -1;
    std::int32_t b = -1;
    std::int32_t c = -1;
    const std::uint64_t one[] = {1};
    const std::uint64_t two[] = {2, 3};
    pool.keep(a, one);
    pool.keep(b, two);
    CHECK(pool.frames(a)[0] == 1);
    CHECK(pool.frames(b).size() == 2);
    pool.forget(a);
    CHECK(a == -1);
    CHECK(pool.frames(a).empty());
    pool.keep(c, one);
    CHECK(pool.evicted() == 0);
    CHECK(pool.frames(b).size() == 2);
    pool.keep(a, two);
    CHECK(pool.evicted() == 1);
    CHECK((b == -1) != (c == -1));
    CHECK(pool.frames(a).size() == 2);
}

} // namespace tracedeck::linux_source
