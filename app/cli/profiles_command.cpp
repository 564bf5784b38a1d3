// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/profile_library.h"
#include "core/etw/wait.h"
#include "core/platform/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracedeck::cli {
namespace {

/// "light, verbose; memory, file"
std::string variantsOf(const ListedProfile& listed) {
    std::set<std::string_view> details;
    std::set<std::string_view> modes;
    for (const profile::Profile* variant : listed.variants) {
        details.insert(variant->detailLevel == profile::DetailLevel::Light ? "light" : "verbose");
        modes.insert(variant->loggingMode == profile::LoggingMode::File ? "file" : "memory");
    }
    return fmt::format("{}; {}", fmt::join(details, ", "), fmt::join(modes, ", "));
}

/// How much of a profile this machine gives, judged by the plan of its first variant.
std::string servedHere(const ListedProfile& listed, const etw::Capabilities& capabilities) {
    const profile::Profile& variant = *listed.variants.front();
    plan::Overrides overrides;
    overrides.detail = variant.detailLevel;
    overrides.mode = variant.loggingMode;
    const auto composed = plan::compose({{listed.document, listed.name, std::nullopt}}, overrides, capabilities);
    if (!composed) {
        return "not here";
    }
    const auto missing = std::count_if(composed->diagnostics.begin(), composed->diagnostics.end(),
                                       [](const plan::Diagnostic& d) { return d.limitation.has_value(); });
    return missing == 0 ? "in full" : fmt::format("in part ({} missing)", missing);
}

} // namespace

ExitCode listProfiles(const ProfilesArguments& arguments, app::Wiring& wiring, Console& console) {
    ProfileLibrary library;
    if (arguments.file.empty()) {
        library.addFolders(platform::profileFolders());
        for (const Error& error : library.badFiles()) {
            console.error(error);
        }
    } else if (const auto added = library.addFile(arguments.file); !added) {
        console.error(added.error());
        return exitCodeOf(added.error());
    }
    const std::vector<ListedProfile> profiles = library.profiles();
    if (profiles.empty()) {
        console.error(
            {ErrorCode::ProfileUnknown,
             "no profiles in " + (arguments.file.empty() ? listed(platform::profileFolders(), 5) : arguments.file), 0});
        return ExitCode::Usage;
    }
    const auto capabilities = etw::await<etw::Capabilities>(
        [&](etw::Completion<etw::Capabilities> done) { wiring.controller().capabilities(std::move(done)); });
    std::size_t width = 0;
    for (const ListedProfile& profile : profiles) {
        width = std::max(width, profile.name.size());
    }
    for (const ListedProfile& profile : profiles) {
        const std::string here = capabilities ? servedHere(profile, *capabilities) : "unknown";
        console.print(fmt::format("{:<{}}  {}\n{:<{}}  {}; recorded here: {}\n", printable(profile.name), width,
                                  printable(profile.description), "", width, variantsOf(profile), here));
    }
    return library.badFiles().empty() ? ExitCode::Ok : ExitCode::Usage;
}

} // namespace tracedeck::cli
