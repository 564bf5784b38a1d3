// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <string>

namespace tracedeck::cli {

/// The plan in the form of `wpr -profiledetails`: a block per collector, names and masks as WPR prints them.
[[nodiscard]] std::string detailsText(const plan::RecordingPlan& plan);

} // namespace tracedeck::cli
