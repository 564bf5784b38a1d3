// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rewrite_report.h"

#include "app/cli/format.h"

#include <fmt/format.h>

namespace tracedeck::cli {
namespace {

using What = RewriteArguments::What;

std::string written(const etl::MergeResult& merge) {
    return line("written", fmt::format("{} in {}, {}", counted(merge.events, "event"), counted(merge.buffers, "buffer"),
                                       size(Bytes{merge.bytes})));
}

std::string damageText(const std::string& input, const etl::Damage& damage) {
    std::vector<std::string> offsets;
    for (const std::uint64_t offset : damage.offsets) {
        offsets.push_back(grouped(offset));
    }
    return line("damaged", fmt::format("{} of {}, left out or cut short, at offset {}", counted(damage.count, "buffer"),
                                       printable(input), listed(offsets, 8))) +
           line("", printable(damage.firstDetail));
}

/// What is not in the output although it was in the inputs, or should have been.
std::string leftOut(const std::vector<std::string>& inputs, const etl::MergeResult& merge) {
    std::string text;
    for (std::size_t i = 0; i < merge.damage.size() && i < inputs.size(); ++i) {
        if (merge.damage[i].count != 0) {
            text += damageText(inputs[i], merge.damage[i]);
        }
    }
    if (merge.eventsOutOfOrder != 0) {
        text += line("lost", counted(merge.eventsOutOfOrder, "event") + " out of order");
    }
    return text;
}

} // namespace

std::string nameBeside(const std::string& input, RewriteArguments::What what) {
    std::string_view suffix;
    switch (what) {
    case What::Repair:
        suffix = "-repaired";
        break;
    case What::Compress:
        suffix = "-compressed";
        break;
    case What::Decompress:
        suffix = "-decompressed";
        break;
    case What::Trim:
    case What::Merge:
        break; // they are given a name
    }
    constexpr std::string_view kExtension = ".etl";
    const bool hasExtension = input.size() > kExtension.size() && input.ends_with(kExtension);
    const std::string stem = hasExtension ? input.substr(0, input.size() - kExtension.size()) : input;
    return stem + std::string(suffix) + std::string(kExtension);
}

std::string rewriteProgress(RewriteArguments::What what, double fraction) {
    std::string_view doing;
    switch (what) {
    case What::Repair:
        doing = "Repairing";
        break;
    case What::Trim:
        doing = "Trimming";
        break;
    case What::Compress:
        doing = "Compressing";
        break;
    case What::Decompress:
        doing = "Decompressing";
        break;
    case What::Merge:
        doing = "Merging";
        break;
    }
    return fmt::format("{}… {:.0f} %", doing, fraction * 100);
}

std::string repairText(const std::string& input, const std::string& output, const etl::RepairResult& result) {
    if (!result.isWritten) {
        return printable(input) + ": needs no repair; nothing was written\n";
    }
    std::string text = printable(output) + "\n" + written(result.merge);
    text += line("ends", dateTime(result.endTime));
    for (const etl::Finding& finding : result.findings) {
        if (finding.code == etl::Finding::Code::NotClosed) {
            text += line("closed", "the recorder was ended before it could finish the file");
        }
    }
    text += leftOut({input}, result.merge);
    if (result.buffersMissing != 0) {
        text += line("lost", counted(result.buffersMissing, "buffer is", "buffers are") +
                                 " missing by their numbers, damaged ones included");
    }
    if (result.bytesNeverWritten != 0) {
        text += line("end", size(Bytes{result.bytesNeverWritten}) + " that were never written whole");
    }
    if (result.merge.stacksDropped != 0) {
        text += line("stacks", counted(result.merge.stacksDropped, "stack") + " without their event");
    }
    return text;
}

std::string trimText(const std::string& output, const etl::TrimResult& result) {
    std::string text = printable(output) + "\n" + written(result.merge);
    text += line("window", counted(result.eventsInWindow, "event") + ", and their stacks");
    text += line("around it",
                 counted(result.eventsAround, "event that gives names", "events that give names") + " to them");
    text += line("cut", fmt::format("{} and {}", counted(result.merge.eventsCut, "event"),
                                    counted(result.merge.stacksDropped, "stack")));
    return text + leftOut({"the recording"}, result.merge);
}

std::string recodeText(const RewriteArguments& arguments, const std::string& output, const etl::RecodeResult& result) {
    const bool compresses = arguments.what == What::Compress;
    if (!result.isWritten) {
        return fmt::format("{}: is {}; nothing was written\n", printable(arguments.inputs.front()),
                           compresses ? "compressed already" : "not compressed");
    }
    const double share = result.bytesBefore == 0
                             ? 0
                             : 100 * static_cast<double>(result.bytesAfter) / static_cast<double>(result.bytesBefore);
    return printable(output) + "\n" +
           line("written", fmt::format("{} instead of {}: {:.0f} %, {}", size(Bytes{result.bytesAfter}),
                                       size(Bytes{result.bytesBefore}), share, counted(result.buffers, "buffer"))) +
           line("verified", "every event is as it was");
}

std::string mergeText(const RewriteArguments& arguments, const etl::MergeResult& result) {
    std::string text = printable(arguments.output) + "\n" + written(result);
    text += line("lost", counted(result.eventsLost, "event"));
    if (result.stacksDropped != 0) {
        text += line("stacks", counted(result.stacksDropped, "stack") + " without their event, left out");
    }
    return text + leftOut(arguments.inputs, result);
}

} // namespace tracedeck::cli
