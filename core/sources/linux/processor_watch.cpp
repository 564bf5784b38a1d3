// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/processor_watch.h"

#include "core/sources/linux/proc_files.h"

#include <algorithm>
#include <cstdio>
#include <spdlog/spdlog.h>
#include <utility>

namespace tracedeck::linux_source {
namespace {

/// More than a person reads; a machine that switches processors all the time must not fill the memory.
constexpr std::size_t kMostGaps = 1024;
constexpr std::size_t kMostSpansTold = 8;

/// "1, 4-7"; `processors` ascends.
std::string listOf(const std::vector<std::uint32_t>& processors) {
    std::string text;
    for (std::size_t first = 0; first < processors.size();) {
        std::size_t last = first;
        while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(processors[first]);
        text += last == first ? "" : "-" + std::to_string(processors[last]);
        first = last + 1;
    }
    return text;
}

} // namespace

ProcessorWatch::ProcessorWatch(PerfSession& session, const Clock& clock, Plan plan)
    : m_session(session), m_clock(clock), m_plan(std::move(plan)), m_start(clock.ticks()), m_lookedAt(m_start) {
    for (const PerfSession::Service& service : session.services()) {
        m_services[service.processor] = {service.time, m_start};
    }
}

ProcessorWatch::Change ProcessorWatch::look() {
    const Ticks now = m_clock.ticks();
    Change change;
    closeStalled(change, now);
    openNew(change);
    m_lookedAt = now;
    return change;
}

bool ProcessorWatch::note(const PerfSession::Service& service, Ticks now) {
    Service& known = m_services[service.processor];
    if (!service.time || service.time == known.time) {
        return false;
    }
    // Only what was added since the last look: over hours the two clocks drift apart.
    const auto added = *service.time - known.time.value_or(std::chrono::nanoseconds(0));
    known = {service.time, std::min(now, m_lookedAt + Ticks{added.count()})};
    return true;
}

void ProcessorWatch::closeStalled(Change& change, Ticks now) {
    for (const PerfSession::Service& service : m_session.services()) {
        if (note(service, now)) {
            continue;
        }
        beginGap(service.processor, m_services[service.processor].until);
        if (m_session.isDrained(service.processor)) { // else at the next look
            m_session.close(service.processor);
            m_services.erase(service.processor);
            change.closed.push_back(service.processor);
        }
    }
}

void ProcessorWatch::openNew(Change& change) {
    for (const std::uint32_t processor : online()) {
        if (m_session.isOpen(processor)) {
            continue;
        }
        beginGap(processor, m_lookedAt);
        if (processor >= m_plan.numberOfProcessors) {
            continue;
        }
        const Result<bool> opened = m_session.openAnew(processor);
        if (!opened && !std::exchange(m_hasToldRefused, true)) {
            spdlog::error("kernel source: processor {} came online and cannot be recorded: {} (errno {})", processor,
                          opened.error().detail, opened.error().native);
        }
        if (opened && *opened) {
            m_services[processor].until = m_clock.ticks();
            endGap(processor);
            change.opened.push_back(processor);
        }
    }
}

std::vector<std::uint32_t> ProcessorWatch::online() {
    const auto text = readWhole(m_plan.onlineFile);
    std::vector<std::uint32_t> processors;
    if (text) {
        processors = parseCpuList(*text);
    }
    if (!processors.empty()) {
        return processors;
    }
    if (!std::exchange(m_hasToldUnreadable, true)) {
        spdlog::error("kernel source: {} tells no processors (errno {}); new ones will not be noticed",
                      m_plan.onlineFile, text ? 0 : text.error().native);
    }
    return m_plan.known; // those that are offline are not opened
}

void ProcessorWatch::beginGap(std::uint32_t processor, Ticks from) {
    const std::lock_guard lock(m_mutex);
    const bool isOpen = std::any_of(m_gaps.begin(), m_gaps.end(),
                                    [&](const Gap& gap) { return gap.processor == processor && !gap.to; });
    if (isOpen) {
        return;
    }
    m_missing.insert(processor);
    if (m_gaps.size() == kMostGaps) {
        m_hasMoreGaps = true;
        return;
    }
    m_gaps.push_back({processor, from, std::nullopt});
}

void ProcessorWatch::endGap(std::uint32_t processor) {
    const Ticks now = m_clock.ticks();
    const std::lock_guard lock(m_mutex);
    for (Gap& gap : m_gaps) {
        if (gap.processor == processor && !gap.to) {
            gap.to = now;
        }
    }
}

std::string ProcessorWatch::spanOf(const Gap& gap) const {
    const auto seconds = [&](Ticks time) {
        return static_cast<double>(time - m_start) / static_cast<double>(m_clock.frequency());
    };
    char text[64];
    if (gap.to) {
        std::snprintf(text, sizeof(text), "%.1f-%.1f s", seconds(gap.from), seconds(*gap.to));
    } else {
        std::snprintf(text, sizeof(text), "≥ %.1f s", seconds(gap.from));
    }
    return text;
}

std::optional<etw::Limitation> ProcessorWatch::limitation() const {
    const std::lock_guard lock(m_mutex);
    if (m_missing.empty()) {
        return std::nullopt;
    }
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> spans;
    bool hasMore = m_hasMoreGaps;
    for (const Gap& gap : m_gaps) {
        const std::string span = spanOf(gap);
        auto found = std::find_if(spans.begin(), spans.end(), [&](const auto& known) { return known.first == span; });
        if (found == spans.end() && spans.size() == kMostSpansTold) {
            hasMore = true;
            continue;
        }
        found = found == spans.end() ? spans.insert(spans.end(), {span, {}}) : found;
        found->second.push_back(gap.processor);
    }
    std::string detail;
    for (auto& [span, processors] : spans) {
        std::sort(processors.begin(), processors.end());
        detail += (detail.empty() ? "" : ", ") + listOf(processors) + " (" + span + ")";
    }
    return etw::Limitation{etw::LimitationCode::ProcessorsUnrecorded, detail + (hasMore ? ", …" : ""),
                           m_missing.size()};
}

} // namespace tracedeck::linux_source
