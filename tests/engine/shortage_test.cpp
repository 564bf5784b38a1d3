// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the engine does when the system has no thread and no memory for it, and that writing an event asks for neither:
// the program's own versions of these calls stand before those of the C library.
#include "tests/engine/engine_fixture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> s_hasNoThreads{false};
std::atomic<int> s_pagesLeft{-1}; ///< calls that succeed; -1: all
thread_local std::uint64_t t_allocations = 0;

void* counted(std::size_t size, const std::nothrow_t&) noexcept {
    ++t_allocations;
    return std::malloc(size == 0 ? 1 : size);
}

void* counted(std::size_t size) {
    if (void* const memory = counted(size, std::nothrow)) {
        return memory;
    }
    throw std::bad_alloc();
}

} // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size, std::nothrow);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size, std::nothrow);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
    if (s_hasNoThreads) {
        return EAGAIN;
    }
    static auto* const next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return next(thread, attributes, run, argument);
}

extern "C" int madvise(void* memory, size_t size, int advice) noexcept {
    if (s_pagesLeft == 0) {
        errno = ENOMEM;
        return -1;
    }
    if (s_pagesLeft > 0) {
        --s_pagesLeft;
    }
    static auto* const next = reinterpret_cast<decltype(&madvise)>(dlsym(RTLD_NEXT, "madvise"));
    return next(memory, size, advice);
}

using namespace tracedeck;
using namespace tracedeck::test;

TEST_CASE("Without a thread for its file a session is refused and leaves nothing", "[engine][shortage]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    Calls calls(engine);
    const auto config = fileConfig(folder.file("a.etl"));
    s_hasNoThreads = true;
    const auto refused = calls.tryStart(config);
    s_hasNoThreads = false;
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::OutOfMemory);
    CHECK(refused.error().native == etw::win32::kNoSystemResources);
    CHECK_FALSE(systemFiles().open(config.logFileName).has_value());
    calls.stop(calls.start(config).id);
}

TEST_CASE("Without a thread of its own the engine refuses every request", "[engine][shortage]") {
    SystemClock clock;
    s_hasNoThreads = true;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    s_hasNoThreads = false;
    const auto refused = Calls(engine).tryStart(ringConfig());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::OutOfMemory);
}

TEST_CASE("A source that finds no thread refuses the session, not the program", "[engine][shortage]") {
    class Threadless final : public etw::engine::KernelSource {
    public:
        [[nodiscard]] etw::Capabilities capabilities() const override { return {}; }
        [[nodiscard]] etlformat::TraceIdentity identity() const override { return {}; }
        [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest&,
                                                                            etw::engine::KernelSink&) override {
            throw std::system_error(EAGAIN, std::generic_category(), "thread");
        }
    } kernel;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    const auto refused = Calls(engine).tryStart(systemConfig(ringConfig()));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::OutOfMemory);
}

TEST_CASE("Memory that the system does not have refuses the session", "[engine][shortage]") {
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    auto config = fileConfig(folder.file("a.etl"));
    config.minimumBuffers = 100;
    s_pagesLeft = 50;
    const auto refused = Calls(engine).tryStart(config);
    s_pagesLeft = -1;
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::OutOfMemory);
    CHECK(refused.error().native == etw::win32::kNoSystemResources);
    CHECK_FALSE(systemFiles().open(config.logFileName).has_value());
}

TEST_CASE("A session's buffers do not grow into memory that others need", "[engine][shortage]") {
    const TemporaryFolder folder;
    SystemClock clock;
    std::atomic<std::uint64_t> available{mib(1000).count};
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr, [&] { return Bytes{available.load()}; }});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    auto config = fileConfig(folder.file("a.etl"));
    config.bufferSizeKib = 4;
    config.maximumBuffers = 300;
    const auto started = calls.start(config);
    calls.enable(started.id, writer->providerId());
    available = mib(128).count; // the reserve and nothing more
    for (int i = 0; i < 100'000; ++i) {
        writer->write({"Event", 4, 0, 0, {}});
    }
    const auto last = calls.stop(started.id);
    CHECK(last.numberOfBuffers == started.stats.numberOfBuffers);
    CHECK(last.eventsProduced == last.eventsRecorded + last.eventsLost);

    available = mib(130).count;
    config = ringConfig();
    config.minimumBuffers = 1000; // of 64 KiB
    const std::uint32_t least = 2 * std::max(1U, std::thread::hardware_concurrency());
    CHECK(calls.start(config).stats.numberOfBuffers == std::max(32U, least));
}

TEST_CASE("An update counts what the session has as its own", "[engine][shortage]") {
    const TemporaryFolder folder;
    SystemClock clock;
    std::atomic<std::uint64_t> available{mib(1128).count};
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr, [&] { return Bytes{available.load()}; }});
    Calls calls(engine);
    auto config = fileConfig(folder.file("u.etl"));
    config.bufferSizeKib = 1024;
    config.minimumBuffers = 60;
    config.maximumBuffers = 61; // raised by ETW's rule to 80
    const auto started = calls.start(config);
    CHECK(started.stats.maximumBuffers == 80);
    available = mib(128 + 40).count; // beside the 60 that it has

    config.flushTimer = std::chrono::seconds(1); // the rest as it was given to start()
    const auto same = calls.tryUpdate(started.id, config);
    REQUIRE(same.has_value());
    CHECK(same->maximumBuffers == 80);
    config.maximumBuffers = 200;
    const auto more = calls.tryUpdate(started.id, config);
    REQUIRE(more.has_value());
    CHECK(more->maximumBuffers == 100);
    config.maximumBuffers = 70;
    CHECK_FALSE(calls.tryUpdate(started.id, config).has_value());
}

TEST_CASE("Writing an event allocates nothing", "[engine][shortage][provider]") {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Writer");
    Calls calls(engine);
    const auto one = calls.start(ringConfig());
    auto config = ringConfig();
    config.name = "second";
    const auto two = calls.start(config);
    calls.enable(one.id, writer->providerId());
    etw::ProviderConfig everything;
    everything.provider = writer->providerId();
    everything.captureStack = true;
    everything.enableProperties = 0x183; // SID, TS_ID, PROCESS_START_KEY, EVENT_KEY
    REQUIRE(etw::await<void>([&](auto done) { engine.enable(two.id, everything, std::move(done)); }));
    const etlformat::TraceLoggingEvent event{"Event",
                                             4,
                                             0,
                                             0,
                                             {{"text", std::string(1000, 't')},
                                              {"bad", std::string("\xFF\xFE")},
                                              {"long", std::string(100'000, 'x')},
                                              {"number", std::uint32_t{7}}}};
    writer->write(event); // what a thread asks for once: its own id
    const std::uint64_t before = t_allocations;
    for (int i = 0; i < 1000; ++i) {
        writer->write(event);
    }
    CHECK(t_allocations == before);
    for (const auto& started : {one, two}) {
        const auto stats = calls.query(started.id);
        CHECK(stats.eventsProduced == 1001);
        CHECK(stats.eventsLost == 0);
    }
}
