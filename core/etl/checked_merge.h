// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/merge.h"
#include "core/etl/summary.h"

#include <functional>

namespace tracedeck::etl {

struct CheckedMerge {
    MergeResult merge;
    Summary summary; ///< of what was written
};

/// A merge whose result is read back and only then gets its name, so that a file which is replaced is replaced by a
/// good one; the output may be an input. `reading` is called once, between the two. Errors: those of merge() and
/// summarize(), VerificationFailed.
[[nodiscard]] Result<CheckedMerge> mergeChecked(FileSystem& files, const MergeRequest& request,
                                                const Progress& progress = {}, std::stop_token stop = {},
                                                const std::function<void()>& reading = {});

} // namespace tracedeck::etl
