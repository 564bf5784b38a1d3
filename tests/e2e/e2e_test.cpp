// SPDX-License-Identifier: GPL-3.0-or-later
//
// Records this machine for real and checks what is in the file against what is known to have happened. Bounds are wider
// than what recording_bench reports, because test machines are shared; counts and order are exact.
#include "core/etlformat/hooks.h"
#include "tests/e2e/live_recording.h"
#include "tests/support/catch.h"
#include "tests/support/etl_events.h"
#include "tests/support/run_tests.h"
#include "tests/support/shared_files.h"

#include <QCoreApplication>

#include <algorithm>
#include <future>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

using namespace tracedeck;
using namespace tracedeck::test;
namespace hook = tracedeck::etlformat::hook;

namespace {

void requireSound(const LiveRecording::Saved& saved) {
    const CheckerVerdict verdict = runCheckers(saved.path);
    CHECK(verdict.complaints == "");
    CHECK(saved.outcome.summary.verdict() == etl::Summary::Verdict::Good);
}

std::uint64_t stat(const LiveRecording::Saved& saved, std::uint64_t etw::SessionStats::*field) {
    std::uint64_t sum = 0;
    for (const recorder::SessionStatus& session : saved.outcome.recording.last.sessions) {
        sum += session.stats.*field;
    }
    return sum;
}

/// The frames of the stacks that belong to a process, innermost first.
std::vector<std::vector<std::uint64_t>> stacksOf(const EtlEvents& events, std::uint32_t process,
                                                 const std::set<Ticks>& times) {
    std::vector<std::vector<std::uint64_t>> stacks;
    for (const EtlEvent& event : events.ofHook(hook::kStackWalk)) {
        if (event.at<std::uint32_t>(8) != process || !times.contains(event.at<Ticks>(0))) {
            continue;
        }
        std::vector<std::uint64_t> frames;
        for (std::size_t at = 16; at + 8 <= event.payload.size(); at += 8) {
            frames.push_back(event.at<std::uint64_t>(at));
        }
        stacks.push_back(std::move(frames));
    }
    return stacks;
}

} // namespace

TEST_CASE("Spinners fill the samples of their processors and are charged their own time", "[e2e][live]") {
    LiveRecording live;
    const unsigned processors = std::thread::hardware_concurrency();
    std::vector<std::string> printed(processors);
    const LiveRecording::Saved saved = live.record({}, [&] {
        std::vector<std::future<void>> spinners;
        for (unsigned cpu = 0; cpu < processors; ++cpu) {
            spinners.push_back(std::async(std::launch::async, [&printed, cpu] {
                printed[cpu] = runWorkload("spin " + std::to_string(cpu) + " 2000");
            }));
        }
        for (std::future<void>& spinner : spinners) {
            spinner.get();
        }
    });
    requireSound(saved);
    CHECK(saved.outcome.merge.eventsLost == 0);
    const EtlEvents events(saved.path);
    std::map<std::uint32_t, std::uint64_t> samplesOfThread;
    std::map<std::uint32_t, std::pair<Ticks, Ticks>> spanOfThread;
    for (const EtlEvent& sample : events.ofHook(hook::kSampledProfile)) {
        const auto thread = sample.at<std::uint32_t>(8);
        samplesOfThread[thread] += sample.at<std::uint16_t>(12);
    }
    for (const std::string& line : printed) {
        std::istringstream fields(line);
        std::uint32_t process = 0;
        std::uint32_t thread = 0;
        double cpuNs = 0;
        fields >> process >> thread >> cpuNs;
        const double ratio = static_cast<double>(samplesOfThread[thread]) * 1e6 / cpuNs;
        std::cout << "samples x 1 ms over the spinner's own time: " << ratio << '\n';
        CHECK(ratio > 0.9);
        CHECK(ratio < 1.1);
    }
}

TEST_CASE("Context switches are counted as the kernel counts them, and none is lost", "[e2e][live]") {
    LiveRecording live;
    std::string counted;
    const LiveRecording::Saved saved = live.record({}, [&] {
        auto load = std::async(std::launch::async, [] { runWorkload("pingpong 0 2500"); });
        counted = runWorkload("count " + std::to_string(std::thread::hardware_concurrency()) + " 1500");
        load.get();
    });
    requireSound(saved);
    Ticks from = 0;
    Ticks to = 0;
    double switches = 0;
    std::istringstream(counted) >> from >> to >> switches;
    double recorded = 0;
    double whole = 0;
    const EtlEvents events(saved.path);
    for (const EtlEvent& event : events.ofHook(hook::kCSwitch)) {
        ++whole;
        recorded += event.time >= from && event.time <= to ? 1 : 0;
    }
    // What this kernel keeps to itself is stated for the whole recording; here its share in the window matters.
    const double unreported = unreportedSwitches(saved.outcome) * recorded / whole;
    const double lost = static_cast<double>(stat(saved, &etw::SessionStats::eventsLost));
    std::cout << "switches a second " << switches / (static_cast<double>(to - from) / 1e9) << ", recorded over counted "
              << recorded / switches << ", lost " << lost << '\n';
    std::cout << "kept back by the kernel: " << unreported << ", with them "
              << (recorded + lost + unreported) / switches << '\n';
    CHECK((recorded + lost + unreported) / switches > 0.995);
    CHECK(recorded / switches < 1.005);
}

TEST_CASE("A known chain of calls is found in the stacks of its samples", "[e2e][live]") {
    LiveRecording live;
    std::string printed;
    const LiveRecording::Saved saved = live.record({}, [&] { printed = runWorkload("chain 0 1500"); });
    requireSound(saved);
    std::uint32_t process = 0;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t leaf = 0;
    std::istringstream fields(printed);
    fields >> process >> std::hex >> a >> b >> leaf;
    REQUIRE(leaf != 0);
    const EtlEvents events(saved.path);
    std::set<Ticks> inLeaf; // times of the samples whose instruction lies in leaf(): it begins there and is short
    for (const EtlEvent& sample : events.ofHook(hook::kSampledProfile)) {
        const auto address = sample.at<std::uint64_t>(0);
        if (address >= leaf && address < leaf + 0x100) {
            inLeaf.insert(sample.time);
        }
    }
    const auto stacks = stacksOf(events, process, inLeaf);
    REQUIRE(inLeaf.size() > 500);
    std::size_t whole = 0;
    for (const std::vector<std::uint64_t>& frames : stacks) {
        const auto in = [](std::uint64_t frame, std::uint64_t function) {
            return frame >= function && frame < function + 0x100;
        };
        const auto caller = std::find_if(frames.begin(), frames.end(), [&](auto f) { return in(f, leaf); });
        whole += std::distance(caller, frames.end()) >= 4 && in(caller[1], b) && in(caller[2], a) ? 1U : 0U;
    }
    const double share = static_cast<double>(whole) / static_cast<double>(inLeaf.size());
    std::cout << "samples with the whole chain: " << share << '\n';
    CHECK(share >= 0.95);
}

TEST_CASE("Short-lived children appear with their parent, image and end, in order", "[e2e][live]") {
    LiveRecording live;
    std::string printed;
    const auto mode = GENERATE(profile::LoggingMode::File, profile::LoggingMode::Memory);
    LiveRecording::Options options;
    options.mode = mode;
    const LiveRecording::Saved saved = live.record(options, [&] { printed = runWorkload("children 20"); });
    requireSound(saved);
    const EtlEvents events(saved.path);
    std::istringstream children(printed);
    std::size_t seen = 0;
    for (std::uint32_t child = 0; children >> child;) {
        ++seen;
        INFO("child " << child);
        std::vector<EtlEvent> life;
        for (const EtlEvent& event : events.all()) {
            if (event.isKernel && (event.hook == hook::kProcessStart || event.hook == hook::kProcessEnd) &&
                event.at<std::uint32_t>(8) == child) {
                life.push_back(event);
            }
        }
        std::sort(life.begin(), life.end(), [](const EtlEvent& x, const EtlEvent& y) { return x.time < y.time; });
        REQUIRE(life.size() == 4); // fork: start; exec: end and start; exit: end
        CHECK(life[0].hook == hook::kProcessStart);
        CHECK(life[1].hook == hook::kProcessEnd);
        CHECK(life[2].hook == hook::kProcessStart);
        CHECK(life[3].hook == hook::kProcessEnd);
        CHECK(life[0].at<std::uint64_t>(0) != life[2].at<std::uint64_t>(0));
        CHECK(life[0].at<std::uint32_t>(12) == life[2].at<std::uint32_t>(12));
        const auto images = events.ofHook(hook::kImageLoad);
        CHECK(std::any_of(images.begin(), images.end(), [&](const EtlEvent& image) {
            return image.at<std::uint32_t>(16) == child && image.wideString(56).ends_with("/true");
        }));
    }
    CHECK(seen == 20);
}

TEST_CASE("A ring that wraps many times accounts for every event", "[e2e][live]") {
    LiveRecording live;
    LiveRecording::Options options;
    options.mode = profile::LoggingMode::Memory;
    options.adjust = [](plan::RecordingPlan& plan) {
        for (plan::PlannedSession& session : plan.sessions) {
            session.config.bufferSizeKib = 64;
            session.config.minimumBuffers = 16;
            session.config.maximumBuffers = 16;
        }
    };
    const LiveRecording::Saved saved = live.record(options, [] { runWorkload("pingpong 0 1500"); });
    CHECK(runCheckers(saved.path).complaints == "");
    CHECK(stat(saved, &etw::SessionStats::eventsOverwritten) > 0);
    CHECK(stat(saved, &etw::SessionStats::eventsProduced) == stat(saved, &etw::SessionStats::eventsRecorded) +
                                                                 stat(saved, &etw::SessionStats::eventsLost) +
                                                                 stat(saved, &etw::SessionStats::eventsOverwritten));
    // One event is the merge's own: the problem description.
    CHECK(saved.outcome.merge.events - saved.outcome.merge.imageEvents + saved.outcome.merge.stacksDropped ==
          stat(saved, &etw::SessionStats::eventsRecorded) + 1);
    // The rundown is there although its start was overwritten long ago.
    const EtlEvents events(saved.path);
    CHECK(events.ofHook(hook::kProcessDcStart).size() > 5);
    CHECK(events.ofHook(hook::kImageDcStart).size() > 5);
}

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    return runTests(argc, argv, LiveRecording::whyNot);
}
