// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/repair.h"

#include "core/etl/checked_merge.h"
#include "core/etl/merge_input.h"

#include <algorithm>

namespace tracedeck::etl {
namespace {

/// Lost events, gaps and stacks without their event are facts of the recording, which nothing mends.
bool isMendable(const Finding& finding) {
    switch (finding.code) {
    case Finding::Code::NotClosed:
    case Finding::Code::Truncated:
    case Finding::Code::DamagedBuffer:
    case Finding::Code::TimeDisorder:
    case Finding::Code::CountMismatch:
    case Finding::Code::ProcessorOutOfRange:
        return true;
    case Finding::Code::SequenceGap:
    case Finding::Code::StackWithoutEvent:
    case Finding::Code::EventsLost:
    case Finding::Code::NoEvents:
        return false;
    }
    return false;
}

} // namespace

Result<RepairResult> repair(FileSystem& files, const RepairRequest& request, const Progress& progress,
                            std::stop_token stop) {
    auto before = summarize(files, request.input, stop);
    if (!before) {
        return fail(std::move(before.error()));
    }
    RepairResult result;
    result.findings = before->findings;
    if (std::none_of(result.findings.begin(), result.findings.end(), isMendable)) {
        result.endTime = before->header.endTime;
        return result;
    }
    MergeRequest mend;
    {
        const auto input = openMergeInput(files, request.input);
        if (!input) {
            return fail(input.error());
        }
        result.buffersMissing = input->buffersMissing;
        if (input->truncated.count != 0) {
            result.bytesNeverWritten = input->file->size() - input->truncated.firstOffset;
        }
        // A damaged buffer's number is missing, too.
        mend.buffersLost = std::max(input->buffersMissing, input->damaged.count);
    }
    mend.inputs = {request.input};
    mend.output = request.output;
    mend.replace = request.replace;
    mend.logFileMode = plainMode(before->header);
    mend.sessionName = before->header.loggerName;
    mend.logFileName = before->header.logFileName;
    auto mended = mergeChecked(files, mend, progress, std::move(stop));
    if (!mended) {
        return fail(std::move(mended.error()));
    }
    result.isWritten = true;
    result.merge = std::move(mended->merge);
    result.endTime = mended->summary.header.endTime;
    return result;
}

} // namespace tracedeck::etl
