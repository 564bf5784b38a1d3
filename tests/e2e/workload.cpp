// SPDX-License-Identifier: GPL-3.0-or-later
//
// Known work for recordings to find: each kind prints on one line what a recording of it must show.
//
//   workload spin CPU MS       one thread pinned to CPU: "pid tid cpu_ns"
//   workload pingpong CPU MS   two threads on one CPU handing a byte to and fro: "pid tid tid switches"
//   workload chain CPU MS      spins in leaf(), called by b(), a(), main(), for MS of its own processor time: "pid a b
//                              leaf bit", hex
//   workload children N        starts N short-lived children one after the other: their process ids
//   workload count CPUS MS     counts context switches of the CPUs (perf counting events): "from to switches", from and
//                              to in monotonic ns
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void pinTo(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(cpu), &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
        std::perror("sched_setaffinity");
        std::exit(1);
    }
}

std::int64_t cpuTime(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Lets time pass without using the processor.
void waitFor(std::chrono::milliseconds length) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    itimerspec when{};
    when.it_value.tv_sec = length.count() / 1000;
    when.it_value.tv_nsec = length.count() % 1000 * 1'000'000;
    std::uint64_t expirations = 0;
    if (timer < 0 || timerfd_settime(timer, 0, &when, nullptr) != 0 ||
        read(timer, &expirations, sizeof(expirations)) != sizeof(expirations)) {
        std::perror("timerfd");
        std::exit(1);
    }
    close(timer);
}

pid_t threadId() {
    return static_cast<pid_t>(syscall(SYS_gettid));
}

volatile std::uint64_t g_sink = 0;

int spin(int cpu, std::chrono::milliseconds length) {
    pinTo(cpu);
    const Clock::time_point end = Clock::now() + length;
    while (Clock::now() < end) {
        for (std::uint64_t i = 0; i < 2000; ++i) {
            g_sink = g_sink + i;
        }
    }
    std::printf("%d %d %" PRId64 "\n", getpid(), threadId(), cpuTime(CLOCK_PROCESS_CPUTIME_ID));
    return 0;
}

int pingpong(int cpu, std::chrono::milliseconds length) {
    pinTo(cpu);
    int there[2];
    int back[2];
    if (pipe(there) != 0 || pipe(back) != 0) {
        return 1;
    }
    pid_t other = 0;
    std::thread echo([&] {
        other = threadId();
        char byte = 0;
        while (read(there[0], &byte, 1) == 1 && byte != 'q' && write(back[1], &byte, 1) == 1) {
        }
    });
    std::uint64_t rounds = 0;
    const Clock::time_point end = Clock::now() + length;
    char byte = 'x';
    while (Clock::now() < end) {
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) {
            return 1;
        }
        ++rounds;
    }
    byte = 'q';
    if (write(there[1], &byte, 1) != 1) {
        return 1;
    }
    echo.join();
    std::printf("%d %d %d %" PRIu64 "\n", getpid(), threadId(), other, rounds * 2);
    return 0;
}

// The functions keep their frames (see CMakeLists.txt) and are told apart by their addresses.
__attribute__((noinline, noclone)) std::uint64_t leaf(std::int64_t end) {
    std::uint64_t sum = 0;
    std::uint64_t round = 0;
    do {
        for (std::uint64_t i = 0; i < 2'000'000; ++i) {
            sum += i ^ g_sink;
        }
        g_sink = sum;
        ++round;
    } while (cpuTime(CLOCK_PROCESS_CPUTIME_ID) < end);
    return sum + round;
}
__attribute__((noinline, noclone)) std::uint64_t b(std::int64_t end) {
    const std::uint64_t value = leaf(end);
    g_sink = value;
    return value + 1;
}
__attribute__((noinline, noclone)) std::uint64_t a(std::int64_t end) {
    const std::uint64_t value = b(end);
    g_sink = value;
    return value + 1;
}

int chain(int cpu, std::chrono::milliseconds length) {
    pinTo(cpu);
    const std::uint64_t value = a(cpuTime(CLOCK_PROCESS_CPUTIME_ID) + std::chrono::nanoseconds(length).count());
    std::printf("%d %zx %zx %zx %d\n", getpid(), reinterpret_cast<std::size_t>(&a), reinterpret_cast<std::size_t>(&b),
                reinterpret_cast<std::size_t>(&leaf), static_cast<int>(value & 1U));
    return 0;
}

int children(int count) {
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            execl("/bin/true", "true", "--child-of-workload", static_cast<char*>(nullptr));
            _exit(127);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("%d ", child);
    }
    std::printf("\n");
    return 0;
}

int countSwitches(int cpus, std::chrono::milliseconds length) {
    std::vector<int> events;
    for (int cpu = 0; cpu < cpus; ++cpu) {
        perf_event_attr attr{};
        attr.size = sizeof(attr);
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
        attr.disabled = 1;
        const long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
        if (fd < 0) {
            std::perror("perf_event_open");
            return 1;
        }
        events.push_back(static_cast<int>(fd));
    }
    std::printf("%" PRId64 " ", cpuTime(CLOCK_MONOTONIC));
    for (const int fd : events) {
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    }
    waitFor(length);
    std::uint64_t total = 0;
    for (const int fd : events) {
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    }
    std::printf("%" PRId64 " ", cpuTime(CLOCK_MONOTONIC));
    for (const int fd : events) {
        std::uint64_t value = 0;
        if (read(fd, &value, sizeof(value)) != sizeof(value)) {
            return 1;
        }
        total += value;
    }
    std::printf("%" PRIu64 "\n", total);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view kind = argc > 1 ? argv[1] : "";
    const int first = argc > 2 ? std::atoi(argv[2]) : 0;
    const std::chrono::milliseconds length(argc > 3 ? std::atoi(argv[3]) : 0);
    if (kind == "spin") {
        return spin(first, length);
    }
    if (kind == "pingpong") {
        return pingpong(first, length);
    }
    if (kind == "chain") {
        return chain(first, length);
    }
    if (kind == "children") {
        return children(first);
    }
    if (kind == "count") {
        return countSwitches(first, length);
    }
    std::fprintf(stderr, "usage: workload spin|pingpong|chain|count CPU(S) MS, workload children N\n");
    return 2;
}
