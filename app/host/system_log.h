// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tracedeck::host {

/// Logs to standard error: with the journal's priorities where that is what standard error is, else with a time and the
/// program's name.
void logToSystem(bool isVerbose);

} // namespace tracedeck::host
