// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/profile_selection.h"
#include "app/wiring/wiring.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

/// What comes before a recording: nothing of it changes anything but for the folder of a new name.
namespace tracedeck::cli {

struct PreparedRecording {
    plan::RecordingPlan plan;
    etw::Capabilities capabilities;
};
/// Asks the machine and composes the plan. Where nothing can be recorded the reasons are printed, too.
[[nodiscard]] Result<PreparedRecording> prepare(const RecordArguments& arguments, app::Wiring& wiring,
                                                profile::Catalog& catalog, Console& console);
/// Of the machine and of the plan.
[[nodiscard]] std::vector<etw::Limitation> toldLimitations(const PreparedRecording& prepared);

/// A new name in the user's own folder, which is created. `profile`: "CPU.Verbose.Memory".
[[nodiscard]] Result<std::string> newOutput(const std::string& profile, const Clock& clock);

} // namespace tracedeck::cli
