// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/cost.h"
#include "core/plan/plan.h"

#include <string>

namespace tracedeck::cli {

/// The plan in the form of `wpr -profiledetails`: a block per collector, names and masks as WPR prints them.
[[nodiscard]] std::string detailsText(const plan::RecordingPlan& plan);

/// What of the events is kept, and in how much room.
[[nodiscard]] std::string keepsText(const plan::RecordingPlan& plan);

/// What a recording of the plan is expected to cost, and what it keeps for it: memory, disk, processor, and how far
/// back a ring reaches.
[[nodiscard]] std::string costLines(const plan::RecordingPlan& plan, const plan::Cost& cost);

} // namespace tracedeck::cli
