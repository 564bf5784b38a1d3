// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace tracedeck::plan {

/// Buffers of one session, summed up from the collectors that feed it.
///
/// A collector gives 128 KB and 64 buffers where it says nothing. The session's buffers are as large as the largest and
/// as many as all together. Sizes outside of 4…16384 KB are clamped. A percentage is one of physical memory, at most
/// MaximumBufferSpace. A number of buffers per processor counts instead of one for all. Stack caching takes the larger
/// cache, a flush timer and threshold the one that flushes more often.
class SessionBuffers {
public:
    /// `owner` names the collector in diagnostics.
    void add(const profile::BufferSettings& settings, const etw::Capabilities& capabilities, const std::string& owner,
             const std::string& profile, std::vector<Diagnostic>& diagnostics);
    /// At least two per processor, as ETW has it; minimum and maximum are the same, as WPR has it.
    void applyTo(etw::SessionConfig& config, std::uint32_t numberOfProcessors,
                 std::vector<Diagnostic>& diagnostics) const;

private:
    std::uint32_t m_sizeKib = 0;
    std::uint64_t m_count = 0;
    std::optional<etw::StackCaching> m_stackCaching;
    std::uint64_t m_flushTimerSeconds = 0;
    std::uint64_t m_flushThreshold = 0;
};

/// As many on each processor: a hypervisor's buffers are counted per processor. Upwards.
void roundToProcessors(etw::SessionConfig& config, std::uint32_t numberOfProcessors);

/// For a session that holds nothing but our own few events.
void setSmallBuffers(etw::SessionConfig& config, std::uint32_t numberOfProcessors);

/// Reduces the buffers of all sessions in proportion, where together they would take more than half of the physical
/// memory; two per processor remain, and as many on each processor where a hypervisor's are.
void limitToHalfOfMemory(std::vector<PlannedSession>& sessions, const etw::Capabilities& capabilities,
                         std::vector<Diagnostic>& diagnostics);

} // namespace tracedeck::plan
