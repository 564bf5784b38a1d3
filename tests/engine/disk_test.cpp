// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/engine_fixture.h"
#include "tests/support/failing_device.h"

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <iostream>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

etlformat::TraceLoggingEvent event() {
    return {"Event", 4, 0, 1, {{"text", std::string(100, 't')}}};
}

/// Writes until the session has refused an event because of its file; the number of events written.
std::uint64_t writeUntilRefused(Calls& calls, etw::SessionId id, etw::EventWriter& writer) {
    std::uint64_t written = 0;
    CHECK(waitUntil([&] {
        for (int i = 0; i < 100; ++i) {
            writer.write(event());
            ++written;
        }
        return calls.query(id).writeError.has_value();
    }));
    writer.write(event()); // from now on
    return written + 1;
}

void checkFull(const etw::SessionStats& last, std::uint64_t written, const std::string& path,
               etw::LossCause cause = etw::LossCause::DiskFull) {
    REQUIRE(last.writeError.has_value());
    CHECK(last.eventsProduced == written);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    const bool hasCause = std::any_of(last.losses.begin(), last.losses.end(), [&](const etw::LossCount& loss) {
        return loss.cause == cause && loss.events > 0 && loss.first > 0;
    });
    CHECK(hasCause);
    const RawEtl etl = checkedEtl(path);
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(etl.header.eventsLost == last.eventsLost);
    CHECK(etl.header.buffersLost == last.buffersLost);
    CHECK(etl.buffers.size() == last.buffersWritten);
}

} // namespace

TEST_CASE("A full disk stops the writing and leaves a valid file", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(5 * 16));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("full.etl"));
    config.bufferSizeKib = 16;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    const std::uint64_t written = writeUntilRefused(calls, started.id, *writer);
    const auto last = calls.stop(started.id);
    CHECK(last.writeError->code == ErrorCode::DiskFull);
    CHECK(last.buffersWritten == 5);
    checkFull(last, written, config.logFileName);
}

TEST_CASE("A failing device is told from a full one", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(64), {ErrorCode::WriteFailed, "injected: input/output error", 5});
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("failing.etl"));
    config.bufferSizeKib = 16;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    const std::uint64_t written = writeUntilRefused(calls, started.id, *writer);
    const auto last = calls.stop(started.id);
    CHECK(last.writeError->code == ErrorCode::WriteFailed);
    checkFull(last, written, config.logFileName, etw::LossCause::WriteFailed);
}

TEST_CASE("A disk that is full at the start refuses the session and leaves no file", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(4));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto refused = Calls(engine).tryStart(fileConfig(folder.file("none.etl")));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::DiskFull);
    CHECK_FALSE(systemFiles().open(folder.file("none.etl")).has_value());
}

TEST_CASE("A file stops at its largest size", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("cap.etl"));
    config.maximumFileSizeMib = 1;
    config.minimumBuffers = 32; // all that fits: the writer need not keep up
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    std::uint64_t written = 0;
    REQUIRE(waitUntil([&] {
        writer->write(event());
        ++written;
        return written % 100 == 0 && calls.query(started.id).isAtSizeLimit;
    }));
    const auto atLimit = calls.query(started.id);
    for (int i = 0; i < 1000; ++i) {
        writer->write(event()); // after the recording's end
    }
    const auto last = calls.stop(started.id);
    CHECK(last.isAtSizeLimit);
    CHECK_FALSE(last.writeError.has_value());
    CHECK(last.losses.empty());
    CHECK(last.eventsProduced == atLimit.eventsProduced);
    CHECK(last.eventsProduced == last.eventsRecorded);
    CHECK(last.eventsRecorded < written);
    CHECK(last.fileSize <= mib(1));
    // What a processor that wrote nothing at the end has of its share is all that may be missing.
    CHECK(last.fileSize.count + kib(64).count * std::thread::hardware_concurrency() > mib(1).count);
    const RawEtl etl = checkedEtl(config.logFileName);
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(etl.header.eventsLost == 0);
}

TEST_CASE("The kernel's events end at the largest size, and with them their loss", "[engine][disk][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(fileConfig(folder.file("cap.etl")));
    config.maximumFileSizeMib = 1;
    const auto started = calls.start(config);
    kernel.lose(etw::LossCause::SourceOverflow, 3);
    std::uint64_t recorded = 1; // the rundown
    while (kernel.emit(recorded % 2)) {
        ++recorded;
        REQUIRE(recorded < 1'000'000);
        if (recorded % 1000 == 0) {
            calls.flush(started.id); // the writer keeps up
        }
    }
    kernel.refuseStack(recorded % 2);
    kernel.lose(etw::LossCause::SourceOverflow, 4);
    CHECK_FALSE(kernel.emit(1));
    const auto last = calls.stop(started.id);
    CHECK(last.isAtSizeLimit);
    CHECK(last.eventsLost == 3);
    CHECK(last.eventsRecorded == recorded);
    CHECK(last.eventsProduced == recorded + 3);
    CHECK(readRawEtl(config.logFileName).dataEvents() == recorded);
}

TEST_CASE("A refused event's stack is lost by the event's own cause", "[engine][disk][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(64 * 3));
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &device, &kernel});
    Calls calls(engine);
    const auto started = calls.start(systemConfig(fileConfig(folder.file("full.etl"))));
    std::uint64_t refused = 0;
    REQUIRE(waitUntil([&] {
        if (!kernel.emit(1) && calls.query(started.id).writeError) {
            kernel.refuseStack(1);
            ++refused;
        }
        return refused == 10;
    }));
    CHECK_FALSE(kernel.emitAt(1, 1)); // long ago, but a full disk comes first: time decreases nowhere in a file
    kernel.refuseStack(1);
    const auto last = calls.stop(started.id);
    std::uint64_t lost = 0;
    for (const etw::LossCount& loss : last.losses) {
        CHECK(loss.cause != etw::LossCause::NoFreeBuffer);
        lost += loss.events;
    }
    CHECK(lost == last.eventsLost);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
}

TEST_CASE("Flushing does not take a file past its largest size", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("cap.etl"));
    config.maximumFileSizeMib = 1;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    for (int i = 0; i < 40; ++i) { // each flush completes a buffer, however little is in it
        writer->write(event());
        calls.flush(started.id);
    }
    const auto last = calls.stop(started.id);
    CHECK(last.isAtSizeLimit);
    CHECK(last.fileSize == mib(1));
    CHECK(last.eventsRecorded == 15);
    CHECK(checkedEtl(config.logFileName).dataEvents() == 15);
}

TEST_CASE("A largest size that holds nothing is refused at the start", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    auto config = fileConfig(folder.file("cap.etl"));
    config.maximumFileSizeMib = 1;
    config.bufferSizeKib = 513;
    const auto refused = Calls(engine).tryStart(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::SessionBadParameters);
    CHECK_FALSE(systemFiles().open(config.logFileName).has_value());
}

TEST_CASE("Writing stops before the volume has less than its floor", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(mib(2));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("floor.etl"));
    config.minimumFreeDisk = mib(1);
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    const std::uint64_t written = writeUntilRefused(calls, started.id, *writer);
    const auto last = calls.stop(started.id);
    CHECK(last.fileSize == mib(1));
    CHECK(device.freeSpace("")->count == mib(1).count);
    checkFull(last, written, config.logFileName);
}

TEST_CASE("The floor is watched while nothing is written", "[engine][disk]") {
    const TemporaryFolder folder;
    ManualClock clock;
    FailingDevice device(mib(100));
    etw::engine::Engine engine({&clock, &device, nullptr});
    Calls calls(engine);
    auto config = fileConfig(folder.file("quiet.etl"));
    config.minimumFreeDisk = mib(50);
    const auto started = calls.start(config);
    auto other = device.create(folder.file("other"), FileSystem::Existing::Refuse); // somebody else fills the volume
    REQUIRE(other.has_value());
    REQUIRE((*other)->writeAt(0, std::vector<std::byte>(mib(60).count)).has_value());
    CHECK_FALSE(calls.query(started.id).writeError.has_value());
    clock.advance(2'000'000'000);
    CHECK(waitUntil([&] { return calls.query(started.id).writeError.has_value(); }));
    calls.stop(started.id);
    checkedEtl(config.logFileName);
}

TEST_CASE("A circular file that is still small goes on below the floor, a larger one turns over there",
          "[engine][disk]") {
    const TemporaryFolder folder;
    ManualClock clock;
    FailingDevice device(mib(200));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = fileConfig(folder.file("round.etl"));
    config.logFileMode = (config.logFileMode & ~etlformat::mode::kSequential) | etlformat::mode::kCircular;
    config.maximumFileSizeMib = 150;
    config.minimumFreeDisk = mib(100);
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    const bool isShortFromTheStart = GENERATE(true, false);
    auto other = device.create(folder.file("other"), FileSystem::Existing::Refuse);
    REQUIRE(other.has_value());
    if (isShortFromTheStart) { // somebody else takes what was free
        REQUIRE((*other)->writeAt(0, std::vector<std::byte>(mib(150).count)).has_value());
        clock.advance(2'000'000'000);
    }
    etlformat::TraceLoggingEvent large = event();
    large.fields.emplace_back("Text", std::string(30'000, 'x'));
    const std::uint64_t many = mib(130).count / 30'000;
    for (std::uint64_t i = 0; i < many; ++i) {
        clock.advance(1'000'000);
        writer->write(large);
        if (i % 16 == 0) {
            calls.flush(started.id, std::string());
        }
    }
    const auto last = calls.stop(started.id);
    CHECK_FALSE(last.writeError);
    CHECK(std::none_of(last.losses.begin(), last.losses.end(),
                       [](const etw::LossCount& loss) { return loss.cause == etw::LossCause::DiskFull; }));
    CHECK(last.eventsOverwritten > 0);
    CHECK(last.eventsProduced == many);
    const std::uint64_t slack = mib(1).count;
    CHECK(last.fileSize.count <= (isShortFromTheStart ? mib(16) : mib(100)).count + slack);
    CHECK(last.fileSize.count >= (isShortFromTheStart ? mib(16) : mib(100)).count - slack);
    CHECK(readRawEtl(config.logFileName).problemText().empty());
}

TEST_CASE("A ring that does not fit is kept until there is room", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(40));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = ringConfig();
    config.bufferSizeKib = 4;
    config.minimumBuffers = 32;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    for (int i = 0; i < 400; ++i) {
        writer->write(event());
    }
    const auto refused = calls.tryFlush(started.id, folder.file("part.etl"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::DiskFull);
    CHECK_FALSE(systemFiles().open(folder.file("part.etl")).has_value());
    CHECK(calls.query(started.id).eventsRecorded == 400);

    const auto full = calls.tryStop(started.id, folder.file("part.etl"));
    REQUIRE_FALSE(full.has_value());
    CHECK(full.error().code == ErrorCode::DiskFull);
    CHECK_FALSE(systemFiles().open(folder.file("part.etl")).has_value());
    writer->write(event()); // the recording has ended
    CHECK(calls.query(started.id).eventsRecorded == 400);
    CHECK(calls.query(started.id).eventsLost == 0);
    device.free(mib(1));
    const auto last = calls.stop(started.id, folder.file("whole.etl"));
    CHECK(last.eventsProduced == 400);
    CHECK(last.eventsRecorded == 400);
    CHECK(checkedEtl(folder.file("whole.etl")).dataEvents() == 400);
}

TEST_CASE("A ring leaves the volume its floor", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(mib(2));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    auto config = ringConfig();
    config.minimumFreeDisk = mib(2);
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    writer->write(event());
    const auto refused = calls.tryStop(started.id, folder.file("r.etl"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::DiskFull);
    device.free(mib(1));
    calls.stop(started.id, folder.file("r.etl"));
    CHECK(checkedEtl(folder.file("r.etl")).dataEvents() == 1);
}

TEST_CASE("A ring whose file fails when it is closed is kept", "[engine][disk]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(mib(2));
    etw::engine::Engine engine({&clock, &device, nullptr});
    const auto writer = engine.registerProvider("Disk");
    Calls calls(engine);
    const auto started = calls.start(ringConfig());
    calls.enable(started.id, writer->providerId());
    writer->write(event());
    device.refuseClose(true);
    const auto refused = calls.tryStop(started.id, folder.file("r.etl"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::DiskFull);
    CHECK_FALSE(systemFiles().open(folder.file("r.etl")).has_value());
    device.refuseClose(false);
    CHECK(calls.stop(started.id, folder.file("r.etl")).eventsRecorded == 1);
}

TEST_CASE("A real volume runs full", "[engine][disk]") {
    const TemporaryFolder folder;
    if (geteuid() != 0 || mount("tracedeck-test", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        std::cerr << "SKIPPED: a real volume runs full: no right to mount a tmpfs (" << std::strerror(errno) << ")\n";
        return;
    }
    {
        SystemClock clock;
        etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
        const auto writer = engine.registerProvider("Disk");
        Calls calls(engine);
        const auto config = fileConfig(folder.file("full.etl"));
        const auto started = calls.start(config);
        calls.enable(started.id, writer->providerId());
        const std::uint64_t written = writeUntilRefused(calls, started.id, *writer);
        const auto last = calls.stop(started.id);
        CHECK(last.writeError->code == ErrorCode::DiskFull);
        checkFull(last, written, config.logFileName);
    }
    CHECK(umount(folder.path().c_str()) == 0);
}

TEST_CASE("A process that is killed leaves a file readable to the last flushed buffer", "[engine][kill]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("killed.etl");
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // No assertions here: the test program belongs to the parent.
        SystemClock clock;
        etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
        const auto writer = engine.registerProvider("Killed");
        auto config = fileConfig(path);
        config.minimumBuffers = 64; // room for all that comes before the flush
        auto started = etw::await<etw::StartedSession>([&](auto done) { engine.start(config, std::move(done)); });
        if (!started || !etw::await<void>([&](auto done) {
                engine.enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
            })) {
            _exit(1);
        }
        for (int i = 0; i < 3000; ++i) {
            writer->write(event());
        }
        auto flushed =
            etw::await<etw::SessionStats>([&](auto done) { engine.flush(started->id, {}, std::move(done)); });
        const std::uint64_t recorded = flushed ? flushed->eventsRecorded : 0;
        if (write(ready[1], &recorded, sizeof recorded) != sizeof recorded) {
            _exit(1);
        }
        while (true) {
            writer->write(event());
        }
    }
    std::uint64_t recorded = 0;
    const bool isReady = read(ready[0], &recorded, sizeof recorded) == sizeof recorded;
    REQUIRE(kill(child, SIGKILL) == 0);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    close(ready[0]);
    close(ready[1]);
    REQUIRE(isReady);
    CHECK(WIFSIGNALED(status));
    CHECK(recorded == 3000);

    const RawEtl etl = readRawEtl(path);
    CHECK(etl.header.endTime == 0);
    CHECK(etl.header.buffersWritten == 0);
    CHECK(etl.dataEvents() >= recorded);
    // A buffer that was being written may be cut off; everything before it is whole.
    INFO(etl.problemText());
    CHECK(etl.problems.size() <= 1);
    const std::string shared = sharedFolder("checker on the file of a killed process");
    if (!shared.empty()) {
        const CommandResult lenient = runCommand("python3 '" + shared + "/tools/etlcheck.py' '" + path + "'");
        INFO(lenient.output);
        CHECK((etl.problems.size() == 1 || lenient.status == 0));
        CHECK(lenient.output.find("not closed cleanly") != std::string::npos);
    }
}
