// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <thread>

namespace tracedeck::linux_source {

/// Starts a thread that gets no signals: those are for the program's own threads. The caller's signal mask is as before
/// afterwards, whatever the result. `name` has at most 15 characters.
/// Errors: OutOfMemory with errno where the machine has no room for one more thread.
Result<std::thread> startQuietThread(const std::string& name, std::function<void()> body);

} // namespace tracedeck::linux_source
