// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/checked_merge.h"

#include "core/etl/partial_file.h"

#include <algorithm>
#include <array>

namespace tracedeck::etl {
namespace {

/// What a merge never writes. Events whose extended data is not sound are copied as they were, so that a damaged buffer
/// is told by the number of events.
bool isDefect(const Finding& finding) {
    using Code = Finding::Code;
    constexpr std::array kDefects{Code::NotClosed,   Code::Truncated,     Code::TimeDisorder,
                                  Code::SequenceGap, Code::CountMismatch, Code::ProcessorOutOfRange};
    return std::find(kDefects.begin(), kDefects.end(), finding.code) != kDefects.end();
}

Status verify(const Summary& summary, const MergeResult& merge) {
    const auto defect = std::find_if(summary.findings.begin(), summary.findings.end(), isDefect);
    if (defect != summary.findings.end()) {
        return fail(ErrorCode::VerificationFailed,
                    defect->detail + " at offset " + std::to_string(defect->offset) + " of what was written");
    }
    const std::uint64_t expected = merge.events + merge.headerEvents;
    if (summary.events != expected || summary.buffers != merge.buffers) {
        return fail(ErrorCode::VerificationFailed, std::to_string(expected) + " events were written and " +
                                                       std::to_string(summary.events) + " can be read");
    }
    return {};
}

} // namespace

Result<CheckedMerge> mergeChecked(FileSystem& files, const MergeRequest& request, const Progress& progress,
                                  std::stop_token stop, const std::function<void()>& reading) {
    if (!request.replace) {
        if (auto free = refuseExisting(files, request.output); !free) {
            return fail(std::move(free.error()));
        }
    }
    PartialFile output(files, request.output);
    if (auto created = output.create(); !created) {
        return fail(std::move(created.error()));
    }
    auto merged = mergeInto(files, request, output.file(), progress, stop);
    if (!merged) {
        return fail(std::move(merged.error()));
    }
    if (reading) {
        reading();
    }
    auto summary = summarize(files, output.temporaryPath(), stop);
    if (!summary) {
        return fail(std::move(summary.error()));
    }
    if (auto verified = verify(*summary, *merged); !verified) {
        return fail(std::move(verified.error()));
    }
    if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "cancelled before the file got its name");
    }
    using Existing = FileSystem::Existing;
    if (auto committed = output.commit(request.replace ? Existing::Replace : Existing::Refuse); !committed) {
        return fail(std::move(committed.error()));
    }
    if (progress) {
        progress(1.0);
    }
    return CheckedMerge{std::move(*merged), std::move(*summary)};
}

} // namespace tracedeck::etl
