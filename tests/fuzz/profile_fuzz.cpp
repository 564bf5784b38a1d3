// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/plan/plan.h"
#include "core/profile/document.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// libFuzzer target: any bytes are parsed; what parses is planned on a machine that serves everything, exported, and
// planned again from that, to the same end. tests/fuzz/run.sh runs it.

namespace {

using namespace tracedeck;

/// Ends the program where what must hold does not; libFuzzer keeps the input.
void require(bool isTrue, const char* what, const std::string& shown = {}) {
    if (!isTrue) {
        std::fprintf(stderr, "must hold: %s\n%s\n", what, shown.c_str());
        std::abort();
    }
}

etw::Capabilities machine() {
    etw::Capabilities machine;
    machine.platform = "Windows";
    machine.numberOfProcessors = 2;
    machine.physicalMemory = mib(4096);
    machine.kernelGroups.words.fill(0x1FFFFFFF);
    machine.hasWindowsProviders = true;
    return plan::everythingServed(machine);
}

/// The plan without what an export cannot know: where it came from.
std::string contentOf(plan::RecordingPlan plan) {
    plan.profiles.clear();
    plan.diagnostics.clear();
    return plan::toJson(plan);
}

void checkExport(const plan::RecordingPlan& first, const etw::Capabilities& capabilities) {
    const std::string text = plan::exportProfile(first);
    const profile::Parsed parsed = profile::parse(text, "exported");
    std::string shown = text;
    for (const profile::Problem& problem : parsed.problems) {
        shown += profile::format("exported", problem) + '\n';
    }
    require(parsed.document && parsed.problems.empty(), "an exported profile has no problems", shown);
    require(parsed.document->profiles.size() == 1, "an exported file has one profile", text);
    const profile::Profile& profile = parsed.document->profiles.front();
    plan::Overrides overrides;
    overrides.detail = first.detail;
    overrides.mode = first.mode;
    const auto second = plan::compose({{&*parsed.document, profile.name, std::nullopt}}, overrides, capabilities);
    require(second.has_value(), "an exported profile gives a plan", text);
    require(contentOf(*second) == contentOf(first), "an exported profile gives the same plan",
            text + contentOf(first) + contentOf(*second));
    require(plan::exportProfile(*second) == text, "exported again it is the same", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const profile::Parsed parsed = profile::parse({reinterpret_cast<const char*>(data), size}, "input");
    const bool hasErrors =
        std::any_of(parsed.problems.begin(), parsed.problems.end(), [](const profile::Problem& problem) {
            return problem.severity == profile::Problem::Severity::Error;
        });
    require(parsed.document.has_value() != hasErrors, "a document, or an error that says why there is none");
    if (!parsed.document) {
        return 0;
    }
    const etw::Capabilities capabilities = machine();
    for (const profile::Profile& profile : parsed.document->profiles) {
        plan::Overrides overrides;
        overrides.mode = profile.loggingMode;
        const auto plan =
            plan::compose({{&*parsed.document, profile.name, profile.detailLevel}}, overrides, capabilities);
        if (plan) {
            require(!plan->sessions.empty(), "our own events need a session at least");
            checkExport(*plan, capabilities);
        }
    }
    return 0;
}
