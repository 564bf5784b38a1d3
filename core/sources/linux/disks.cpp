// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/disks.h"

#include "core/sources/linux/mounts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sys/statvfs.h>
#include <tuple>

namespace tracedeck::linux_source {
namespace {

/// In which the kernel counts, whatever the disk's own sectors are.
constexpr std::uint64_t kKernelSector = 512;

std::string trimmed(std::string text) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    const std::size_t end = text.find_last_not_of(" \t\n");
    return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::string textIn(const std::string& path) {
    const auto text = readWhole(path);
    return text ? trimmed(*text) : std::string();
}

std::optional<std::uint64_t> numberIn(const std::string& path) {
    const std::string text = textIn(path);
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

struct Partition {
    std::uint32_t device = 0;
    std::uint64_t begin = 0; ///< bytes
    std::uint64_t size = 0;
    std::uint32_t number = 0; ///< 0: the disk itself
};

struct Found {
    Disks::Disk disk;
    bool isDevice = false;
    std::vector<Partition> partitions;
};

std::vector<Partition> partitionsOf(const std::string& folder) {
    std::vector<Partition> partitions;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string path = at->path().string();
        const auto number = numberIn(path + "/partition");
        const auto device = parseDevice(textIn(path + "/dev"));
        if (number && device) {
            partitions.push_back({*device, numberIn(path + "/start").value_or(0) * kKernelSector,
                                  numberIn(path + "/size").value_or(0) * kKernelSector,
                                  static_cast<std::uint32_t>(*number)});
        }
    }
    return partitions;
}

/// /sys/block/<name>/device of a SCSI disk leads to ".../<host>:<bus>:<target>:<lun>".
void readScsiAddress(const std::string& folder, etlformat::PhysicalDiskFields& disk) {
    std::error_code error;
    const std::string name = std::filesystem::read_symlink(folder + "/device", error).filename().string();
    std::uint32_t* const parts[] = {&disk.scsiPort, &disk.scsiPath, &disk.scsiTarget, &disk.scsiLun};
    std::uint32_t numbers[4] = {};
    const char* at = name.data();
    const char* const end = name.data() + name.size();
    for (std::uint32_t& number : numbers) {
        const auto parsed = std::from_chars(at, end, number);
        if (parsed.ec != std::errc() || (&number != &numbers[3] && (parsed.ptr == end || *parsed.ptr != ':'))) {
            return;
        }
        at = parsed.ptr + 1;
    }
    for (std::size_t i = 0; i < 4; ++i) {
        *parts[i] = numbers[i];
    }
}

std::optional<Found> diskAt(const std::string& folder) {
    std::error_code error;
    const auto device = parseDevice(textIn(folder + "/dev"));
    const std::uint64_t size = numberIn(folder + "/size").value_or(0) * kKernelSector;
    if (!device || size == 0 || !std::filesystem::is_directory(folder + "/mq", error)) {
        return std::nullopt;
    }
    Found found;
    found.disk.device = *device;
    found.isDevice = std::filesystem::exists(folder + "/device", error);
    found.partitions = partitionsOf(folder);
    etlformat::PhysicalDiskFields& fields = found.disk.fields;
    fields.bytesPerSector = static_cast<std::uint32_t>(numberIn(folder + "/queue/logical_block_size").value_or(512));
    fields.cylinders =
        size / (std::uint64_t{fields.bytesPerSector} * fields.sectorsPerTrack * fields.tracksPerCylinder);
    fields.manufacturer = trimmed(textIn(folder + "/device/vendor") + ' ' + textIn(folder + "/device/model"));
    if (fields.manufacturer.empty() || fields.manufacturer.substr(0, 2) == "0x") { // virtio's number of a vendor
        fields.manufacturer = std::filesystem::path(folder).filename().string();
    }
    fields.partitionCount = static_cast<std::uint32_t>(found.partitions.size());
    fields.isWriteCacheEnabled = textIn(folder + "/queue/write_cache") == "write back";
    readScsiAddress(folder, fields);
    found.partitions.push_back({*device, 0, size, 0});
    return found;
}

/// Asks the file system, which is one on a disk of this machine: another one may wait for ever.
void readClusters(const std::string& mountPoint, etlformat::LogicalDiskFields& volume) {
    struct statvfs status {};
    if (::statvfs(mountPoint.c_str(), &status) != 0 || status.f_frsize == 0) {
        return;
    }
    volume.sectorsPerCluster = static_cast<std::uint32_t>(status.f_frsize / volume.bytesPerSector);
    volume.freeClusters = status.f_bfree;
    volume.totalClusters = status.f_blocks;
}

void addVolumes(const std::vector<Mount>& mounts, const Found& found, Disks& disks) {
    for (const Partition& partition : found.partitions) {
        const auto isOfIt = [&](const Mount& one) { return one.device == partition.device; };
        auto mount = std::find_if(mounts.begin(), mounts.end(), isOfIt);
        const auto indexOf = [&](auto at) { return static_cast<std::size_t>(at - mounts.begin()); };
        while (mount != mounts.end() && !isReachable(mounts, indexOf(mount))) {
            mount = std::find_if(mount + 1, mounts.end(), isOfIt);
        }
        if (mount == mounts.end()) {
            continue; // not mounted, or hidden by what lies on top
        }
        etlformat::LogicalDiskFields volume;
        volume.startOffset = partition.begin;
        volume.partitionSize = partition.size;
        volume.diskNumber = found.disk.fields.diskNumber;
        volume.driveLetter = mount->point.size() <= 3 ? mount->point : std::string();
        volume.partitionNumber = partition.number;
        volume.bytesPerSector = found.disk.fields.bytesPerSector;
        volume.fileSystem = mount->type;
        readClusters(mount->point, volume);
        disks.volumes.push_back(std::move(volume));
    }
}

} // namespace

Disks Disks::read(const Roots& roots) {
    std::vector<Found> found;
    std::error_code error;
    for (std::filesystem::directory_iterator at(roots.sys + "/block", error), end; !error && at != end;
         at.increment(error)) {
        if (auto disk = diskAt(at->path().string())) {
            found.push_back(*std::move(disk));
        }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return std::tuple(!a.isDevice, a.disk.device) < std::tuple(!b.isDevice, b.disk.device);
    });
    const auto mountInfo = readWhole(roots.proc + "/self/mountinfo");
    const std::vector<Mount> mounts = parseMounts(mountInfo ? std::string_view(*mountInfo) : std::string_view());
    Disks disks;
    for (Found& one : found) {
        one.disk.fields.diskNumber = static_cast<std::uint32_t>(disks.disks.size());
        addVolumes(mounts, one, disks);
        disks.disks.push_back(std::move(one.disk));
    }
    return disks;
}

} // namespace tracedeck::linux_source
