// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/linux/live_recording.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <utility>

extern char** environ;

namespace tracedeck::linux_source {
namespace {

/// What the thread of that name has used; 0 where there is none.
std::chrono::nanoseconds drainThreadTime() {
    const ProcFiles proc("/proc");
    const auto self = static_cast<std::uint32_t>(::getpid());
    const auto threads = proc.threads(self);
    REQUIRE(threads);
    for (const std::uint32_t tid : *threads) {
        const auto comm = readWhole(proc.threadPath(self, tid, "comm"));
        if (comm && *comm == "tracedeck-drain\n") {
            // As pthread_getcpuclockid() makes it, for a thread that is not ours to name.
            const auto clock = static_cast<clockid_t>((~tid << 3U) | 6U);
            timespec used{};
            REQUIRE(::clock_gettime(clock, &used) == 0);
            return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
        }
    }
    return {};
}

} // namespace

Recording record(std::vector<std::uint32_t> groups, std::vector<std::uint16_t> stacks, bool isRing,
                 const std::function<void(etw::engine::KernelRun&)>& work) {
    LinuxKernelSource source({&systemClock(), nullptr, {}});
    etw::engine::KernelRequest request;
    for (const std::uint32_t wanted : groups) {
        request.groups.set(wanted);
    }
    request.stackHooks = std::move(stacks);
    request.isRing = isRing;
    Recording recording;
    recording.sink.events.reserve(1'000'000);
    auto run = source.start(request, recording.sink);
    REQUIRE(run);
    work(**run);
    recording.drainTime = drainThreadTime();
    (*run)->stop();
    recording.limitations = (*run)->limitations();
    CHECK(recording.sink.disorders == 0);
    CHECK(recording.sink.misfits == 0);
    return recording;
}

void pinTo(std::uint32_t processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof(set), &set);
}

std::vector<std::uint32_t> onlineProcessors() {
    return parseCpuList(readWhole("/sys/devices/system/cpu/online").value());
}

std::uint32_t runProgram(std::vector<std::string> arguments, std::string* output) {
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    int ends[2] = {-1, -1};
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, pointers[0], &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    REQUIRE(error == 0);
    char buffer[512];
    ssize_t count = 0;
    while ((count = ::read(ends[0], buffer, sizeof(buffer))) > 0) {
        if (output != nullptr) {
            output->append(buffer, static_cast<std::size_t>(count));
        }
    }
    ::close(ends[0]);
    ::waitpid(pid, nullptr, 0);
    return static_cast<std::uint32_t>(pid);
}

} // namespace tracedeck::linux_source
