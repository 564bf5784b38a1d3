// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that overwrite their oldest buffers, follow one another, or go on where an earlier session ended.
#include "tests/engine/engine_fixture.h"
#include "tests/support/failing_device.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

using namespace tracedeck;
using namespace tracedeck::test;
namespace mode = etlformat::mode;

namespace {

constexpr std::size_t kEventsPerBuffer = 30; // they fit into one of 16 KiB

/// A provider whose events carry their number.
class Numbered {
public:
    explicit Numbered(etw::EventWriterFactory& factory) : m_writer(factory.registerProvider("Numbered")) {}
    void write(int events) {
        for (int i = 0; i < events; ++i) {
            m_writer->write({"Event", 4, 0, 1, {{"number", ++m_last}, {"text", std::string(200, 't')}}});
        }
    }
    [[nodiscard]] std::uint64_t last() const { return m_last; }
    [[nodiscard]] const Guid& id() const { return m_writer->providerId(); }

private:
    std::unique_ptr<etw::EventWriter> m_writer;
    std::uint64_t m_last = 0;
};

/// The numbers of a file's events.
std::set<std::uint64_t> numbersIn(const RawEtl& etl) {
    std::set<std::uint64_t> numbers;
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        for (const RawEvent& event : etl.buffers[i].events) {
            constexpr std::string_view marker = "tttt";
            constexpr std::size_t kLengthSize = 2;
            const std::string_view bytes(reinterpret_cast<const char*>(event.payload.data()), event.payload.size());
            std::uint64_t number = 0;
            const std::size_t text = bytes.find(marker);
            REQUIRE(text != std::string_view::npos);
            std::memcpy(&number, bytes.data() + text - kLengthSize - sizeof number, sizeof number);
            CHECK(numbers.insert(number).second);
        }
    }
    return numbers;
}

bool isUnbroken(const std::set<std::uint64_t>& numbers) {
    return !numbers.empty() && *numbers.rbegin() - *numbers.begin() + 1 == numbers.size();
}

/// One stream of buffers, so that what is oldest does not depend on which processors the test runs.
etw::SessionConfig modeConfig(const std::string& path, std::uint32_t fileMode) {
    etw::SessionConfig config = fileConfig(path);
    config.logFileMode = fileMode | mode::kNoPerProcessorBuffering;
    config.bufferSizeKib = 16;
    return config;
}

etw::SessionConfig circularConfig(const std::string& path) {
    etw::SessionConfig config = modeConfig(path, mode::kCircular);
    config.maximumFileSizeMib = 1;
    return config;
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// As checkedEtl() for a circular file. Checkers that read buffers as they lie, and not by their numbers as consumers
/// do, get a copy that is put in order.
RawEtl checkedCircularEtl(const std::string& path) {
    RawEtl etl = readRawEtl(path);
    CHECK(etl.problemText().empty());
    const std::string content = contentOf(path);
    const std::size_t size = etl.header.bufferSize;
    std::map<std::int64_t, std::string> ordered;
    for (std::size_t offset = 0; offset < content.size(); offset += size) {
        etlformat::BufferHeader header;
        std::memcpy(&header, content.data() + offset, sizeof header);
        ordered[header.sequenceNumber] = content.substr(offset, size);
    }
    const std::string copy = path + ".ordered";
    {
        std::ofstream file(copy, std::ios::binary);
        for (const auto& [number, buffer] : ordered) {
            file << buffer;
        }
    }
    CHECK(checkedEtl(copy).dataEvents() == etl.dataEvents());
    return etl;
}

struct Stage {
    TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device{mib(100)};
    etw::engine::Engine engine{{&clock, &device, nullptr}};
    Numbered numbered{engine};
    Calls calls{engine};

    etw::SessionId start(const etw::SessionConfig& config) {
        const auto started = calls.start(config);
        calls.enable(started.id, numbered.id());
        return started.id;
    }
    /// Writes at the pace of the file, so that nothing is lost.
    void writeAndFlush(etw::SessionId id, int rounds) {
        for (int i = 0; i < rounds; ++i) {
            numbered.write(kEventsPerBuffer);
            calls.flush(id);
        }
    }
};

} // namespace

TEST_CASE("A circular file keeps the newest events and counts the overwritten", "[engine][modes]") {
    Stage stage;
    const auto config = circularConfig(stage.folder.file("c.etl"));
    const auto id = stage.start(config);
    const int rounds = GENERATE(10, 63, 64, 65, 200); // 63 data buffers fit
    stage.writeAndFlush(id, rounds);
    const auto running = stage.calls.query(id);
    const auto last = stage.calls.stop(id);
    CHECK(last.eventsLost == 0);
    CHECK(last.eventsProduced == stage.numbered.last());
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsOverwritten);
    CHECK((last.eventsOverwritten > 0) == (rounds > 63));
    CHECK(last.fileSize <= mib(1));
    CHECK_FALSE(last.isAtSizeLimit);
    CHECK(last.files == std::vector<std::string>{config.logFileName});

    const RawEtl etl = checkedCircularEtl(config.logFileName);
    CHECK(etl.header.logFileMode == (mode::kCircular | mode::kNoPerProcessorBuffering));
    CHECK(etl.header.maximumFileSize == 1);
    CHECK(etl.dataEvents() == last.eventsRecorded);
    const auto numbers = numbersIn(etl);
    CHECK(isUnbroken(numbers));
    CHECK(*numbers.rbegin() == stage.numbered.last());
    const Ticks oldest = etl.buffers[1].events.front().time;
    CHECK(running.oldest <= oldest);
    if (rounds == 200) {
        CHECK(running.oldest > etl.buffers[0].events[0].time);
        CHECK(etl.firstNumber() == 200 - 63 + 1);
    }
}

TEST_CASE("A circular file on a volume that is short keeps the newest in what there is", "[engine][modes]") {
    TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(16 * 21)); // the header and 20 buffers
    etw::engine::Engine engine({&clock, &device, nullptr});
    Numbered numbered(engine);
    Calls calls(engine);
    auto config = circularConfig(folder.file("c.etl"));
    config.minimumFreeDisk = GENERATE(Bytes{0}, kib(16 * 5));
    const auto started = calls.start(config);
    calls.enable(started.id, numbered.id());
    for (int i = 0; i < 100; ++i) {
        numbered.write(kEventsPerBuffer);
        calls.flush(started.id);
    }
    const auto last = calls.stop(started.id);
    CHECK_FALSE(last.writeError.has_value());
    CHECK(last.eventsLost == 0);
    CHECK(last.eventsOverwritten > 0);
    CHECK(last.fileSize.count == kib(16 * 21).count); // so small, it need leave nothing free
    const RawEtl etl = checkedCircularEtl(config.logFileName);
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(isUnbroken(numbersIn(etl)));
}

TEST_CASE("A volume that is full before a circular file is of any use stops it", "[engine][modes]") {
    TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(kib(16 * 2));
    etw::engine::Engine engine({&clock, &device, nullptr});
    Numbered numbered(engine);
    Calls calls(engine);
    const auto config = circularConfig(folder.file("c.etl"));
    const auto started = calls.start(config);
    calls.enable(started.id, numbered.id());
    for (int i = 0; i < 10; ++i) {
        numbered.write(kEventsPerBuffer);
        calls.flush(started.id);
    }
    const auto last = calls.stop(started.id);
    REQUIRE(last.writeError.has_value());
    CHECK(last.writeError->code == ErrorCode::DiskFull);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    CHECK(checkedEtl(config.logFileName).dataEvents() == last.eventsRecorded);
}

TEST_CASE("A kernel session in a circular file has its rundown at the end, of what the file still spans",
          "[engine][modes][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(circularConfig(folder.file("k.etl")));
    config.logFileMode &= ~mode::kNoPerProcessorBuffering;
    const auto started = calls.start(config);
    CHECK(kernel.requests().back().isRing);
    const Ticks atStart = kernel.oldest();
    for (int i = 0; i < 200; ++i) {
        for (std::uint32_t event = 0; event < 2000; ++event) {
            REQUIRE(kernel.emit(event % 2));
        }
        calls.flush(started.id);
    }
    CHECK(kernel.oldest() > atStart);
    const auto last = calls.stop(started.id);
    CHECK(last.eventsOverwritten > 0);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsOverwritten);
    const RawEtl etl = checkedCircularEtl(config.logFileName);
    CHECK(etl.buffers.back().events.back().hookId == etlformat::hook::kRundownComplete);
    CHECK(kernel.requests().size() == 1);
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        CHECK(etl.buffers[i].events.front().time >= last.oldest);
    }
}

TEST_CASE("A circular file of a killed process has whole buffers alone", "[engine][modes]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("killed.etl");
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        std::filesystem::remove(path);
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        const ::pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            SystemClock clock;
            etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
            Numbered numbered(engine);
            auto config = circularConfig(path);
            config.minimumBuffers = 64;
            const auto started =
                etw::await<etw::StartedSession>([&](auto done) { engine.start(config, std::move(done)); });
            if (!started || !etw::await<void>([&](auto done) {
                    engine.enable(started->id, {numbered.id(), "", 0xFF, 0, 0, false}, std::move(done));
                })) {
                ::_exit(1);
            }
            for (bool hasTold = false;;) {
                numbered.write(kEventsPerBuffer);
                const auto stats =
                    etw::await<etw::SessionStats>([&](auto done) { engine.query(started->id, std::move(done)); });
                if (!hasTold && stats && stats->eventsOverwritten > 0) {
                    hasTold = ::write(ready[1], "x", 1) == 1;
                }
            }
        }
        ::close(ready[1]);
        char told = 0;
        REQUIRE(::read(ready[0], &told, 1) == 1);
        ::close(ready[0]);
        REQUIRE(::kill(child, SIGKILL) == 0);
        REQUIRE(::waitpid(child, nullptr, 0) == child);

        RawEtl etl = readRawEtl(path);
        CHECK(etl.header.endTime == 0);
        // The one that was being overwritten may be empty.
        std::erase_if(etl.problems, [](const std::string& problem) {
            return problem.ends_with(": empty") || problem.ends_with(": tail");
        });
        CHECK(etl.problemText().empty());
        CHECK(etl.buffers.size() == 64);
        CHECK(std::count_if(etl.buffers.begin(), etl.buffers.end(),
                            [](const RawBuffer& buffer) { return buffer.events.empty(); }) <= 1);
        CHECK(numbersIn(etl).size() == etl.dataEvents());
    }
}

TEST_CASE("A file that has its size is followed by another", "[engine][modes]") {
    Stage stage;
    auto config = modeConfig(stage.folder.file("n%d.etl"), mode::kNewFile);
    config.maximumFileSizeMib = 1;
    std::ofstream(stage.folder.file("n3.etl")) << "somebody's";
    const auto id = stage.start(config);
    stage.writeAndFlush(id, 150); // 63 data buffers fit into each
    const auto last = stage.calls.stop(id);
    CHECK(last.eventsLost == 0);
    CHECK(last.eventsOverwritten == 0);
    CHECK(last.eventsRecorded == stage.numbered.last());
    CHECK_FALSE(last.isAtSizeLimit);
    CHECK(last.files == std::vector<std::string>{stage.folder.file("n1.etl"), stage.folder.file("n2.etl"),
                                                 stage.folder.file("n4.etl")});
    CHECK(contentOf(stage.folder.file("n3.etl")) == "somebody's");

    std::set<std::uint64_t> all;
    std::int64_t next = 1;
    Bytes size;
    std::uint64_t buffers = 0;
    for (const std::string& path : last.files) {
        CAPTURE(path);
        const RawEtl etl = checkedEtl(path);
        CHECK(etl.logFileName == path);
        CHECK(etl.firstNumber() == next);
        next = etl.buffers.back().header.sequenceNumber + 1;
        const auto numbers = numbersIn(etl);
        CHECK(isUnbroken(numbers));
        all.insert(numbers.begin(), numbers.end());
        size = size + Bytes{std::filesystem::file_size(path)};
        buffers += etl.buffers.size();
        CHECK(etl.buffers[0].events.front().time <= etl.buffers[1].events.front().time);
        CHECK(Bytes{std::filesystem::file_size(path)} <= mib(1));
    }
    CHECK(all.size() == stage.numbered.last());
    CHECK(last.fileSize == size);
    CHECK(last.buffersWritten == buffers);
}

TEST_CASE("A file that cannot follow ends the writing", "[engine][modes]") {
    TemporaryFolder folder;
    SystemClock clock;
    FailingDevice device(mib(1) + kib(8));
    etw::engine::Engine engine({&clock, &device, nullptr});
    Numbered numbered(engine);
    Calls calls(engine);
    auto config = modeConfig(folder.file("n%d.etl"), mode::kNewFile);
    config.maximumFileSizeMib = 1;
    const auto started = calls.start(config);
    calls.enable(started.id, numbered.id());
    for (int i = 0; i < 80; ++i) {
        numbered.write(kEventsPerBuffer);
        calls.flush(started.id);
    }
    const auto last = calls.stop(started.id);
    REQUIRE(last.writeError.has_value());
    CHECK(last.writeError->code == ErrorCode::DiskFull);
    CHECK(last.files.size() == 1);
    CHECK(last.eventsProduced == numbered.last());
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);
    CHECK(checkedEtl(folder.file("n1.etl")).dataEvents() == last.eventsRecorded);
    CHECK_FALSE(std::filesystem::exists(folder.file("n2.etl")));
}

TEST_CASE("An appended file goes on where the earlier session ended", "[engine][modes]") {
    Stage stage;
    const auto config = modeConfig(stage.folder.file("a.etl"), mode::kAppend); // none there: it is created
    for (int session = 1; session <= 3; ++session) {
        const auto id = stage.start(config);
        stage.writeAndFlush(id, 5);
        const auto last = stage.calls.stop(id);
        CHECK(last.eventsRecorded == 5 * kEventsPerBuffer);
        CHECK(last.eventsLost == 0);
        const RawEtl etl = checkedEtl(config.logFileName);
        CHECK(etl.dataEvents() == stage.numbered.last());
        CHECK(isUnbroken(numbersIn(etl)));
        CHECK((etl.header.logFileMode & mode::kAppend) != 0);
    }
}

TEST_CASE("An appended file keeps to its largest size, what was there included", "[engine][modes]") {
    Stage stage;
    auto config = modeConfig(stage.folder.file("a.etl"), mode::kAppend);
    config.maximumFileSizeMib = 1;
    auto id = stage.start(config);
    stage.writeAndFlush(id, 60);
    stage.calls.stop(id);
    id = stage.start(config);
    stage.writeAndFlush(id, 10);
    const auto last = stage.calls.stop(id);
    CHECK(last.isAtSizeLimit);
    CHECK(last.fileSize == mib(1));
    CHECK(last.eventsRecorded == 3 * kEventsPerBuffer);
    CHECK(checkedEtl(config.logFileName).dataEvents() == 63 * kEventsPerBuffer);
}

TEST_CASE("A file that does not go with the session is not written on, and stays as it is", "[engine][modes]") {
    Stage stage;
    const auto config = modeConfig(stage.folder.file("a.etl"), mode::kAppend);
    const auto id = stage.start(config);
    stage.writeAndFlush(id, 2);
    stage.calls.stop(id);
    std::string content = contentOf(config.logFileName);

    struct Row {
        const char* what;
        void (*change)(etw::SessionConfig& config, std::string& content);
        ErrorCode code;
    };
    constexpr std::size_t kHeader = etlformat::kBufferHeaderSize + sizeof(etlformat::SystemHeader);
    static constexpr auto poke = [](std::string& bytes, std::size_t offset, char change) {
        bytes[kHeader + offset] = static_cast<char>(bytes[kHeader + offset] + change);
    };
    const Row row = GENERATE(
        Row{"another buffer size", [](auto& c, auto&) { c.bufferSizeKib = 32; }, ErrorCode::SessionBadParameters},
        Row{"another number of processors", [](auto& c, auto&) { c.logFileMode &= ~mode::kNoPerProcessorBuffering; },
            std::thread::hardware_concurrency() > 1 ? ErrorCode::SessionBadParameters : ErrorCode::Internal},
        Row{"another clock", [](auto&, auto& c) { poke(c, offsetof(etlformat::LogfileHeader, clockType), 1); },
            ErrorCode::SessionBadParameters},
        Row{"another boot", [](auto&, auto& c) { poke(c, offsetof(etlformat::LogfileHeader, startTime) + 5, 1); },
            ErrorCode::SessionBadParameters},
        Row{"never closed",
            [](auto&, auto& c) { c.replace(kHeader + offsetof(etlformat::LogfileHeader, endTime), 8, 8, '\0'); },
            ErrorCode::EtlDamaged},
        Row{"cut off", [](auto&, auto& c) { c.resize(c.size() - 1); }, ErrorCode::EtlDamaged},
        Row{"circular", [](auto&, auto& c) { c[kHeader + offsetof(etlformat::LogfileHeader, logFileMode)] = 2; },
            ErrorCode::NotSupported},
        Row{"no .etl file", [](auto&, auto& c) { c.assign(5000, 'x'); }, ErrorCode::NotAnEtl},
        Row{"empty", [](auto&, auto& c) { c.clear(); }, ErrorCode::NotAnEtl});
    CAPTURE(row.what);
    if (row.code == ErrorCode::Internal) {
        return; // a machine of one processor has no other number
    }
    auto changed = config;
    row.change(changed, content);
    std::ofstream(config.logFileName, std::ios::binary | std::ios::trunc) << content;
    const auto refused = stage.calls.tryStart(changed);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == row.code);
    CHECK_FALSE(refused.error().detail.empty());
    CHECK(contentOf(config.logFileName) == content);
}

TEST_CASE("A kernel that refuses leaves an appended file as it was", "[engine][modes][kernel]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(fileConfig(folder.file("k.etl")));
    config.logFileMode |= mode::kAppend;
    auto started = calls.start(config);
    REQUIRE(kernel.emit(0));
    calls.stop(started.id);
    const std::string before = contentOf(config.logFileName);

    auto refused = config;
    refused.kernelGroups = {};
    refused.kernelGroups.set(etlformat::group::kContextSwitch);
    REQUIRE_FALSE(calls.tryStart(refused).has_value());
    CHECK(contentOf(config.logFileName) == before);

    config.kernelGroups.set(etlformat::group::kProcess); // its header names all that is in it
    started = calls.start(config);
    calls.stop(started.id);
    checkedEtl(config.logFileName);
    CHECK(contentOf(config.logFileName).substr(0, 0x1000) != before.substr(0, 0x1000));
}

TEST_CASE("Modes want what they need", "[engine][modes][rules]") {
    Stage stage;
    struct Row {
        const char* what;
        std::uint32_t fileMode;
        const char* name;
        std::uint32_t maximumFileSizeMib;
        std::uint32_t native;
    };
    const Row row = GENERATE(Row{"circular without a size", mode::kCircular, "a.etl", 0, 87},
                             Row{"new file without a size", mode::kNewFile, "a%d.etl", 0, 87},
                             Row{"new file without a number", mode::kNewFile, "a.etl", 1, 123},
                             Row{"new file with two numbers", mode::kNewFile, "a%d%d.etl", 1, 123},
                             Row{"new file with another conversion", mode::kNewFile, "a%d%s.etl", 1, 123},
                             Row{"circular and append", mode::kCircular | mode::kAppend, "a.etl", 1, 87},
                             Row{"circular and new file", mode::kCircular | mode::kNewFile, "a%d.etl", 1, 87},
                             Row{"append and new file", mode::kAppend | mode::kNewFile, "a%d.etl", 1, 87},
                             Row{"new file of the kernel", mode::kNewFile | mode::kSystemLogger, "a%d.etl", 1, 87});
    CAPTURE(row.what);
    auto config = fileConfig(stage.folder.file(row.name));
    config.logFileMode = row.fileMode;
    config.maximumFileSizeMib = row.maximumFileSizeMib;
    const auto refused = stage.calls.tryStart(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::SessionBadParameters);
    CHECK(refused.error().native == row.native);
}
