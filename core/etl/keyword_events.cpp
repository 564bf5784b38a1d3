// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/keyword_events.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kMostHooks = 6;

struct Row {
    std::string_view keyword;
    std::size_t count;
    std::array<std::uint16_t, kMostHooks> hooks;
};

template <class... Hooks>
constexpr Row row(std::string_view keyword, Hooks... hooks) {
    return {keyword, sizeof...(hooks), {static_cast<std::uint16_t>(hooks)...}};
}

// Which group gives which events: the public kernel headers' groups and their event types.
constexpr std::array kRows{
    row("AllFaults", 0x020A, 0x020B, 0x020C, 0x020D, 0x020E),
    row("Alpc", 0x1A21, 0x1A22, 0x1A23, 0x1A24, 0x1A25),
    row("CSwitch", 0x0524),
    row("CompactCSwitch", 0x0525),
    row("CpuConfig", 0x0B23, 0x1233, 0x123B),
    row("DPC", 0x0F42, 0x0F44, 0x0F45),
    row("DPCQueue", 0x0F64, 0x0F65),
    row("DiskIO", 0x010A, 0x010B, 0x010E),
    row("DiskIOInit", 0x010C, 0x010D, 0x010F),
    row("FileIO", 0x0440, 0x0441, 0x0442, 0x0443, 0x0444, 0x044C),
    row("FileIOInit", 0x0440, 0x0441, 0x0442, 0x0443, 0x0444, 0x044A),
    row("Filename", 0x0400, 0x0420, 0x0423, 0x0424),
    row("Handle", 0x1120, 0x1121, 0x1122, 0x1126, 0x1127),
    row("HardFaults", 0x0220),
    row("InterProcessorInterrupt", 0x0F5B),
    row("Interrupt", 0x0F32, 0x0F43),
    row("Loader", 0x140A, 0x1402, 0x1403, 0x1404),
    row("MemoryInfo", 0x0270),
    row("NetworkTrace", 0x060A, 0x060B, 0x061A, 0x061B, 0x080A, 0x080B),
    row("PmcProfile", 0x0F2F),
    row("Pool", 0x0E20, 0x0E21, 0x0E22, 0x0E23),
    row("ProcessThread", 0x0301, 0x0302, 0x0303, 0x0304, 0x0501, 0x0503),
    row("ReadyThread", 0x0532),
    row("Registry", 0x090A, 0x090B, 0x090D, 0x0910, 0x0911, 0x0916),
    row("SampledProfile", 0x0F2E),
    row("SystemCall", 0x0F33, 0x0F34),
    row("Timer", 0x0F50, 0x0F51, 0x0F52, 0x0F53),
    row("VirtualAllocation", 0x0262, 0x0263, 0x0280, 0x0281),
};
static_assert(std::is_sorted(kRows.begin(), kRows.end(),
                             [](const Row& a, const Row& b) { return a.keyword < b.keyword; }));

} // namespace

std::span<const std::uint16_t> eventsOfKeyword(std::string_view keyword) noexcept {
    const auto* const found = std::lower_bound(kRows.begin(), kRows.end(), keyword,
                                               [](const Row& a, std::string_view name) { return a.keyword < name; });
    if (found == kRows.end() || found->keyword != keyword) {
        return {};
    }
    return std::span(found->hooks).first(found->count);
}

} // namespace tracedeck::etl
