// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace tracedeck::cli {

/// 0…1 of the work.
using TaskProgress = std::function<void(double fraction)>;

/// Runs `work` on a thread of its own and returns when it has ended. Ctrl+C and SIGTERM ask it to stop; what it tells
/// of its progress is shown on a terminal, behind `label`, four times a second.
///
/// Threading: the main thread, which needs a QCoreApplication and runs its event loop here. `work` must not throw.
void runLongTask(std::string_view label, Console& console,
                 const std::function<void(std::stop_token stop, const TaskProgress& progress)>& work);

} // namespace tracedeck::cli
