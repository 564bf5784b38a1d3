// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/kernel_symbols.h"
#include "core/sources/linux/proc_files.h"
#include "core/sources/linux/process_table.h"
#include "core/sources/linux/translator.h"

#include <cstdint>
#include <vector>

namespace tracedeck::linux_source {

/// What a look through /proc could not read.
struct ScanGaps {
    std::uint64_t processesWithoutImages = 0;
    std::uint64_t processesWithoutCommandLine = 0;
};

/// Puts the processes, threads and images that /proc shows into the table. What changes meanwhile is repaired by the
/// records of the same time, which must be translated afterwards: they begin before the look.
ScanGaps scanProcesses(const ProcFiles& proc, ProcessTable& table, Translator& translator);

/// The images of process 0: the kernel, where its range is known, and its modules.
std::vector<Image> kernelImages(const ProcFiles& proc, const KernelRange& range);

} // namespace tracedeck::linux_source
