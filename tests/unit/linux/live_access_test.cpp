// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine's kernel gives, refuses and takes back, for real. Skipped, loudly, where it refuses altogether.
#include "core/sources/linux/perf_session.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/live_machine.h"
#include "tests/unit/linux/memory_sink.h"

#include <algorithm>
#include <optional>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tracedeck::linux_source {

using test::MemorySink;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

TEST_CASE("how long events are in service stands still when they are not", "[linux][live]") {
    if (!isServed({group::kProfile}, "events in service")) {
        return;
    }
    PerfPlan plan;
    plan.processors = parseCpuList(readWhole("/sys/devices/system/cpu/online").value());
    plan.ringSize = kib(64);
    auto session = PerfSession::open(systemPerf(), plan);
    REQUIRE(session);
    using std::chrono::nanoseconds;
    std::vector<std::optional<nanoseconds>> last(plan.processors.size(), nanoseconds(0));
    const auto haveMoved = [&] {
        const auto services = session->services();
        REQUIRE(services.size() == last.size());
        std::size_t moved = 0;
        for (std::size_t i = 0; i < services.size(); ++i) {
            moved += services[i].time != last[i] ? 1U : 0U;
            last[i] = services[i].time;
        }
        return moved;
    };
    CHECK(haveMoved() == 0); // not enabled yet
    constexpr Origin kSideband[] = {Origin::Sideband};
    REQUIRE(session->enable(kSideband));
    for (int i = 0; i < 100; ++i) {
        REQUIRE(haveMoved() == last.size());
    }
    session->disable();
    CHECK(haveMoved() == last.size());
    CHECK(haveMoved() == 0);
    session->close(plan.processors.back());
    CHECK_FALSE(session->isOpen(plan.processors.back()));
    CHECK(session->openAnew(plan.processors.back()) == true);
    CHECK(haveMoved() == 1);
    CHECK(haveMoved() == 1);
}

TEST_CASE("inside a pid namespace nothing is recorded under wrong ids", "[linux][live]") {
    if (!isServed({group::kProcess}, "a pid namespace")) {
        return;
    }
    // In a child, for the namespace is for all that a process makes from then on.
    const pid_t child = ::fork();
    if (child == 0) {
        if (::unshare(CLONE_NEWPID) != 0) {
            ::_exit(2);
        }
        const pid_t first = ::fork();
        if (first == 0) {
            const auto capabilities = LinuxKernelSource({&systemClock(), nullptr, {}}).capabilities();
            const auto& refused = capabilities.refusedGroups;
            const bool isRefused = capabilities.kernelGroups.isEmpty() && !refused.empty() &&
                                   std::all_of(refused.begin(), refused.end(), [](const auto& group) {
                                       return group.limitation.code == etw::LimitationCode::PidNamespace;
                                   });
            ::_exit(isRefused ? 0 : 1);
        }
        int status = 0;
        ::waitpid(first, &status, 0);
        ::_exit(WEXITSTATUS(status));
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2) {
        std::cerr << "SKIPPED: a pid namespace: this user may not make one\n";
        return;
    }
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a low soft limit of open files does not keep it from recording", "[linux][live]") {
    if (!isServed({group::kProfile}, "a low limit of open files")) {
        return;
    }
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit low = before;
    low.rlim_cur = 8; // a few are open already
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
    std::uint64_t samples = 0;
    {
        LinuxKernelSource source({&systemClock(), nullptr, {}});
        etw::engine::KernelRequest request;
        request.groups.set(group::kProfile);
        MemorySink sink;
        const auto run = source.start(request, sink);
        const bool isRunning = run.has_value();
        CHECK(isRunning);
        if (isRunning) {
            const Ticks end = systemClock().ticks() + 100'000'000;
            while (systemClock().ticks() < end) {
            }
            (*run)->stop();
            samples = sink.ofHook(hook::kSampledProfile).size();
        }
    }
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(samples > 20);
}

} // namespace tracedeck::linux_source
