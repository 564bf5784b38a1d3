// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/missing_report.h"
#include "app/cli/plan_report.h"
#include "app/cli/profile_selection.h"
#include "app/wiring/cost_store.h"
#include "core/etw/wait.h"
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"

namespace tracedeck::cli {
namespace {

/// What a plan is made for: the machine as it is, or with everything that a profile can ask for.
enum class Machine { AsItIs, ServesEverything };

struct Planned {
    plan::RecordingPlan plan;
    etw::Capabilities capabilities;
};

/// Where the machine is the reason that there is no plan, its reasons are told, each once and with what helps.
Result<Planned> planOf(const ChoiceArguments& choice, Machine machine, app::Wiring& wiring, profile::Catalog& catalog,
                       Console& console) {
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
    auto plan = plan::compose(*selections, overrides, *capabilities);
    if (!plan) {
        if (exitCodeOf(plan.error()) == ExitCode::NothingRecorded) {
            std::string reasons = limitationsText({}, reasonsOfRefusal(*capabilities), ForeignObjects::Counted);
            if (!reasons.empty()) {
                reasons.pop_back(); // the line break
                console.note(reasons);
            }
        }
        return fail(std::move(plan).error());
    }
    return Planned{std::move(*plan), std::move(*capabilities)};
}

/// Whole or not at all: what is there stays until the new file is complete. A link is replaced, not followed.
Status writeText(FileSystem& files, const std::string& path, const std::string& text, bool replace) {
    if (platform::isFolder(path) || platform::fileNameOf(path).empty()) {
        return fail(ErrorCode::InvalidArgument, path + " is a folder; give a file name");
    }
    if (platform::isSpecial(path)) {
        return fail(ErrorCode::InvalidArgument, path + " is a device, a pipe or the like; give the name of a file");
    }
    auto temporary = createTemporary(files, platform::folderOf(path), ".partial");
    if (!temporary) {
        return fail(std::move(temporary).error());
    }
    OutputFile& file = *temporary->file;
    Status written = file.writeAt(0, std::as_bytes(std::span(text)));
    if (written) {
        written = file.sync();
    }
    if (written) {
        written = file.close();
    }
    if (written) {
        const auto existing = replace ? FileSystem::Existing::Replace : FileSystem::Existing::Refuse;
        written = files.rename(temporary->path, path, existing);
    }
    if (!written) {
        // Half a profile is worse than none; what is said is why it could not be written.
        static_cast<void>(files.remove(temporary->path).has_value());
    }
    return written;
}

} // namespace

ExitCode showPlan(const PlanArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto planned = planOf(arguments.choice, Machine::AsItIs, wiring, catalog, console);
    if (!planned) {
        console.error(planned.error());
        return exitCodeOf(planned.error());
    }
    const plan::RecordingPlan& plan = planned->plan;
    const app::CostStore costs(wiring.files(), app::CostStore::usualPath());
    const plan::Cost cost = plan::estimate(plan, planned->capabilities, costs.history());
    if (arguments.asJson) {
        console.print(plan::toJson(plan, &cost));
    } else {
        const std::string missing =
            limitationsText(plan.diagnostics, planned->capabilities.limitations, ForeignObjects::Named);
        const std::string notes = notesText(plan.diagnostics);
        console.print(detailsText(plan) + "\n" + costLines(plan, cost) + (missing.empty() ? "" : "\n" + missing) +
                      (notes.empty() ? "" : "\n" + notes));
    }
    return ExitCode::Ok;
}

ExitCode showDetails(const DetailsArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto planned = planOf(arguments.choice, Machine::ServesEverything, wiring, catalog, console);
    if (!planned) {
        console.error(planned.error());
        return exitCodeOf(planned.error());
    }
    console.print(detailsText(planned->plan));
    return ExitCode::Ok;
}

ExitCode exportProfiles(const ExportArguments& arguments, app::Wiring& wiring, Console& console) {
    profile::Catalog catalog = loadCatalog(console);
    const auto planned = planOf(arguments.choice, Machine::ServesEverything, wiring, catalog, console);
    Status done = planned ? Status() : fail(planned.error());
    if (done) {
        done = writeText(wiring.files(), arguments.output, plan::exportProfile(planned->plan, arguments.name),
                         arguments.replace);
    }
    if (!done) {
        console.error(done.error());
        return exitCodeOf(done.error());
    }
    return ExitCode::Ok;
}

} // namespace tracedeck::cli
