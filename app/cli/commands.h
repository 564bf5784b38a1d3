// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/wiring/wiring.h"

namespace tracedeck::cli {

/// Each command prints what it has to say and returns the exit status.

[[nodiscard]] ExitCode listProfiles(const ProfilesArguments& arguments, app::Wiring& wiring, Console& console);
[[nodiscard]] ExitCode checkFile(const CheckArguments& arguments, FileSystem& files, Console& console);
/// Needs a QCoreApplication, whose event loop it runs.
[[nodiscard]] ExitCode record(const RecordArguments& arguments, app::Wiring& wiring, Console& console);

} // namespace tracedeck::cli
