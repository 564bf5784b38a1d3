// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/provider.h"
#include "core/etw/engine/session.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/failing_device.h"

#include <algorithm>
#include <atomic>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

etlformat::TraceLoggingEvent smallEvent() {
    return {"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}};
}

} // namespace

TEST_CASE("A closed file says what was recorded, when and by whom", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    const FileTime before = clock.wallTime();
    etw::SessionConfig config = fileConfig(folder.file("a.etl"));
    config.name = "S\xC3\xA9ssion";
    config.maximumFileSizeMib = 10;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    for (int i = 0; i < 1000; ++i) {
        writer->write(smallEvent());
    }
    const auto last = calls.stop(started.id);
    CHECK(last.eventsRecorded == 1000);

    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.dataEvents() == 1000);
    CHECK(etl.loggerName == config.name);
    CHECK(etl.logFileName == config.logFileName);
    CHECK(etl.header.logFileMode == etlformat::mode::kSequential);
    CHECK(etl.header.maximumFileSize == 10);
    CHECK(etl.header.perfFreq == clock.frequency());
    CHECK(etl.header.startTime >= before);
    CHECK(etl.header.endTime <= clock.wallTime() + 10'000'000);
    CHECK(etl.header.bootTime != 0);
    CHECK(etl.header.numberOfProcessors == std::max(1U, std::thread::hardware_concurrency()));
    CHECK(last.buffersWritten == etl.buffers.size());
    CHECK(std::all_of(etl.buffers.begin() + 1, etl.buffers.end(), [&](const RawBuffer& buffer) {
        return std::all_of(buffer.events.begin(), buffer.events.end(),
                           [&](const RawEvent& event) { return event.provider == writer->providerId(); });
    }));
}

TEST_CASE("A system logger's file has group masks, rundown, samples and marks", "[engine][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 4);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    const auto config = systemConfig(fileConfig(folder.file("k.etl")));
    const auto started = calls.start(config);
    CHECK(started.limitations.size() == 1);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        REQUIRE(kernel.emit(i % 4));
    }
    REQUIRE(calls.mark(started.id, "here").has_value());
    CHECK_FALSE(kernel.emitAt(1, 1)); // long ago
    kernel.lose(etw::LossCause::SourceOverflow, 5);
    const auto last = calls.stop(started.id);
    CHECK_FALSE(kernel.isRunning());
    CHECK(last.eventsProduced == 1000 + 1 + 2 + 1 + 5);
    CHECK(last.eventsRecorded == 1003);
    CHECK(last.eventsLost == 6);
    REQUIRE(last.losses.size() == 2);
    CHECK(last.losses[0].cause == etw::LossCause::SourceOverflow);
    CHECK(last.losses[1] == etw::LossCount{etw::LossCause::TooLate, 1, 1});

    const RawEtl etl = readRawEtl(config.logFileName);
    CHECK(etl.problemText().empty());
    CHECK(etl.dataEvents() == 1003);
    CHECK(etl.header.eventsLost == 6);
    CHECK(etl.header.logFileMode == (etlformat::mode::kSequential | etlformat::mode::kSystemLogger));
    CHECK(etl.header.numberOfProcessors == 4);
    REQUIRE(etl.buffers.front().events.size() == 3);
    const RawEvent& extension = etl.buffers.front().events[1];
    CHECK(extension.hookId == etlformat::hook::kHeaderExtension);
    REQUIRE(extension.payload.size() == 36);
    CHECK(std::memcmp(extension.payload.data(), config.kernelGroups.words.data(), 32) == 0);
    std::size_t marks = 0;
    for (const RawBuffer& buffer : etl.buffers) {
        marks += static_cast<std::size_t>(
            std::count_if(buffer.events.begin(), buffer.events.end(),
                          [](const RawEvent& event) { return event.hookId == etlformat::hook::kMark; }));
    }
    CHECK(marks == 1);
    const CheckerVerdict verdict = runCheckers(config.logFileName);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
}

TEST_CASE("A system logger takes no providers, a session of providers no marks", "[engine][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    const auto system = calls.start(systemConfig(fileConfig(folder.file("k.etl"))));
    const auto refused = etw::await<void>([&](auto done) {
        engine.enable(system.id, {writer->providerId(), "", 5, 0, 0, false}, std::move(done));
    });
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().native == etw::win32::kInvalidParameter);
    const auto ring = calls.start(ringConfig());
    const auto mark = calls.mark(ring.id, "text");
    REQUIRE_FALSE(mark.has_value());
    CHECK(mark.error().code == ErrorCode::SessionBadParameters);
}

TEST_CASE("A refused kernel leaves neither session nor file behind", "[engine][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(fileConfig(folder.file("k.etl")));
    config.kernelGroups = {};
    const auto refused = calls.tryStart(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::KernelEventsRefused);
    CHECK_FALSE(systemFiles().open(config.logFileName).has_value());
    config.kernelGroups.set(etlformat::group::kProfile);
    const auto started = calls.start(config); // the name is free
    calls.stop(started.id);

    etw::engine::Engine without({&clock, &systemFiles(), nullptr});
    const auto nothing = Calls(without).tryStart(systemConfig(ringConfig()));
    REQUIRE_FALSE(nothing.has_value());
    CHECK(nothing.error().code == ErrorCode::KernelEventsRefused);
}

TEST_CASE("Eight system loggers run at a time", "[engine][kernel]") {
    SystemClock clock;
    FakeKernelSource kernel(clock, 1);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(ringConfig());
    for (int i = 0; i < 8; ++i) {
        config.name = std::to_string(i);
        calls.start(config);
    }
    config.name = "ninth";
    const auto refused = calls.tryStart(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::SessionLimit);
    CHECK(refused.error().native == etw::win32::kNoSystemResources);
}

TEST_CASE("A ring keeps the newest events and counts the overwritten ones apart", "[engine][ring]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(ringConfig());
    config.bufferSizeKib = 4;
    const auto started = calls.start(config);
    const std::uint64_t samples = 5000;
    const Ticks begin = clock.ticks();
    for (std::uint32_t i = 0; i < samples; ++i) {
        REQUIRE(kernel.emit(i % 2));
    }
    CHECK(kernel.oldest() > begin);
    const auto flushed = calls.flush(started.id, folder.file("ring.etl"));
    CHECK(flushed.eventsProduced == samples + 1); // and the rundown
    CHECK(flushed.eventsLost == 0);
    CHECK(flushed.eventsOverwritten > 0);
    CHECK(flushed.eventsProduced == flushed.eventsRecorded + flushed.eventsOverwritten);
    const RawEtl etl = checkedEtl(folder.file("ring.etl"));
    CHECK(etl.dataEvents() == flushed.eventsRecorded);
    CHECK(etl.header.logFileMode == 0x02000001);
    CHECK(etl.header.eventsLost == 0);

    for (std::uint32_t i = 0; i < samples; ++i) {
        REQUIRE(kernel.emit(i % 2));
    }
    const auto last = calls.stop(started.id, folder.file("last.etl"));
    CHECK(last.eventsProduced == 2 * samples + 2);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsOverwritten);
    const RawEtl second = checkedEtl(folder.file("last.etl"));
    CHECK(second.dataEvents() == last.eventsRecorded);
    CHECK(second.buffers.size() == last.buffersWritten);
    CHECK(second.buffers[1].events.front().time >= etl.buffers[1].events.front().time);
}

TEST_CASE("A ring is read while it is written to", "[engine][ring]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = ringConfig();
    config.bufferSizeKib = 4;
    config.minimumBuffers = 64;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    std::atomic<bool> isEnough{false};
    std::atomic<std::uint64_t> attempts{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            while (!isEnough) {
                writer->write(smallEvent());
                ++attempts;
            }
        });
    }
    std::size_t seen = 0; // one reading may come too late for all of so small a ring
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t before = attempts;
        REQUIRE(waitUntil([&] { return attempts > before + 1000; }));
        const std::string path = folder.file("ring" + std::to_string(i) + ".etl");
        calls.flush(started.id, path);
        const RawEtl etl = readRawEtl(path);
        INFO(etl.problemText());
        CHECK(etl.problems.empty());
        seen += etl.dataEvents();
        CHECK(etl.header.buffersWritten == etl.buffers.size());
    }
    CHECK(seen > 0);
    isEnough = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto last = calls.stop(started.id, folder.file("last.etl"));
    CHECK(last.eventsProduced == attempts);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost + last.eventsOverwritten);
    CHECK(checkedEtl(folder.file("last.etl")).dataEvents() == last.eventsRecorded);
}

TEST_CASE("The flush timer writes buffers that are not full", "[engine][file]") {
    const TemporaryFolder folder;
    ManualClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = fileConfig(folder.file("t.etl"));
    config.flushTimer = std::chrono::seconds(1);
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    writer->write(smallEvent());
    CHECK(calls.query(started.id).buffersWritten == 1);
    clock.advance(2'000'000'000);
    CHECK(waitUntil([&] { return calls.query(started.id).buffersWritten == 2; }));
    CHECK(readRawEtl(config.logFileName).dataEvents() == 1);
    clock.advance(1'000'000'000);
    calls.stop(started.id);
    checkedEtl(config.logFileName);
}

TEST_CASE("Files grow their buffers up to the maximum", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = fileConfig(folder.file("g.etl"));
    config.bufferSizeKib = 4;
    config.maximumBuffers = 300;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    CHECK(waitUntil([&] {
        for (int i = 0; i < 10000; ++i) {
            writer->write(smallEvent());
        }
        return calls.query(started.id).numberOfBuffers > started.stats.numberOfBuffers;
    }));
    const auto last = calls.stop(started.id);
    CHECK(last.numberOfBuffers <= 300);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    CHECK(checkedEtl(config.logFileName).dataEvents() == last.eventsRecorded);
}

TEST_CASE("Without processors of their own, sessions have one stream", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = fileConfig(folder.file("n.etl"));
    config.logFileMode |= etlformat::mode::kNoPerProcessorBuffering;
    const auto started = calls.start(config);
    CHECK(started.stats.minimumBuffers == 2);
    calls.enable(started.id, writer->providerId());
    writer->write(smallEvent());
    calls.stop(started.id);
    CHECK(checkedEtl(config.logFileName).header.numberOfProcessors == 1);
}

TEST_CASE("An event larger than a buffer is lost and counted", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = fileConfig(folder.file("l.etl"));
    config.bufferSizeKib = 4;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    writer->write({"Large", 4, 0, 0, {{"text", std::string(5000, 'x')}}});
    const auto last = calls.stop(started.id);
    REQUIRE(last.losses.size() == 1);
    CHECK(last.losses[0].cause == etw::LossCause::EventTooLarge);
    CHECK(last.losses[0].first > 0);
    CHECK(last.eventsProduced == 1);
    CHECK(last.eventsRecorded == 0);
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.buffers.size() == 1);
    CHECK(etl.header.eventsLost == 1);
}

TEST_CASE("Several sessions get an event of one provider, each in its own time", "[engine][provider]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    auto first = engine.registerProvider("Writer");
    auto config = fileConfig(folder.file("1.etl"));
    const auto one = calls.start(config);
    config = fileConfig(folder.file("2.etl"));
    config.name = "second";
    const auto two = calls.start(config);
    calls.enable(one.id, first->providerId());
    calls.enable(two.id, first->providerId());
    // A second registration of the same name inherits what is enabled, also when the first is gone.
    first.reset();
    const auto second = engine.registerProvider("Writer");
    second->write(smallEvent());
    calls.stop(one.id);
    second->write(smallEvent());
    calls.stop(two.id);
    CHECK(checkedEtl(folder.file("1.etl")).dataEvents() == 1);
    CHECK(checkedEtl(folder.file("2.etl")).dataEvents() == 2);
}

TEST_CASE("A slot that goes to another session takes no events of the one before", "[engine][provider]") {
    SystemClock clock;
    etw::engine::ProviderRegistry registry(1);
    const auto writer = etw::engine::makeSelfDescribing(registry, "Writer", nullptr);
    const auto sessionOf = [&](std::uint64_t id) {
        etw::engine::Session::Setup setup;
        setup.id = {id};
        setup.config = ringConfig();
        setup.config.minimumBuffers = 2;
        setup.clock = &clock;
        setup.files = &systemFiles();
        auto session = etw::engine::Session::create(std::move(setup));
        REQUIRE(session.has_value());
        return std::move(*session);
    };
    const auto first = sessionOf(1);
    const auto second = sessionOf(2);
    REQUIRE(registry.enable(0, *first, {writer->providerId(), "", 0xFF, 0, 0, false}).has_value());
    writer->write(smallEvent());
    CHECK(first->stats().eventsProduced == 1);
    registry.close(0);
    writer->write(smallEvent());
    CHECK(second->stats().eventsProduced == 0);
    REQUIRE(registry.enable(0, *second, {writer->providerId(), "", 0xFF, 0, 0, false}).has_value());
    writer->write(smallEvent());
    CHECK(second->stats().eventsProduced == 1);
    CHECK(first->stats().eventsProduced == 1);
    registry.close(0);
}

TEST_CASE("The engine closes the files of sessions that still run", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    {
        etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
        Calls calls(engine);
        calls.start(systemConfig(fileConfig(folder.file("open.etl"))));
        kernel.emit(1);
    }
    CHECK_FALSE(kernel.isRunning());
    CHECK(checkedEtl(folder.file("open.etl")).dataEvents() == 3);
}

TEST_CASE("A file in use or in the way is told before anything is recorded", "[engine][file]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    const auto config = fileConfig(folder.file("a.etl"));
    const auto started = calls.start(config);
    auto other = config;
    other.name = "other";
    const auto inUse = calls.tryStart(other);
    REQUIRE_FALSE(inUse.has_value());
    CHECK(inUse.error().code == ErrorCode::SessionNameTaken);
    CHECK(inUse.error().native == etw::win32::kBadPathname);
    calls.stop(started.id);
    const auto exists = calls.tryStart(other);
    REQUIRE_FALSE(exists.has_value());
    CHECK(exists.error().code == ErrorCode::FileExists);
    other.logFileName = folder.file("missing/a.etl");
    const auto noFolder = calls.tryStart(other);
    REQUIRE_FALSE(noFolder.has_value());
    CHECK(noFolder.error().code == ErrorCode::FolderNotFound);
}

TEST_CASE("Modes that are not served are refused by name", "[engine][modes]") {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    using Row = std::pair<std::uint32_t, std::string>;
    const auto row = GENERATE(Row{0x20, "PREALLOCATE"}, Row{0x800, "PRIVATE_LOGGER"}, Row{0x4000000, "COMPRESSED"});
    etw::SessionConfig config = fileConfig("/nowhere/a.etl");
    config.logFileMode = row.first;
    const auto refused = calls.tryStart(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::SessionBadParameters);
    CHECK(refused.error().native == etw::win32::kInvalidParameter);
    CHECK(refused.error().detail.find(row.second) != std::string::npos);
}

TEST_CASE("A session says that its source has ended by itself, then and at its stop", "[engine][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    const auto started = calls.start(systemConfig(fileConfig(folder.file("k.etl"))));
    CHECK_FALSE(calls.query(started.id).sourceError.has_value());
    REQUIRE(kernel.emit(0));
    kernel.breakDown();
    CHECK(calls.query(started.id).sourceError.has_value());
    const auto last = calls.stop(started.id);
    REQUIRE(last.sourceError.has_value());
    CHECK(last.sourceError->code == ErrorCode::OutOfMemory);
    checkedEtl(folder.file("k.etl"));
}

TEST_CASE("Sixty-four sessions of every kind run at once, each with its own account", "[engine][limits]") {
    namespace mode = etlformat::mode;
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    constexpr std::size_t kPerProvider = 8; // as many sessions as a provider can have
    std::vector<std::unique_ptr<etw::EventWriter>> writers;
    std::vector<etw::SessionId> sessions;
    constexpr std::uint32_t kModes[] = {mode::kSequential, mode::kBuffering, mode::kCircular, mode::kNewFile};
    const auto pathOf = [&](std::size_t i) { return folder.file(std::to_string(i) + ".etl"); };
    for (std::size_t i = 0; i < etw::kMaximumSessions; ++i) {
        if (i % kPerProvider == 0) {
            writers.push_back(engine.registerProvider("Writer" + std::to_string(i / kPerProvider)));
        }
        etw::SessionConfig config;
        config.name = "s" + std::to_string(i);
        config.logFileMode = kModes[i % std::size(kModes)];
        config.bufferSizeKib = 4;
        if (config.logFileMode != mode::kBuffering) {
            config.logFileName =
                config.logFileMode == mode::kNewFile ? folder.file(config.name + "-%d.etl") : pathOf(i);
        }
        const bool needsSize = config.logFileMode == mode::kCircular || config.logFileMode == mode::kNewFile;
        config.maximumFileSizeMib = needsSize ? 1 : 0;
        sessions.push_back(calls.start(config).id);
        calls.enable(sessions.back(), writers.back()->providerId());
    }
    auto oneMore = ringConfig();
    const auto refused = calls.tryStart(oneMore);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::SessionLimit);
    CHECK(refused.error().native == 1450);
    std::vector<std::thread> threads; // two for each provider
    constexpr std::uint32_t kEvents = 1500;
    for (std::size_t i = 0; i < 2 * writers.size(); ++i) {
        threads.emplace_back([&, i] {
            for (std::uint32_t number = 0; number < kEvents; ++number) {
                writers[i / 2]->write({"Event", 4, 0, 1, {{"number", number}}});
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        CAPTURE(i);
        const bool isRing = kModes[i % std::size(kModes)] == mode::kBuffering;
        const auto stats = calls.stop(sessions[i], isRing ? pathOf(i) : std::string());
        CHECK(stats.eventsProduced == 2 * kEvents);
        CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsLost + stats.eventsOverwritten);
        std::uint64_t read = 0;
        for (const std::string& file : isRing ? std::vector<std::string>{pathOf(i)} : stats.files) {
            const RawEtl etl = readRawEtl(file);
            CHECK(etl.problemText().empty());
            read += etl.dataEvents();
        }
        CHECK(read == stats.eventsRecorded);
    }
    CHECK(calls.tryStart(oneMore).has_value()); // there is room again
}
