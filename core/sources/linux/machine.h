// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/kernel_events.h"
#include "core/sources/linux/proc_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::linux_source {

/// What this machine is, from /proc and /sys.
struct Machine {
    std::string platform;                 ///< "Linux 6.18.44"
    std::vector<std::uint32_t> online;    ///< processors
    std::uint32_t numberOfProcessors = 1; ///< highest processor id that is present + 1
    std::uint32_t mhz = 0;                ///< 0: not told
    Bytes physicalMemory{0};
    FileTime bootTime = 0;
    std::uint32_t clockTick100Ns = 40000;
    std::optional<int> perfEventParanoid; ///< nothing: no perf events in this kernel
    bool mayRecordAll = false;            ///< CAP_PERFMON or CAP_SYS_ADMIN
    bool hasOwnProcessIds = false;        ///< in a pid namespace: the kernel's own ids are not those of this process
    etlformat::ConfigCpuFields config;

    static Machine read(const Roots& roots);
};

/// Says which processors are online, as parseCpuList() reads it.
std::string onlineFile(const Roots& roots);

/// The header's view of it, with the time zone.
etlformat::TraceIdentity identityOf(const Machine& machine, const Clock& clock);

} // namespace tracedeck::linux_source
