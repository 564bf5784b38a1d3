// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

/// Ids of NT kernel events and their switches.
/// Sources: the kernel's MOF classes and public headers (evntrace.h, ntwmi.h's names); checked on files of Windows.
namespace tracedeck::etlformat {

/// HookId = group << 8 | type.
namespace hook {
constexpr std::uint16_t kHeader = 0x0000;
constexpr std::uint16_t kHeaderExtension = 0x0005;
constexpr std::uint16_t kRundownComplete = 0x0008;
constexpr std::uint16_t kGroupMasks = 0x0020;
constexpr std::uint16_t kPartitionInfo = 0x0050;
constexpr std::uint16_t kDiskRead = 0x010A;
constexpr std::uint16_t kDiskWrite = 0x010B;
constexpr std::uint16_t kDiskReadInit = 0x010C;
constexpr std::uint16_t kDiskWriteInit = 0x010D;
constexpr std::uint16_t kDiskFlush = 0x010E;
constexpr std::uint16_t kDiskFlushInit = 0x010F;
constexpr std::uint16_t kProcessStart = 0x0301;
constexpr std::uint16_t kProcessEnd = 0x0302;
constexpr std::uint16_t kProcessDcStart = 0x0303;
constexpr std::uint16_t kProcessDcEnd = 0x0304;
constexpr std::uint16_t kProcessDefunct = 0x0327;
constexpr std::uint16_t kThreadStart = 0x0501;
constexpr std::uint16_t kThreadEnd = 0x0502;
constexpr std::uint16_t kThreadDcStart = 0x0503;
constexpr std::uint16_t kThreadDcEnd = 0x0504;
constexpr std::uint16_t kCSwitch = 0x0524;
constexpr std::uint16_t kReadyThread = 0x0532;
constexpr std::uint16_t kThreadSetName = 0x0548;
constexpr std::uint16_t kConfigCpu = 0x0B0A;
constexpr std::uint16_t kConfigPhysicalDisk = 0x0B0B;
constexpr std::uint16_t kConfigLogicalDisk = 0x0B0C;
constexpr std::uint16_t kConfigIrq = 0x0B15;
constexpr std::uint16_t kMark = 0x0F22;
constexpr std::uint16_t kSampledProfile = 0x0F2E;
constexpr std::uint16_t kInterrupt = 0x0F43;
constexpr std::uint16_t kDpc = 0x0F44;
constexpr std::uint16_t kTimerDpc = 0x0F45;
constexpr std::uint16_t kProfileSetInterval = 0x0F48;
constexpr std::uint16_t kProfileDcStart = 0x0F49;
constexpr std::uint16_t kProfileDcEnd = 0x0F4A;
constexpr std::uint16_t kImageUnload = 0x1402;
constexpr std::uint16_t kImageDcStart = 0x1403;
constexpr std::uint16_t kImageDcEnd = 0x1404;
constexpr std::uint16_t kImageLoad = 0x140A;
constexpr std::uint16_t kKernelBase = 0x1421;
constexpr std::uint16_t kStackWalk = 0x1820;
} // namespace hook

/// PERFINFO_GROUPMASK: eight words; the top three bits of a group id select the word, the others are its bits.
struct GroupMasks {
    std::array<std::uint32_t, 8> words{};

    constexpr void set(std::uint32_t group) { words[group >> 29U] |= group & 0x1FFFFFFFU; }
    [[nodiscard]] constexpr bool has(std::uint32_t group) const {
        return (words[group >> 29U] & (group & 0x1FFFFFFFU)) == (group & 0x1FFFFFFFU);
    }
    constexpr void unite(const GroupMasks& other) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            words[i] |= other.words[i];
        }
    }
    [[nodiscard]] constexpr bool isEmpty() const { return words == std::array<std::uint32_t, 8>{}; }
    friend bool operator==(const GroupMasks&, const GroupMasks&) = default;
};

/// Group ids used by name in code; the whole list, with WPR's keywords, is core/profile/system_keywords.h.
namespace group {
constexpr std::uint32_t kProcess = 0x00000001;
constexpr std::uint32_t kThread = 0x00000002;
constexpr std::uint32_t kLoader = 0x00000004;
constexpr std::uint32_t kDiskIo = 0x00000100;
constexpr std::uint32_t kDiskIoInit = 0x00000400;
constexpr std::uint32_t kContextSwitch = 0x20000004;
constexpr std::uint32_t kDpc = 0x20000080;
constexpr std::uint32_t kInterrupt = 0x20004000;
constexpr std::uint32_t kDispatcher = 0x20000200;
constexpr std::uint32_t kProfile = 0x20000002;
} // namespace group

/// EVENT_TRACE_* logging modes (evntrace.h).
namespace mode {
constexpr std::uint32_t kSequential = 0x00000001;
constexpr std::uint32_t kCircular = 0x00000002;
constexpr std::uint32_t kAppend = 0x00000004;
constexpr std::uint32_t kNewFile = 0x00000008;
constexpr std::uint32_t kSecure = 0x00000080;
constexpr std::uint32_t kRealTime = 0x00000100;
constexpr std::uint32_t kBuffering = 0x00000400;
constexpr std::uint32_t kPrivate = 0x00000800;
constexpr std::uint32_t kRelog = 0x00010000;
constexpr std::uint32_t kPrivateInProcess = 0x00020000;
constexpr std::uint32_t kPagedMemory = 0x01000000;
constexpr std::uint32_t kSystemLogger = 0x02000000;
constexpr std::uint32_t kCompressed = 0x04000000;
constexpr std::uint32_t kNoPerProcessorBuffering = 0x10000000;
} // namespace mode

/// The Windows build whose event layouts and versions are written (10.0.18362); ProviderVersion of our files.
constexpr std::uint32_t kModelledBuild = 18362;
constexpr std::uint32_t kKernelEventVersion = 0x46;

} // namespace tracedeck::etlformat
