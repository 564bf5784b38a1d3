// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/linux_kernel_source.h"
#include "core/sources/linux/mapping.h"
#include "core/sources/linux/perf_session.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/log_guard.h"
#include "tests/unit/linux/fake_machine.h"
#include "tests/unit/linux/memory_sink.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <sys/resource.h>

namespace tracedeck::linux_source {

namespace group = etlformat::group;
namespace hook = etlformat::hook;
using etw::LimitationCode;
using test::FakeMachine;
using test::FakePerf;
using test::hasLimitation;
using test::requestOf;

namespace {

/// That the source serves.
constexpr std::size_t kGroups = 10;
constexpr std::uint32_t kRegistry = 0x00020000; ///< that Linux has nothing of

} // namespace

TEST_CASE("the machine is what /proc and /sys say", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    const LinuxKernelSource source({&clock, &perf, fake.roots()});
    const etw::Capabilities capabilities = source.capabilities();
    CHECK(capabilities.platform == "Linux 6.1.2");
    CHECK(capabilities.numberOfProcessors == 4);
    CHECK(capabilities.physicalMemory == mib(4096));
    CHECK_FALSE(capabilities.isElevated);
    CHECK(hasLimitation(capabilities.limitations, LimitationCode::NotElevated));
    for (const std::uint32_t served :
         {group::kProcess, group::kThread, group::kLoader, group::kProfile, group::kContextSwitch, group::kDispatcher,
          group::kDiskIo, group::kDiskIoInit, group::kInterrupt, group::kDpc}) {
        CHECK(capabilities.kernelGroups.has(served));
    }
    CHECK(capabilities.stackHooks == std::vector<std::uint16_t>{hook::kSampledProfile, hook::kCSwitch,
                                                                hook::kReadyThread, hook::kDiskReadInit,
                                                                hook::kDiskWriteInit, hook::kDiskFlushInit});
    CHECK(perf.openNow == 0);
    const auto identity = source.identity();
    CHECK(identity.numberOfProcessors == 4);
    CHECK(identity.cpuSpeedInMhz == 2501);
    CHECK(identity.bootTime == kUnixEpoch + 17'000'000'000'000'000);
    CHECK(identity.perfFreq == 1'000'000'000);
}

TEST_CASE("what the kernel refuses is stated with its reason", "[linux][source]") {
    FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    struct Row {
        int error;
        bool hasRights;
        LimitationCode code;
        std::string detail;
    };
    const auto row = GENERATE(values<Row>({
        {-EACCES, false, LimitationCode::PerfEventParanoid, "2"},
        {-EPERM, true, LimitationCode::NoPerfEvents, "perf_event_open: errno 1"},
        {-ENOSYS, false, LimitationCode::NoPerfEvents, "perf_event_open: errno 38"},
    }));
    perf.openError = row.error;
    if (row.hasRights) {
        fake.write("proc/self/status", "CapEff:\t000001ffffffffff\n");
    }
    const etw::Capabilities capabilities = source.capabilities();
    CHECK(capabilities.isElevated == row.hasRights);
    CHECK(capabilities.kernelGroups.isEmpty());
    REQUIRE(capabilities.refusedGroups.size() == kGroups);
    for (const auto& refused : capabilities.refusedGroups) {
        CHECK(refused.limitation.code == row.code);
        CHECK(refused.limitation.detail == row.detail);
    }
    const auto run = source.start(requestOf({group::kProcess, group::kProfile}), sink);
    REQUIRE_FALSE(run);
    CHECK(run.error().code == ErrorCode::KernelEventsRefused);
    CHECK(run.error().native == static_cast<std::uint32_t>(-row.error));
    CHECK(sink.events.empty());
}

TEST_CASE("without tracefs or tracepoints the profile is still served", "[linux][source]") {
    FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    LimitationCode expected = LimitationCode::NoTracefs;
    std::size_t refused = 6; // of the scheduler, disks and interrupts
    SECTION("no tracefs") {
        fake.remove("trace");
    }
    SECTION("a tracepoint without the fields that are needed") {
        refused = 2; // of the scheduler alone
        fake.write("trace/events/sched/sched_switch/format", "ID: 7\n\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n");
        fake.remove("trace/events/sched/sched_waking");
    }
    SECTION("raw tracepoints are for the privileged") {
        perf.tracepointError = -EPERM;
        expected = LimitationCode::PerfEventParanoid;
    }
    const etw::Capabilities capabilities = source.capabilities();
    CHECK(capabilities.kernelGroups.has(group::kProfile));
    CHECK_FALSE(capabilities.kernelGroups.has(group::kContextSwitch));
    REQUIRE(capabilities.refusedGroups.size() == refused);
    CHECK(capabilities.refusedGroups[0].limitation.code == expected);

    test::MemorySink sink;
    auto request = requestOf({group::kProfile, group::kContextSwitch, kRegistry});
    request.stackHooks = {hook::kSampledProfile, hook::kCSwitch};
    const auto run = source.start(request, sink);
    REQUIRE(run);
    const auto limitations = (*run)->limitations();
    CHECK(hasLimitation(limitations, expected));
    CHECK(hasLimitation(limitations, LimitationCode::KeywordNotServed));
    CHECK(hasLimitation(limitations, LimitationCode::StackNotServed));
    (*run)->stop();
}

TEST_CASE("an older kernel is asked for less", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    perf.takesLost = false;
    const auto features = probeFeatures(perf, 0);
    REQUIRE(features);
    CHECK_FALSE(features->hasLostCount);
    CHECK(features->hasBuildId);
}

TEST_CASE("rings shrink together until the kernel takes them", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    perf.mostBytes = 256 * 1024 + 4096;
    {
        const auto run = source.start(requestOf({group::kProfile}), sink);
        REQUIRE(run);
        CHECK(hasLimitation((*run)->limitations(), LimitationCode::MlockLimit));
        CHECK(perf.mapped == 4); // two processors, two rings each
        (*run)->stop();
    }
    CHECK(perf.mapped == 0);
    CHECK(perf.openNow == 0);
    perf.mostBytes = 4096;
    const auto refused = source.start(requestOf({group::kProfile}), sink);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().native == EPERM);
    CHECK(perf.openNow == 0);
}

TEST_CASE("too many open files are told as what they are", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    perf.mostDescriptors = 4;
    const auto run = source.start(requestOf({group::kProcess, group::kProfile}), sink);
    REQUIRE_FALSE(run);
    CHECK(run.error().code == ErrorCode::KernelSourceFailed);
    CHECK(run.error().native == EMFILE);
    CHECK(perf.openNow == 0);
    CHECK(perf.allowed == 2 * 5); // two processors

    FakePerf full;
    full.mostDescriptors = 0;
    const etw::Capabilities capabilities = LinuxKernelSource({&clock, &full, fake.roots()}).capabilities();
    REQUIRE(capabilities.refusedGroups.size() == kGroups);
    CHECK(capabilities.refusedGroups[0].limitation.code == LimitationCode::DescriptorLimit);
}

TEST_CASE("the soft limit of open files is raised as far as the hard one lets it", "[linux][source]") {
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    REQUIRE(before.rlim_max >= 200);
    rlimit low = before;
    low.rlim_cur = 100;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
    rlimit now{};
    systemPerf().allowDescriptors(1);
    CHECK((::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 100)); // there is room
    systemPerf().allowDescriptors(99);
    CHECK((::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 199));
    systemPerf().allowDescriptors(std::size_t{1} << 40U);
    CHECK((::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == before.rlim_max));
    CHECK(::setrlimit(RLIMIT_NOFILE, &before) == 0);
}

TEST_CASE("in a pid namespace nothing is recorded, and the reason is stated", "[linux][source]") {
    FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    bool isNested = true;
    SECTION("the namespace is another one than the machine's") {
        fake.link("proc/self/ns/pid", "pid:[4026532444]");
    }
    SECTION("the link is not there, and process 2 is a program") {
        fake.process(2, "2 (cat) S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 5", "/bin/cat", "cat");
    }
    SECTION("it is the machine's") {
        fake.link("proc/self/ns/pid", "pid:[4026531836]");
        isNested = false;
    }
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    const etw::Capabilities capabilities = source.capabilities();
    CHECK(capabilities.kernelGroups.isEmpty() == isNested);
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProcess, group::kProfile}), sink);
    REQUIRE(run.has_value() != isNested);
    if (isNested) {
        REQUIRE(capabilities.refusedGroups.size() == kGroups);
        for (const auto& refused : capabilities.refusedGroups) {
            CHECK(refused.limitation.code == LimitationCode::PidNamespace);
        }
        CHECK(run.error().code == ErrorCode::KernelEventsRefused);
        CHECK(run.error().detail.find("PidNamespace") != std::string::npos);
        CHECK(perf.opened.empty());
    } else {
        (*run)->stop();
    }
}

TEST_CASE("when polling fails, reading goes on by time alone and does not spin", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    perf.pollError = -ENOMEM;
    const test::ExpectErrors expected("poll failed");
    const SystemClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProcess}), sink);
    REQUIRE(run);
    const Ticks before = clock.ticks();
    (*run)->mark("first");
    (*run)->mark("second");
    CHECK(sink.ofHook(hook::kMark).size() == 2);
    (*run)->stop();
    CHECK(perf.polls == 1);
    CHECK(sink.ofHook(hook::kMark)[0].time >= before);
}

TEST_CASE("what the reading thread cannot get over ends the events, not the program", "[linux][source]") {
    struct Row {
        const char* what;
        std::function<void()> happens;
        ErrorCode code;
    };
    const auto row =
        GENERATE(values<Row>({{"no memory", [] { throw std::bad_alloc(); }, ErrorCode::OutOfMemory},
                              {"another", [] { throw std::runtime_error("test"); }, ErrorCode::KernelSourceFailed}}));
    CAPTURE(row.what);
    const bool isRing = GENERATE(false, true);
    const FakeMachine fake;
    FakePerf perf;
    std::atomic<bool> isBroken{false};
    const auto breaks = [&] {
        if (isBroken) {
            row.happens();
        }
    };
    perf.whenPolled = breaks;
    perf.whenWoken = breaks; // the thread may be waiting already
    const test::ExpectErrors expected("kernel source");
    const SystemClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    auto request = requestOf({group::kProcess});
    request.isRing = isRing;
    const auto run = source.start(request, sink);
    REQUIRE(run);
    CHECK_FALSE((*run)->failure());
    isBroken = true;
    (*run)->drain(); // whoever waits is answered
    REQUIRE((*run)->failure());
    CHECK((*run)->failure()->code == row.code);
    (*run)->mark("answered too");
    isBroken = false;
    (*run)->mark("later");
    (*run)->stop();
    CHECK((*run)->failure());
    CHECK(sink.ofHook(hook::kRundownComplete).size() == (isRing ? 1U : 2U));
}

TEST_CASE("a mark stands where it was asked for", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProcess}), sink);
    REQUIRE(run);
    const Ticks asked = clock.ticks();
    perf.whenWoken = [&] { clock.advance(5'000'000); }; // the thread that writes it is late
    (*run)->mark("here");
    (*run)->stop();
    CHECK(clock.ticks() > asked);
    // 1 ns behind the rundown, which has the same time: the clock stood still until then.
    CHECK(sink.ofHook(hook::kMark).at(0).time == asked + 1);
}

TEST_CASE("a thread that cannot be started is an error, and signals come as before", "[linux][source]") {
    pthread_attr_t usual;
    pthread_attr_t huge;
    REQUIRE(::pthread_getattr_default_np(&usual) == 0);
    REQUIRE(::pthread_getattr_default_np(&huge) == 0);
    REQUIRE(::pthread_attr_setstacksize(&huge, std::size_t{1} << 47U) == 0); // more than there are addresses
    REQUIRE(::pthread_setattr_default_np(&huge) == 0);
    const FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProcess}), sink);
    REQUIRE(::pthread_setattr_default_np(&usual) == 0);
    REQUIRE_FALSE(run);
    CHECK(run.error().code == ErrorCode::OutOfMemory);
    CHECK(run.error().native == EAGAIN);
    CHECK(perf.openNow == 0);
    sigset_t mask;
    REQUIRE(::pthread_sigmask(SIG_SETMASK, nullptr, &mask) == 0);
    CHECK(::sigismember(&mask, SIGTERM) == 0);
    CHECK(source.start(requestOf({group::kProcess}), sink).has_value());
}

TEST_CASE("names are in the ring of everything, and only programs that start wake the reader", "[linux][source]") {
    const PerfFeatures features;
    const perf_event_attr all = sidebandAttributes(features);
    CHECK((all.comm == 1 && all.comm_exec == 1 && all.task == 1 && all.mmap2 == 1));
    CHECK(all.watermark == 0);
    // A tracepoint of its own: the kernel would add every fork and exit to names.
    const perf_event_attr wakeUp = wakeUpAttributes(features, 7);
    CHECK(wakeUp.type == PERF_TYPE_TRACEPOINT);
    CHECK((wakeUp.comm == 0 && wakeUp.task == 0 && wakeUp.watermark == 1 && wakeUp.wakeup_watermark == 1));
    CHECK(wakeUpAttributes(features, std::nullopt).comm == 1);
}

TEST_CASE("a processor that went offline is left out", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    perf.offline = {1};
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProfile}), sink);
    REQUIRE(run);
    CHECK(perf.mapped == 2);
    (*run)->stop();
}

TEST_CASE("a file's rundown stands at its start and at its end", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    perf.lostPerEvent = 3;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    const auto run = source.start(requestOf({group::kProcess, group::kThread, group::kLoader, group::kProfile}), sink);
    REQUIRE(run);
    REQUIRE(sink.events.size() > 5);
    CHECK(sink.events[0].hook == hook::kGroupMasks);
    CHECK(sink.events[1].hook == hook::kHeaderExtension);
    CHECK(sink.events[1].at<std::uint32_t>(0) == 7);
    CHECK(sink.events[1].at<std::uint32_t>(4) == 2);
    CHECK(sink.events[2].hook == hook::kConfigCpu);
    CHECK(sink.events[2].wideText(20) == "box");
    CHECK(sink.events[3].hook == hook::kProfileDcStart);
    CHECK(sink.events.back().hook == hook::kRundownComplete);

    const auto processes = sink.ofHook(hook::kProcessDcStart);
    REQUIRE(processes.size() == 3); // Idle, init, System: no kernel thread, no zombie
    CHECK(processes[0].processName() == "Idle");
    CHECK(processes[1].processName() == "init");
    CHECK(processes[1].commandLine() == "/sbin/init");
    CHECK(processes[2].processName() == "System");
    const auto threads = sink.ofHook(hook::kThreadDcStart);
    CHECK(threads.size() == 2 + 1 + 2); // idle of two processors, init, kthreadd and ksoftirqd
    CHECK(std::count_if(threads.begin(), threads.end(), [](const auto& thread) {
              return thread.template at<std::uint32_t>(0) == kSystemProcess;
          }) == 2);
    const auto images = sink.ofHook(hook::kImageDcStart);
    REQUIRE(images.size() == 3);
    CHECK(images[0].imageName() == "vmlinux");
    CHECK(images[0].hasThread);
    CHECK(images[1].imageName() == "ext4.ko");
    CHECK(images[2].imageName() == "/sbin/init");
    CHECK_FALSE(images[2].hasThread);

    sink.events.clear();
    (*run)->mark("here");
    CHECK(sink.ofHook(hook::kMark).at(0).text(0) == "here");
    (*run)->stop();
    CHECK(sink.ofHook(hook::kProcessDcEnd).size() == 3);
    CHECK(sink.ofHook(hook::kThreadDcEnd).size() == 5);
    CHECK(sink.ofHook(hook::kImageDcEnd).size() == 3);
    CHECK(sink.ofHook(hook::kProfileDcEnd).size() == 1);
    CHECK(sink.events.back().hook == hook::kRundownComplete);
    CHECK(sink.lostEvents() == 3U * 4U); // two events of two processors, and two that only wake the reader
    CHECK(sink.disorders == 0);
    CHECK(sink.misfits == 0);
    const std::size_t written = sink.events.size();
    (*run)->drain();
    (*run)->mark("too late");
    CHECK(sink.events.size() == written);
}

TEST_CASE("a ring's rundown is written when it is asked for", "[linux][source]") {
    const FakeMachine fake;
    FakePerf perf;
    const test::ManualClock clock;
    LinuxKernelSource source({&clock, &perf, fake.roots()});
    test::MemorySink sink;
    auto request = requestOf({group::kProcess});
    request.isRing = true;
    const auto run = source.start(request, sink);
    REQUIRE(run);
    CHECK(sink.events.empty());
    (*run)->rundown();
    CHECK(sink.ofHook(hook::kProcessDcStart).size() == 3);
    CHECK(sink.ofHook(hook::kThreadDcStart).empty()); // not asked for
    (*run)->stop();
    CHECK(sink.ofHook(hook::kProcessDcStart).size() == 6);
    CHECK(sink.ofHook(hook::kProcessDcEnd).empty());
}

} // namespace tracedeck::linux_source
