// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/wiring/wiring.h"

namespace tracedeck::cli {

/// Each command prints what it has to say and returns the exit status.

[[nodiscard]] ExitCode listProfiles(const ProfilesArguments& arguments, app::Wiring& wiring, Console& console);
[[nodiscard]] ExitCode showPlan(const PlanArguments& arguments, app::Wiring& wiring, Console& console);
/// In the form of `wpr -profiledetails`: what the profiles ask for, whatever this machine can do.
[[nodiscard]] ExitCode showDetails(const DetailsArguments& arguments, app::Wiring& wiring, Console& console);
[[nodiscard]] ExitCode exportProfiles(const ExportArguments& arguments, app::Wiring& wiring, Console& console);
[[nodiscard]] ExitCode validateFiles(const ValidateArguments& arguments, Console& console);
/// Of files: need a QCoreApplication, whose event loop they run; Ctrl+C ends them with ExitCode::Discarded.
[[nodiscard]] ExitCode checkFile(const CheckArguments& arguments, FileSystem& files, Console& console);
[[nodiscard]] ExitCode exportFileEvents(const ExportEventsArguments& arguments, FileSystem& files, Console& console);
[[nodiscard]] ExitCode scrubFile(const ScrubArguments& arguments, FileSystem& files, Console& console);
[[nodiscard]] ExitCode summarizeFile(const SummaryArguments& arguments, FileSystem& files, Console& console);
/// Needs a QCoreApplication, whose event loop it runs. Ctrl+C cancels; then nothing is left behind.
[[nodiscard]] ExitCode rewriteFile(const RewriteArguments& arguments, FileSystem& files, Console& console);
/// Needs a QCoreApplication, whose event loop it runs.
[[nodiscard]] ExitCode record(const RecordArguments& arguments, app::Wiring& wiring, Console& console);
/// As record(). NotSupported where the sessions would end with this program.
[[nodiscard]] ExitCode start(const StartArguments& arguments, app::Wiring& wiring, Console& console);
/// As record(). Also of recordings whose program was killed.
[[nodiscard]] ExitCode background(const BackgroundArguments& arguments, app::Wiring& wiring, Console& console);

} // namespace tracedeck::cli
