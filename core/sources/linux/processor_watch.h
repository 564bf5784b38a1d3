// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/types.h"
#include "core/sources/linux/perf_session.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tracedeck::linux_source {

/// Keeps a running recording on the processors that are online: closes the events that the kernel took out of service
/// and opens new ones where a processor came (back), and keeps account of what is missing.
///
/// Threading: look() on the thread that reads the rings; limitation() on any.
/// Ownership: none of the session and the clock, which outlive it.
/// Errors: a processor that cannot be opened is tried again at every look, and counts as missing until then. Each kind
/// of failure is logged once.
class ProcessorWatch {
public:
    struct Plan {
        std::string onlineFile;               ///< /sys/devices/system/cpu/online
        std::vector<std::uint32_t> known;     ///< looked at where that file cannot be read
        std::uint32_t numberOfProcessors = 1; ///< those from here on have no place in the recording
    };
    struct Change {
        std::vector<std::uint32_t> closed;
        std::vector<std::uint32_t> opened;
        [[nodiscard]] bool isEmpty() const noexcept { return closed.empty() && opened.empty(); }
    };
    /// The recording starts now.
    ProcessorWatch(PerfSession& session, const Clock& clock, Plan plan);

    /// Every so often, after a round: whether a processor's events are in service, and who is online. Calls the system.
    /// What is missing begins when the events went out of service or, of a processor that was not open, at the look
    /// before. Events that went out of service since the last look are found at the next one.
    Change look();
    /// ProcessorsUnrecorded, where something is missing.
    [[nodiscard]] std::optional<etw::Limitation> limitation() const;

private:
    struct Gap {
        std::uint32_t processor = 0;
        Ticks from = 0;
        std::optional<Ticks> to; ///< nothing: it is still missing
    };
    struct Service {
        std::optional<std::chrono::nanoseconds> time; ///< at the last look
        Ticks until = 0;                              ///< what the processor did is recorded up to here
    };
    /// True where the events have been in service since the last look.
    bool note(const PerfSession::Service& service, Ticks now);
    void closeStalled(Change& change, Ticks now);
    void openNew(Change& change);
    [[nodiscard]] std::vector<std::uint32_t> online();
    void beginGap(std::uint32_t processor, Ticks from);
    void endGap(std::uint32_t processor);
    [[nodiscard]] std::string spanOf(const Gap& gap) const;

    PerfSession& m_session;
    const Clock& m_clock;
    Plan m_plan;
    Ticks m_start = 0;
    Ticks m_lookedAt = 0;
    std::map<std::uint32_t, Service> m_services; ///< by processor; the open ones
    bool m_hasToldUnreadable = false;
    bool m_hasToldRefused = false;

    mutable std::mutex m_mutex;        ///< guards what follows; off the event path
    std::vector<Gap> m_gaps;           ///< the first ones, in the order in which they were found
    std::set<std::uint32_t> m_missing; ///< every processor that ever had one
    bool m_hasMoreGaps = false;
};

} // namespace tracedeck::linux_source
