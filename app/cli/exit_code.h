// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace tracedeck::cli {

/// What the program's exit status says; documented in --help.
enum class ExitCode : int {
    Ok = 0,
    Problems = 1,        ///< there is a file, but events are missing from it or it is damaged
    Usage = 2,           ///< arguments, profile names, profile files
    NothingRecorded = 3, ///< refused by the kernel or by a session's limits
    FileError = 4,       ///< a file or folder could not be read or written
    Discarded = 130,     ///< by a second Ctrl+C, as shells report an interrupted program; a command that writes a file
                         ///< from others: by the first
    OutputClosed = 141,  ///< standard output is a pipe that nobody reads any more, as shells report SIGPIPE
};

[[nodiscard]] ExitCode exitCodeOf(const Error& error) noexcept;

} // namespace tracedeck::cli
