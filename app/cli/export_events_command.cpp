// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/long_task.h"
#include "app/cli/output_file.h"
#include "core/etl/export.h"

#include <fmt/format.h>

#include <optional>
#include <span>

namespace tracedeck::cli {
namespace {

constexpr const char* kStandardOutput = "-";

Status writeOut(std::span<const char> text) {
    return writeToStandardOutput({text.data(), text.size()});
}

} // namespace

ExitCode exportFileEvents(const ExportEventsArguments& arguments, FileSystem& files, Console& console) {
    const bool isStandardOutput = arguments.output == kStandardOutput;
    std::optional<Result<etl::ExportResult>> result;
    if (!isStandardOutput) {
        if (auto checked = checkOutput(arguments.output, arguments.replace, arguments.input); !checked) {
            result.emplace(fail(std::move(checked).error()));
        }
    }
    if (!result) {
        const auto existing = arguments.replace ? FileSystem::Existing::Replace : FileSystem::Existing::Refuse;
        runLongTask("Exporting", console, [&](const std::stop_token& stop, const TaskProgress& progress) {
            result.emplace(isStandardOutput
                               ? etl::exportEvents(files, arguments.input, arguments.format, writeOut, stop, progress)
                               : etl::exportToFile(files, arguments.input, arguments.format, arguments.output, existing,
                                                   stop, progress));
        });
    }
    if (*result && isStandardOutput) {
        if (Status flushed = flushStandardOutput(); !flushed) {
            result.emplace(fail(std::move(flushed).error()));
        }
    }
    if (!*result) {
        const Error& error = result->error();
        if (isStandardOutput && isOutputClosed(error)) {
            return ExitCode::OutputClosed;
        }
        console.error(error);
        return error.code == ErrorCode::Cancelled ? ExitCode::Discarded : exitCodeOf(error);
    }
    const etl::ExportResult& exported = **result;
    std::string text = counted(exported.events, "event") + ", " + size(Bytes{exported.bytes});
    if (exported.eventsUndecoded != 0) {
        text += fmt::format("; {} of them with the bytes alone, as nothing says what they mean",
                            grouped(exported.eventsUndecoded));
    }
    if (exported.damaged != 0) {
        text += "; " + counted(exported.damaged, "damaged place") + " left out";
    }
    console.note(text);
    return exported.damaged != 0 ? ExitCode::Problems : ExitCode::Ok;
}

} // namespace tracedeck::cli
