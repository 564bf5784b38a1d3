// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"
#include "core/sources/linux/disks.h"
#include "core/sources/linux/event_output.h"
#include "core/sources/linux/process_table.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracedeck::linux_source {

/// Everything that a rundown tells besides the table.
struct RundownFacts {
    etlformat::GroupMasks masks;
    bool hasProcesses = false;
    bool hasThreads = false;
    bool hasImages = false;
    std::optional<std::chrono::nanoseconds> profileInterval; ///< where samples are taken
    etlformat::ConfigCpuFields config;
    Disks disks;
    std::vector<etlformat::ConfigIrqFields> interrupts;
    std::vector<Image> kernelImages;
    std::vector<std::uint32_t> processors; ///< online: each has its idle thread
    std::uint32_t controllerProcess = 0;   ///< whose thread writes the events that say who
    std::uint32_t controllerThread = 0;
};

/// Start: DCStart, at the start of a file. End: DCEnd, at its stop. Ring, when the ring is written: DCStart of what
/// lives, and before it, so that ids and addresses that are used again mean what they mean now, Defunct of the
/// processes and DCStart of the images that ended within the ring's span. Threads that have ended are not named again,
/// as on Windows: each one's Thread/End tells all there is.
enum class RundownKind { Start, End, Ring };

/// Writes a rundown in the order that Windows does: masks, then each process with its threads and images, then
/// "complete"; to one processor's stream at one time.
void writeRundown(RundownKind kind, const RundownFacts& facts, ProcessTable& table, EventOutput& output,
                  std::uint32_t processor, Ticks time);

} // namespace tracedeck::linux_source
