// SPDX-License-Identifier: GPL-3.0-or-later
//
// What recording costs and how exact it is, printed; nothing is asserted. Run it on an otherwise idle machine:
//
//   recording_bench [SECONDS]
#include "core/etlformat/hooks.h"
#include "tests/e2e/live_recording.h"
#include "tests/support/etl_events.h"
#include "tests/support/log_guard.h"
#include "tests/support/shared_files.h"

#include <QCoreApplication>

#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace tracedeck;
using namespace tracedeck::test;
namespace hook = tracedeck::etlformat::hook;
using Seconds = std::chrono::duration<double>;

namespace {

double ownCpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void waitFor(int seconds) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    itimerspec when{};
    when.it_value.tv_sec = seconds;
    std::uint64_t expirations = 0;
    if (timerfd_settime(timer, 0, &when, nullptr) != 0 ||
        read(timer, &expirations, sizeof(expirations)) != sizeof(expirations)) {
        throw std::runtime_error("timerfd");
    }
    close(timer);
}

void printAccounting(const LiveRecording::Saved& saved) {
    for (const recorder::SessionStatus& session : saved.outcome.recording.last.sessions) {
        std::printf("  %s: produced %llu, recorded %llu, lost %llu, overwritten %llu\n", session.name.c_str(),
                    static_cast<unsigned long long>(session.stats.eventsProduced),
                    static_cast<unsigned long long>(session.stats.eventsRecorded),
                    static_cast<unsigned long long>(session.stats.eventsLost),
                    static_cast<unsigned long long>(session.stats.eventsOverwritten));
    }
    std::printf("  longest gap of a 5 ms timer on the recorder's thread: %.1f ms\n",
                static_cast<double>(saved.longestUiGap.count()) / 1e6);
}

void spinners(LiveRecording& live, int seconds) {
    const unsigned processors = std::thread::hardware_concurrency();
    std::vector<std::string> printed(processors);
    const auto saved = live.record({}, [&] {
        std::vector<std::future<void>> running;
        for (unsigned cpu = 0; cpu < processors; ++cpu) {
            running.push_back(std::async(std::launch::async, [&printed, cpu, seconds] {
                printed[cpu] = runWorkload("spin " + std::to_string(cpu) + " " + std::to_string(seconds * 1000));
            }));
        }
        for (auto& one : running) {
            one.get();
        }
    });
    std::map<std::uint32_t, double> samples;
    const EtlEvents events(saved.path);
    for (const EtlEvent& sample : events.ofHook(hook::kSampledProfile)) {
        samples[sample.at<std::uint32_t>(8)] += 1;
    }
    std::printf("spinners\n");
    for (unsigned cpu = 0; cpu < processors; ++cpu) {
        std::uint32_t process = 0;
        std::uint32_t thread = 0;
        double cpuNs = 0;
        std::istringstream(printed[cpu]) >> process >> thread >> cpuNs;
        // Samples of the processor while the spinner lived: between its first and its last one.
        Ticks first = 0;
        Ticks last = 0;
        double onProcessor = 0;
        for (const EtlEvent& sample : events.ofHook(hook::kSampledProfile)) {
            if (sample.at<std::uint32_t>(8) == thread) {
                first = first == 0 ? sample.time : first;
                last = sample.time;
            }
        }
        for (const EtlEvent& sample : events.ofHook(hook::kSampledProfile)) {
            onProcessor += sample.processor == cpu && sample.time > first && sample.time <= last ? 1 : 0;
        }
        std::printf("  processor %u: %.1f samples a second, spinner's samples x 1 ms over its own time %.4f\n", cpu,
                    onProcessor / (static_cast<double>(last - first) / 1e9), samples[thread] * 1e6 / cpuNs);
    }
    printAccounting(saved);
}

void pingpong(LiveRecording& live, int seconds) {
    std::string counted;
    const auto saved = live.record({}, [&] {
        auto load = std::async(std::launch::async,
                               [seconds] { runWorkload("pingpong 0 " + std::to_string(seconds * 1000 + 1000)); });
        counted = runWorkload("count " + std::to_string(std::thread::hardware_concurrency()) + " " +
                              std::to_string(seconds * 1000));
        load.get();
    });
    Ticks from = 0;
    Ticks to = 0;
    double switches = 0;
    std::istringstream(counted) >> from >> to >> switches;
    double recorded = 0;
    double whole = 0;
    for (const EtlEvent& event : EtlEvents(saved.path).ofHook(hook::kCSwitch)) {
        ++whole;
        recorded += event.time >= from && event.time <= to ? 1 : 0;
    }
    const double unreported = unreportedSwitches(saved.outcome) * recorded / whole;
    std::printf("ping-pong\n  %.0f switches a second, recorded over counted %.5f, with those that the kernel kept to "
                "itself by the recorder's count %.5f\n",
                switches / (static_cast<double>(to - from) / 1e9), recorded / switches,
                (recorded + unreported) / switches);
    printAccounting(saved);

    // Saving against copying the same bytes, in the same run.
    const std::string copy = saved.path + ".copy";
    const auto begin = std::chrono::steady_clock::now();
    const CommandResult cp = runCommand("cp '" + saved.path + "' '" + copy + "' && sync '" + copy + "'");
    const double copying = Seconds(std::chrono::steady_clock::now() - begin).count();
    std::filesystem::remove(copy);
    const double saving = Seconds(saved.stopToVerified).count();
    std::printf("saving (cp status %d)\n  stop to verified %.3f s for %.1f MB; cp and sync %.3f s; (stop - 1 s) / copy "
                "= %.2f\n",
                cp.status, saving, static_cast<double>(saved.outcome.merge.bytes) / 1e6, copying,
                (saving - 1) / copying);
}

void idle(LiveRecording& live, int seconds) {
    double used = 0;
    LiveRecording::Options options;
    options.hasHeartbeat = false;
    const auto saved = live.record(options, [&] {
        const double before = ownCpuSeconds();
        waitFor(seconds);
        used = ownCpuSeconds() - before;
    });
    std::printf("idle machine, CPU profile\n  recorder used %.2f %% of one processor over %d s\n", used / seconds * 100,
                seconds);
    printAccounting(saved);
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    installLogGuard();
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 5;
    try {
        LiveRecording live;
        idle(live, seconds);
        spinners(live, seconds);
        pingpong(live, seconds);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
