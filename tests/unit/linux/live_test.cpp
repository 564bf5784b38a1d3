// SPDX-License-Identifier: GPL-3.0-or-later
// What threads do, recorded for real. Skipped, loudly, where the kernel refuses.
#include "tests/support/shared_files.h"
#include "tests/unit/linux/live_recording.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace tracedeck::linux_source {

using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

TEST_CASE("a spinner on each processor gives a thousand samples a second", "[linux][live]") {
    if (!isServed({group::kProfile}, "samples of spinners")) {
        return;
    }
    const auto processors = onlineProcessors();
    constexpr std::chrono::seconds kSpan{2};
    std::vector<std::uint32_t> spinners(processors.size());
    Ticks begin = 0;
    Ticks end = 0;
    const Recording recording = record({group::kProfile}, {}, false, [&](etw::engine::KernelRun&) {
        std::vector<std::thread> threads;
        begin = systemClock().ticks();
        end = begin + std::chrono::nanoseconds(kSpan).count();
        for (std::size_t i = 0; i < processors.size(); ++i) {
            threads.emplace_back([&, i] {
                pinTo(processors[i]);
                spinners[i] = static_cast<std::uint32_t>(::syscall(SYS_gettid));
                while (systemClock().ticks() < end) {
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    });
    std::map<std::uint32_t, double> samples;
    for (const SinkEvent& sample : recording.sink.ofHook(hook::kSampledProfile)) {
        samples[sample.processor] += sample.time >= begin && sample.time < end ? 1 : 0;
    }
    for (const std::uint32_t processor : processors) {
        const double rate = samples[processor] / std::chrono::duration<double>(kSpan).count();
        std::printf("processor %u: %.1f samples a second\n", processor, rate);
        // The hypervisor may take the processor away for a while; on a quiet machine it is within 1 %.
        CHECK(rate > 900);
        CHECK(rate < 1030);
    }
}

TEST_CASE("while paused nothing runs, but programs start; afterwards another request counts", "[linux][live]") {
    if (!isServed({group::kProcess, group::kProfile, group::kContextSwitch}, "pause and other requests")) {
        return;
    }
    const auto work = [](std::chrono::milliseconds span) {
        const Ticks end = systemClock().ticks() + std::chrono::nanoseconds(span).count();
        while (systemClock().ticks() < end) {
            ::sched_yield();
        }
        return runProgram({"/bin/true"}); // switches
    };
    Ticks paused = 0;
    Ticks resumed = 0;
    Ticks changed = 0;
    std::uint32_t unseen = 0;
    const Recording recording = record({group::kProcess, group::kProfile, group::kContextSwitch}, {hook::kCSwitch},
                                       false, [&](etw::engine::KernelRun& run) {
                                           work(std::chrono::milliseconds(100));
                                           REQUIRE(run.pause());
                                           paused = systemClock().ticks();
                                           unseen = work(std::chrono::milliseconds(100));
                                           resumed = systemClock().ticks();
                                           REQUIRE(run.resume());
                                           work(std::chrono::milliseconds(100));
                                           etw::engine::KernelRequest samples;
                                           samples.groups.set(group::kProcess);
                                           samples.groups.set(group::kProfile);
                                           REQUIRE(run.reconfigure(samples));
                                           changed = systemClock().ticks();
                                           work(std::chrono::milliseconds(100));
                                       });
    const auto between = [&](std::uint16_t hookId, Ticks from, Ticks to) {
        const auto events = recording.sink.ofHook(hookId);
        return std::count_if(events.begin(), events.end(),
                             [&](const SinkEvent& event) { return event.time >= from && event.time < to; });
    };
    const Ticks never = std::numeric_limits<Ticks>::max();
    for (const std::uint16_t activity : {hook::kSampledProfile, hook::kCSwitch, hook::kStackWalk}) {
        CHECK(between(activity, 0, paused) > 0);
        CHECK(between(activity, paused, resumed) == 0);
        CHECK(between(activity, resumed, changed) > 0);
    }
    CHECK(between(hook::kSampledProfile, changed, never) > 0);
    CHECK(between(hook::kCSwitch, changed, never) == 0);
    const auto ends = recording.sink.ofHook(hook::kProcessEnd);
    CHECK(std::any_of(ends.begin(), ends.end(),
                      [&](const SinkEvent& event) { return event.at<std::uint32_t>(8) == unseen; }));
    // No thread waited for longer than the recording has seen it: 16 ms and more would be the pause's.
    const auto switches = recording.sink.ofHook(hook::kCSwitch);
    const auto first =
        std::find_if(switches.begin(), switches.end(), [&](const SinkEvent& event) { return event.time >= resumed; });
    REQUIRE(first != switches.end());
    CHECK(first->at<std::uint32_t>(16) == 0);
    CHECK(recording.sink.losses.empty());
}

namespace {

/// Counts the context switches of all processors by the kernel's own counter.
class SwitchCounter {
public:
    SwitchCounter() {
        perf_event_attr attributes{};
        attributes.size = sizeof(attributes);
        attributes.type = PERF_TYPE_SOFTWARE;
        attributes.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
        for (const std::uint32_t processor : onlineProcessors()) {
            m_events.push_back(systemPerf().open(attributes, static_cast<int>(processor)));
            REQUIRE(m_events.back() >= 0);
        }
    }
    ~SwitchCounter() {
        for (const int event : m_events) {
            systemPerf().close(event);
        }
    }
    SwitchCounter(const SwitchCounter&) = delete;
    SwitchCounter& operator=(const SwitchCounter&) = delete;
    [[nodiscard]] std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const int event : m_events) {
            std::uint64_t value = 0;
            systemPerf().read(event, std::as_writable_bytes(std::span(&value, 1)));
            sum += value;
        }
        return sum;
    }

private:
    std::vector<int> m_events;
};

/// Two threads on one processor hand a byte back and forth until `end`.
void pingPong(std::uint32_t processor, Ticks end) {
    int there[2];
    int back[2];
    REQUIRE(::pipe2(there, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(back, O_CLOEXEC) == 0);
    std::thread partner([&] {
        pinTo(processor);
        char byte = 0;
        while (::read(there[0], &byte, 1) == 1 && byte != 'x') {
            if (::write(back[1], &byte, 1) != 1) {
                return;
            }
        }
    });
    pinTo(processor);
    char byte = 'p';
    while (systemClock().ticks() < end) {
        if (::write(there[1], &byte, 1) != 1 || ::read(back[0], &byte, 1) != 1) {
            break;
        }
    }
    byte = 'x';
    CHECK(::write(there[1], &byte, 1) == 1);
    partner.join();
    for (const int fd : {there[0], there[1], back[0], back[1]}) {
        ::close(fd);
    }
}

} // namespace

TEST_CASE("every context switch is there or counted as lost", "[linux][live]") {
    if (!isServed({group::kContextSwitch, group::kDispatcher}, "context switches")) {
        return;
    }
    const bool hasStacks = GENERATE(false, true);
    const SwitchCounter counter;
    std::uint64_t counted = 0;
    Ticks begin = 0;
    Ticks end = 0;
    std::vector<std::uint16_t> stacks;
    if (hasStacks) {
        stacks = {hook::kCSwitch, hook::kReadyThread};
    }
    const Recording recording =
        record({group::kProcess, group::kThread, group::kContextSwitch, group::kDispatcher}, stacks, false,
               [&](etw::engine::KernelRun&) {
                   std::vector<std::thread> players;
                   begin = systemClock().ticks();
                   const std::uint64_t before = counter.count();
                   for (const std::uint32_t processor : onlineProcessors()) {
                       players.emplace_back([=] { pingPong(processor, begin + 2'000'000'000); });
                   }
                   for (std::thread& player : players) {
                       player.join();
                   }
                   counted = counter.count() - before;
                   end = systemClock().ticks();
               });
    std::uint64_t seen = 0;
    for (const SinkEvent& event : recording.sink.events) {
        seen += event.hook == hook::kCSwitch && event.time >= begin && event.time <= end ? 1U : 0U;
    }
    const std::uint64_t lost = recording.sink.lostEvents();
    const double seconds = static_cast<double>(end - begin) / 1e9;
    std::printf("%s: %" PRIu64 " switches counted (%.0f a second), %" PRIu64 " recorded, %" PRIu64
                " events lost, drain thread %.1f %% of a processor\n",
                hasStacks ? "with stacks" : "without stacks", counted, static_cast<double>(counted) / seconds, seen,
                lost, static_cast<double>(recording.drainTime.count()) / seconds / 1e7);
    const auto difference = static_cast<double>(seen) + static_cast<double>(lost) - static_cast<double>(counted);
    CHECK(std::abs(difference) <= 0.005 * static_cast<double>(counted));
}

TEST_CASE("a known call chain is in nearly every sample of its program", "[linux][live]") {
    if (!isServed({group::kProfile}, "a known call chain")) {
        return;
    }
    std::string printed;
    std::uint32_t pid = 0;
    const Recording recording =
        record({group::kProcess, group::kProfile}, {hook::kSampledProfile}, false, [&](etw::engine::KernelRun&) {
            pid = runProgram({TRACEDECK_KNOWN_CHAIN, "1000"}, &printed);
        });
    std::uint64_t leaf = 0;
    std::uint64_t b = 0;
    std::uint64_t a = 0;
    std::uint64_t main = 0;
    REQUIRE(std::sscanf(printed.c_str(), "0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64, &leaf, &b, &a,
                        &main) == 4);
    REQUIRE((leaf < b && b < a));
    constexpr std::uint64_t kFunction = 512; // chainA is shorter
    const auto isIn = [](std::uint64_t address, std::uint64_t begin, std::uint64_t end) {
        return address >= begin && address < end;
    };
    double samples = 0;
    double whole = 0;
    for (std::size_t i = 0; i + 1 < recording.sink.events.size(); ++i) {
        const SinkEvent& sample = recording.sink.events[i];
        if (sample.hook != hook::kSampledProfile || sample.at<std::uint32_t>(8) != pid ||
            !isIn(sample.at<std::uint64_t>(0), leaf, a + kFunction)) {
            continue; // not in the chain: starting, ending, in the kernel
        }
        ++samples;
        const SinkEvent& stack = recording.sink.events[i + 1];
        REQUIRE(stack.hook == hook::kStackWalk);
        REQUIRE(stack.at<Ticks>(0) == sample.time);
        whole += isIn(stack.at<std::uint64_t>(16), leaf, b) && isIn(stack.at<std::uint64_t>(24), b, a) &&
                         isIn(stack.at<std::uint64_t>(32), a, a + kFunction) && stack.at<std::uint64_t>(40) == main
                     ? 1
                     : 0;
    }
    std::printf("%.0f samples in the chain, %.1f %% of them show it whole\n", samples, 100 * whole / samples);
    CHECK(samples > 100);
    CHECK(whole >= 0.95 * samples);
}

TEST_CASE("recording costs an idle machine next to nothing", "[linux][live]") {
    if (!isServed({group::kProfile}, "the cost of recording")) {
        return;
    }
    constexpr std::chrono::seconds kSpan{3};
    const Recording recording = record({group::kProcess, group::kThread, group::kLoader, group::kProfile},
                                       {hook::kSampledProfile}, false, [&](etw::engine::KernelRun& run) {
                                           const Ticks end =
                                               systemClock().ticks() + std::chrono::nanoseconds(kSpan).count();
                                           pollfd none{-1, 0, 0};
                                           systemPerf().poll({&none, 1}, kSpan); // the time that is measured
                                           while (systemClock().ticks() < end) {
                                           }
                                           run.drain();
                                       });
    const double share = static_cast<double>(recording.drainTime.count()) / std::chrono::nanoseconds(kSpan).count();
    std::printf("drain thread: %.2f %% of a processor for the CPU profile\n", 100 * share);
    CHECK(share > 0);
    // Half a per cent where nothing else runs; a machine that starts programs all the time costs more.
    CHECK(share < 0.10);
}

} // namespace tracedeck::linux_source
