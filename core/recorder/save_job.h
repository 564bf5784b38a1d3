// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "core/recorder/recorder.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::recorder {

struct SaveJob {
    SaveRequest request;
    std::vector<std::string> rawFiles;
    std::vector<etl::AddedEvent> added;
    std::uint64_t eventsRecorded = 0; ///< as the sessions say, all together
    std::uint64_t eventsLost = 0;
};

struct SavedFile {
    etl::MergeResult merge;
    etl::Summary summary;
};

/// Whether a recording can be given that name: what can be known without writing it. FolderNotFound, FileExists,
/// InvalidArgument.
[[nodiscard]] Status checkTarget(const SaveRequest& request);

/// Merges, reads the result back and only then gives it its name, so that a file which is replaced is replaced by a
/// good one. `progress` is called on the calling thread. After an error or a stop nothing new is left behind.
/// Errors: those of checkTarget() and merge(), VerificationFailed.
[[nodiscard]] Result<SavedFile> save(FileSystem& files, const SaveJob& job,
                                     const std::function<void(const Progress&)>& progress, std::stop_token stop);

} // namespace tracedeck::recorder
