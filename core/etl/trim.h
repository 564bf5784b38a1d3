// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/merge.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

namespace tracedeck::etl {

struct TrimRequest {
    std::string input;
    std::string output;   ///< may be the input with `replace`
    bool replace = false; ///< what has the output's name
    /// From the start that the file's header tells, as readers count. Empty: from the start, to the end.
    std::optional<std::chrono::nanoseconds> from;
    std::optional<std::chrono::nanoseconds> to;
    /// Texts of marks, see marks.h: from, or to, their time instead. Empty: none.
    std::string fromMark{};
    std::string toMark{};
};

struct TrimResult {
    MergeResult merge; ///< eventsCut: outside the window; stacksDropped: their stacks, and those without an event
    std::uint64_t eventsInWindow = 0;
    std::uint64_t eventsAround = 0; ///< kept from outside of it, without their stacks
    Ticks from = 0;
    Ticks to = 0;
};

/// Writes what a file tells about a span of time.
///
/// In the window everything is kept. Of what is outside, those events are kept that say what the window's events mean:
/// - from anywhere: the header's own, system configuration, rundowns (…DCStart, …DCEnd, file names, counters), stack
///   definitions, image identity and event metadata of merged files, provider manifests, what the recorder says about
///   itself, rundowns of .NET;
/// - from before: starts and ends of processes and threads, thread names, loads and unloads of images, file names,
///   registry keys, intervals of sampling, loads of .NET code.
///
/// All of them stay as they were, with their own times: nothing is moved to the window's edge and nothing is made up,
/// because a reader would take it for something that happened. The header keeps its start, so that a time in the result
/// is the same time in the original, and its counts of lost events, which nobody can tell the time of. A stack stays
/// with its event, also where it was written behind the end of the window. Context switches before the window are not
/// kept: who runs on a processor is known from its first switch in the window on.
///
/// The result is a merge of the one file (see merge.h), uncompressed, read back before it gets its name.
/// Errors: InvalidArgument where the window ends before it begins, or begins
/// behind the end that the header tells, or where a mark is not there or not the only one; those of merge();
/// VerificationFailed.
[[nodiscard]] Result<TrimResult> trim(FileSystem& files, const TrimRequest& request, const Progress& progress = {},
                                      std::stop_token stop = {});

/// Whether an event outside of a window is kept; `isBefore`: it comes before the window, and not behind it.
[[nodiscard]] bool staysOutsideWindow(const EventView& event, bool isBefore);

} // namespace tracedeck::etl
