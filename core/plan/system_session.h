// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/buffering.h"
#include "core/plan/capability.h"
#include "core/plan/features.h"
#include "core/plan/resolve.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tracedeck::plan {

constexpr std::string_view kSystemCollectorName = "WPR System Collector";

/// The session of the kernel's events as all profiles together want it.
///
/// Ownership: none; `capabilities`, `features` and `diagnostics` outlive it.
class SystemSession {
public:
    SystemSession(const etw::Capabilities& capabilities, ServedFeatures& features, std::vector<Diagnostic>& diagnostics)
        : m_capabilities(capabilities), m_features(features), m_diagnostics(diagnostics) {}

    void add(const ResolvedCollector& collector, const std::string& profile);
    /// What of it the machine serves, in `config`. Nothing where no profile has a system collector, or where none of
    /// its keywords is served, which is told.
    [[nodiscard]] std::optional<PlannedSession> plan(etw::SessionConfig config);

private:
    struct CaptureWish {
        std::set<std::string> keywords;
        std::chrono::seconds timeout{0};
        std::set<std::string> profiles;
    };

    static void addCapture(CaptureWish& wish, const std::optional<ResolvedCapture>& capture,
                           const std::string& profile);
    void planCapture(const CaptureWish& wish, const char* name, std::optional<SystemCapture>& capture);
    void planCounters(PlannedSession& session);
    void planPoolTags(etw::SessionConfig& config);

    const etw::Capabilities& m_capabilities;
    ServedFeatures& m_features;
    std::vector<Diagnostic>& m_diagnostics;
    bool m_isWanted = false;
    SystemWishes m_wishes;
    SessionBuffers m_buffers;
    CollectorFlags m_flags;
    std::set<std::string> m_poolTags;
    std::set<std::string> m_poolTagProfiles;
    CaptureWish m_onStart;
    CaptureWish m_onSave;
    CaptureWish m_onDemand;
    std::optional<HardwareCounters> m_counters;
    std::set<std::string> m_counterProfiles;
};

} // namespace tracedeck::plan
