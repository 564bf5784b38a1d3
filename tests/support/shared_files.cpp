// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/shared_files.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace tracedeck::test {

std::string sharedFolder(const std::string& skippedCheck) {
    const char* named = std::getenv("TRACEDECK_SHARED");
    const std::filesystem::path folder =
        named != nullptr ? std::filesystem::path(named) : std::filesystem::path(TRACEDECK_SOURCE_DIR) / "../shared";
    if (std::filesystem::is_directory(folder / "tools")) {
        return std::filesystem::canonical(folder).string();
    }
    std::cerr << "SKIPPED: " << skippedCheck << ": no test material at " << folder << '\n';
    return {};
}

CommandResult runCommand(const std::string& commandLine) {
    CommandResult result;
    FILE* pipe = popen((commandLine + " 2>&1").c_str(), "r");
    if (pipe == nullptr) {
        return result;
    }
    std::array<char, 4096> block{};
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe)) {
        result.output.append(block.data(), got);
    }
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

CheckerVerdict runCheckers(const std::string& etlFile) {
    CheckerVerdict verdict;
    const std::string shared = sharedFolder("independent checkers of .etl files");
    if (shared.empty()) {
        return verdict;
    }
    verdict.ran = true;
    for (const std::string& call :
         {std::string("etlcheck.py --strict"), std::string("etlscan.py"), std::string("kernelcheck.py")}) {
        const std::size_t space = call.find(' ');
        const std::string options = space == std::string::npos ? "" : call.substr(space);
        const CommandResult result =
            runCommand("python3 '" + shared + "/tools/" + call.substr(0, space) + "'" + options + " '" + etlFile + "'");
        if (result.status != 0 || result.output.find("no-layout") != std::string::npos) {
            verdict.complaints += call + " (exit " + std::to_string(result.status) + "):\n" + result.output + '\n';
        }
    }
    return verdict;
}

} // namespace tracedeck::test
