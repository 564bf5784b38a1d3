// SPDX-License-Identifier: GPL-3.0-or-later
// Records numbered events into a ring until it is killed.
//
//   ring_victim FOLDER COUNTERS THREADS
//
// COUNTERS is a file of THREADS 64-bit numbers: how many events of each thread are in the ring.
#include "core/etw/engine/engine.h"
#include "core/etw/wait.h"
#include "tests/engine/numbered_events.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace tracedeck;

namespace {

int complain(const std::string& what) {
    std::fprintf(stderr, "ring_victim: %s\n", what.c_str());
    return 1;
}

int record(const std::string& folder, std::span<std::atomic<std::uint64_t>> counters) {
    SystemClock clock;
    etw::engine::Engine::Environment environment{&clock, &systemFiles(), nullptr};
    environment.ringFolder = folder;
    etw::engine::Engine engine(environment);
    const auto writer = engine.registerProvider("Tracedeck-Test");
    etw::SessionConfig config;
    config.name = "victim";
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 16;
    config.minimumBuffers = 64;
    const auto started = etw::await<etw::StartedSession>([&](auto done) { engine.start(config, std::move(done)); });
    if (!started) {
        return complain(started.error().detail);
    }
    if (!started->limitations.empty()) {
        return complain(started->limitations.front().detail);
    }
    const auto enabled = etw::await<void>([&](auto done) {
        engine.enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
    });
    if (!enabled) {
        return complain(enabled.error().detail);
    }
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < counters.size(); ++i) {
        threads.emplace_back([&, i] {
            for (std::uint64_t number = 0;; ++number) {
                test::writeNumbered(*writer, {i, static_cast<std::uint32_t>(number)});
                counters[i].store(number + 1, std::memory_order_release);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        return complain("FOLDER COUNTERS THREADS");
    }
    const auto threads = static_cast<std::size_t>(std::strtoul(argv[3], nullptr, 10));
    const int file = ::open(argv[2], O_RDWR | O_CLOEXEC);
    void* const memory =
        file < 0 ? MAP_FAILED
                 : ::mmap(nullptr, threads * sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        return complain(std::string("cannot map ") + argv[2]);
    }
    return record(argv[1], {static_cast<std::atomic<std::uint64_t>*>(memory), threads});
}
