// SPDX-License-Identifier: GPL-3.0-or-later
// Processes, threads and images of this machine, recorded for real. Skipped, loudly, where the kernel refuses.
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/live_recording.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <iostream>
#include <link.h>
#include <map>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace tracedeck::linux_source {

using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

namespace {

constexpr std::uint32_t kTable[] = {group::kProcess, group::kThread, group::kLoader};

} // namespace

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

} // namespace tracedeck::linux_source
