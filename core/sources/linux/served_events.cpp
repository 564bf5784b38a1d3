// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/served_events.h"

#include "core/sources/linux/perf_session.h"
#include "core/sources/linux/trace_fs.h"

#include <algorithm>
#include <cerrno>

namespace tracedeck::linux_source {
namespace {

using etw::Limitation;
using etw::LimitationCode;

Limitation refusalOf(int error, const Machine& machine) {
    const bool isForbidden = error == -EACCES || error == -EPERM;
    if (isForbidden && machine.perfEventParanoid && !machine.mayRecordAll) {
        return {LimitationCode::PerfEventParanoid, std::to_string(*machine.perfEventParanoid), 0};
    }
    if (error == -EMFILE || error == -ENFILE) {
        return {LimitationCode::DescriptorLimit, "perf_event_open: errno " + std::to_string(-error), 0};
    }
    // Refused in spite of every right: a container's system call filter, or a kernel without perf events.
    return {LimitationCode::NoPerfEvents, "perf_event_open: errno " + std::to_string(-error), 0};
}

Limitation noTracefs(const Error& error) {
    return {LimitationCode::NoTracefs, error.detail + ": errno " + std::to_string(error.native), 0};
}

/// The tracepoint's id and fields; false in `refusal`'s place where it is not served.
template <class Fields>
ServedEvents::Refusal probeTracepoint(PerfApi& api, const PerfFeatures& features, const Machine& machine,
                                      const Result<TracepointFormat>& format, std::uint64_t& id, Fields&& fields) {
    if (!format) {
        return noTracefs(format.error());
    }
    id = format->id;
    if (const Status known = fields(*format); !known) {
        return noTracefs(known.error());
    }
    // With stacks: a kernel that gives the event but not its stack is none that we know of.
    const int error = probe(api, tracepointAttributes(features, id, true), machine.online.front());
    return error == 0 ? ServedEvents::Refusal() : refusalOf(error, machine);
}

Status take(const TracepointFormat& format, std::string_view name, TracepointField& into) {
    const auto field = format.integer(name);
    if (!field) {
        return fail(field.error());
    }
    into = *field;
    return {};
}

Status switchFieldsOf(const TracepointFormat& format, TranslationPlan::SwitchFields& fields) {
    fields.states = TaskStates(format.printFormat);
    Status status = take(format, "prev_pid", fields.previousId);
    status = status ? take(format, "prev_prio", fields.previousPrio) : status;
    status = status ? take(format, "prev_state", fields.previousState) : status;
    status = status ? take(format, "next_pid", fields.nextId) : status;
    return status ? take(format, "next_prio", fields.nextPrio) : status;
}

Status wakingFieldsOf(const TracepointFormat& format, TranslationPlan::WakingFields& fields) {
    const Status status = take(format, "pid", fields.id);
    return status ? take(format, "common_flags", fields.flags) : status;
}

template <class FormatOf>
ServedEvents::Kind probeKind(PerfApi& api, const PerfFeatures& features, const Machine& machine,
                             const ActivityKind& kind, FormatOf&& formatOf) {
    ServedEvents::Kind found;
    for (const ActivityKind::Point& point : kind.points) {
        const Result<TracepointFormat> format = formatOf(point.event);
        found.formats.push_back(format ? std::optional(*format) : std::nullopt);
        if (!format && point.isNeeded) {
            found.refusal = noTracefs(format.error());
            return found;
        }
    }
    if (const Status checked = kind.check(found.formats); !checked) {
        found.refusal = noTracefs(checked.error());
        return found;
    }
    // One stands for all: the kernel allows tracepoints or it does not.
    for (const auto& format : found.formats) {
        if (format) {
            const int error = probe(api, tracepointAttributes(features, format->id, true), machine.online.front());
            found.refusal = error == 0 ? ServedEvents::Refusal() : refusalOf(error, machine);
            break;
        }
    }
    return found;
}

} // namespace

void ServedEvents::refuseAll(const Limitation& why) {
    table = clock = switches = waking = why;
    kinds.assign(activityKinds().size(), {why, {}});
}

bool ServedEvents::isComplete() const noexcept {
    return !table && !clock && !switches && !waking &&
           std::none_of(kinds.begin(), kinds.end(), [](const Kind& kind) { return kind.refusal.has_value(); });
}

ServedEvents ServedEvents::probe(PerfApi& api, const Roots& roots, const Machine& machine) {
    ServedEvents served;
    if (machine.online.empty()) {
        served.refuseAll({LimitationCode::NoPerfEvents, "no processor in " + roots.sys, 0});
        return served;
    }
    if (machine.hasOwnProcessIds) {
        served.refuseAll({LimitationCode::PidNamespace, roots.proc + "/self/ns/pid", 0});
        return served;
    }
    const auto features = probeFeatures(api, machine.online.front());
    if (!features) {
        served.error = features.error().native;
        served.refuseAll(refusalOf(-static_cast<int>(served.error), machine));
        return served;
    }
    const auto clock = clockAttributes(*features, std::chrono::milliseconds(1), true);
    if (const int error = linux_source::probe(api, clock, machine.online.front()); error != 0) {
        served.error = static_cast<std::uint32_t>(-error);
        served.clock = refusalOf(error, machine);
    }
    const auto traceFs = TraceFs::open(roots);
    const auto formatOf = [&](const char* event) -> Result<TracepointFormat> {
        return traceFs ? traceFs->format(event) : fail(traceFs.error());
    };
    served.switches =
        probeTracepoint(api, *features, machine, formatOf("sched/sched_switch"), served.switchId,
                        [&](const TracepointFormat& format) { return switchFieldsOf(format, served.switchFields); });
    served.waking =
        probeTracepoint(api, *features, machine, formatOf("sched/sched_waking"), served.wakingId,
                        [&](const TracepointFormat& format) { return wakingFieldsOf(format, served.wakingFields); });
    for (const ActivityKind& kind : activityKinds()) {
        served.kinds.push_back(probeKind(api, *features, machine, kind, formatOf));
    }
    if (const auto format = formatOf("sched/sched_process_exec"); format) {
        if (linux_source::probe(api, wakeUpAttributes(*features, format->id), machine.online.front()) == 0) {
            served.execId = format->id;
        }
    }
    return served;
}

std::vector<GroupService> groupServices(const ServedEvents& served) {
    namespace group = etlformat::group;
    namespace hook = etlformat::hook;
    std::vector<GroupService> services{{group::kProcess, {}, &served.table},
                                       {group::kThread, {}, &served.table},
                                       {group::kLoader, {}, &served.table},
                                       {group::kProfile, {hook::kSampledProfile}, &served.clock},
                                       {group::kContextSwitch, {hook::kCSwitch}, &served.switches},
                                       {group::kDispatcher, {hook::kReadyThread}, &served.waking}};
    const std::vector<ActivityKind>& kinds = activityKinds();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        for (const std::uint32_t group : kinds[i].groups) {
            services.push_back({group, kinds[i].stackHooks, &served.kinds[i].refusal});
        }
    }
    return services;
}

} // namespace tracedeck::linux_source
