// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/long_task.h"
#include "app/cli/output_file.h"
#include "core/etl/scrub.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace tracedeck::cli {
namespace {

std::string replacedText(const etl::ScrubResult& result) {
    const std::array<std::pair<const char*, std::uint64_t>, 7> kinds{{{"command lines", result.commandLines},
                                                                      {"paths and names of programs", result.paths},
                                                                      {"other texts", result.texts},
                                                                      {"users", result.users},
                                                                      {"addresses", result.addresses},
                                                                      {"notes", result.notes},
                                                                      {"fields of bytes, now zero", result.binaries}}};
    std::string text;
    for (const auto& [what, count] : kinds) {
        if (count != 0) {
            text += fmt::format("  {:>12}  {}\n", grouped(count), what);
        }
    }
    return text.empty() ? "  there was nothing to replace\n" : text;
}

std::string unknownText(const etl::ScrubResult& result, bool isDropped) {
    constexpr std::size_t kMostNames = 20;
    if (result.unknownEvents == 0) {
        return {};
    }
    std::string text =
        fmt::format("Nothing says what is in {}; {} content {}:\n", counted(result.unknownEvents, "event"),
                    result.unknownEvents == 1 ? "its" : "their", isDropped ? "is gone" : "is still there");
    for (std::size_t i = 0; i < result.unknown.size() && i < kMostNames; ++i) {
        text += fmt::format("  {:>12}  {}\n", grouped(result.unknown[i].events), printable(result.unknown[i].name));
    }
    if (result.unknown.size() > kMostNames) {
        text += "                and " + counted(result.unknown.size() - kMostNames, "more kind") + "\n";
    }
    return text;
}

} // namespace

ExitCode scrubFile(const ScrubArguments& arguments, FileSystem& files, Console& console) {
    const etl::ScrubRequest& request = arguments.request;
    std::optional<Result<etl::ScrubResult>> result;
    if (auto checked = checkOutput(request.output, request.replace, request.input); !checked) {
        result.emplace(fail(std::move(checked).error()));
    } else {
        runLongTask("Scrubbing", console, [&](const std::stop_token& stop, const TaskProgress& progress) {
            result.emplace(etl::scrub(files, request, progress, stop));
        });
    }
    if (!*result) {
        const Error& error = result->error();
        console.error(error);
        return error.code == ErrorCode::Cancelled ? ExitCode::Discarded : exitCodeOf(error);
    }
    const etl::ScrubResult& scrubbed = **result;
    const bool isClean = scrubbed.isClean(request);
    console.print(fmt::format("{}: {}, {}; replaced:\n{}", printable(request.output), size(Bytes{scrubbed.bytes}),
                              counted(scrubbed.events, "event"), replacedText(scrubbed)));
    console.print(unknownText(scrubbed, request.dropsUnknown));
    if (scrubbed.damaged != 0) {
        console.print(counted(scrubbed.damaged, "damaged place was", "damaged places were") + " left out.\n");
    }
    console.print(isClean ? "Clean: nothing is left that was not understood.\n"
                          : "Not clean: look at what is listed before you send it, or use --drop-unknown.\n");
    return isClean && scrubbed.damaged == 0 ? ExitCode::Ok : ExitCode::Problems;
}

} // namespace tracedeck::cli
