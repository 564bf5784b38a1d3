// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <string>

namespace tracedeck::plan {

/// A profile file (UTF-8) with one profile that records what `plan` does: one collector per session, absolute buffers,
/// every base and variant resolved, in the shape of `wpr -exportprofile`. The plan is best made for everythingServed(),
/// or what this machine lacks is missing in the file.
///
/// Loaded and planned again for the same machine it gives the same plan but for the profile's name and what was said
/// about the way there (rules, not machines); exported again it gives the same text. Our own provider is left out:
/// every plan has it.
/// `name` is the new profile's; where it is empty, the names of the plan's profiles joined by "_".
[[nodiscard]] std::string exportProfile(const RecordingPlan& plan, const std::string& name = {});

} // namespace tracedeck::plan
