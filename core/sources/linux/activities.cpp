// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/activities.h"

#include <algorithm>

namespace tracedeck::linux_source {

void Activities::change(const std::vector<ActivityPlan>& plans) {
    m_points.clear();
    m_activities.clear();
    for (const ActivityPlan& plan : plans) {
        m_activities.push_back(activityKinds()[plan.kind].make(plan.formats, plan.wish, m_sink));
        for (const ActivityPlan::Point& point : plan.points) {
            m_points.push_back(
                {m_activities.back().get(), point, recordsOf(plan.formats[point.number]->id, plan.kind)});
        }
    }
}

std::size_t Activities::recordsOf(std::uint64_t id, std::size_t kind) {
    const auto known = std::find_if(m_records.begin(), m_records.end(),
                                    [&](const Records& one) { return one.id == id && one.kind == kind; });
    const auto place = static_cast<std::size_t>(known - m_records.begin());
    if (known == m_records.end()) {
        m_records.push_back({id, kind, 0, 0});
    }
    return place;
}

void Activities::translate(const Record& record) noexcept {
    if (record.point < m_points.size()) {
        const Point& point = m_points[record.point];
        ++m_records[point.records].taken;
        point.activity->translate(record, SampleBody::of(record, point.of.hasStacks, true), point.of.number);
    }
}

void Activities::breakOff() noexcept {
    for (const auto& activity : m_activities) {
        activity->breakOff();
    }
}

void Activities::finish(const KernelCounts& counts) {
    for (Records& records : m_records) {
        const auto counted = counts.points.find(records.id);
        if (counted != counts.points.end()) {
            records.unreported = counted->second - std::min(counted->second, records.taken);
        }
    }
}

std::vector<std::uint64_t> Activities::unreported() const {
    std::vector<std::uint64_t> most(activityKinds().size());
    for (const Records& records : m_records) {
        most[records.kind] = std::max(most[records.kind], records.unreported);
    }
    return most;
}

} // namespace tracedeck::linux_source
