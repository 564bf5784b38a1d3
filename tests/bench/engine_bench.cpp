// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/engine.h"
#include "core/etw/wait.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

// How fast events are written, into memory alone. Prints; asserts nothing.

using namespace tracedeck;

namespace {

constexpr std::uint32_t kEvents = 2'000'000;

template <class Work>
double nanosecondsPerEvent(unsigned threads, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> running;
    for (unsigned i = 0; i < threads; ++i) {
        running.emplace_back([&] {
            for (std::uint32_t n = 0; n < kEvents; ++n) {
                work(n);
            }
        });
    }
    for (std::thread& thread : running) {
        thread.join();
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    return spent.count() / kEvents / threads;
}

void print(const char* what, unsigned threads, double nanoseconds) {
    std::printf("%-42s %2u thread%c %8.1f ns/event %8.2f million events/s\n", what, threads, threads == 1 ? ' ' : 's',
                nanoseconds, 1000.0 / nanoseconds);
}

void benchPool(unsigned threads) {
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    etw::engine::BufferPool pool({processors, 1024 * 1024, true});
    if (!pool.grow(processors * 4)) {
        std::puts("no memory");
        return;
    }
    SystemClock clock;
    std::array<std::byte, 64> event{};
    print("buffer pool, 64-byte events", threads, nanosecondsPerEvent(threads, [&](std::uint32_t) {
              static_cast<void>(pool.write(
                  etw::engine::currentProcessor() % processors, event.size(), [&] { return clock.ticks(); },
                  [&](std::byte* place, Ticks) { std::memcpy(place, event.data(), event.size()); }));
          }));
}

void benchEngine(unsigned threads) {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Bench");
    const auto write = [&](std::uint32_t n) { writer->write({"Event", 4, 0, 1, {{"value", n}}}); };
    print("provider nobody listens to", threads, nanosecondsPerEvent(threads, write));
    etw::SessionConfig config;
    config.name = "bench";
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 1024;
    const auto started = etw::await<etw::StartedSession>([&](auto done) { engine.start(config, std::move(done)); });
    if (!started || !etw::await<void>([&](auto done) {
            engine.enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
        })) {
        std::puts("the session did not start");
        return;
    }
    print("provider into a ring, encoding included", threads, nanosecondsPerEvent(threads, write));
    const auto stats = etw::await<etw::SessionStats>([&](auto done) { engine.query(started->id, std::move(done)); });
    if (stats) {
        std::printf("  %llu produced, %llu lost\n", static_cast<unsigned long long>(stats->eventsProduced),
                    static_cast<unsigned long long>(stats->eventsLost));
    }
}

} // namespace

int main() {
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    for (const unsigned threads : {1U, processors, 4 * processors}) {
        benchPool(threads);
        benchEngine(threads);
    }
    return 0;
}
