// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/interrupts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace tracedeck::linux_source {
namespace {

/// "00000000,00000003": groups of 32 processors, the first ones last. Processors 0 to 63.
std::uint64_t parseMask(std::string_view text) {
    std::uint64_t mask = 0;
    for (const char c : text) {
        std::uint64_t digit = 0;
        if (std::from_chars(&c, &c + 1, digit, 16).ec == std::errc()) {
            mask = mask << 4U | digit;
        } else if (c != ',') {
            break;
        }
    }
    return mask;
}

} // namespace

std::vector<etlformat::ConfigIrqFields> readInterrupts(const Roots& roots) {
    std::vector<etlformat::ConfigIrqFields> interrupts;
    std::error_code error;
    for (std::filesystem::directory_iterator at(roots.sys + "/kernel/irq", error), end; !error && at != end;
         at.increment(error)) {
        etlformat::ConfigIrqFields irq;
        const std::string name = at->path().filename().string();
        const auto number = std::from_chars(name.data(), name.data() + name.size(), irq.number);
        const auto actions = readWhole(at->path().string() + "/actions");
        if (number.ec != std::errc() || !actions) {
            continue;
        }
        irq.device = actions->substr(0, actions->find('\n'));
        if (irq.device.empty()) {
            continue; // nobody handles it
        }
        const auto affinity = readWhole(roots.proc + "/irq/" + name + "/smp_affinity");
        irq.affinity = affinity ? parseMask(*affinity) : 0;
        interrupts.push_back(std::move(irq));
    }
    std::sort(interrupts.begin(), interrupts.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return interrupts;
}

} // namespace tracedeck::linux_source
