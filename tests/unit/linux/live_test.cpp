// SPDX-License-Identifier: GPL-3.0-or-later
// Records this machine for real. Skipped, loudly, where the kernel refuses.
#include "core/sources/linux/linux_kernel_source.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/live_machine.h"
#include "tests/unit/linux/memory_sink.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <link.h>
#include <map>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace tracedeck::linux_source {

using test::MemorySink;
using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

namespace {

constexpr std::uint32_t kTable[] = {group::kProcess, group::kThread, group::kLoader};

struct Recording {
    MemorySink sink;
    std::vector<etw::Limitation> limitations;
    std::chrono::nanoseconds drainTime{0}; ///< processor time of the drain thread
};

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

/// Runs a program to its end and returns its process id; what it prints goes to `output`.
std::uint32_t runProgram(std::vector<std::string> arguments, std::string* output = nullptr) {
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

} // namespace

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

TEST_CASE("short-lived programs start, become themselves and end, in order", "[linux][live]") {
    if (!isServed({group::kProcess}, "short-lived programs")) {
        return;
    }
    std::vector<std::uint32_t> children;
    const Recording recording = record({kTable, kTable + 3}, {}, false, [&](etw::engine::KernelRun&) {
        for (int i = 0; i < 20; ++i) {
            children.push_back(runProgram({"/bin/sh", "-c", "exit 7"}));
        }
    });
    int withCommandLine = 0;
    int withStatus = 0;
    for (const std::uint32_t child : children) {
        std::vector<const SinkEvent*> life;
        for (const SinkEvent& event : recording.sink.events) {
            const bool isProcess = event.hook == hook::kProcessStart || event.hook == hook::kProcessEnd;
            if (isProcess && event.at<std::uint32_t>(8) == child) {
                life.push_back(&event);
            }
        }
        std::stable_sort(life.begin(), life.end(), [](const auto* a, const auto* b) { return a->time < b->time; });
        REQUIRE(life.size() == 4);
        CHECK(life[0]->hook == hook::kProcessStart); // fork
        CHECK(life[1]->hook == hook::kProcessEnd);   // exec
        CHECK(life[2]->hook == hook::kProcessStart);
        CHECK(life[3]->hook == hook::kProcessEnd);
        CHECK(life[0]->at<std::uint32_t>(12) == static_cast<std::uint32_t>(::getpid()));
        CHECK(life[2]->at<std::uint32_t>(12) == static_cast<std::uint32_t>(::getpid()));
        CHECK(life[0]->processName() == "linux_live_test");
        CHECK(life[2]->processName() == "sh");
        CHECK(life[3]->processName() == "sh");
        CHECK(life[1]->at<std::uint64_t>(0) == life[0]->at<std::uint64_t>(0));
        CHECK(life[3]->at<std::uint64_t>(0) == life[2]->at<std::uint64_t>(0));
        withCommandLine += life[2]->commandLine() == "/bin/sh -c \"exit 7\"" ? 1 : 0;
        withStatus += life[3]->at<std::uint32_t>(20) == 7 ? 1 : 0;

        std::vector<std::string> images;
        for (const SinkEvent& load : recording.sink.ofHook(hook::kImageLoad)) {
            if (load.at<std::uint32_t>(16) == child && load.time > life[2]->time && load.time < life[3]->time) {
                images.push_back(load.imageName());
            }
        }
        CHECK(std::any_of(images.begin(), images.end(), [](const std::string& name) {
            return name == "/usr/bin/dash" || name == "/bin/dash" || name == "/usr/bin/bash" || name == "/bin/bash" ||
                   name == "/usr/bin/busybox" || name == "/bin/busybox";
        }));
        CHECK(std::any_of(images.begin(), images.end(), [](const std::string& name) {
            return name.find("libc") != std::string::npos || name.find("ld-musl") != std::string::npos;
        }));
    }
    std::printf("%zu programs of a millisecond: %d command lines, %d exit statuses\n", children.size(), withCommandLine,
                withStatus);
    // Reading them is a race with the program's end, which a crowded machine loses now and then; what is missed is
    // counted.
    std::uint64_t missed = 0;
    for (const etw::Limitation& limitation : recording.limitations) {
        missed += limitation.code == etw::LimitationCode::ProcUnreadable && limitation.detail == "command lines"
                      ? limitation.count
                      : 0;
    }
    CHECK(static_cast<std::uint64_t>(withCommandLine) + missed >= children.size());
}

TEST_CASE("a library that is opened is loaded", "[linux][live]") {
    if (!isServed({group::kLoader}, "a library that is opened")) {
        return;
    }
    std::string opened;
    std::uint64_t base = 0;
    const Recording recording = record({kTable, kTable + 3}, {}, false, [&](etw::engine::KernelRun&) {
        // Small libraries of every glibc that nobody has open.
        for (const char* name : {"libBrokenLocale.so.1", "libnss_hesiod.so.2", "libanl.so.1", "libutil.so.1"}) {
            if (void* known = ::dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
                ::dlclose(known);
                continue;
            }
            if (void* library = ::dlopen(name, RTLD_NOW)) {
                base = static_cast<const link_map*>(library)->l_addr; // glibc's handle is the map itself
                opened = name;
                return;
            }
        }
    });
    if (opened.empty()) {
        std::cerr << "SKIPPED: a library that is opened: none of the known ones is here\n";
        return;
    }
    bool isFound = false;
    for (const SinkEvent& load : recording.sink.ofHook(hook::kImageLoad)) {
        const std::string name = load.imageName();
        if (load.at<std::uint32_t>(16) == static_cast<std::uint32_t>(::getpid()) && name.size() > opened.size() &&
            name.substr(name.size() - opened.size()) == opened) {
            isFound = true;
            CHECK(load.at<std::uint64_t>(0) == base);
            CHECK(load.at<std::uint64_t>(8) >= 0x1000);
        }
    }
    CHECK(isFound);
    // And what was there before is in the rundown.
    const auto images = recording.sink.ofHook(hook::kImageDcStart);
    CHECK(std::any_of(images.begin(), images.end(), [](const SinkEvent& image) {
        return image.at<std::uint32_t>(16) == static_cast<std::uint32_t>(::getpid()) &&
               image.imageName().find("linux_live_test") != std::string::npos;
    }));
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

TEST_CASE("a ring's rundown names what lives and what has ended", "[linux][live]") {
    if (!isServed({group::kProcess}, "a ring's rundown")) {
        return;
    }
    std::uint32_t child = 0;
    const Recording recording = record({kTable, kTable + 3}, {}, true, [&](etw::engine::KernelRun& run) {
        child = runProgram({"/bin/sh", "-c", "exit 9"});
        run.mark("the child has ended");
    });
    const auto processes = recording.sink.ofHook(hook::kProcessDcStart);
    const auto isSelf = [](const SinkEvent& process) {
        return process.at<std::uint32_t>(8) == static_cast<std::uint32_t>(::getpid());
    };
    CHECK(std::count_if(processes.begin(), processes.end(), isSelf) == 1);
    bool isFound = false;
    for (const SinkEvent& process : recording.sink.ofHook(hook::kProcessDefunct)) {
        if (process.at<std::uint32_t>(8) == child && process.processName() == "sh") {
            isFound = true;
            const FileTime exitTime = process.at<FileTime>(process.payload.size() - 8);
            CHECK(exitTime <= systemClock().wallTime());
            CHECK(exitTime > systemClock().wallTime() - 600'000'000);
        }
    }
    CHECK(isFound);
    CHECK(recording.sink.ofHook(hook::kMark).size() == 1);
}

TEST_CASE("threads that come and go by the thousand are all there", "[linux][live]") {
    if (!isServed({group::kProcess}, "threads that come and go")) {
        return;
    }
    std::atomic<std::uint64_t> made{0};
    double seconds = 0;
    const Recording recording = record({kTable, kTable + 3}, {}, false, [&](etw::engine::KernelRun&) {
        std::vector<std::thread> makers;
        const Ticks begin = systemClock().ticks();
        const Ticks end = begin + 2'000'000'000;
        for (std::size_t i = 0; i < 2 * onlineProcessors().size(); ++i) {
            makers.emplace_back([&] {
                while (systemClock().ticks() < end) {
                    std::thread([] { ::prctl(PR_SET_NAME, "churned"); }).join(); // a record of names, too
                    ++made;
                }
            });
        }
        for (std::thread& maker : makers) {
            maker.join();
        }
        seconds = static_cast<double>(systemClock().ticks() - begin) / 1e9;
    });
    std::map<std::uint16_t, std::uint64_t> seen;
    for (const SinkEvent& event : recording.sink.events) {
        const bool isOurs = event.at<std::uint32_t>(0) == static_cast<std::uint32_t>(::getpid());
        const bool isName = event.hook == hook::kThreadSetName && event.wideText(8) == "churned";
        seen[event.hook] += isOurs && (event.hook != hook::kThreadSetName || isName) ? 1U : 0U;
    }
    std::printf("%" PRIu64 " threads (%.0f a second), %" PRIu64 " starts, %" PRIu64 " names, %" PRIu64 " ends, %" PRIu64
                " events lost, drain thread %.1f %% of a processor\n",
                made.load(), static_cast<double>(made) / seconds, seen[hook::kThreadStart], seen[hook::kThreadSetName],
                seen[hook::kThreadEnd], recording.sink.lostEvents(),
                static_cast<double>(recording.drainTime.count()) / seconds / 1e7);
    CHECK(recording.sink.lostEvents() == 0);
    CHECK(seen[hook::kThreadStart] >= made);
    CHECK(seen[hook::kThreadEnd] >= made);
    CHECK(seen[hook::kThreadSetName] == made);
}

TEST_CASE("a program that lld has linked lies where it says", "[linux][live]") {
    if (!isServed({group::kLoader}, "a program that lld has linked")) {
        return;
    }
    if (::access("/usr/bin/clang", X_OK) != 0 || ::access("/usr/bin/ld.lld", X_OK) != 0) {
        std::cerr << "SKIPPED: a program that lld has linked: needs /usr/bin/clang and /usr/bin/ld.lld\n";
        return;
    }
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("x.c")) << "#include <stdio.h>\n"
                                         "extern const char __ehdr_start;\n"
                                         "int main(void) { printf(\"%p\", (const void*)&__ehdr_start); return 0; }\n";
    const std::string program = folder.file("linked-by-lld");
    runProgram({"/usr/bin/clang", "-fuse-ld=lld", "-pie", "-fPIE", "-o", program, folder.file("x.c")});
    REQUIRE(::access(program.c_str(), X_OK) == 0);
    std::string printed;
    std::uint32_t pid = 0;
    const Recording recording = record({kTable, kTable + 3}, {}, false,
                                       [&](etw::engine::KernelRun&) { pid = runProgram({program}, &printed); });
    std::uint64_t base = 0;
    REQUIRE(std::sscanf(printed.c_str(), "0x%" SCNx64, &base) == 1);
    int found = 0;
    for (const SinkEvent& load : recording.sink.ofHook(hook::kImageLoad)) {
        if (load.at<std::uint32_t>(16) == pid && load.imageName() == program) {
            ++found;
            CHECK(load.at<std::uint64_t>(0) == base);
        }
    }
    CHECK(found == 1);
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
