// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/buffer_pool.h"
#include "tests/engine/engine_fixture.h"
#include "tests/engine/numbered_events.h"

#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

constexpr int kThreads = 16;
constexpr std::uint32_t kEventsPerThread = 20000;

/// Moves the calling thread to the given one of the processors that it may run on.
bool moveTo(const std::vector<int>& processors, std::size_t which) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(processors[which % processors.size()]), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::vector<int> allowedProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return {0};
    }
    std::vector<int> processors;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(static_cast<std::size_t>(i), &set)) {
            processors.push_back(i);
        }
    }
    return processors;
}

/// Threads that move from processor to processor while they write numbered events of different sizes. How often they
/// could not move.
int hammer(etw::EventWriter& writer) {
    const std::vector<int> processors = allowedProcessors();
    std::atomic<int> ready{0};
    std::atomic<int> failedMoves{0}; // assertions are for the test's own thread
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            ++ready;
            while (ready < kThreads) {
                std::this_thread::yield();
            }
            for (std::uint32_t number = 0; number < kEventsPerThread; ++number) {
                if (number % 64 == 0 && !moveTo(processors, static_cast<std::size_t>(i) + number / 64)) {
                    ++failedMoves;
                }
                writeNumbered(writer, {static_cast<std::uint32_t>(i), number});
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return failedMoves;
}

/// Every event of the file is whole, and a thread's events on one processor are in the order in which it wrote them.
void checkContents(const RawEtl& etl) {
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::int64_t> last;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
    bool isInOrder = true;
    bool isWhole = true;
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        for (const RawEvent& event : etl.buffers[i].events) {
            const auto numbered = readNumbered(event);
            isWhole = isWhole && numbered && numbered->thread < kThreads;
            if (!numbered) {
                continue;
            }
            std::int64_t& before =
                last.try_emplace({etl.buffers[i].header.processorIndex, numbered->thread}, -1).first->second;
            isInOrder = isInOrder && numbered->number > before;
            before = numbered->number;
            ++seen[{numbered->thread, numbered->number}];
        }
    }
    CHECK(isWhole);
    CHECK(isInOrder);
    CHECK(seen.size() == etl.dataEvents()); // none twice
}

} // namespace

TEST_CASE("Accounting of a file is exact under migrating writers and buffers far too small", "[engine][stress]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    auto config = fileConfig(folder.file("s.etl"));
    config.bufferSizeKib = 4;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    CHECK(hammer(*writer) == 0);
    const auto quiet = calls.query(started.id);
    CHECK(quiet.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
    CHECK(quiet.eventsProduced == quiet.eventsRecorded + quiet.eventsLost);
    const auto last = calls.stop(started.id);
    CHECK(last.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    CHECK(last.eventsOverwritten == 0);
    WARN("file: " << last.eventsRecorded << " recorded, " << last.eventsLost << " lost, " << last.numberOfBuffers
                  << " buffers");
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(etl.header.eventsLost == last.eventsLost);
    checkContents(etl);
}

TEST_CASE("Accounting of a ring is exact under migrating writers and buffers far too small", "[engine][stress]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    auto config = ringConfig();
    config.bufferSizeKib = 4;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    CHECK(hammer(*writer) == 0);
    const auto last = calls.stop(started.id, folder.file("r.etl"));
    CHECK(last.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost + last.eventsOverwritten);
    CHECK(last.eventsOverwritten > 0);
    WARN("ring: " << last.eventsRecorded << " recorded, " << last.eventsOverwritten << " overwritten, "
                  << last.eventsLost << " lost");
    const RawEtl etl = checkedEtl(folder.file("r.etl"));
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(etl.header.eventsLost == last.eventsLost);
    checkContents(etl);
}

TEST_CASE("A ring that is read and written at once loses count of nothing and keeps no old buffer",
          "[engine][stress]") {
    using etw::engine::BufferPool;
    static constexpr std::uint32_t kBuffers = 12;
    static constexpr std::uint32_t kSize = 200;
    constexpr int kEvents = 100'000;
    BufferPool pool({2, 4096, true});
    REQUIRE(pool.grow(kBuffers));
    std::atomic<Ticks> clock{0};
    std::atomic<std::uint64_t> lost{0};
    const auto write = [&](std::uint32_t processor) {
        const BufferPool::Outcome outcome = pool.write(
            processor, kSize, [&clock] { return clock.fetch_add(1) + 1; },
            [](std::byte* place, Ticks time) {
                std::memset(place, 0, kSize);
                std::memcpy(place, &time, sizeof time);
            });
        lost += outcome == BufferPool::Outcome::Written ? 0U : 1U;
    };
    std::atomic<std::uint64_t> written{0};
    std::atomic<int> writing{4};
    std::atomic<int> spoiled{0};
    std::atomic<std::uint64_t> copied{0};
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < kEvents || copied < 500; ++n) {
                write(i % 2);
                ++written;
            }
            --writing;
        });
    }
    threads.emplace_back([&] { // holds buffers that the writers want next
        std::vector<std::byte> buffer(4096);
        while (writing > 0) {
            for (const BufferPool::FullBuffer& full : pool.fullBuffers()) {
                const std::uint32_t end = pool.copy(full, buffer);
                Ticks before = 0;
                for (std::uint32_t at = etlformat::kBufferHeaderSize; at < end; at += kSize) {
                    Ticks time = 0;
                    std::memcpy(&time, buffer.data() + at, sizeof time);
                    spoiled += time > before ? 0 : 1;
                    before = time;
                }
                copied += end != 0 ? 1U : 0U;
            }
        }
    });
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(spoiled == 0);
    CHECK(copied >= 500);
    CHECK(pool.accepted().events + lost == written);
    // Nobody is inside any more: one round through all buffers leaves none that is older than what was overwritten.
    for (std::uint32_t i = 0; i < kBuffers * (4096 / kSize); ++i) {
        write(0);
        write(1);
    }
    pool.closeCurrent(0);
    pool.closeCurrent(1);
    std::uint64_t held = 0;
    bool hasHole = false;
    for (const BufferPool::FullBuffer& full : pool.fullBuffers()) {
        held += full.events;
        hasHole = hasHole || full.isBeforeHole;
    }
    CHECK_FALSE(hasHole);
    CHECK(pool.accepted().events == pool.overwrittenEvents() + held);
    WARN("pool: " << copied << " buffers read, " << lost << " events lost");
}

TEST_CASE("Accounting is exact in every mode of files", "[engine][stress]") {
    namespace mode = etlformat::mode;
    struct Row {
        const char* what;
        std::uint32_t mode;
        std::uint32_t mib;
        const char* name;
    };
    const auto row = GENERATE(values<Row>({{"circular", mode::kCircular, 1, "c.etl"},
                                           {"new files", mode::kNewFile, 1, "n%d.etl"},
                                           {"append", mode::kAppend, 0, "a.etl"}}));
    INFO(row.what);
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    auto config = fileConfig(folder.file(row.name));
    config.logFileMode = row.mode;
    config.maximumFileSizeMib = row.mib;
    config.bufferSizeKib = 4;
    std::uint64_t recorded = 0;
    std::vector<std::string> files;
    for (int round = 0; round < (row.mode == mode::kAppend ? 2 : 1); ++round) {
        const auto started = calls.start(config);
        calls.enable(started.id, writer->providerId());
        CHECK(hammer(*writer) == 0);
        const auto last = calls.stop(started.id);
        CHECK(last.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
        CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost + last.eventsOverwritten);
        CHECK((last.eventsOverwritten == 0 || row.mode == mode::kCircular));
        recorded += last.eventsRecorded;
        files = last.files;
        WARN(row.what << ": " << last.eventsRecorded << " recorded, " << last.eventsOverwritten << " overwritten, "
                      << last.eventsLost << " lost, " << last.files.size() << " files");
    }
    std::uint64_t read = 0;
    for (const std::string& file : files) {
        const RawEtl etl = readRawEtl(file);
        INFO(file << ": " << etl.problemText());
        CHECK(etl.problems.empty());
        read += etl.dataEvents();
    }
    CHECK(read == recorded);
}

TEST_CASE("Accounting in real time is exact under load", "[engine][stress]") {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    auto config = ringConfig();
    config.logFileMode = etlformat::mode::kRealTime;
    config.bufferSizeKib = 4;
    const auto id = calls.start(config).id;
    calls.enable(id, writer->providerId());
    auto consumer = etw::await<std::shared_ptr<etw::engine::RealTimeConsumer>>(
        [&](auto done) { engine.openRealTime(id, std::move(done)); });
    REQUIRE(consumer.has_value());
    std::map<std::uint32_t, Ticks> last;
    std::uint64_t taken = 0;
    int disorders = 0;
    std::thread reader([&] {
        const Status ended = (*consumer)->process([&](const etw::engine::RealTimeEvent& event) {
            if (static_cast<etlformat::HeaderType>(event.bytes[2]) == etlformat::HeaderType::Event64) {
                ++taken;
                Ticks& before = last.try_emplace(event.processor, 0).first->second;
                disorders += event.time < before ? 1 : 0;
                before = event.time;
            }
            return true;
        });
        taken += ended ? 0U : 1'000'000'000U; // not to be
    });
    CHECK(hammer(*writer) == 0);
    const auto stats = calls.stop(id);
    reader.join();
    CHECK(stats.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsLost);
    CHECK(taken == stats.eventsRecorded);
    CHECK(disorders == 0);
    WARN("real time: " << stats.eventsRecorded << " delivered, " << stats.eventsLost << " lost");
}

TEST_CASE("Accounting of a file that is also read in real time is exact under load", "[engine][stress]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    auto config = fileConfig(folder.file("both.etl"));
    config.logFileMode = etlformat::mode::kSequential | etlformat::mode::kRealTime;
    config.bufferSizeKib = 4;
    const auto id = calls.start(config).id;
    calls.enable(id, writer->providerId());
    auto consumer = etw::await<std::shared_ptr<etw::engine::RealTimeConsumer>>(
        [&](auto done) { engine.openRealTime(id, std::move(done)); });
    REQUIRE(consumer.has_value());
    std::uint64_t taken = 0;
    bool isEnded = false;
    std::thread reader([&] {
        isEnded = (*consumer)
                      ->process([&](const etw::engine::RealTimeEvent& event) {
                          taken += static_cast<etlformat::HeaderType>(event.bytes[2]) == etlformat::HeaderType::Event64;
                          return true;
                      })
                      .has_value();
    });
    CHECK(hammer(*writer) == 0);
    const auto stats = calls.stop(id);
    reader.join();
    CHECK(isEnded);
    CHECK(stats.eventsProduced == std::uint64_t{kThreads} * kEventsPerThread);
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsLost);
    CHECK(taken <= stats.eventsRecorded); // the file waits for no consumer
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.dataEvents() == stats.eventsRecorded);
    checkContents(etl);
}

TEST_CASE("Settings that change under load lose nothing that matches all of them", "[engine][stress]") {
    constexpr Guid kProvider = Guid::of(0x77777777, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    std::atomic<std::uint64_t> told{0};
    const auto writer = engine.registerManifest(kProvider, [&](const etw::EnableNotice&) { ++told; });
    Calls calls(engine);
    const auto id = calls.start(ringConfig()).id;
    std::vector<etw::ProviderConfig> settings(3);
    settings[0].level = 4;
    settings[1].matchAnyKeyword = 1;
    settings[1].filters.resize(1);
    settings[1].filters[0].ids = {1, 2, 3};
    settings[2].matchAllKeyword = 1;
    settings[2].filters.resize(1);
    settings[2].filters[0].isFilterIn = false;
    settings[2].filters[0].ids = {4};
    const auto enable = [&](etw::ProviderConfig config) {
        config.provider = kProvider;
        return etw::await<void>([&](auto done) { engine.enable(id, std::move(config), std::move(done)); }).has_value();
    };
    REQUIRE(enable(settings[0]));
    std::atomic<bool> isDone{false};
    std::atomic<std::uint64_t> written{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            etw::ManifestEvent event;
            event.descriptor.id = 2;
            event.descriptor.level = 4;
            event.descriptor.keyword = 1;
            std::uint64_t own = 0;
            for (; !isDone; ++own) {
                writer->write(event);
            }
            written += own;
        });
    }
    bool isEnabled = true;
    for (std::size_t i = 0; i < 600; ++i) {
        isEnabled = isEnabled && enable(settings[i % settings.size()]);
    }
    isDone = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(isEnabled);
    CHECK(told == 601);
    const auto stats = calls.query(id);
    CHECK(stats.eventsProduced == written);
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsLost + stats.eventsOverwritten);
    // Off and on again under load: what is counted is what is there.
    std::atomic<bool> isOver{false};
    std::thread load([&] {
        etw::ManifestEvent event;
        event.descriptor.keyword = 1;
        while (!isOver) {
            writer->write(event);
        }
    });
    for (int i = 0; i < 100; ++i) {
        CHECK(etw::await<void>([&](auto done) { engine.disable(id, kProvider, std::move(done)); }));
        CHECK(enable(settings[0]));
        CHECK(etw::await<void>([&](auto done) { engine.pause(id, std::move(done)); }));
        const auto paused = calls.query(id);
        const auto later = calls.query(id);
        CHECK(paused.eventsProduced == later.eventsProduced); // whoever was inside is out
        CHECK(etw::await<void>([&](auto done) { engine.resume(id, std::move(done)); }));
    }
    isOver = true;
    load.join();
    const auto last = calls.stop(id);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost + last.eventsOverwritten);
}

TEST_CASE("Flushes, queries and stops fall in between writers without harm", "[engine][stress]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Stress");
    Calls calls(engine);
    std::atomic<bool> isDone{false};
    std::atomic<int> failedMoves{0};
    std::thread writers([&] {
        failedMoves = hammer(*writer);
        isDone = true;
    });
    int round = 0;
    std::uint64_t produced = 0;
    while (!isDone) {
        auto config = round % 2 == 0 ? fileConfig(folder.file(std::to_string(round) + ".etl")) : ringConfig();
        config.bufferSizeKib = 4;
        const auto started = calls.start(config);
        calls.enable(started.id, writer->providerId());
        std::uint64_t before = 0;
        for (int i = 0; i < 20; ++i) {
            const auto stats = calls.query(started.id);
            CHECK(stats.eventsProduced >= before);
            before = stats.eventsProduced;
            if (round % 2 == 0) {
                calls.flush(started.id);
            }
        }
        const std::string path = folder.file(std::to_string(round) + ".etl");
        const auto last = calls.stop(started.id, round % 2 == 0 ? std::string() : path);
        CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost + last.eventsOverwritten);
        const RawEtl etl = readRawEtl(path);
        INFO(etl.problemText());
        CHECK(etl.problems.empty());
        CHECK(etl.dataEvents() == last.eventsRecorded);
        produced += last.eventsProduced;
        ++round;
    }
    writers.join();
    CHECK(failedMoves == 0);
    CHECK(produced > 0);
    WARN(round << " sessions, " << produced << " events");
}
