// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/missing_report.h"
#include "app/cli/plan_report.h"
#include "app/cli/profile_selection.h"
#include "core/etw/wait.h"
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/platform/folders.h"

namespace tracedeck::cli {
namespace {

/// What a plan is made for: the machine as it is, or with everything that a profile can ask for.
enum class Machine { AsItIs, ServesEverything };

Result<plan::RecordingPlan> planOf(const ChoiceArguments& choice, Machine machine, app::Wiring& wiring,
                                   profile::Catalog& catalog) {
    auto selections = selectProfiles(catalog, choice.profiles);
    if (!selections) {
        return fail(std::move(selections).error());
    }
    auto capabilities = etw::await<etw::Capabilities>(
        [&](etw::Completion<etw::Capabilities> done) { wiring.controller().capabilities(std::move(done)); });
    if (!capabilities) {
        return fail(std::move(capabilities).error());
    }
    if (machine == Machine::ServesEverything) {
        capabilities = plan::everythingServed(*capabilities);
    }
    plan::Overrides overrides;
    overrides.detail = choice.detail;
    overrides.mode = choice.mode;
    return plan::compose(*selections, overrides, *capabilities);
}

/// Whole or not at all.
Status writeText(const std::string& path, const std::string& text, bool replace) {
    if (platform::isSpecial(path)) {
        return fail(ErrorCode::InvalidArgument, path + " is a device, a pipe or the like; give the name of a file");
    }
    const auto existing = replace ? FileSystem::Existing::Replace : FileSystem::Existing::Refuse;
    auto file = systemFiles().create(path, existing);
    if (!file) {
        return fail(std::move(file).error());
    }
    Status written = (*file)->writeAt(0, std::as_bytes(std::span(text)));
    if (written) {
        written = (*file)->close();
    }
    if (!written) {
        // Half a profile is worse than none; what is said is why it could not be written.
        static_cast<void>(systemFiles().remove(path).has_value());
    }
    return written;
}

} // namespace

ExitCode showPlan(const PlanArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto plan = planOf(arguments.choice, Machine::AsItIs, wiring, catalog);
    if (!plan) {
        console.error(plan.error());
        return exitCodeOf(plan.error());
    }
    if (arguments.asJson) {
        console.print(plan::toJson(*plan));
    } else {
        const std::string missing = limitationsText(plan->diagnostics, {}, ForeignObjects::Named);
        const std::string notes = notesText(plan->diagnostics);
        console.print(detailsText(*plan) + (missing.empty() ? "" : "\n" + missing) +
                      (notes.empty() ? "" : "\n" + notes));
    }
    return ExitCode::Ok;
}

ExitCode showDetails(const DetailsArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto plan = planOf(arguments.choice, Machine::ServesEverything, wiring, catalog);
    if (!plan) {
        console.error(plan.error());
        return exitCodeOf(plan.error());
    }
    console.print(detailsText(*plan));
    return ExitCode::Ok;
}

ExitCode exportProfiles(const ExportArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto plan = planOf(arguments.choice, Machine::ServesEverything, wiring, catalog);
    Status done = plan ? Status() : fail(plan.error());
    if (done) {
        done = writeText(arguments.output, plan::exportProfile(*plan, arguments.name), arguments.replace);
    }
    if (!done) {
        console.error(done.error());
        return exitCodeOf(done.error());
    }
    return ExitCode::Ok;
}

} // namespace tracedeck::cli
