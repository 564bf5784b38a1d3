// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/file_report.h"
#include "app/cli/long_task.h"
#include "core/etl/health.h"
#include "core/etl/summary.h"

#include <optional>

namespace tracedeck::cli {
namespace {

/// Reads the file; what goes wrong is told.
std::optional<etl::Summary> readFile(const CheckArguments& arguments, FileSystem& files, Console& console,
                                     ExitCode& code) {
    std::optional<Result<etl::Summary>> summary;
    runLongTask("Reading", console, [&](const std::stop_token& stop, const TaskProgress& progress) {
        summary.emplace(etl::summarize(files, arguments.file, stop, progress));
    });
    if (summary->has_value()) {
        return std::move(**summary);
    }
    const Error& error = summary->error();
    if (arguments.asJson) {
        console.print(errorJson(arguments.file, error));
    }
    console.error(error);
    code = error.code == ErrorCode::Cancelled ? ExitCode::Discarded : exitCodeOf(error);
    return std::nullopt;
}

} // namespace

ExitCode checkFile(const CheckArguments& arguments, FileSystem& files, Console& console) {
    ExitCode code = ExitCode::Ok;
    const auto summary = readFile(arguments, files, console, code);
    if (!summary) {
        return code;
    }
    console.print(arguments.asJson ? checkJson(arguments.file, *summary) : checkText(arguments.file, *summary));
    const bool isGood = etl::judgeHealth(*summary).verdict() == etl::HealthReport::Verdict::GoodToSend;
    return isGood ? ExitCode::Ok : ExitCode::Problems;
}

ExitCode summarizeFile(const SummaryArguments& arguments, FileSystem& files, Console& console) {
    ExitCode code = ExitCode::Ok;
    const auto summary = readFile(arguments.file, files, console, code);
    if (summary) {
        console.print(arguments.file.asJson ? summaryJson(arguments.file.file, *summary)
                                            : summaryText(arguments.file.file, *summary));
    }
    return code;
}

} // namespace tracedeck::cli
