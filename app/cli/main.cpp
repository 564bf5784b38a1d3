// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/signals/program_start.h"
#include "app/wiring/wiring.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <QCoreApplication>

#include <cstdio>
#include <exception>
#include <variant>

namespace {

using namespace tracedeck;
using cli::ExitCode;

/// What a person must know, the commands say themselves; the log repeats it for whoever asks.
void logToStandardError(bool isVerbose) {
    spdlog::set_default_logger(spdlog::stderr_color_mt("tracedeck-cli"));
    spdlog::set_level(isVerbose ? spdlog::level::debug : spdlog::level::err);
}

ExitCode run(const cli::Arguments& arguments, cli::Console& console) {
    if (const auto* answer = std::get_if<cli::Answer>(&arguments)) {
        if (answer->code == ExitCode::Ok) {
            console.print(answer->text);
        } else {
            std::fputs(answer->text.c_str(), stderr);
        }
        return answer->code;
    }
    if (const auto* check = std::get_if<cli::CheckArguments>(&arguments)) {
        logToStandardError(check->isVerbose);
        return cli::checkFile(*check, systemFiles(), console);
    }
    if (const auto* rewrite = std::get_if<cli::RewriteArguments>(&arguments)) {
        logToStandardError(rewrite->isVerbose);
        return cli::rewriteFile(*rewrite, systemFiles(), console);
    }
    if (const auto* events = std::get_if<cli::ExportEventsArguments>(&arguments)) {
        logToStandardError(events->isVerbose);
        return cli::exportFileEvents(*events, systemFiles(), console);
    }
    if (const auto* scrub = std::get_if<cli::ScrubArguments>(&arguments)) {
        logToStandardError(scrub->isVerbose);
        return cli::scrubFile(*scrub, systemFiles(), console);
    }
    if (const auto* summary = std::get_if<cli::SummaryArguments>(&arguments)) {
        logToStandardError(summary->file.isVerbose);
        return cli::summarizeFile(*summary, systemFiles(), console);
    }
    if (const auto* validate = std::get_if<cli::ValidateArguments>(&arguments)) {
        logToStandardError(validate->isVerbose);
        return cli::validateFiles(*validate, console);
    }
    if (const auto* plan = std::get_if<cli::PlanArguments>(&arguments)) {
        logToStandardError(plan->choice.isVerbose);
        app::Wiring wiring;
        return cli::showPlan(*plan, wiring, console);
    }
    if (const auto* details = std::get_if<cli::DetailsArguments>(&arguments)) {
        logToStandardError(details->choice.isVerbose);
        app::Wiring wiring;
        return cli::showDetails(*details, wiring, console);
    }
    if (const auto* exported = std::get_if<cli::ExportArguments>(&arguments)) {
        logToStandardError(exported->choice.isVerbose);
        app::Wiring wiring;
        return cli::exportProfiles(*exported, wiring, console);
    }
    if (const auto* profiles = std::get_if<cli::ProfilesArguments>(&arguments)) {
        logToStandardError(profiles->isVerbose);
        app::Wiring wiring;
        return cli::listProfiles(*profiles, wiring, console);
    }
    if (const auto* start = std::get_if<cli::StartArguments>(&arguments)) {
        logToStandardError(start->recording.isVerbose);
        auto wiring = app::Wiring::withHost();
        if (!wiring) {
            console.error(wiring.error());
            return cli::exitCodeOf(wiring.error());
        }
        return cli::start(*start, **wiring, console);
    }
    if (const auto* background = std::get_if<cli::BackgroundArguments>(&arguments)) {
        logToStandardError(background->isVerbose);
        return cli::background(*background, *app::Wiring::whereSessionsMayBe(), console);
    }
    const auto& record = std::get<cli::RecordArguments>(arguments);
    logToStandardError(record.isVerbose);
    if (record.usesHost) {
        auto wiring = app::Wiring::withHost();
        if (!wiring) {
            console.error(wiring.error());
            return cli::exitCodeOf(wiring.error());
        }
        return cli::record(record, **wiring, console);
    }
    app::Wiring wiring;
    return cli::record(record, wiring, console);
}

} // namespace

int main(int argc, char** argv) {
    app::prepareProgram();
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("tracedeck-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRACEDECK_VERSION));
    try {
        cli::Console console;
        return static_cast<int>(console.end(run(cli::parseArguments({argv + 1, argv + argc}), console)));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck-cli: something went wrong inside the recorder\n  %s\n", error.what());
        return static_cast<int>(ExitCode::NothingRecorded);
    }
}
