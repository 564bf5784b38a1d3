// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/proc_files.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::linux_source {

/// Where the kernel's own code lies; zeros where it is hidden or not told.
struct KernelRange {
    std::uint64_t base = 0;
    std::uint64_t end = 0;
};
/// From the text of /proc/kallsyms.
KernelRange parseKallsyms(std::string_view text);
/// Of functions of the kernel itself, in the order of `names`; 0: there is none, or it is hidden.
std::vector<std::uint64_t> parseAddresses(std::string_view kallsyms, std::span<const std::string_view> names);

/// Addresses in the kernel, which stay while it runs: what was found is not looked for again.
///
/// Threading: one thread at a time.
class KernelSymbols {
public:
    explicit KernelSymbols(ProcFiles proc) : m_proc(std::move(proc)) {}
    [[nodiscard]] KernelRange range();
    [[nodiscard]] std::vector<std::uint64_t> addresses(std::span<const std::string_view> names);

private:
    ProcFiles m_proc;
    KernelRange m_range;
    std::map<std::string, std::uint64_t, std::less<>> m_addresses;
};

} // namespace tracedeck::linux_source
