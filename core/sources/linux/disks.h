// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"
#include "core/sources/linux/proc_files.h"

#include <cstdint>
#include <vector>

namespace tracedeck::linux_source {

/// The disks of this machine and the volumes on them, numbered as the events number them.
///
/// A disk is what has a request queue of its own (/sys/block/<name>/mq) and a size: the events of devices that are made
/// of others (LVM, RAID, zram) would count each transfer twice. Devices come first, then what stands for one (loop),
/// each by device number.
///
/// A volume is a mounted block device that is a disk or a partition of one. Where it is mounted is in DriveLetter as
/// far as its three characters hold it ("/").
struct Disks {
    struct Disk {
        std::uint32_t device = 0; ///< as kernelDevice() has it
        etlformat::PhysicalDiskFields fields;
    };
    std::vector<Disk> disks; ///< [i].fields.diskNumber is i
    std::vector<etlformat::LogicalDiskFields> volumes;

    /// From sysfs and /proc/self/mountinfo. What cannot be read is left out.
    static Disks read(const Roots& roots);
};

} // namespace tracedeck::linux_source
