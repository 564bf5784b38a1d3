// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prepared_recording.h"

#include "app/cli/missing_report.h"
#include "core/etw/wait.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"

#include <utility>

namespace tracedeck::cli {

Result<PreparedRecording> prepare(const RecordArguments& arguments, app::Wiring& wiring, profile::Catalog& catalog,
                                  Console& console) {
    const auto selections = selectProfiles(catalog, arguments.profiles);
    if (!selections) {
        return fail(selections.error());
    }
    const auto capabilities = etw::await<etw::Capabilities>(
        [&](etw::Completion<etw::Capabilities> done) { wiring.controller().capabilities(std::move(done)); });
    if (!capabilities) {
        return fail(capabilities.error());
    }
    plan::Overrides overrides;
    overrides.detail = arguments.detail;
    overrides.mode = arguments.mode;
    overrides.maximumFileSizeMib = arguments.maximumFileSizeMib;
    auto plan = plan::compose(*selections, overrides, *capabilities);
    if (!plan) {
        console.print(limitationsText({}, reasonsOfRefusal(*capabilities), ForeignObjects::Counted));
        return fail(std::move(plan).error());
    }
    return PreparedRecording{std::move(*plan), *capabilities};
}

std::vector<etw::Limitation> toldLimitations(const PreparedRecording& prepared) {
    std::vector<etw::Limitation> told = prepared.capabilities.limitations;
    for (const plan::Diagnostic& diagnostic : prepared.plan.diagnostics) {
        if (diagnostic.limitation) {
            told.push_back(*diagnostic.limitation);
        }
    }
    return told;
}

Result<std::string> newOutput(const std::string& profile, const Clock& clock) {
    const std::string folder = platform::recordingsFolder();
    if (const Status created = platform::createFolders(folder); !created) {
        return fail(created.error());
    }
    const std::string preset = profile.substr(0, profile.find('.'));
    return platform::join(folder, platform::recordingFileName(platform::hostName(), preset, clock.wallTime()));
}

} // namespace tracedeck::cli
