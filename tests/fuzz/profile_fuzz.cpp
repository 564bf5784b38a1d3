// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/profile/document.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// libFuzzer target: any bytes are parsed; what parses is planned on a machine that serves everything.
// profile_fuzz -max_len=65536 CORPUS_FOLDER

using namespace tracedeck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const profile::Parsed parsed = profile::parse({reinterpret_cast<const char*>(data), size}, "input");
    const bool hasErrors =
        std::any_of(parsed.problems.begin(), parsed.problems.end(), [](const profile::Problem& problem) {
            return problem.severity == profile::Problem::Severity::Error;
        });
    if (parsed.document.has_value() == hasErrors) {
        std::abort(); // a document, or an error that says why there is none
    }
    if (!parsed.document) {
        return 0;
    }
    etw::Capabilities machine;
    machine.platform = "Windows";
    machine.numberOfProcessors = 2;
    machine.physicalMemory = mib(4096);
    machine.kernelGroups.words.fill(0x1FFFFFFF);
    machine.hasWindowsProviders = true;
    for (const profile::Profile& profile : parsed.document->profiles) {
        plan::Overrides overrides;
        overrides.mode = profile.loggingMode;
        const auto plan = plan::compose({{&*parsed.document, profile.name, profile.detailLevel}}, overrides, machine);
        if (plan && plan->sessions.empty()) {
            std::abort(); // our own events need a session at least
        }
    }
    return 0;
}
