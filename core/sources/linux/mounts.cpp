// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/mounts.h"

#include "core/sources/linux/proc_files.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tracedeck::linux_source {
namespace {

/// The kernel writes blanks, tabs, line ends and backslashes in mount points as \ooo.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto isDigit = [&](std::size_t i) { return text[at + i] >= '0' && text[at + i] <= '7'; };
        if (text[at] == '\\' && at + 3 < text.size() && isDigit(1) && isDigit(2) && isDigit(3)) {
            plain += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
            at += 3;
        } else {
            plain += text[at];
        }
    }
    return plain;
}

std::string_view nextWord(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view found = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return found;
}

bool isUnder(std::string_view path, std::string_view mountPoint) {
    if (mountPoint == "/") {
        return !path.empty() && path.front() == '/';
    }
    return path.substr(0, mountPoint.size()) == mountPoint &&
           (path.size() == mountPoint.size() || path[mountPoint.size()] == '/');
}

} // namespace

std::optional<std::uint32_t> parseDevice(std::string_view text) noexcept {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') {
        return std::nullopt;
    }
    if (std::from_chars(first.ptr + 1, end, minor).ec != std::errc()) {
        return std::nullopt;
    }
    return kernelDevice(major, minor);
}

std::vector<Mount> parseMounts(std::string_view mountInfo) {
    std::vector<Mount> mounts;
    forEachLine(mountInfo, [&](std::string_view line) {
        // id, parent, device, root, mount point, options, optional fields, "-", type, source, super options
        nextWord(line);
        nextWord(line);
        Mount mount;
        mount.device = parseDevice(nextWord(line)).value_or(0);
        nextWord(line);
        mount.point = unescaped(nextWord(line));
        const std::size_t separator = line.find(" - ");
        if (separator != line.npos) {
            line.remove_prefix(separator + 3);
            mount.type = nextWord(line);
            mounts.push_back(std::move(mount));
        }
    });
    return mounts;
}

bool isReachable(const std::vector<Mount>& mounts, std::size_t index) {
    return std::none_of(mounts.begin() + static_cast<std::ptrdiff_t>(index) + 1, mounts.end(),
                        [&](const Mount& later) { return isUnder(mounts[index].point, later.point); });
}

std::string fileSystemOf(std::string_view mountInfo, std::string_view path) {
    std::string_view type;
    std::size_t longest = 0;
    for (const Mount& mount : parseMounts(mountInfo)) {
        if (isUnder(path, mount.point) && mount.point.size() >= longest) {
            longest = mount.point.size();
            type = mount.type;
        }
    }
    return std::string(type);
}

// Not among them: virtiofs, which a hypervisor serves as it serves the disks.
bool mayWaitForOthers(std::string_view fileSystem) noexcept {
    constexpr std::array<std::string_view, 19> kTypes{"9p",   "afs",     "autofs", "beegfs", "ceph",    "cifs",  "coda",
                                                      "fuse", "fuseblk", "gfs2",   "gpfs",   "lustre",  "ncpfs", "nfs",
                                                      "nfs4", "smb3",    "smbfs",  "ocfs2",  "orangefs"};
    return fileSystem.substr(0, 5) == "fuse." || std::find(kTypes.begin(), kTypes.end(), fileSystem) != kTypes.end();
}

bool showsItsInodes(std::string_view fileSystem) noexcept {
    return fileSystem != "overlay" && fileSystem != "aufs" && fileSystem != "unionfs";
}

} // namespace tracedeck::linux_source
