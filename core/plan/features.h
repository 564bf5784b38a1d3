// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/plan/provider_wish.h"

#include <set>
#include <string>
#include <vector>

namespace tracedeck::plan {

/// What of the profiles' wishes the machine carries out. What it does not is taken away and told, each by its name.
///
/// Ownership: none; `capabilities` and `diagnostics` outlive it.
class ServedFeatures {
public:
    ServedFeatures(const etw::Capabilities& capabilities, std::vector<Diagnostic>& diagnostics)
        : m_capabilities(capabilities), m_diagnostics(diagnostics) {}

    [[nodiscard]] bool has(etw::Feature feature) const;
    /// Says that `object`, which needs `feature`, is not carried out here.
    void refuse(etw::Feature feature, const std::set<std::string>& profiles, std::string object,
                Severity severity = Severity::Warning);
    /// The logging modes that a collector's flags ask for.
    [[nodiscard]] std::uint32_t modesOf(const CollectorFlags& flags, const std::set<std::string>& profiles,
                                        const std::string& session);
    /// Leaves in `config` what is carried out.
    void keepServed(etw::SessionConfig& config, const std::set<std::string>& profiles);
    /// Puts the provider into `session` as far as the machine has it.
    void select(const ProviderWish& wish, PlannedSession& session);

private:
    void keepServed(etw::ProviderConfig& config, const ProviderWish& wish);

    const etw::Capabilities& m_capabilities;
    std::vector<Diagnostic>& m_diagnostics;
};

} // namespace tracedeck::plan
