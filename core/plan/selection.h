// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace tracedeck::plan {

/// The variant of a selection that is recorded.
struct Chosen {
    const profile::Document* document = nullptr;
    const profile::Profile* profile = nullptr;
};

/// "CPU.Verbose.File"
[[nodiscard]] std::string variantName(const profile::Profile& profile);

/// The variant of a selection that fits `overrides`: Verbose where no level is given, unless the profile has only
/// Light. Errors: ProfileUnknown with the nearest name, ProfileVariantMissing with those there are.
[[nodiscard]] Result<Chosen> choose(const Selection& selection, const Overrides& overrides,
                                    std::vector<Diagnostic>& diagnostics);

} // namespace tracedeck::plan
