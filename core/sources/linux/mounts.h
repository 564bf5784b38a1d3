// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tracedeck::linux_source {

/// The type of the file system that `path` lies on, by the text of a /proc/<pid>/mountinfo: reading that asks no file
/// system, while looking at the file itself may wait for a server for ever. `path` is as the process sees it and holds
/// no links, as the kernel's names of mappings do. Empty where no mount holds it.
std::string fileSystemOf(std::string_view mountInfo, std::string_view path);

/// Whether reading a file of that type may wait for another machine or for a process: network file systems, FUSE and
/// mount points that mount themselves when they are looked at.
bool mayWaitForOthers(std::string_view fileSystem) noexcept;

/// Whether a mapping's inode number is the one that stat() shows: a file system that lays others over each other may
/// show its own.
bool showsItsInodes(std::string_view fileSystem) noexcept;

} // namespace tracedeck::linux_source
