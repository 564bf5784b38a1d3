// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"
#include "core/sources/linux/proc_files.h"

#include <vector>

namespace tracedeck::linux_source {

/// The interrupts that have a handler, by number, from /sys/kernel/irq and /proc/irq; the names of several handlers are
/// joined by commas, as the kernel does it.
std::vector<etlformat::ConfigIrqFields> readInterrupts(const Roots& roots);

} // namespace tracedeck::linux_source
