// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/rewrite_report.h"
#include "app/signals/signal_watcher.h"
#include "core/etl/checked_merge.h"
#include "core/recorder/save_job.h"

#include <QCoreApplication>

#include <exception>
#include <filesystem>
#include <functional>
#include <thread>

namespace tracedeck::cli {
namespace {

using What = RewriteArguments::What;

/// How a command ended well.
struct Done {
    std::string text;
    ExitCode code = ExitCode::Ok;
};

using Work = std::function<Result<Done>(const etl::Progress&, const std::stop_token&)>;

/// Does the work on a thread of its own, while this one shows how far it is and hears of signals.
Result<Done> doWork(const RewriteArguments& arguments, Console& console, const Work& work) {
    QObject here; // what is told to it goes with it
    const app::SignalWatcher signalWatcher;
    std::stop_source stop;
    const auto cancel = [&] {
        stop.request_stop();
        console.progress("Cancelling…");
    };
    QObject::connect(&signalWatcher, &app::SignalWatcher::interrupted, &here, cancel);
    QObject::connect(&signalWatcher, &app::SignalWatcher::terminated, &here, cancel);
    std::optional<Result<Done>> result;
    std::thread worker([&] {
        const auto progress = [&](double fraction) {
            QMetaObject::invokeMethod(
                &here,
                [&, fraction] {
                    if (!stop.stop_requested()) {
                        console.progress(rewriteProgress(arguments.what, fraction));
                    }
                },
                Qt::QueuedConnection);
        };
        try {
            result = work(progress, stop.get_token());
        } catch (const std::exception& error) {
            result = fail(ErrorCode::Internal, error.what());
        }
        QMetaObject::invokeMethod(
            &here, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    });
    QCoreApplication::exec();
    worker.join();
    return std::move(*result);
}

bool isSameFile(const std::string& a, const std::string& b) {
    std::error_code missing;
    return std::filesystem::equivalent(a, b, missing) && !missing;
}

/// Refused before anything is read.
Status checkOutput(const RewriteArguments& arguments, const std::string& output) {
    if (arguments.what == What::Merge) {
        for (const std::string& input : arguments.inputs) {
            if (input == output || isSameFile(input, output)) {
                return fail(ErrorCode::InvalidArgument,
                            output + " is to be merged and to be written; OUT.etl comes first");
            }
        }
    }
    return recorder::checkTarget({output, arguments.replace, {}});
}

Result<Done> repair(const RewriteArguments& arguments, const std::string& output, FileSystem& files,
                    const etl::Progress& progress, const std::stop_token& stop) {
    const std::string& input = arguments.inputs.front();
    const auto result = etl::repair(files, {input, output, arguments.replace}, progress, stop);
    if (!result) {
        return fail(result.error());
    }
    const bool isWhole =
        result->buffersMissing == 0 && result->merge.buffersDamaged == 0 && result->merge.eventsOutOfOrder == 0;
    return Done{repairText(input, output, *result), isWhole ? ExitCode::Ok : ExitCode::Problems};
}

Result<Done> trim(const RewriteArguments& arguments, FileSystem& files, const etl::Progress& progress,
                  const std::stop_token& stop) {
    const auto result = etl::trim(files,
                                  {arguments.inputs.front(), arguments.output, arguments.replace, arguments.from,
                                   arguments.to, arguments.fromMark, arguments.toMark},
                                  progress, stop);
    if (!result) {
        return fail(result.error());
    }
    const bool isGood = result->eventsInWindow != 0 && result->merge.buffersDamaged == 0;
    return Done{trimText(arguments.output, *result), isGood ? ExitCode::Ok : ExitCode::Problems};
}

Result<Done> recode(const RewriteArguments& arguments, const std::string& output, FileSystem& files,
                    const etl::Progress& progress, const std::stop_token& stop) {
    const etl::RecodeRequest request{arguments.inputs.front(), output, arguments.replace};
    const auto result = arguments.what == What::Compress ? etl::compress(files, request, progress, stop)
                                                         : etl::decompress(files, request, progress, stop);
    if (!result) {
        return fail(result.error());
    }
    return Done{recodeText(arguments, output, *result)};
}

Result<Done> merge(const RewriteArguments& arguments, FileSystem& files, const etl::Progress& progress,
                   const std::stop_token& stop) {
    etl::MergeRequest request;
    request.inputs = arguments.inputs;
    request.output = arguments.output;
    request.replace = arguments.replace;
    request.sessionName = "Tracedeck";
    const auto result = etl::mergeChecked(files, request, progress, stop);
    if (!result) {
        return fail(result.error());
    }
    const bool isWhole = result->merge.eventsLost == 0 && result->merge.buffersDamaged == 0;
    return Done{mergeText(arguments, result->merge), isWhole ? ExitCode::Ok : ExitCode::Problems};
}

} // namespace

ExitCode rewriteFile(const RewriteArguments& arguments, FileSystem& files, Console& console) {
    const std::string output =
        arguments.output.empty() ? nameBeside(arguments.inputs.front(), arguments.what) : arguments.output;
    if (const Status possible = checkOutput(arguments, output); !possible) {
        console.error(possible.error());
        return exitCodeOf(possible.error());
    }
    const auto done =
        doWork(arguments, console, [&](const etl::Progress& progress, const std::stop_token& stop) -> Result<Done> {
            switch (arguments.what) {
            case What::Repair:
                return repair(arguments, output, files, progress, stop);
            case What::Trim:
                return trim(arguments, files, progress, stop);
            case What::Compress:
            case What::Decompress:
                return recode(arguments, output, files, progress, stop);
            case What::Merge:
                return merge(arguments, files, progress, stop);
            }
            return fail(ErrorCode::Internal, "no such command");
        });
    if (done) {
        console.print(done->text);
        return done->code;
    }
    console.error(done.error());
    const bool recodes = arguments.what == What::Compress || arguments.what == What::Decompress;
    if (recodes && done.error().code == ErrorCode::EtlDamaged) {
        console.note("  tracedeck-cli repair makes a whole file of what is there.");
    }
    return done.error().code == ErrorCode::Cancelled ? ExitCode::Discarded : exitCodeOf(done.error());
}

} // namespace tracedeck::cli
