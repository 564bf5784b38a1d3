// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/progress.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// Something that a person noted while it was recorded.
struct Mark {
    std::string text; ///< UTF-8
    Ticks time = 0;
    std::chrono::nanoseconds sinceStart{0}; ///< from the start that the file's header tells
};

/// The marks of a file in the order of time: those of the recorder, and those of the kernel's stream that are not the
/// same ones. A recorder writes each mark into both, a moment apart; the recorder's own time holds.
/// Errors: those of opening and reading, NotAnEtl; NotSupported beyond 10,000 marks; Cancelled when `stop` is
/// requested.
[[nodiscard]] Result<std::vector<Mark>> readMarks(FileSystem& files, const std::string& path, std::stop_token stop = {},
                                                  const Progress& progress = {});

/// The one mark of that text. InvalidArgument where there is none or several; the detail lists the marks that there
/// are.
[[nodiscard]] Result<Mark> findMark(const std::vector<Mark>& marks, const std::string& text);

} // namespace tracedeck::etl
