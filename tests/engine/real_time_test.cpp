// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions that are read while they run.
#include "tests/engine/engine_fixture.h"
#include "tests/support/failing_device.h"

#include <atomic>
#include <cstring>
#include <future>
#include <mutex>
#include <set>

using namespace tracedeck;
using namespace tracedeck::test;
using etw::engine::RealTimeConsumer;
using etw::engine::RealTimeEvent;

namespace {

constexpr Guid kProvider = Guid::of(0x66666666, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kLostEvents = Guid::of(0x6a399ae0, 0x4bc6, 0x4de9, {0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e});

etw::SessionConfig realTimeConfig() {
    etw::SessionConfig config;
    config.name = "live";
    config.logFileMode = etlformat::mode::kRealTime;
    config.bufferSizeKib = 4;
    config.minimumBuffers = 64; // for all that a test writes at once
    return config;
}

/// Reads on a thread of its own and keeps what it gets.
class Reader {
public:
    explicit Reader(std::shared_ptr<RealTimeConsumer> consumer) : m_consumer(std::move(consumer)) {
        m_outcome = std::async(std::launch::async, [this] {
            return m_consumer->process([this](const RealTimeEvent& event) { return take(event); });
        });
    }
    ~Reader() {
        m_consumer->close();
        if (m_outcome.valid()) {
            m_outcome.wait();
        }
    }
    /// Waits until process() has returned.
    Status outcome() { return m_outcome.get(); }
    std::size_t count() {
        const std::lock_guard lock(m_mutex);
        return m_numbers.size();
    }
    std::vector<std::uint64_t> numbers() {
        const std::lock_guard lock(m_mutex);
        return m_numbers;
    }
    std::multiset<std::uint8_t> losses() {
        const std::lock_guard lock(m_mutex);
        return m_losses;
    }
    [[nodiscard]] int disorders() const { return m_disorders; }
    RealTimeConsumer& consumer() { return *m_consumer; }
    std::size_t most = ~std::size_t{0}; ///< then it says no

private:
    bool take(const RealTimeEvent& event) {
        etlformat::FullHeader header;
        std::memcpy(&header, event.bytes.data(), sizeof header);
        const std::lock_guard lock(m_mutex);
        if (header.classGuid == kLostEvents) {
            m_losses.insert(header.type);
            return true;
        }
        m_disorders += event.time < m_last ? 1 : 0;
        m_last = event.time;
        std::uint64_t number = 0;
        std::memcpy(&number, event.bytes.data() + sizeof header, sizeof number);
        m_numbers.push_back(number);
        return m_numbers.size() < most;
    }
    std::shared_ptr<RealTimeConsumer> m_consumer;
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_numbers;
    std::multiset<std::uint8_t> m_losses;
    Ticks m_last = 0;
    std::atomic<int> m_disorders{0};
    std::future<Status> m_outcome;
};

struct Live {
    explicit Live(const etw::SessionConfig& config) : id(calls.start(config).id) { calls.enable(id, kProvider); }
    std::shared_ptr<RealTimeConsumer> open() {
        auto opened =
            etw::await<std::shared_ptr<RealTimeConsumer>>([&](auto done) { engine.openRealTime(id, std::move(done)); });
        REQUIRE(opened.has_value());
        return *opened;
    }
    void write(std::uint64_t number) {
        writer->write({kProvider, 1, 0, 0, 0, std::as_bytes(std::span(&number, 1)), {}});
    }
    SystemClock clock;
    etw::engine::Engine engine{{&clock, &systemFiles(), nullptr}};
    std::unique_ptr<etw::ClassicWriter> writer = engine.registerClassic(kProvider, nullptr);
    Calls calls{engine};
    etw::SessionId id;
};

} // namespace

TEST_CASE("Consumers get every event of a session in real time, in order, and its end", "[engine][realtime]") {
    Live live(realTimeConfig());
    Reader first(live.open());
    Reader second(live.open());
    for (std::uint64_t i = 0; i < 1000; ++i) {
        live.write(i);
    }
    // The flush timer of 1 s brings what no buffer was filled by.
    CHECK(waitUntil([&] { return first.count() == 1000 && second.count() == 1000; }));
    live.write(1000);
    live.calls.flush(live.id);
    CHECK(waitUntil([&] { return first.count() == 1001; }));
    live.write(1001);
    const auto last = live.calls.stop(live.id);
    CHECK(first.outcome());
    CHECK(second.outcome());
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 1002; ++i) {
        expected.push_back(i);
    }
    CHECK(first.numbers() == expected);
    CHECK(second.numbers() == expected);
    CHECK(first.disorders() == 0);
    CHECK(last.eventsProduced == 1002);
    CHECK(last.eventsRecorded == 1002);
    CHECK(last.eventsLost == 0);
    CHECK(first.losses().empty());
}

TEST_CASE("Without a consumer the first events wait and the newest are lost", "[engine][realtime]") {
    auto config = realTimeConfig();
    config.minimumBuffers = 0; // as few as there may be
    Live live(config);
    const auto most = live.calls.query(live.id).maximumBuffers;
    const std::uint64_t events = std::uint64_t{most} * 4096 / 56 + 500;
    for (std::uint64_t i = 0; i < events; ++i) {
        live.write(i);
        if (i % 50 == 0) { // the mover has its time to take buffers
            live.calls.query(live.id);
        }
    }
    const auto full = live.calls.query(live.id);
    CHECK(full.eventsProduced == events);
    CHECK(full.eventsLost > 0);
    REQUIRE(full.losses.size() == 1);
    CHECK(full.losses[0].cause == etw::LossCause::NoFreeBuffer);
    CHECK(full.eventsRecorded + full.eventsLost == events);
    Reader reader(live.open());
    CHECK(waitUntil([&] { return reader.count() == full.eventsRecorded; }));
    CHECK(reader.numbers().front() == 0);
    live.write(events);
    const auto last = live.calls.stop(live.id);
    CHECK(reader.outcome());
    CHECK(reader.count() == last.eventsRecorded);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    CHECK(reader.losses().count(0x20) >= 1); // RTLostEvent
    CHECK(reader.losses().count(0x21) == 0);
}

TEST_CASE("What nobody has taken at the end is lost", "[engine][realtime]") {
    Live live(realTimeConfig());
    live.write(1);
    live.write(2);
    CHECK(live.calls.query(live.id).eventsRecorded == 2);
    const auto last = live.calls.stop(live.id);
    CHECK(last.eventsProduced == 2);
    CHECK(last.eventsLost == 2);
    CHECK(last.eventsRecorded == 0);
    CHECK(last.buffersLost >= 1);
}

TEST_CASE("A file gets everything, whether a consumer keeps up or not", "[engine][realtime]") {
    const TemporaryFolder folder;
    auto config = realTimeConfig();
    config.logFileMode |= etlformat::mode::kSequential;
    config.logFileName = folder.file("live.etl");
    Live live(config);
    const auto idle = live.open(); // reads nothing until the end
    Reader reader(live.open());
    constexpr std::uint64_t kEvents = 3000;
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        live.write(i);
        if (i % 50 == 0) {
            live.calls.query(live.id);
        }
    }
    CHECK(live.calls.flush(live.id).eventsLost == 0);
    const auto last = live.calls.stop(live.id);
    CHECK(reader.outcome());
    CHECK(last.eventsRecorded == kEvents);
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.dataEvents() == kEvents);
    CHECK((etl.header.logFileMode & etlformat::mode::kRealTime) == 0);
    Reader late(idle);
    CHECK(late.outcome());
    CHECK(late.count() < kEvents);
    CHECK(late.losses().count(0x21) >= 1); // RTLostBuffer
}

TEST_CASE("A consumer can leave: by its answer, by closing, by going", "[engine][realtime]") {
    Live live(realTimeConfig());
    {
        Reader closed(live.open());
        closed.consumer().close();
        const Status outcome = closed.outcome();
        REQUIRE_FALSE(outcome);
        CHECK(outcome.error().code == ErrorCode::Cancelled);
        CHECK(outcome.error().native == 1223);
    }
    live.open().reset();
    live.write(1);
    live.write(2);
    auto consumer = live.open();
    live.calls.flush(live.id);
    std::uint64_t taken = 0;
    const Status cancelled = consumer->process([&](const RealTimeEvent&) { return ++taken < 1; });
    REQUIRE_FALSE(cancelled);
    CHECK(taken == 1);
    live.write(3);
    Reader last(live.open());
    live.calls.stop(live.id);
    CHECK(last.outcome());
    CHECK(last.numbers() == std::vector<std::uint64_t>{3});
}

TEST_CASE("Only a session in real time has consumers", "[engine][realtime]") {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    const auto open = [&](etw::SessionId id) {
        return etw::await<std::shared_ptr<RealTimeConsumer>>(
            [&](auto done) { engine.openRealTime(id, std::move(done)); });
    };
    const auto ring = calls.start(ringConfig()).id;
    const auto refused = open(ring);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().native == etw::win32::kInvalidParameter);
    const auto unknown = open({77});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == ErrorCode::SessionUnknown);
    auto appended = realTimeConfig();
    appended.logFileMode |= etlformat::mode::kNewFile;
    appended.maximumFileSizeMib = 1;
    const auto nowhere = calls.tryStart(appended);
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().native == etw::win32::kBadPathname);
}
