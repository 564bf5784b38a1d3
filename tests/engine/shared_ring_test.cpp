// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/shared_ring.h"
#include "tests/engine/engine_fixture.h"
#include "tests/engine/numbered_events.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::test;
using engine::discardLeftRing;
using engine::leftRings;
using engine::saveLeftRing;

namespace {

struct RingEngine {
    explicit RingEngine(const std::string& folder) : engine(environment(folder)) {}
    engine::Engine::Environment environment(const std::string& folder) {
        engine::Engine::Environment all{&clock, &systemFiles(), nullptr};
        all.ringFolder = folder;
        return all;
    }
    SystemClock clock;
    engine::Engine engine;
    Calls calls{engine};
};

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    return names;
}

/// The program that records until it is killed.
class Victim {
public:
    Victim(const std::string& folder, const std::string& counters, std::size_t threads) : m_threads(threads) {
        const int file = ::open(counters.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        REQUIRE(file >= 0);
        REQUIRE(::ftruncate(file, static_cast<off_t>(threads * sizeof(std::uint64_t))) == 0);
        m_memory = ::mmap(nullptr, threads * sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        REQUIRE(m_memory != MAP_FAILED);
        std::array<std::string, 4> words{TRACEDECK_RING_VICTIM, folder, counters, std::to_string(threads)};
        std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
        REQUIRE(::posix_spawn(&m_process, words[0].c_str(), nullptr, nullptr, arguments.data(), environ) == 0);
    }
    ~Victim() {
        kill();
        ::munmap(m_memory, m_threads * sizeof(std::uint64_t));
    }
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;

    /// False where it has ended by itself.
    bool waitForEvents(std::uint64_t events) const {
        return waitUntil([&] { return written(0) >= events || ::waitpid(m_process, nullptr, WNOHANG) != 0; }) &&
               written(0) >= events;
    }
    void kill() {
        if (m_process > 0) {
            ::kill(m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
            m_process = 0;
        }
    }
    [[nodiscard]] std::uint64_t written(std::size_t thread) const {
        return static_cast<std::atomic<std::uint64_t>*>(m_memory)[thread].load(std::memory_order_acquire);
    }

private:
    std::size_t m_threads;
    void* m_memory = nullptr;
    pid_t m_process = 0;
};

/// The numbers that each thread's events have, sorted, as a thread changes its processor.
std::map<std::uint32_t, std::vector<std::uint32_t>> numbersOf(const RawEtl& etl) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> numbers;
    bool isWhole = true;
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        for (const RawEvent& event : etl.buffers[i].events) {
            const auto numbered = readNumbered(event);
            isWhole = isWhole && numbered.has_value();
            if (numbered) {
                numbers[numbered->thread].push_back(numbered->number);
            }
        }
    }
    CHECK(isWhole);
    for (auto& [thread, all] : numbers) {
        std::sort(all.begin(), all.end());
    }
    return numbers;
}

int rounds() {
    const char* const asked = std::getenv("TRACEDECK_KILL_ROUNDS"); // NOLINT(concurrency-mt-unsafe)
    return asked == nullptr ? 8 : std::atoi(asked);                 // NOLINT(cert-err34-c)
}

} // namespace

TEST_CASE("A ring in shared memory has a file as long as it is needed", "[engine][ring]") {
    const TemporaryFolder folder;
    const TemporaryFolder target;
    RingEngine running(folder.path());
    const auto started = running.calls.start(ringConfig());
    CHECK(started.limitations.empty());
    const auto names = namesIn(folder.path());
    REQUIRE(names.size() == 1);
    struct stat status {};
    REQUIRE(::stat(folder.file(names[0]).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);
    SECTION("its process records to it: it is nobody else's") {
        CHECK(leftRings(folder.path()).empty());
        const auto saved = saveLeftRing(systemFiles(), running.clock, folder.file(names[0]), target.file("a.etl"));
        REQUIRE_FALSE(saved.has_value());
        CHECK(saved.error().code == ErrorCode::WrongState);
        CHECK(namesIn(target.path()).empty());
        const auto discarded = discardLeftRing(folder.file(names[0]));
        REQUIRE_FALSE(discarded.has_value());
        CHECK(discarded.error().code == ErrorCode::WrongState);
        CHECK(namesIn(folder.path()) == names);
        running.calls.stop(started.id);
    }
    SECTION("saved") {
        running.calls.stop(started.id, target.file("a.etl"));
        checkedEtl(target.file("a.etl"));
    }
    SECTION("dropped") {
        running.calls.stop(started.id);
    }
    SECTION("kept while it cannot be saved") {
        CHECK_FALSE(running.calls.tryStop(started.id, target.file("missing/a.etl")).has_value());
        CHECK(namesIn(folder.path()) == names);
        running.calls.stop(started.id);
    }
    CHECK(namesIn(folder.path()).empty());
}

TEST_CASE("A ring in shared memory gives the same file as any other", "[engine][ring]") {
    const TemporaryFolder folder;
    const TemporaryFolder target;
    RingEngine running(folder.path());
    const auto writer = running.engine.registerProvider("Tracedeck-Test");
    SessionConfig config = ringConfig();
    config.bufferSizeKib = 4;
    config.minimumBuffers = 8;
    const auto started = running.calls.start(config);
    running.calls.enable(started.id, writer->providerId());
    constexpr std::uint32_t kEvents = 5000;
    for (std::uint32_t number = 0; number < kEvents; ++number) {
        writeNumbered(*writer, {0, number});
    }
    const SessionStats last = running.calls.stop(started.id, target.file("a.etl"));
    CHECK(last.eventsProduced == kEvents);
    CHECK(last.eventsLost == 0);
    CHECK(last.eventsRecorded + last.eventsOverwritten == kEvents);
    const RawEtl etl = checkedEtl(target.file("a.etl"));
    CHECK(etl.dataEvents() == last.eventsRecorded);
    CHECK(numbersOf(etl)[0].back() == kEvents - 1);
}

TEST_CASE("Where a ring cannot lie in shared memory it is recorded all the same, and that is said", "[engine][ring]") {
    const TemporaryFolder target;
    RingEngine running("/nowhere/at/all");
    const auto started = running.calls.start(ringConfig());
    REQUIRE(started.limitations.size() == 1);
    CHECK(started.limitations[0].code == LimitationCode::RingNotShared);
    CHECK(started.limitations[0].detail.find("/nowhere/at/all") != std::string::npos);
    running.calls.stop(started.id, target.file("a.etl"));
    checkedEtl(target.file("a.etl"));
}

TEST_CASE("A ring survives kill -9 of its process at any moment, with every event that was written", "[engine][ring]") {
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round < rounds(); ++round) {
        const TemporaryFolder folder;
        const TemporaryFolder target;
        const std::size_t threads = round % 2 == 0 ? 1 : 4;
        Victim victim(folder.path(), target.file("counters"), threads);
        const std::uint64_t moment = std::uniform_int_distribution<std::uint64_t>(1, 60000)(random);
        INFO("round " << round << ", killed after " << moment << " events of one of " << threads << " threads");
        REQUIRE(victim.waitForEvents(moment));
        victim.kill();

        const auto left = leftRings(folder.path());
        REQUIRE(left.size() == 1);
        CHECK(left[0].description.sessionName == "victim");
        CHECK(left[0].description.owner == ::geteuid());
        SystemClock clock;
        const auto saved = saveLeftRing(systemFiles(), clock, left[0].path, target.file("left.etl"));
        REQUIRE(saved.has_value());
        const RawEtl etl = checkedEtl(target.file("left.etl"));
        CHECK(etl.dataEvents() == saved->events);
        CHECK(etl.header.eventsLost == saved->eventsLost);
        const auto numbers = numbersOf(etl);
        std::uint64_t events = 0;
        std::uint64_t written = 0;
        for (const auto& [thread, all] : numbers) {
            REQUIRE(thread < threads);
            events += all.size();
            CHECK(all.back() <= victim.written(thread)); // one that was whole and not yet counted
            CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
        }
        for (std::size_t thread = 0; thread < threads; ++thread) {
            written += victim.written(thread);
        }
        CHECK(events == saved->events);
        // Exact but for what each thread had in its hand: an event, or a buffer that it was about to empty.
        const std::uint64_t known = saved->events + saved->eventsIncomplete + saved->eventsOverwritten;
        constexpr std::uint64_t kMostInBuffer = 16 * 1024 / 100;
        CHECK(known + threads * kMostInBuffer >= written);
        CHECK(known <= written + threads * (kMostInBuffer + 1));
        if (threads == 1) {
            const auto& all = numbers.at(0);
            CHECK(std::uint64_t{all.back()} + 1 >= victim.written(0)); // the very last one
            CHECK(saved->eventsIncomplete <= 1);
        }
        CHECK(leftRings(folder.path()).size() == 1); // until the user has what was saved
        CHECK(discardLeftRing(left[0].path).has_value());
        CHECK(namesIn(folder.path()).empty());
        CHECK(discardLeftRing(left[0].path).has_value()); // it is gone already
    }
}

TEST_CASE("What is no ring, or has been tampered with, is refused and harms nothing", "[engine][ring]") {
    const TemporaryFolder folder;
    const TemporaryFolder target;
    {
        Victim victim(folder.path(), target.file("counters"), 1);
        REQUIRE(victim.waitForEvents(3000));
    }
    const auto left = leftRings(folder.path());
    REQUIRE(left.size() == 1);
    const std::string path = left[0].path;
    SystemClock clock;
    const auto save = [&] {
        const auto saved = saveLeftRing(systemFiles(), clock, path, target.file("left.etl"));
        if (saved) {
            checkedEtl(target.file("left.etl"));
        } else {
            CHECK_FALSE(std::filesystem::exists(target.file("left.etl")));
        }
        return saved;
    };
    SECTION("every byte of the header and of the buffers' control, in turn") {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        std::mt19937 random(7);
        int refused = 0;
        const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
        for (std::size_t round = 0; round < 400; ++round) {
            const std::size_t at =
                round < 128 ? round : std::uniform_int_distribution<std::size_t>(128, size - 1)(random);
            file.seekg(static_cast<std::streamoff>(at));
            const char before = static_cast<char>(file.get());
            file.seekp(static_cast<std::streamoff>(at));
            file.put(static_cast<char>(before ^ static_cast<char>(1 + random() % 255)));
            file.flush();
            const auto saved = saveLeftRing(systemFiles(), clock, path, target.file("left.etl"));
            refused += saved ? 0 : 1;
            CHECK(std::filesystem::exists(target.file("left.etl")) == saved.has_value());
            std::filesystem::remove(target.file("left.etl"));
            file.seekp(static_cast<std::streamoff>(at));
            file.put(before);
            file.flush();
        }
        CHECK(refused > 20);
        CHECK(save().has_value());
    }
    SECTION("cut off") {
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
        CHECK(leftRings(folder.path()).empty());
        const auto saved = save();
        REQUIRE_FALSE(saved.has_value());
        CHECK(saved.error().code == ErrorCode::NotAnEtl);
    }
    SECTION("empty") {
        std::filesystem::resize_file(path, 0);
        CHECK_FALSE(save().has_value());
    }
    SECTION("readable by others") {
        REQUIRE(::chmod(path.c_str(), 0644) == 0);
        CHECK(leftRings(folder.path()).empty());
        CHECK_FALSE(save().has_value());
    }
    SECTION("a link, a pipe, a folder of such a name") {
        std::filesystem::rename(path, target.file("ring"));
        REQUIRE(::symlink(target.file("ring").c_str(), path.c_str()) == 0);
        CHECK(leftRings(folder.path()).empty());
        CHECK_FALSE(save().has_value());
        std::filesystem::remove(path);
        REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
        CHECK(leftRings(folder.path()).empty());
        std::filesystem::remove(path);
        std::filesystem::create_directory(path);
        CHECK(leftRings(folder.path()).empty());
        CHECK_FALSE(save().has_value());
    }
    SECTION("the target exists") {
        std::ofstream(target.file("left.etl")) << "mine";
        const auto saved = saveLeftRing(systemFiles(), clock, path, target.file("left.etl"));
        REQUIRE_FALSE(saved.has_value());
        CHECK(saved.error().code == ErrorCode::FileExists);
        CHECK(std::filesystem::file_size(target.file("left.etl")) == 4);
    }
}
