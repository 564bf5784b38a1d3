// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/system_keywords.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tracedeck::profile {

namespace {

template <std::uint32_t... Groups>
constexpr std::array<std::uint32_t, sizeof...(Groups)> kGroups{Groups...};

// Names: the WPRControlProfiles schema and newer public lists. Groups: the public headers' PERF_* values; index 0 holds
// EVENT_TRACE_FLAG_* values. Where a flag has a PERF_* twin ("equivalent to EVENT_TRACE_FLAG_CSWITCH"), the twin stands
// here, because that is the bit that the kernel keeps. IdealProcessor has no published group: PERF_AFFINITY is the
// nearest by meaning and not confirmed.
constexpr auto kSystemKeywords = std::to_array<SystemKeyword>({
    {"AllFaults", kGroups<0x1000>},
    {"Alpc", kGroups<0x100000>},
    {"AntiStarvation", kGroups<0x40000001>},
    {"CC", kGroups<0x80020000>},
    {"CSwitch", kGroups<0x20000004>},
    {"CacheFlush", kGroups<0x84000000>},
    {"ClockInterrupt", kGroups<0x40040000>},
    {"ClusterOff", kGroups<0xE0000001>},
    {"CompactCSwitch", kGroups<0x20000100>},
    {"ContiguousMemorygeneration", kGroups<0x20100000>},
    {"CpuConfig", kGroups<0x40010000>},
    {"DPC", kGroups<0x20000080>},
    {"DPCQueue", kGroups<0x20040000>},
    {"DiskIO", kGroups<0x100, 0x200>},
    {"DiskIOInit", kGroups<0x400>},
    {"Drivers", kGroups<0x20000010>},
    {"FileIO", kGroups<0x2000000>},
    {"FileIOInit", kGroups<0x4000000>},
    {"Filename", kGroups<0x200>},
    {"FilterIO", kGroups<0x80100000>},
    {"FilterIOFailure", kGroups<0x80400000>},
    {"FilterIOFastIO", kGroups<0x80200000>},
    {"FilterIOInit", kGroups<0x80080000>},
    {"FootPrint", kGroups<0x20000008>},
    {"HalClock", kGroups<0x40100000>},
    {"Handle", kGroups<0x80000040>},
    {"HardFaults", kGroups<0x2000>},
    {"HiberRundown", kGroups<0xA0000001>},
    {"IdealProcessor", kGroups<0x20001000>},
    {"IdleStates", kGroups<0x40008000>},
    {"InterProcessorInterrupt", kGroups<0x40400000>},
    {"Interrupt", kGroups<0x20004000>},
    {"KeClock", kGroups<0x40100000>},
    {"KernelQueue", kGroups<0x21000000>},
    {"LoadBalancer", kGroups<0x40080000>},
    {"Loader", kGroups<0x4>},
    {"Memory", kGroups<0x20000001>},
    {"MemoryInfo", kGroups<0x20080000>},
    {"MemoryInfoWS", kGroups<0x20800000>},
    {"NetworkTrace", kGroups<0x10000>},
    {"Object", kGroups<0x80000080>},
    {"OpticalIO", kGroups<0x80000001>},
    {"OpticalIOInit", kGroups<0x80000002>},
    {"PmcProfile", kGroups<0x20000400>},
    {"Pool", kGroups<0x20000040>},
    {"Power", kGroups<0x80008000>},
    {"ProcessCounter", kGroups<0x8>},
    {"ProcessFreeze", kGroups<0x40000002>},
    {"ProcessThread", kGroups<0x1, 0x2>},
    {"ReadyThread", kGroups<0x20000200>},
    {"ReferenceSet", kGroups<0x20000020>},
    {"Registry", kGroups<0x20000>},
    {"RegistryHive", kGroups<0x41000000>},
    {"RegistryNotify", kGroups<0x42000000>},
    {"SampledProfile", kGroups<0x20000002>},
    {"Session", kGroups<0x20400000>},
    {"SpinLock", kGroups<0x20010000>},
    {"SplitIO", kGroups<0x200000>},
    {"SynchronizationObjects", kGroups<0x20020000>},
    {"SystemCall", kGroups<0x40000040>},
    {"ThreadPriority", kGroups<0x20002000>},
    {"Timer", kGroups<0x40020000>},
    {"VAMap", kGroups<0x8000>},
    {"VirtualAllocation", kGroups<0x20008000>},
    {"WDFDPC", kGroups<0x81000000>},
    {"WDFInterrupt", kGroups<0x82000000>},
    {"WakeCounter", kGroups<0x80002000>},
    {"WakeDrop", kGroups<0x80000200>},
    {"WakeEvent", kGroups<0x80000400>},
});

// Hook ids: group << 8 | type of the public headers. Id 0: a name that the schema has but whose event is not published.
// The third column is the group that turns the event on; 0 where several do, or where a heap or thread-pool session
// records it and not the system session.
constexpr auto kSystemStacks = std::to_array<SystemStack>({
    {"AlpcClosePort", 0x1A29, 0x100000},
    {"AlpcConnectFail", 0x1A28, 0x100000},
    {"AlpcConnectRequest", 0x1A26, 0x100000},
    {"AlpcConnectSuccess", 0x1A27, 0x100000},
    {"AlpcReceiveMessage", 0x1A22, 0x100000},
    {"AlpcSendMessage", 0x1A21, 0x100000},
    {"AlpcUnwait", 0x1A25, 0x100000},
    {"AlpcWaitForNewMessage", 0x1A24, 0x100000},
    {"AlpcWaitForReply", 0x1A23, 0x100000},
    {"CSwitch", 0x0524, 0x20000004},
    {"CacheFlush", 0x0F63, 0x84000000},
    {"CcCanIWriteFail", 0x1606, 0x80020000},
    {"CcFlushCache", 0x1609, 0x80020000},
    {"CcFlushSection", 0x160A, 0x80020000},
    {"CcLazyWriteScan", 0x1605, 0x80020000},
    {"CcReadAhead", 0x1603, 0x80020000},
    {"CcWorkitemComplete", 0x1602, 0x80020000},
    {"CcWorkitemDequeue", 0x1601, 0x80020000},
    {"CcWorkitemEnqueue", 0x1600, 0x80020000},
    {"CcWriteBehind", 0x1604, 0x80020000},
    {"ChargeWakeCounterDevice", 0x0331, 0x80002000},
    {"ChargeWakeCounterKernel", 0x0332, 0x80002000},
    {"ChargeWakeCounterPower", 0x0333, 0x80002000},
    {"ChargeWakeCounterUser", 0x0330, 0x80002000},
    {"ContiguousMemoryGeneration", 0x0271, 0x20100000},
    {"DiskFlushInit", 0x010F, 0x400},
    {"DiskReadInit", 0x010C, 0x400},
    {"DiskWriteInit", 0x010D, 0x400},
    {"DpcEnqueue", 0x0F64, 0x20040000},
    {"DpcExecute", 0x0F65, 0},
    {"ExecutiveResource", 0x052B, 0x20020000},
    {"FileCleanup", 0x0441, 0x4000000},
    {"FileClose", 0x0442, 0x4000000},
    {"FileCreate", 0x0440, 0x4000000},
    {"FileDelete", 0x0446, 0x4000000},
    {"FileDirEnum", 0x0448, 0x4000000},
    {"FileDirNotify", 0x044D, 0x4000000},
    {"FileFSCTL", 0x044B, 0x4000000},
    {"FileFlush", 0x0449, 0x4000000},
    {"FileOpEnd", 0x044C, 0x2000000},
    {"FileQueryInformation", 0x044A, 0x4000000},
    {"FileRead", 0x0443, 0x4000000},
    {"FileRename", 0x0447, 0x4000000},
    {"FileSetInformation", 0x0445, 0x4000000},
    {"FileWrite", 0x0444, 0x4000000},
    {"HandleClose", 0x1121, 0x80000040},
    {"HandleCreate", 0x1120, 0x80000040},
    {"HandleDuplicate", 0x1122, 0x80000040},
    {"HardFault", 0x0220, 0x2000},
    {"HeapAllocation", 0x1021, 0},
    {"HeapCreate", 0x1020, 0},
    {"HeapDestroy", 0x1023, 0},
    {"HeapFree", 0x1024, 0},
    {"HeapRangeCreate", 0x0265, 0},
    {"HeapRangeDestroy", 0x0268, 0},
    {"HeapRangeRelease", 0x0267, 0},
    {"HeapRangeReserve", 0x0266, 0},
    {"HeapReallocation", 0x1022, 0},
    {"ImageLoad", 0x030A, 0x4},
    {"ImageUnload", 0x1402, 0x4},
    {"InterProcessorInterrupt", 0x0F5B, 0x40400000},
    {"KernelQueueDequeue", 0x053F, 0x21000000},
    {"KernelQueueEnqueue", 0x053E, 0x21000000},
    {"KernelSignal", 0x0000, 0},
    {"KernelSignalInit", 0x0000, 0},
    {"KernelSync", 0x0000, 0},
    {"KernelSyncAll", 0x0000, 0},
    {"KernelWaitSync", 0x0000, 0},
    {"KernelWaitSyncAll", 0x0000, 0},
    {"MapFile", 0x0425, 0x8000},
    {"Mark", 0x0F22, 0},
    {"MiniFilterPostOpInit", 0x0461, 0x80080000},
    {"MiniFilterPreOpInit", 0x0460, 0x80080000},
    {"ObjectCreate", 0x1130, 0x80000080},
    {"ObjectDeReference", 0x1133, 0x80000080},
    {"ObjectDelete", 0x1131, 0x80000080},
    {"ObjectReference", 0x1132, 0x80000080},
    {"PageAccess", 0x0276, 0},
    {"PageAccessEx", 0x0282, 0},
    {"PageRangeAccess", 0x0278, 0},
    {"PageRangeRelease", 0x0279, 0},
    {"PageRelease", 0x0277, 0},
    {"PageRemovedfromWorkingSet", 0x0283, 0},
    {"PagefaultAV", 0x020F, 0x1000},
    {"PagefaultCopyOnWrite", 0x020C, 0x1000},
    {"PagefaultDemandZero", 0x020B, 0x1000},
    {"PagefaultGuard", 0x020D, 0x1000},
    {"PagefaultHard", 0x020E, 0x1000},
    {"PagefaultTransition", 0x020A, 0x1000},
    {"PagefileBackedImageMapping", 0x0269, 0},
    {"PagefileMappedSectionCreate", 0x0249, 0},
    {"PagefileMappedSectionDelete", 0x024F, 0},
    {"PmcInterrupt", 0x0F2F, 0x20000400},
    {"PoolAllocation", 0x0E20, 0x20000040},
    {"PoolAllocationSession", 0x0E21, 0x20000040},
    {"PoolFree", 0x0E22, 0x20000040},
    {"PoolFreeSession", 0x0E23, 0x20000040},
    {"PowerDeviceNotify", 0x1226, 0x80008000},
    {"PowerDeviceNotifyComplete", 0x1227, 0x80008000},
    {"PowerIdleStateChange", 0x1221, 0x80008000},
    {"PowerPerfStateChange", 0x1233, 0x80008000},
    {"PowerPostSleep", 0x1231, 0x80008000},
    {"PowerPreSleep", 0x1230, 0x80008000},
    {"PowerSessionCallout", 0x1228, 0x80008000},
    {"PowerSessionCalloutReturn", 0x1229, 0x80008000},
    {"PowerSetDevicesState", 0x1224, 0x80008000},
    {"PowerSetDevicesStateReturn", 0x1225, 0x80008000},
    {"PowerSetPowerAction", 0x1222, 0x80008000},
    {"PowerSetPowerActionReturn", 0x1223, 0x80008000},
    {"PowerThermalConstraint", 0x1236, 0x80008000},
    {"ProcessCreate", 0x0301, 0x1},
    {"ProcessDelete", 0x0302, 0x1},
    {"ProcessFreeze", 0x0324, 0x40000002},
    {"ProcessResume", 0x0325, 0x40000002},
    {"ReadyThread", 0x0532, 0x20000200},
    {"RegHiveDestroy", 0x0925, 0x41000000},
    {"RegHiveDirty", 0x0928, 0x41000000},
    {"RegHiveInit", 0x0924, 0x41000000},
    {"RegHiveLink", 0x0926, 0x41000000},
    {"RegistryCloseKey", 0x091B, 0x20000},
    {"RegistryCreateKey", 0x090A, 0x20000},
    {"RegistryDeleteKey", 0x090C, 0x20000},
    {"RegistryDeleteValue", 0x090F, 0x20000},
    {"RegistryEnumerateKey", 0x0911, 0x20000},
    {"RegistryEnumerateValueKey", 0x0912, 0x20000},
    {"RegistryFlush", 0x0915, 0x20000},
    {"RegistryKcbCreate", 0x0916, 0x20000},
    {"RegistryKcbDelete", 0x0917, 0x20000},
    {"RegistryOpenKey", 0x090B, 0x20000},
    {"RegistryQueryKey", 0x090D, 0x20000},
    {"RegistryQueryMultipleValue", 0x0913, 0x20000},
    {"RegistryQuerySecurity", 0x091D, 0x20000},
    {"RegistryQueryValue", 0x0910, 0x20000},
    {"RegistrySetInformation", 0x0914, 0x20000},
    {"RegistrySetSecurity", 0x091C, 0x20000},
    {"RegistrySetValue", 0x090E, 0x20000},
    {"RegistryVirtualize", 0x091A, 0x20000},
    {"ReleaseWakeCounterDevice", 0x0341, 0x80002000},
    {"ReleaseWakeCounterKernel", 0x0342, 0x80002000},
    {"ReleaseWakeCounterPower", 0x0343, 0x80002000},
    {"ReleaseWakeCounterUser", 0x0340, 0x80002000},
    {"SampledProfile", 0x0F2E, 0x20000002},
    {"SampledProfileSetInterval", 0x0F48, 0},
    {"SplitIO", 0x1B20, 0x200000},
    {"SystemCallEnter", 0x0F33, 0x40000040},
    {"SystemCallExit", 0x0F34, 0x40000040},
    {"ThreadCreate", 0x0501, 0x2},
    {"ThreadDCEnd", 0x0504, 0x2},
    {"ThreadDCStart", 0x0503, 0x2},
    {"ThreadDelete", 0x0502, 0x2},
    {"ThreadPoolCallbackCancel", 0x1C24, 0},
    {"ThreadPoolCallbackDequeue", 0x1C21, 0},
    {"ThreadPoolCallbackEnqueue", 0x1C20, 0},
    {"ThreadPoolCallbackStart", 0x1C22, 0},
    {"ThreadPoolCallbackStop", 0x1C23, 0},
    {"ThreadPoolCancelNtTimer", 0x1C2D, 0},
    {"ThreadPoolClose", 0x1C26, 0},
    {"ThreadPoolCreate", 0x1C25, 0},
    {"ThreadPoolSetMaxThreads", 0x1C28, 0},
    {"ThreadPoolSetMinThreads", 0x1C27, 0},
    {"ThreadPoolSetNtTimer", 0x1C2C, 0},
    {"ThreadPoolTimerCancelled", 0x1C2B, 0},
    {"ThreadPoolTimerExpiration", 0x1C30, 0},
    {"ThreadPoolTimerExpirationBegin", 0x1C2E, 0},
    {"ThreadPoolTimerExpirationEnd", 0x1C2F, 0},
    {"ThreadPoolTimerSet", 0x1C2A, 0},
    {"ThreadSetBasePriority", 0x0531, 0x20002000},
    {"ThreadSetIdealProcessor", 0x0000, 0},
    {"ThreadSetPriority", 0x0530, 0x20002000},
    {"ThreadSetUserIdealProcessor", 0x0000, 0},
    {"TimerOneShot", 0x0F53, 0x40020000},
    {"TimerPeriodic", 0x0F52, 0x40020000},
    {"UnMapFile", 0x0426, 0x8000},
    {"VirtualAllocation", 0x0262, 0x20008000},
    {"VirtualFree", 0x0263, 0x20008000},
    {"WakeChargeExecution", 0x0331, 0x80002000},
    {"WakeChargeInstrumentation", 0x0333, 0x80002000},
    {"WakeChargeKernel", 0x0332, 0x80002000},
    {"WakeChargeUser", 0x0330, 0x80002000},
    {"WakeDropExecution", 0x0351, 0x80000200},
    {"WakeDropInstrumentation", 0x0353, 0x80000200},
    {"WakeDropKernel", 0x0352, 0x80000200},
    {"WakeDropUser", 0x0350, 0x80000200},
    {"WakeEventExecution", 0x0361, 0x80000400},
    {"WakeEventInstrumentation", 0x0363, 0x80000400},
    {"WakeEventKernel", 0x0362, 0x80000400},
    {"WakeEventUser", 0x0360, 0x80000400},
    {"WakeReleaseExecution", 0x0341, 0x80002000},
    {"WakeReleaseInstrumentation", 0x0343, 0x80002000},
    {"WakeReleaseKernel", 0x0342, 0x80002000},
    {"WakeReleaseUser", 0x0340, 0x80002000},
});

constexpr auto byName = [](const auto& a, const auto& b) { return a.name < b.name; };
static_assert(std::is_sorted(kSystemKeywords.begin(), kSystemKeywords.end(), byName));
static_assert(std::is_sorted(kSystemStacks.begin(), kSystemStacks.end(), byName));

template <class Table>
const typename Table::value_type* find(const Table& table, std::string_view name) noexcept {
    const auto at = std::lower_bound(table.begin(), table.end(), name,
                                     [](const auto& entry, std::string_view wanted) { return entry.name < wanted; });
    return at != table.end() && at->name == name ? &*at : nullptr;
}

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Levenshtein distance, case ignored; words longer than this are not compared (they are no names).
constexpr std::size_t kLongestWord = 128;
std::size_t editDistance(std::string_view a, std::string_view b) noexcept {
    std::array<std::size_t, kLongestWord + 1> row{};
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
            row[j] = std::min({row[j - 1] + 1, above + 1, replaced});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::span<const SystemKeyword> systemKeywords() noexcept {
    return kSystemKeywords;
}

const SystemKeyword* findSystemKeyword(std::string_view name) noexcept {
    return find(kSystemKeywords, name);
}

std::span<const SystemStack> systemStacks() noexcept {
    return kSystemStacks;
}

const SystemStack* findSystemStack(std::string_view name) noexcept {
    return find(kSystemStacks, name);
}

std::string_view stackName(std::uint16_t hookId) noexcept {
    // The old names of the wake stacks (Charge…, Release…) sort before the new ones, which are meant.
    std::string_view found;
    for (const SystemStack& stack : kSystemStacks) {
        if (stack.hookId == hookId && hookId != 0) {
            found = stack.name;
        }
    }
    return found;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept {
    std::string_view best;
    std::size_t bestDistance = 0;
    if (word.empty() || word.size() > kLongestWord) {
        return best;
    }
    for (const std::string_view candidate : known) {
        // The lengths alone say how far apart they are at least: most need no comparing.
        const std::size_t longer = std::max(word.size(), candidate.size());
        const std::size_t least = longer - std::min(word.size(), candidate.size());
        if (candidate.size() > kLongestWord || least * 3 > longer || (!best.empty() && least >= bestDistance)) {
            continue;
        }
        const std::size_t distance = editDistance(word, candidate);
        if (distance * 3 <= longer && (best.empty() || distance < bestDistance)) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::vector<std::string_view> nearestOnes(std::string_view word, std::span<const std::string_view> known,
                                          std::size_t count) {
    std::vector<std::pair<std::size_t, std::string_view>> distances;
    for (const std::string_view candidate : known) {
        if (candidate.size() <= kLongestWord) {
            distances.emplace_back(editDistance(word.substr(0, kLongestWord), candidate), candidate);
        }
    }
    std::stable_sort(distances.begin(), distances.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < std::min(count, distances.size()); ++i) {
        words.push_back(distances[i].second);
    }
    return words;
}

} // namespace tracedeck::profile
