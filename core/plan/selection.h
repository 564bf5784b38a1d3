// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The profile of first level triage.
constexpr std::string_view kGeneralProfileName = "GeneralProfile";

struct WithGeneral {
    std::vector<Selection> selections;
    std::optional<Diagnostic> note; ///< that it was added
};

/// WPR's window has a rule that its command line does not have: "General is always recorded together with custom
/// profiles." `builtIn` are the documents that come along; where a selection is of another document and none is
/// GeneralProfile (of whichever document, in any case), that of `builtIn` is put in front of the others.
[[nodiscard]] WithGeneral withGeneral(std::vector<Selection> selections,
                                      std::span<const profile::Document* const> builtIn);

} // namespace tracedeck::plan
