// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/session_rules.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

using namespace tracedeck;
using namespace tracedeck::etw::engine;

namespace {

constexpr std::uint32_t kEventSize = 1000; // four to a buffer of 4 KiB

/// A ring of one processor, written to by one thread with a clock that counts events.
struct Ring {
    explicit Ring(std::uint32_t buffers) { REQUIRE(pool.grow(buffers)); }
    /// Fills `buffers` buffers.
    void fill(std::uint32_t buffers) {
        for (std::uint32_t i = 0; i < 4 * buffers; ++i) {
            REQUIRE(BufferPool::Outcome::Written == pool.write(
                                                        0, kEventSize, [this] { return ++time; },
                                                        [](std::byte* place, Ticks at) {
                                                            std::memset(place, 0, kEventSize);
                                                            std::memcpy(place, &at, sizeof at);
                                                        }));
        }
    }
    std::vector<std::uint32_t> sequences(bool isBeforeHole = false) {
        std::vector<std::uint32_t> found;
        for (const BufferPool::FullBuffer& full : pool.fullBuffers()) {
            if (full.isBeforeHole == isBeforeHole) {
                found.push_back(full.sequence);
            }
        }
        return found;
    }

    BufferPool pool{{1, 4096, true}};
    Ticks time = 0;
};
using Sequences = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("A ring overwrites its oldest buffer", "[engine][pool]") {
    Ring ring(6);
    ring.fill(10);
    CHECK(ring.sequences() == Sequences{5, 6, 7, 8, 9}); // 10 is current
    CHECK(ring.pool.overwrittenEvents() == 16);
}

TEST_CASE("A buffer that somebody is inside of stays the oldest and goes first afterwards", "[engine][pool]") {
    Ring ring(6);
    ring.fill(6);
    const auto pinned = ring.pool.fullBuffers().front();
    REQUIRE(pinned.sequence == 1);
    ring.pool.buffer(pinned.index).references.fetch_add(1); // a preempted writer
    ring.fill(3);
    CHECK(ring.sequences() == Sequences{5, 6, 7, 8});
    CHECK(ring.sequences(true) == Sequences{1}); // older than what was overwritten meanwhile
    std::vector<std::byte> copy(4096);
    ring.pool.buffer(pinned.index).references.fetch_sub(1);
    CHECK(ring.pool.copy(pinned, copy) != 0); // it is still whole
    ring.fill(1);
    CHECK(ring.sequences() == Sequences{5, 6, 7, 8, 9});
    CHECK(ring.sequences(true).empty());
    CHECK(ring.pool.copy(pinned, copy) == 0);
    // Nothing is out of step afterwards, and every event is accounted for.
    ring.fill(10);
    CHECK(ring.sequences() == Sequences{15, 16, 17, 18, 19});
    CHECK(ring.pool.accepted().events == ring.pool.overwrittenEvents() + 6 * 4);
}

TEST_CASE("Of several buffers that were held the oldest goes first", "[engine][pool]") {
    Ring ring(8);
    ring.fill(8);
    const auto full = ring.pool.fullBuffers();
    for (std::size_t i = 0; i < 3; ++i) {
        ring.pool.buffer(full[i].index).references.fetch_add(1);
    }
    ring.fill(1); // takes 4, parks 1, 2 and 3
    CHECK(ring.sequences(true) == Sequences{1, 2, 3});
    for (std::size_t i = 3; i-- > 0;) {
        ring.pool.buffer(full[i].index).references.fetch_sub(1);
    }
    ring.fill(1);
    CHECK(ring.sequences(true) == Sequences{2, 3});
    ring.fill(2);
    CHECK(ring.sequences() == Sequences{5, 6, 7, 8, 9, 10, 11});
}

TEST_CASE("A ring whose buffers are all held loses events and nothing else", "[engine][pool]") {
    Ring ring(12); // more than there are places to park
    ring.fill(12);
    const auto full = ring.pool.fullBuffers();
    for (const auto& each : full) {
        ring.pool.buffer(each.index).references.fetch_add(1);
    }
    CHECK(BufferPool::Outcome::NoBuffer == ring.pool.write(
                                               0, kEventSize, [&] { return ++ring.time; }, [](std::byte*, Ticks) {}));
    for (const auto& each : full) {
        ring.pool.buffer(each.index).references.fetch_sub(1);
    }
    ring.fill(12);
    ring.fill(12);
    CHECK(ring.pool.accepted().events == 36 * 4);
    CHECK(ring.pool.overwrittenEvents() == 24 * 4 + 0);
}

TEST_CASE("A budget ends a pool's buffers, whatever is free", "[engine][pool]") {
    BufferPool pool({1, 4096, false});
    REQUIRE(pool.grow(10));
    pool.limitTo(3);
    std::uint32_t accepted = 0;
    const auto write = [&] {
        return pool.write(
            0, kEventSize, [] { return 1; }, [](std::byte*, Ticks) {});
    };
    while (write() == BufferPool::Outcome::Written) {
        ++accepted;
    }
    CHECK(write() == BufferPool::Outcome::BudgetSpent);
    CHECK(accepted == 3 * 4);
    CHECK(pool.isSpent());
    CHECK(pool.freeBuffers() == 7);
}

TEST_CASE("Writers that meet at a budget's end lose nothing to one another", "[engine][pool]") {
    constexpr int kWriters = 4;
    for (int round = 0; round < 500; ++round) {
        BufferPool pool({1, 4096, false});
        REQUIRE(pool.grow(8));
        pool.limitTo(3);
        std::atomic<int> ready{0};
        std::atomic<std::uint32_t> accepted{0};
        std::atomic<std::uint32_t> withoutBuffer{0};
        std::vector<std::thread> writers;
        for (int i = 0; i < kWriters; ++i) {
            writers.emplace_back([&] {
                ++ready;
                while (ready < kWriters) {
                }
                BufferPool::Outcome outcome = BufferPool::Outcome::Written;
                while (outcome == BufferPool::Outcome::Written) {
                    outcome = pool.write(
                        0, kEventSize, [] { return 1; }, [](std::byte*, Ticks) {});
                    accepted += outcome == BufferPool::Outcome::Written ? 1U : 0U;
                }
                withoutBuffer += outcome == BufferPool::Outcome::NoBuffer ? 1U : 0U;
            });
        }
        for (std::thread& writer : writers) {
            writer.join();
        }
        CHECK(withoutBuffer == 0);
        CHECK(accepted >= 2 * 4); // the last buffer may have been in a writer's hand when the others looked
        CHECK(accepted <= 3 * 4);
    }
}

TEST_CASE("Buffers are held to half of the machine and to what is available", "[engine][rules]") {
    etw::SessionConfig config;
    config.name = "rules";
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 1024;
    config.minimumBuffers = 4000;
    const auto buffersOn = [&](const Machine& machine) {
        const auto checked = checkedConfig(config, machine);
        REQUIRE(checked.has_value());
        return checked->minimumBuffers;
    };
    CHECK(buffersOn({2, {}, {}}) == 4000);
    CHECK(buffersOn({2, mib(4096), {}}) == 2048);
    CHECK(buffersOn({2, mib(4096), mib(1128)}) == 1000); // a reserve of 128 MiB
    CHECK(buffersOn({2, mib(4096), mib(4000)}) == 2048);
    CHECK(buffersOn({2, {}, mib(100)}) == 4); // two per processor, come what may
}
