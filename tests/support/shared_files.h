// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tracedeck::test {

/// The folder of test material beside the checkout (TRACEDECK_SHARED, else ../shared), or empty where it is absent:
/// then a line on standard error says what was skipped.
std::string sharedFolder(const std::string& skippedCheck);

/// Runs the independent checkers (etlcheck --strict, etlscan, kernelcheck) on a file. Empty: nothing found; else what
/// they printed. `false` in `ran` where the checkers are absent.
struct CheckerVerdict {
    bool ran = false;
    std::string complaints;
};
CheckerVerdict runCheckers(const std::string& etlFile);

/// Exit status and standard output of a command line; standard error is kept out.
struct CommandResult {
    int status = -1;
    std::string output;
};
CommandResult runCommand(const std::string& commandLine);

} // namespace tracedeck::test
