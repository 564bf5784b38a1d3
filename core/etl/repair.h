// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/merge.h"
#include "core/etl/summary.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etl {

struct RepairRequest {
    std::string input;
    std::string output;   ///< may be the input with `replace`
    bool replace = false; ///< what has the output's name
};

struct RepairResult {
    bool isWritten = false;              ///< false: nothing is wrong that a repair mends, and nothing was written
    std::vector<Finding> findings;       ///< of the input
    MergeResult merge;                   ///< what was written; `damage` has the one input
    std::uint64_t buffersMissing = 0;    ///< numbers that no buffer has, damaged ones included; not of circular files
    std::uint64_t bytesNeverWritten = 0; ///< at the end: zeros that were reserved, or the beginning of a buffer
    FileTime endTime = 0;                ///< as the repaired file has it
};

/// Makes a closed, ordered file of one that is not: of a session that was killed, also one that wrote in a circle or
/// into numbered parts, of a copy that was cut off, of one with damaged buffers. Files of Windows and ours, of 64-bit
/// systems.
///
/// The header gets what is missing: the end (the last event's time where the session did not say), the number of
/// buffers, lost buffers (those that are missing or damaged, beside those that it counted itself). Events keep their
/// bytes and times. What cannot be read is left out and counted; nothing is made up. The result is a merge of the one
/// file (see merge.h), read back before it gets its name.
///
/// Progress: the merge's bytes. Errors: as of merge(); EtlDamaged of a 32-bit system's file; VerificationFailed. After
/// an error nothing is left behind; the input is never touched.
[[nodiscard]] Result<RepairResult> repair(FileSystem& files, const RepairRequest& request,
                                          const Progress& progress = {}, std::stop_token stop = {});

} // namespace tracedeck::etl
