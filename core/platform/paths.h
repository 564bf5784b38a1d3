// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Where things are on this machine. Paths are UTF-8.
///
/// Threading: stateless, any thread.
namespace tracedeck::platform {

/// The folder that recordings go to unless the user says otherwise: "Tracedeck" in the user's documents (XDG
/// user-dirs), else in the home folder. Not created.
[[nodiscard]] std::string recordingsFolder();

/// What the program keeps for this user: $XDG_DATA_HOME/tracedeck, else ~/.local/share/tracedeck; on Windows
/// %LOCALAPPDATA%\Tracedeck. Not created.
[[nodiscard]] std::string dataFolder();

/// The folder for temporary files: $TMPDIR, else /tmp; on Windows that of the user.
[[nodiscard]] std::string temporaryFolder();

/// The folder of the running program's file; empty where the system does not tell.
[[nodiscard]] std::string executableFolder();

/// Folders with recording profiles that exist, the first wins: beside the program (<exe>/../profiles,
/// <exe>/../share/tracedeck/profiles), of the source tree it was built from, $XDG_DATA_DIRS/tracedeck/profiles, the
/// user's own (dataFolder()/profiles).
[[nodiscard]] std::vector<std::string> profileFolders();

/// A folder whose files are memory and outlive their process, for buffers: /dev/shm. Empty where there is none, and on
/// Windows.
[[nodiscard]] std::string sharedMemoryFolder();

/// Another one after each start of the machine. Empty where the system does not tell.
[[nodiscard]] std::string bootId();

/// The machine's name without its domain; "machine" where it has none.
[[nodiscard]] std::string hostName();

/// `text` with what Windows, Linux or a shell take badly in a file name replaced by "-": never empty, no leading or
/// trailing dot or blank, no name that Windows reserves (CON, NUL, …), at most 64 bytes, cut at a character.
[[nodiscard]] std::string safeFileName(std::string_view text);

/// "machine_preset_2026-11-30_14-05-09.etl", in local time.
[[nodiscard]] std::string recordingFileName(std::string_view machine, std::string_view preset, FileTime when);

} // namespace tracedeck::platform
