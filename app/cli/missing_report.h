// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <string>
#include <vector>

/// What the command line says about what is not recorded: pure functions from values to text.
namespace tracedeck::cli {

/// What another platform alone has: with its names, or as one line with a count.
enum class ForeignObjects { Named, Counted };

/// What is not recorded here, one entry per reason with what is missing and the remedy; empty where nothing is missing.
/// Long lists are cut; where Named, the text says that --json has all of it.
[[nodiscard]] std::string limitationsText(const std::vector<plan::Diagnostic>& diagnostics,
                                          const std::vector<etw::Limitation>& limitations, ForeignObjects foreign);

/// Why a machine gives nothing, with remedies: what a person can do something about.
[[nodiscard]] std::vector<etw::Limitation> reasonsOfRefusal(const etw::Capabilities& capabilities);

/// What the plan makes of the profiles without anything being missed: its notes; empty where it has none.
[[nodiscard]] std::string notesText(const std::vector<plan::Diagnostic>& diagnostics);

/// What was found missing only while it was recorded; empty where nothing was.
[[nodiscard]] std::string foundText(const std::vector<etw::Limitation>& limitations);

} // namespace tracedeck::cli
