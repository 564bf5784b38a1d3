// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/linux_kernel_source.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/live_machine.h"
#include "tests/unit/linux/memory_sink.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Recordings of this machine, kept in memory. A failure fails the test.
namespace tracedeck::linux_source {

struct Recording {
    test::MemorySink sink;
    std::vector<etw::Limitation> limitations;
    std::chrono::nanoseconds drainTime{0}; ///< processor time of the drain thread
};

/// Records while `work` goes on, and stops.
Recording record(std::vector<std::uint32_t> groups, std::vector<std::uint16_t> stacks, bool isRing,
                 const std::function<void(etw::engine::KernelRun&)>& work);

/// The calling thread.
void pinTo(std::uint32_t processor);
std::vector<std::uint32_t> onlineProcessors();
/// Runs a program to its end and returns its process id; what it prints goes to `output`.
std::uint32_t runProgram(std::vector<std::string> arguments, std::string* output = nullptr);

} // namespace tracedeck::linux_source
