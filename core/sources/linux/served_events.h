// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/types.h"
#include "core/sources/linux/activity.h"
#include "core/sources/linux/machine.h"
#include "core/sources/linux/perf_api.h"
#include "core/sources/linux/tracepoint_format.h"
#include "core/sources/linux/translator.h"

#include <optional>

namespace tracedeck::linux_source {

/// What the kernel gives this process, found by asking for it with the very attributes that a recording uses.
struct ServedEvents {
    /// Why something is not served.
    using Refusal = std::optional<etw::Limitation>;
    Refusal table; ///< fork, exit, exec, mmap; nothing is served without
    Refusal clock;
    Refusal switches;
    Refusal waking;
    std::uint64_t switchId = 0;
    TranslationPlan::SwitchFields switchFields;
    std::uint64_t wakingId = 0;
    TranslationPlan::WakingFields wakingFields;
    /// As activityKinds() has them.
    struct Kind {
        Refusal refusal;
        std::vector<std::optional<TracepointFormat>> formats; ///< of its points
    };
    std::vector<Kind> kinds;
    std::optional<std::uint64_t> execId; ///< helps to read command lines in time; nothing depends on it
    std::uint32_t error = 0;             ///< errno of the first refusal

    /// Nothing at all is served.
    void refuseAll(const etw::Limitation& why);
    [[nodiscard]] bool isComplete() const noexcept;
    static ServedEvents probe(PerfApi& api, const Roots& roots, const Machine& machine);
};

/// A group of the kernel's events and how it stands here.
struct GroupService {
    std::uint32_t group = 0;
    std::vector<std::uint16_t> stackHooks; ///< of its events
    const ServedEvents::Refusal* refusal = nullptr;
};
std::vector<GroupService> groupServices(const ServedEvents& served);

} // namespace tracedeck::linux_source
