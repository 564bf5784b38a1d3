// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/sources/linux/linux_kernel_source.h"

#include <cstdint>
#include <initializer_list>
#include <iostream>

/// What tests that record this machine for real ask first.
namespace tracedeck::linux_source {

inline const SystemClock& systemClock() {
    static const SystemClock clock;
    return clock;
}

/// Whether this kernel gives those groups to this user; else it is said that `test` is skipped.
inline bool isServed(std::initializer_list<std::uint32_t> groups, const char* test) {
    const LinuxKernelSource source({&systemClock(), nullptr, {}});
    const etw::Capabilities capabilities = source.capabilities();
    for (const std::uint32_t wanted : groups) {
        if (!capabilities.kernelGroups.has(wanted)) {
            std::cerr << "SKIPPED: " << test << ": this kernel does not give group " << std::hex << wanted << std::dec
                      << " to this user\n";
            return false;
        }
    }
    return true;
}

} // namespace tracedeck::linux_source
