// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/linux_kernel_source.h"

#include "core/sources/linux/interrupts.h"
#include "core/sources/linux/linux_kernel_run.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <sys/syscall.h>
#include <unistd.h>

namespace tracedeck::linux_source {

namespace group = etlformat::group;
namespace hook = etlformat::hook;
using etw::Limitation;
using etw::LimitationCode;

namespace {

std::string hexadecimal(std::uint32_t value, int digits) {
    char text[16];
    std::snprintf(text, sizeof(text), "0x%0*X", digits, value);
    return text;
}

/// Room for half a second of a busy processor: a context switch with stack takes some 300 bytes, with its wake 500.
/// All rings together take at most a 32nd of the memory.
Bytes ringSize(const PerfPlan& perf, const Machine& machine) {
    Bytes size = mib(1);
    if (perf.switchId || perf.wakingId) {
        size = perf.hasSwitchStacks || perf.hasWakingStacks ? mib(8) : mib(4);
    }
    const std::uint64_t most = machine.physicalMemory.count / 32 / std::max<std::size_t>(perf.processors.size(), 1);
    while (size.count > most && size > kib(256)) {
        size = {size.count / 2};
    }
    return size;
}

/// What of the request is not served, and why.
std::vector<Limitation> unserved(const etw::engine::KernelRequest& request, const ServedEvents& served) {
    std::vector<Limitation> limitations;
    etlformat::GroupMasks left = request.groups;
    std::vector<std::uint16_t> hooks;
    for (const GroupService& service : groupServices(served)) {
        left.words[service.group >> 29U] &= ~(service.group & 0x1FFFFFFFU);
        if (!*service.refusal) {
            hooks.insert(hooks.end(), service.stackHooks.begin(), service.stackHooks.end());
        }
        if (request.groups.has(service.group) && *service.refusal &&
            std::find(limitations.begin(), limitations.end(), **service.refusal) == limitations.end()) {
            limitations.push_back(**service.refusal);
        }
    }
    for (std::uint32_t word = 0; word < left.words.size(); ++word) {
        for (std::uint32_t bit = 0; bit < 29; ++bit) {
            if (((left.words[word] >> bit) & 1U) != 0) {
                limitations.push_back(
                    {LimitationCode::KeywordNotServed, hexadecimal((word << 29U) | (1U << bit), 8), 0});
            }
        }
    }
    for (const std::uint16_t stackHook : request.stackHooks) {
        if (std::find(hooks.begin(), hooks.end(), stackHook) == hooks.end()) {
            limitations.push_back({LimitationCode::StackNotServed, hexadecimal(stackHook, 4), 0});
        }
    }
    return limitations;
}

class RunPlanner {
public:
    RunPlanner(const etw::engine::KernelRequest& request, const ServedEvents& served, const Machine& machine,
               KernelSymbols& kernel)
        : m_request(request), m_served(served), m_machine(machine), m_kernel(kernel) {}

    RunPlan plan(const Roots& roots) {
        m_plan.isRing = m_request.isRing;
        m_plan.onlineFile = onlineFile(roots);
        m_plan.limitations = unserved(m_request, m_served);
        m_disks = Disks::read(roots);
        perf();
        translation();
        activities();
        rundown(roots);
        return std::move(m_plan);
    }

private:
    [[nodiscard]] bool serves(std::uint32_t wanted, const ServedEvents::Refusal& refusal) const {
        return m_request.groups.has(wanted) && !refusal;
    }
    [[nodiscard]] bool hasStacks(std::uint16_t hookId) const {
        return std::find(m_request.stackHooks.begin(), m_request.stackHooks.end(), hookId) !=
               m_request.stackHooks.end();
    }

    void perf() {
        PerfPlan& perf = m_plan.perf;
        perf.processors = m_machine.online;
        perf.hasClock = serves(group::kProfile, m_served.clock);
        perf.hasClockStacks = hasStacks(hook::kSampledProfile);
        perf.clockPeriod = interval();
        if (serves(group::kContextSwitch, m_served.switches)) {
            perf.switchId = m_served.switchId;
            perf.hasSwitchStacks = hasStacks(hook::kCSwitch);
        }
        if (serves(group::kDispatcher, m_served.waking)) {
            perf.wakingId = m_served.wakingId;
            perf.hasWakingStacks = hasStacks(hook::kReadyThread);
        }
        perf.execId = m_served.execId;
        perf.ringSize = ringSize(perf, m_machine);
    }

    /// The kernel's timer takes no less than 10 µs.
    std::chrono::nanoseconds interval() {
        constexpr std::chrono::nanoseconds kShortest = std::chrono::microseconds(10);
        if (m_request.profileInterval >= kShortest) {
            return m_request.profileInterval;
        }
        if (m_plan.perf.hasClock) {
            m_plan.limitations.push_back({LimitationCode::ProfilerTimerCoarse, "10 µs", 0});
        }
        return kShortest;
    }

    void translation() {
        TranslationPlan& translation = m_plan.translation;
        translation.hasProcesses = serves(group::kProcess, m_served.table);
        translation.hasThreads = serves(group::kThread, m_served.table);
        translation.hasImages = serves(group::kLoader, m_served.table);
        translation.hasProfileStacks = m_plan.perf.hasClockStacks;
        translation.hasSwitchStacks = m_plan.perf.hasSwitchStacks;
        translation.hasWakingStacks = m_plan.perf.hasWakingStacks;
        translation.switches = m_served.switchFields;
        translation.waking = m_served.wakingFields;
        translation.processors = m_machine.numberOfProcessors;
        translation.clockTick = Ticks{m_machine.clockTick100Ns} * 100;
        translation.profileInterval = m_plan.perf.clockPeriod.count();
    }

    /// Behind perf() and translation().
    void activities() {
        const std::vector<ActivityKind>& kinds = activityKinds();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const ActivityKind& kind = kinds[i];
            const bool isWanted = std::any_of(kind.groups.begin(), kind.groups.end(), [&](std::uint32_t group) {
                return serves(group, m_served.kinds[i].refusal);
            });
            if (!isWanted) {
                continue;
            }
            const bool wantsStacks = std::any_of(kind.stackHooks.begin(), kind.stackHooks.end(),
                                                 [&](std::uint16_t hookId) { return hasStacks(hookId); });
            ActivityPlan activity;
            activity.kind = i;
            activity.formats = m_served.kinds[i].formats;
            activity.wish = {m_request.groups, m_request.stackHooks, m_disks, {}};
            if (!kind.functions.empty()) {
                activity.wish.functions = m_kernel.addresses(kind.functions);
            }
            for (std::size_t point = 0; point < kind.points.size(); ++point) {
                if (const auto& format = activity.formats[point]) {
                    const bool hasStacks = wantsStacks && kind.points[point].hasStacks;
                    m_plan.perf.points.push_back({format->id, hasStacks});
                    activity.points.push_back({point, hasStacks});
                }
            }
            m_plan.translation.activities.push_back(std::move(activity));
        }
    }

    void rundown(const Roots& roots) {
        RundownFacts& rundown = m_plan.rundown;
        rundown.disks = m_disks;
        rundown.interrupts = readInterrupts(roots);
        for (const GroupService& service : groupServices(m_served)) {
            if (serves(service.group, *service.refusal)) {
                rundown.masks.set(service.group);
            }
        }
        rundown.hasProcesses = m_plan.translation.hasProcesses;
        rundown.hasThreads = m_plan.translation.hasThreads;
        rundown.hasImages = m_plan.translation.hasImages;
        if (m_plan.perf.hasClock) {
            rundown.profileInterval = m_plan.perf.clockPeriod;
        }
        rundown.config = m_machine.config;
        rundown.processors = m_machine.online;
        rundown.controllerProcess = static_cast<std::uint32_t>(::getpid());
        rundown.controllerThread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
        if (rundown.hasImages) {
            rundown.kernelImages = kernelImages(ProcFiles(roots.proc), m_kernel.range());
            if (rundown.kernelImages.empty()) {
                m_plan.limitations.push_back({LimitationCode::KernelPointersHidden, {}, 0});
            }
            m_plan.limitations.push_back({LimitationCode::ImageUnloadUnseen, {}, 0});
        }
    }

    const etw::engine::KernelRequest& m_request;
    const ServedEvents& m_served;
    const Machine& m_machine;
    KernelSymbols& m_kernel;
    Disks m_disks;
    RunPlan m_plan;
};

} // namespace

LinuxKernelSource::LinuxKernelSource(Environment environment)
    : m_environment(std::move(environment)), m_kernel(ProcFiles(m_environment.roots.proc)) {
    if (m_environment.perf == nullptr) {
        m_environment.perf = &systemPerf();
    }
}

etw::Capabilities LinuxKernelSource::capabilities() const {
    const Machine machine = Machine::read(m_environment.roots);
    const ServedEvents served = this->served(machine);
    etw::Capabilities capabilities;
    capabilities.platform = machine.platform;
    capabilities.isElevated = machine.mayRecordAll;
    capabilities.numberOfProcessors = machine.numberOfProcessors;
    capabilities.physicalMemory = machine.physicalMemory;
    for (const GroupService& service : groupServices(served)) {
        if (*service.refusal) {
            capabilities.refusedGroups.push_back({service.group, **service.refusal});
            continue;
        }
        capabilities.kernelGroups.set(service.group);
        for (const std::uint16_t stackHook : service.stackHooks) {
            if (std::find(capabilities.stackHooks.begin(), capabilities.stackHooks.end(), stackHook) ==
                capabilities.stackHooks.end()) {
                capabilities.stackHooks.push_back(stackHook);
            }
        }
    }
    if (!machine.mayRecordAll) {
        capabilities.limitations.push_back({LimitationCode::NotElevated, {}, 0});
    }
    return capabilities;
}

etlformat::TraceIdentity LinuxKernelSource::identity() const {
    return identityOf(Machine::read(m_environment.roots), *m_environment.clock);
}

ServedEvents LinuxKernelSource::served(const Machine& machine) const {
    const std::lock_guard lock(m_mutex);
    if (m_probed && m_probed->perfEventParanoid == machine.perfEventParanoid &&
        m_probed->mayRecordAll == machine.mayRecordAll) {
        return m_probed->served;
    }
    ServedEvents served = ServedEvents::probe(*m_environment.perf, m_environment.roots, machine);
    m_probed.reset();
    if (served.isComplete()) {
        m_probed = Probed{machine.perfEventParanoid, machine.mayRecordAll, served};
    }
    return served;
}

Result<RunPlan> LinuxKernelSource::plan(const etw::engine::KernelRequest& request) {
    const Machine machine = Machine::read(m_environment.roots);
    const ServedEvents served = this->served(machine);
    const auto services = groupServices(served);
    const bool servesAny = std::any_of(services.begin(), services.end(), [&](const GroupService& service) {
        return request.groups.has(service.group) && !*service.refusal;
    });
    if (served.table || !servesAny) {
        std::string why = "none of the kernel groups asked for is served";
        for (const Limitation& limitation : unserved(request, served)) {
            why += "; " + std::string(toString(limitation.code)) + ' ' + limitation.detail;
        }
        return fail(ErrorCode::KernelEventsRefused, std::move(why), served.error);
    }
    RunPlanner planner(request, served, machine, m_kernel);
    return planner.plan(m_environment.roots);
}

Result<std::unique_ptr<etw::engine::KernelRun>> LinuxKernelSource::start(const etw::engine::KernelRequest& request,
                                                                         etw::engine::KernelSink& sink) {
    auto first = plan(request);
    if (!first) {
        return fail(first.error());
    }
    auto run = LinuxKernelRun::start(
        *m_environment.perf, *m_environment.clock, m_environment.roots, std::move(*first),
        [this](const etw::engine::KernelRequest& other) { return plan(other); }, sink);
    if (!run) {
        return fail(run.error());
    }
    return std::unique_ptr<etw::engine::KernelRun>(std::move(*run));
}

} // namespace tracedeck::linux_source
