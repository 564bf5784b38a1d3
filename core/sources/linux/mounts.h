// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::linux_source {

/// A line of /proc/<pid>/mountinfo.
struct Mount {
    std::uint32_t device = 0; ///< as kernelDevice() has it; 0: no block device behind it
    std::string point;        ///< without the kernel's escapes
    std::string_view type;    ///< of the file system; in the text that was parsed
};
/// In the order of the text; of two on one mount point, the later one lies on top.
std::vector<Mount> parseMounts(std::string_view mountInfo);
/// Whether its mount point leads to it: nothing lies on top of that, or of a folder above.
bool isReachable(const std::vector<Mount>& mounts, std::size_t index);

/// A device number as the kernel's own dev_t, in which tracepoints give it.
constexpr std::uint32_t kernelDevice(std::uint32_t major, std::uint32_t minor) noexcept {
    return major << 20U | minor;
}
/// "254:0", as sysfs and mountinfo write it; nothing where it is something else.
std::optional<std::uint32_t> parseDevice(std::string_view text) noexcept;

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
