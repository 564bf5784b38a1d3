// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/missing_report.h"
#include "app/cli/profile_selection.h"
#include "core/etw/wait.h"
#include "core/platform/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracedeck::cli {
namespace {

/// "light, verbose; file, memory"
std::string variantsOf(const profile::CatalogEntry& entry) {
    std::set<std::string_view> details;
    std::set<std::string_view> modes;
    for (const profile::CatalogEntry::Variant& variant : entry.variants) {
        details.insert(variant.detail == profile::DetailLevel::Light ? "light" : "verbose");
        modes.insert(variant.mode == profile::LoggingMode::File ? "file" : "memory");
    }
    return fmt::format("{}; {}", fmt::join(details, ", "), fmt::join(modes, ", "));
}

/// How much of a profile this machine gives, judged by what is recorded where nothing else is said: Verbose in memory,
/// else the first variant. Sets `isRefused` where it gives nothing.
std::string servedHere(const profile::CatalogEntry& entry, const Result<etw::Capabilities>& capabilities,
                       bool& isRefused) {
    if (!capabilities || entry.variants.empty()) {
        return "unknown";
    }
    plan::Overrides overrides;
    if (!entry.has(overrides.detail, overrides.mode)) {
        overrides.detail = entry.variants.front().detail;
        overrides.mode = entry.variants.front().mode;
    }
    const auto composed = plan::compose({{entry.document, entry.name, std::nullopt}}, overrides, *capabilities);
    if (!composed) {
        isRefused = true;
        return "nothing";
    }
    const auto& all = composed->diagnostics;
    const auto missing = std::count_if(all.begin(), all.end(), [](const auto& d) { return d.limitation.has_value(); });
    return missing == 0 ? "in full" : fmt::format("in part, {} missing", missing);
}

} // namespace

ExitCode listProfiles(const ProfilesArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog;
    if (arguments.file.empty()) {
        catalog = loadCatalog(console);
    } else if (const auto added = catalog.addFile(arguments.file); !added) {
        console.error(added.error());
        return exitCodeOf(added.error());
    }
    if (catalog.entries().empty()) {
        const std::string where = arguments.file.empty() ? listed(platform::profileFolders(), 5) : arguments.file;
        console.error({ErrorCode::ProfileUnknown, "no profiles in " + where, 0});
        return ExitCode::Usage;
    }
    const auto capabilities = etw::await<etw::Capabilities>(
        [&](etw::Completion<etw::Capabilities> done) { wiring.controller().capabilities(std::move(done)); });
    std::size_t width = 0;
    for (const profile::CatalogEntry& entry : catalog.entries()) {
        width = std::max(width, entry.name.size());
    }
    bool isRefused = false;
    for (const profile::CatalogEntry& entry : catalog.entries()) {
        console.print(fmt::format("{:<{}}  {}\n{:<{}}  {}; recorded here: {}\n", printable(entry.name), width,
                                  printable(entry.description), "", width, variantsOf(entry),
                                  servedHere(entry, capabilities, isRefused)));
    }
    if (isRefused) {
        const std::string reasons = limitationsText({}, reasonsOfRefusal(*capabilities), ForeignObjects::Counted);
        console.print(reasons.empty() ? std::string() : "\n" + reasons);
    }
    return catalog.refused().empty() ? ExitCode::Ok : ExitCode::Usage;
}

} // namespace tracedeck::cli
