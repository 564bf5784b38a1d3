// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/disks.h"
#include "core/sources/linux/event_output.h"
#include "core/sources/linux/perf_ring.h"
#include "core/sources/linux/process_table.h"
#include "core/sources/linux/tracepoint_format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// What the kernel does beyond processes, samples and switches, a kind at a time (disks, …): each kind is made of a few
/// tracepoints, whose records its Activity turns into the NT kernel's events.
namespace tracedeck::linux_source {

/// Of one tracepoint of the kind; nothing where this kernel does not have it.
using Formats = std::span<const std::optional<TracepointFormat>>;

/// Where an activity's events and their stacks go.
class ActivitySink {
public:
    virtual ~ActivitySink() = default;
    virtual EventOutput& output() noexcept = 0;
    virtual ProcessTable& table() noexcept = 0;
    /// The stack of `record`'s thread, which belongs to the event just written on its processor at `eventTime`.
    virtual void stack(const Record& record, Ticks eventTime, std::span<const std::uint64_t> chain) noexcept = 0;
};

/// What is wanted of a kind.
struct ActivityWish {
    etlformat::GroupMasks groups;          ///< of the whole recording
    std::vector<std::uint16_t> stackHooks; ///< of the whole recording
    Disks disks;
    std::vector<std::uint64_t> functions; ///< addresses of ActivityKind::functions; 0: not known, or hidden

    [[nodiscard]] bool hasStack(std::uint16_t hookId) const noexcept;
};

/// A kind's events while they are recorded.
///
/// Threading: one thread at a time. translate() neither allocates nor calls the system.
class Activity {
public:
    virtual ~Activity() = default;
    /// A sample of the kind's tracepoint number `point`.
    virtual void translate(const Record& record, const SampleBody& sample, std::size_t point) noexcept = 0;
    /// What happens from here on is not seen for a while.
    virtual void breakOff() noexcept = 0;
};

/// How a kind is recorded.
struct ActivityKind {
    struct Point {
        const char* event = ""; ///< "block/block_rq_issue"
        bool isNeeded = true;
        bool hasStacks = false; ///< its call chains are those of the kind's stack hooks
    };
    const char* name = "";             ///< "disk transfers"
    std::vector<std::uint32_t> groups; ///< any of them wants it
    std::vector<std::uint16_t> stackHooks;
    std::vector<Point> points;
    std::vector<std::string_view> functions{}; ///< of the kernel, whose addresses it tells
    /// InvalidArgument where a needed field is missing.
    Status (*check)(Formats formats) = nullptr;
    /// After check().
    std::unique_ptr<Activity> (*make)(Formats formats, const ActivityWish& wish, ActivitySink& sink) = nullptr;
};

/// All that there are, in one order for ever.
const std::vector<ActivityKind>& activityKinds();

} // namespace tracedeck::linux_source
