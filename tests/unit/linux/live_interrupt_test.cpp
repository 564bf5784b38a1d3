// SPDX-License-Identifier: GPL-3.0-or-later
// Interrupts and what follows them, recorded for real. Skipped, loudly, where the kernel refuses.
#include "core/sources/linux/kernel_symbols.h"
#include "tests/unit/linux/live_recording.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

/// The sum over all processors of the lines of /proc/interrupts or /proc/softirqs whose name is meant.
std::uint64_t counted(const char* path, bool (*isMeant)(const std::string& name)) {
    const auto text = readWhole(path);
    REQUIRE(text);
    std::uint64_t sum = 0;
    std::size_t processors = 0;
    forEachLine(*text, [&](std::string_view line) {
        std::istringstream words{std::string(line)};
        std::string name;
        words >> name;
        if (name.rfind("CPU", 0) == 0) {
            processors = static_cast<std::size_t>(std::count(line.begin(), line.end(), 'C'));
            return;
        }
        std::uint64_t number = 0;
        for (std::size_t i = 0; isMeant(name) && i < processors && words >> number; ++i) {
            sum += number;
        }
    });
    return sum;
}

std::uint64_t deviceInterrupts() {
    return counted("/proc/interrupts", [](const std::string& name) { return name[0] >= '0' && name[0] <= '9'; });
}
std::uint64_t softInterrupts() {
    return counted("/proc/softirqs", [](const std::string&) { return true; });
}

/// Between the kernel's count and the event, and between the two counts, a few come and go.
std::uint64_t slackOf(std::uint64_t count) {
    return std::max<std::uint64_t>(20, count / 200);
}

/// Keeps each processor busy while a timer expires so many times, 2 ms apart: the kernel's ticks bring deferred work,
/// which an idle processor would do, if at all, where some kernels keep it out of every record.
void expireWhileBusy(std::uint64_t times) {
    std::vector<std::thread> busy;
    for (const std::uint32_t processor : onlineProcessors()) {
        busy.emplace_back([processor, times] {
            pinTo(processor);
            const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
            itimerspec every{};
            every.it_value.tv_nsec = every.it_interval.tv_nsec = 2'000'000;
            if (timer < 0 || ::timerfd_settime(timer, 0, &every, nullptr) != 0) {
                std::perror("timerfd");
                std::abort();
            }
            for (std::uint64_t expired = 0, more = 0; expired < times;) {
                expired += ::read(timer, &more, sizeof(more)) == sizeof(more) ? more : 0;
            }
            ::close(timer);
        });
    }
    for (std::thread& each : busy) {
        each.join();
    }
}

std::uint64_t between(const std::vector<SinkEvent>& events, Ticks begin, Ticks end) {
    return static_cast<std::uint64_t>(std::count_if(events.begin(), events.end(), [&](const SinkEvent& event) {
        return event.time >= begin && event.time <= end;
    }));
}

std::uint64_t unreported(const Recording& recording, const std::string& what) {
    for (const etw::Limitation& limitation : recording.limitations) {
        if (limitation.code == etw::LimitationCode::EventsUnreported && limitation.detail == what) {
            return limitation.count;
        }
    }
    return 0;
}

} // namespace

TEST_CASE("interrupts and deferred work are as many as the kernel counts", "[linux][live][interrupt]") {
    if (!isServed({group::kInterrupt, group::kDpc}, "interrupts")) {
        return;
    }
    Ticks begin = 0;
    Ticks end = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t soft = 0;
    const Recording recording = record({group::kInterrupt, group::kDpc}, {}, false, [&](etw::engine::KernelRun&) {
        interrupts = deviceInterrupts();
        soft = softInterrupts();
        begin = systemClock().ticks();
        expireWhileBusy(200);
        end = systemClock().ticks();
        interrupts = deviceInterrupts() - interrupts;
        soft = softInterrupts() - soft;
    });
    const auto handled = recording.sink.ofHook(hook::kInterrupt);
    auto deferred = recording.sink.ofHook(hook::kDpc);
    const auto timers = recording.sink.ofHook(hook::kTimerDpc);
    deferred.insert(deferred.end(), timers.begin(), timers.end());
    const std::uint64_t seen = between(handled, begin, end);
    const std::uint64_t seenSoft = between(deferred, begin, end);
    std::printf("interrupts %" PRIu64 " of %" PRIu64 ", deferred work %" PRIu64 " of %" PRIu64 "\n", seen, interrupts,
                seenSoft, soft);
    CHECK(recording.sink.lostEvents() == 0);
    // What some kernels do on threads that they keep out of every record is counted and stated.
    const std::uint64_t hidden = unreported(recording, "interrupts");
    const std::uint64_t hiddenSoft = unreported(recording, "deferred work");
    CHECK(seen <= interrupts + slackOf(interrupts));
    CHECK(seen + hidden + slackOf(interrupts) >= interrupts);
    CHECK(seenSoft <= soft + slackOf(soft));
    CHECK(seenSoft + hiddenSoft + slackOf(soft) >= soft);
    CHECK(seenSoft > 0);
    for (const SinkEvent& event : deferred) {
        CHECK(event.at<Ticks>(0) <= event.time);
    }
    if (KernelSymbols(ProcFiles("/proc")).range().base != 0) {
        CHECK(std::all_of(deferred.begin(), deferred.end(),
                          [](const SinkEvent& event) { return event.at<std::uint64_t>(8) != 0; }));
    }
}

} // namespace tracedeck::linux_source
