// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an event costs, measured with Google Benchmark. Nothing is asserted; each number stands beside the bar that it
// is held to.
//
// The event is 64 bytes long: a classic one, EVENT_TRACE_HEADER (48 bytes) and two 64-bit numbers, written by
// ClassicWriter::write() of the engine into a ring of 1 MiB buffers, ids, time and all.
//
// Clock: CLOCK_MONOTONIC through the vDSO, on both sides of each ratio, because it is what the engine stamps with; the
// benchmark's own times come from it too (std::chrono::steady_clock). Machines are shared and their speed changes, so
// the two sides of a ratio take turns, in slices of a few tens of microseconds, and the ratio of their medians counts:
// one that was interrupted counts for nothing.
#include "core/etw/engine/engine.h"
#include "core/etw/wait.h"
#include "tests/support/temporary_folder.h"

#include <benchmark/benchmark.h>

#ifdef TRACEDECK_HAS_LTTNG
#include "tests/bench/lttng_provider.h"
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tracedeck;
using Steady = std::chrono::steady_clock;

namespace {

constexpr int kSlice = 500; ///< events
constexpr Guid kClassic = Guid::of(0x5d8a3c10, 0x9b7e, 0x4f21, {0xa1, 0x6b, 0x33, 0x0c, 0x5e, 0x92, 0x77, 0xd4});
constexpr std::size_t kEventSize = 64;

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// An engine with one session that has enabled a classic provider.
class Traced {
public:
    explicit Traced(const etw::SessionConfig& config)
        : m_engine({&m_clock, &systemFiles(), nullptr}), m_writer(m_engine.registerClassic(kClassic, nullptr)) {
        const auto started =
            etw::await<etw::StartedSession>([&](auto done) { m_engine.start(config, std::move(done)); });
        if (started && etw::await<void>([&](auto done) {
                m_engine.enable(started->id, {kClassic, "", 0xFF, 0, 0, false}, std::move(done));
            })) {
            m_session = started->id;
        }
    }
    [[nodiscard]] bool runs() const { return m_session.value != 0; }
    void write(std::uint64_t number) {
        const std::array<std::uint64_t, 2> payload{number, ~number};
        m_writer->write({kClassic, 1, 0, 4, 0, std::as_bytes(std::span(payload)), {}});
    }
    void write(std::span<const std::byte> payload) { m_writer->write({kClassic, 1, 0, 4, 0, payload, {}}); }
    Result<etw::SessionStats> stop() {
        return etw::await<etw::SessionStats>([&](auto done) { m_engine.stop(m_session, {}, std::move(done)); });
    }
    Result<etw::SessionStats> query() {
        return etw::await<etw::SessionStats>([&](auto done) { m_engine.query(m_session, std::move(done)); });
    }

private:
    SystemClock m_clock;
    etw::engine::Engine m_engine;
    std::unique_ptr<etw::ClassicWriter> m_writer;
    etw::SessionId m_session;
};

etw::SessionConfig ring() {
    etw::SessionConfig config;
    config.name = "bench";
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 1024;
    return config;
}

/// What no tracer can do without: a time stamp, a place by CAS in a buffer, 64 bytes copied.
class BareLoop {
public:
    BareLoop() : m_buffer(1024 * 1024) {}
    void write(std::uint64_t number) {
        std::uint64_t at = m_at.load(std::memory_order_acquire);
        Ticks time = 0;
        do {
            if (at + kEventSize > m_buffer.size()) {
                m_at.store(0, std::memory_order_release);
                at = 0;
            }
            time = m_clock.ticks();
        } while (!m_at.compare_exchange_weak(at, at + kEventSize, std::memory_order_acq_rel));
        m_event[2] = static_cast<std::uint64_t>(time);
        m_event[6] = number;
        m_event[7] = ~number;
        std::memcpy(m_buffer.data() + at, m_event.data(), kEventSize);
        benchmark::ClobberMemory();
    }

private:
    SystemClock m_clock;
    std::vector<std::byte> m_buffer;
    std::array<std::uint64_t, kEventSize / 8> m_event{};
    alignas(64) std::atomic<std::uint64_t> m_at{0};
};

template <class Write>
double sliceNs(Write write) {
    const Steady::time_point begin = Steady::now();
    for (std::uint64_t i = 0; i < kSlice; ++i) {
        write(i);
    }
    return std::chrono::duration<double, std::nano>(Steady::now() - begin).count() / kSlice;
}

/// Slices of `ours` and `theirs` in turns; counters with the medians and their ratio.
template <class Ours, class Theirs>
void compare(benchmark::State& state, Ours ours, Theirs theirs, double bar) {
    std::vector<double> us;
    std::vector<double> them;
    for (int i = 0; i < 20; ++i) { // warm
        sliceNs(ours);
        sliceNs(theirs);
    }
    for (auto _ : state) {
        them.push_back(sliceNs(theirs));
        us.push_back(sliceNs(ours));
        state.SetIterationTime(us.back() * kSlice * 1e-9);
    }
    const double our = median(us);
    const double their = median(them);
    state.counters["engine_ns"] = our;
    state.counters["other_ns"] = their;
    state.counters["ratio"] = our / their;
    state.counters["bar_at_most"] = bar;
}

void oneEventAgainstBareLoop(benchmark::State& state) {
    Traced traced(ring());
    BareLoop bare;
    if (!traced.runs()) {
        state.SkipWithError("the session did not start");
        return;
    }
    compare(
        state, [&](std::uint64_t i) { traced.write(i); }, [&](std::uint64_t i) { bare.write(i); }, 1.5);
}
BENCHMARK(oneEventAgainstBareLoop)->UseManualTime()->Iterations(10000)->Unit(benchmark::kMicrosecond);

#ifdef TRACEDECK_HAS_LTTNG
/// tests/bench/run.sh has made a snapshot session (memory only) and enabled the tracepoint in it.
void oneEventAgainstLttng(benchmark::State& state) {
    if (!lttng_ust_tracepoint_enabled(tracedeck_bench, event)) {
        state.SkipWithError("no LTTng session has enabled tracedeck_bench:event");
        return;
    }
    Traced traced(ring());
    if (!traced.runs()) {
        state.SkipWithError("the session did not start");
        return;
    }
    compare(
        state, [&](std::uint64_t i) { traced.write(i); },
        [](std::uint64_t i) { lttng_ust_tracepoint(tracedeck_bench, event, i, ~i); }, 0.6);
}
BENCHMARK(oneEventAgainstLttng)->UseManualTime()->Iterations(10000)->Unit(benchmark::kMicrosecond);
#endif

/// Nobody listens, and a level that nobody wants.
void eventNobodyWants(benchmark::State& state) {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerClassic(kClassic, nullptr);
    const etw::ClassicEvent event{kClassic, 1, 0, 4, 0, {}, {}};
    for (auto _ : state) {
        writer->write(event);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(eventNobodyWants);

void selfDescribingEvent(benchmark::State& state) {
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto writer = engine.registerProvider("Bench");
    const auto started = etw::await<etw::StartedSession>([&](auto done) { engine.start(ring(), std::move(done)); });
    if (!started || !etw::await<void>([&](auto done) {
            engine.enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
        })) {
        state.SkipWithError("the session did not start");
        return;
    }
    const etlformat::TraceLoggingEvent event{"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}};
    for (auto _ : state) {
        writer->write(event);
    }
}
BENCHMARK(selfDescribingEvent);

void pin(unsigned processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof set, &set)); // else the system decides
}

/// Events per second of `threads` threads, each on a processor of its own, in a span of a few milliseconds.
double rate(Traced& traced, unsigned threads) {
    constexpr std::uint64_t kEvents = 50'000;
    std::atomic<unsigned> ready{0};
    std::atomic<bool> go{false};
    std::vector<double> seconds(threads);
    std::vector<std::thread> running;
    for (unsigned t = 0; t < threads; ++t) {
        running.emplace_back([&, t] {
            pin(t);
            traced.write(0);
            ++ready;
            while (!go) {
            }
            const Steady::time_point begin = Steady::now();
            for (std::uint64_t i = 0; i < kEvents; ++i) {
                traced.write(i);
            }
            seconds[t] = std::chrono::duration<double>(Steady::now() - begin).count();
        });
    }
    while (ready < threads) {
        std::this_thread::yield();
    }
    go = true;
    for (std::thread& thread : running) {
        thread.join();
    }
    double sum = 0;
    for (const double each : seconds) {
        sum += kEvents / each;
    }
    return sum;
}

void twoThreadsOnTwoProcessors(benchmark::State& state) {
    if (std::thread::hardware_concurrency() < 2) {
        state.SkipWithError("this machine has one processor");
        return;
    }
    Traced traced(ring());
    std::vector<double> one;
    std::vector<double> two;
    for (auto _ : state) {
        one.push_back(rate(traced, 1));
        two.push_back(rate(traced, 2));
        state.SetIterationTime(1.0 / two.back());
    }
    state.counters["one_M/s"] = median(one) / 1e6;
    state.counters["two_M/s"] = median(two) / 1e6;
    state.counters["ratio"] = median(two) / median(one);
    state.counters["bar_at_least"] = 1.8;
}
BENCHMARK(twoThreadsOnTwoProcessors)->UseManualTime()->Iterations(200);

std::uint64_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    statm >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// MB/s of `dd if=/dev/zero bs=1M conv=fdatasync` into a file of as many bytes.
std::optional<double> ddRate(const std::string& path, std::uint64_t bytes) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return std::nullopt;
    }
    const std::vector<std::byte> block(1024 * 1024);
    const Steady::time_point begin = Steady::now();
    bool isWritten = true;
    for (std::uint64_t at = 0; at < bytes && isWritten; at += block.size()) {
        isWritten = ::write(fd, block.data(), block.size()) == static_cast<ssize_t>(block.size());
    }
    isWritten = isWritten && ::fdatasync(fd) == 0;
    const double seconds = std::chrono::duration<double>(Steady::now() - begin).count();
    ::close(fd);
    std::filesystem::remove(path);
    return isWritten ? std::optional(static_cast<double>(bytes) / seconds / 1e6) : std::nullopt;
}

/// A writer that goes as fast as the disk: it waits where buffers run short. No event may be lost then, the file has to
/// be on the disk at the end (fdatasync on both sides), and the engine may hold no more memory than its buffers and a
/// little.
void fileAsFastAsTheDisk(benchmark::State& state) {
    constexpr std::uint64_t kBytes = 512ULL << 20U;
    constexpr std::size_t kLargeEvent = 1024; // the writer of small ones would be slower than the disk
    const std::vector<std::byte> payload(kLargeEvent - sizeof(etlformat::FullHeader), std::byte{0x5A});
    std::vector<double> ours;
    std::vector<double> dd;
    std::uint64_t lost = 0;
    double memory = 0;
    for (auto _ : state) {
        const test::TemporaryFolder folder;
        const std::uint64_t before = residentBytes();
        etw::SessionConfig config;
        config.name = "bench";
        config.logFileName = folder.file("bench.etl");
        config.bufferSizeKib = 1024;
        config.minimumBuffers = 32;
        config.maximumBuffers = 64;
        Traced traced(config);
        const Steady::time_point begin = Steady::now();
        for (std::uint64_t i = 0; i < kBytes / kLargeEvent; ++i) {
            traced.write(payload);
            if (i % 4096 == 0) { // four buffers
                while (true) {
                    const auto stats = traced.query();
                    if (!stats || stats->freeBuffers >= 12) {
                        break;
                    }
                    std::this_thread::yield();
                }
            }
        }
        const std::uint64_t after = residentBytes();
        const auto last = traced.stop();
        const int fd = ::open(config.logFileName.c_str(), O_RDONLY | O_CLOEXEC);
        if (!last || fd < 0 || ::fdatasync(fd) != 0) {
            state.SkipWithError("the file could not be written");
            return;
        }
        ::close(fd);
        const double seconds = std::chrono::duration<double>(Steady::now() - begin).count();
        ours.push_back(static_cast<double>(last->fileSize.count) / seconds / 1e6);
        lost += last->eventsLost;
        memory = std::max(memory, static_cast<double>(after - before) -
                                      static_cast<double>(last->numberOfBuffers) * 1024 * 1024);
        state.SetIterationTime(seconds);
        if (const auto rate = ddRate(folder.file("dd"), last->fileSize.count)) {
            dd.push_back(*rate);
        }
    }
    state.counters["engine_MB/s"] = median(ours);
    state.counters["dd_MB/s"] = dd.empty() ? 0 : median(dd);
    state.counters["ratio"] = dd.empty() ? 0 : median(ours) / median(dd);
    state.counters["bar_at_least"] = 0.8;
    state.counters["lost"] = static_cast<double>(lost);
    state.counters["memory_beyond_buffers_MiB"] = memory / 1024 / 1024;
    state.counters["memory_bar_MiB"] = 30;
}
BENCHMARK(fileAsFastAsTheDisk)->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
