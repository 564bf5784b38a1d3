// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/recording_report.h"
#include "core/etl/summary.h"

namespace tracedeck::cli {

ExitCode checkFile(const CheckArguments& arguments, FileSystem& files, Console& console) {
    const Result<etl::Summary> summary = etl::summarize(files, arguments.file);
    if (!summary) {
        if (arguments.asJson) {
            console.print(errorJson(arguments.file, summary.error()));
        }
        console.error(summary.error());
        return exitCodeOf(summary.error());
    }
    console.print(arguments.asJson ? checkJson(arguments.file, *summary) : checkText(arguments.file, *summary));
    return summary->verdict() == etl::Summary::Verdict::Good ? ExitCode::Ok : ExitCode::Problems;
}

} // namespace tracedeck::cli
