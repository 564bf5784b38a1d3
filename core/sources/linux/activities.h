// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/activity.h"
#include "core/sources/linux/perf_session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tracedeck::linux_source {

/// What is recorded of one of activityKinds().
struct ActivityPlan {
    std::size_t kind = 0;
    std::vector<std::optional<TracepointFormat>> formats; ///< of the kind's points
    ActivityWish wish;
    struct Point {
        std::size_t number = 0; ///< of the kind's points
        bool hasStacks = false;
    };
    std::vector<Point> points; ///< those of all activities, one after the other, are PerfPlan::points
};

/// The activities of a recording: gives each record to its own, and counts what the kernel keeps back.
///
/// Threading: one thread at a time. translate() neither allocates nor calls the system.
/// Ownership: `sink` must outlive it.
class Activities {
public:
    explicit Activities(ActivitySink& sink) : m_sink(sink) {}
    /// Other ones from now on.
    void change(const std::vector<ActivityPlan>& plans);
    /// A sample of Origin::Point.
    void translate(const Record& record) noexcept;
    /// What happens from here on is not seen for a while.
    void breakOff() noexcept;
    /// At the end: compares with what the kernel itself has counted.
    void finish(const KernelCounts& counts);
    /// Of each of activityKinds(), of the tracepoint that lacks most: what happened by the kernel's own count, was not
    /// lost, and came as no record. Known only after finish().
    [[nodiscard]] std::vector<std::uint64_t> unreported() const;

private:
    /// Of a tracepoint, whatever the plan.
    struct Records {
        std::uint64_t id = 0;
        std::size_t kind = 0;
        std::uint64_t taken = 0;
        std::uint64_t unreported = 0;
    };
    struct Point {
        Activity* activity = nullptr;
        ActivityPlan::Point of;
        std::size_t records = 0; ///< its place in m_records
    };
    [[nodiscard]] std::size_t recordsOf(std::uint64_t id, std::size_t kind);

    ActivitySink& m_sink;
    std::vector<std::unique_ptr<Activity>> m_activities;
    std::vector<Point> m_points; ///< by Record::point
    std::vector<Records> m_records;
};

} // namespace tracedeck::linux_source
