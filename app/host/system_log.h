// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tracedeck::host {

/// Logs to standard error: with the journal's priorities where that is what standard error is, else with a time and the
/// program's name.
void logToSystem(bool isVerbose);

/// Away from the terminal and the signals of the program that has started this one, which may be long gone when there
/// is something to say: the log goes to the journal, where there is one.
void leaveTerminal();

} // namespace tracedeck::host
