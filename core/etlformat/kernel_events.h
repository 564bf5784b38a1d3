// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/layout.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

/// Payloads of the NT kernel's events, 64-bit, in the versions that build kModelledBuild writes.
///
/// Sources: the MOF classes of the kernel's providers, checked field by field on files that Windows wrote.
/// The frequent ones are structures that are written as they lie in memory; the others are appended to a byte vector.
namespace tracedeck::etlformat {

/// Versions of the event classes (header field `version`).
namespace event_version {
constexpr std::uint16_t kHeader = 2; ///< 0x0005, 0x0008, 0x0020
constexpr std::uint16_t kProcess = 4;
constexpr std::uint16_t kProcessDefunct = 5;
constexpr std::uint16_t kThread = 3;
constexpr std::uint16_t kThreadSetName = 2;
constexpr std::uint16_t kCSwitch = 4;
constexpr std::uint16_t kReadyThread = 2;
constexpr std::uint16_t kSampledProfile = 2;
constexpr std::uint16_t kProfileInterval = 3;
constexpr std::uint16_t kMark = 0;
constexpr std::uint16_t kConfigCpu = 3;
constexpr std::uint16_t kImage = 3;
constexpr std::uint16_t kKernelBase = 2;
constexpr std::uint16_t kStackWalk = 2;
} // namespace event_version

/// KTHREAD_STATE, as OldThreadState holds it.
enum class ThreadState : std::uint8_t {
    Initialized = 0,
    Ready = 1,
    Running = 2,
    Standby = 3,
    Terminated = 4,
    Waiting = 5,
    Transition = 6,
    DeferredReady = 7,
};

/// KWAIT_REASON, those that are written here.
enum class WaitReason : std::uint8_t {
    Executive = 0,
    PageIn = 2,
    Suspended = 5,
    UserRequest = 6,
    WrQueue = 15,
    WrTerminated = 22,
    WrQuantumEnd = 30,
    WrPreempted = 32,
    WrYieldExecution = 33,
};

/// 0x0524: from this event's time on `newThreadId` runs on the event's processor. The idle thread is 0.
struct CSwitchPayload {
    std::uint32_t newThreadId = 0;
    std::uint32_t oldThreadId = 0;
    std::int8_t newThreadPriority = 0; ///< 0…31
    std::int8_t oldThreadPriority = 0;
    std::uint8_t previousCState = 0;
    std::int8_t spare = 0;
    WaitReason oldThreadWaitReason = WaitReason::Executive;
    std::int8_t threadFlags = 0;
    ThreadState oldThreadState = ThreadState::Running;
    std::int8_t oldThreadWaitIdealProcessor = 0;
    std::uint32_t newThreadWaitTime = 0; ///< clock ticks (TimerResolution) since it last ran
    std::uint32_t reserved = 0;
};
static_assert(sizeof(CSwitchPayload) == 24);

/// 0x0532: the thread that runs on the event's processor made `threadId` runnable.
struct ReadyThreadPayload {
    std::uint32_t threadId = 0;
    std::int8_t adjustReason = 0; ///< 0 none, 1 unwait, 2 boost
    std::int8_t adjustIncrement = 0;
    std::int8_t flag = 0; ///< kExecutingDpc
    std::int8_t reserved = 0;
    static constexpr std::int8_t kUnwait = 1;
    static constexpr std::int8_t kExecutingDpc = 1;
};
static_assert(sizeof(ReadyThreadPayload) == 8);

/// 0x0F2E.
struct SampledProfilePayload {
    std::uint64_t instructionPointer = 0;
    std::uint32_t threadId = 0;
    std::uint16_t count = 1;
    std::uint16_t reserved = 0;
};
static_assert(sizeof(SampledProfilePayload) == 16);

/// 0x1820: return addresses follow, innermost first.
struct StackWalkPayload {
    Ticks eventTimeStamp = 0; ///< exactly the time of the event that the stack belongs to, on the same processor
    std::uint32_t stackProcess = 0;
    std::uint32_t stackThread = 0;
};
static_assert(sizeof(StackWalkPayload) == 16);
constexpr std::size_t kMostStackFrames = 192;

/// 0x0005 and 0x0020.
struct GroupMasksPayload {
    GroupMasks masks;
    std::uint32_t kernelEventVersion = kKernelEventVersion;
};
static_assert(sizeof(GroupMasksPayload) == 36);

/// A security identifier of up to five sub-authorities.
struct Sid {
    std::uint64_t authority = 0; ///< 48 bits, big endian in the file
    std::uint8_t count = 0;
    std::uint32_t subAuthorities[5] = {};
    friend bool operator==(const Sid&, const Sid&) = default;
};

/// A user of a Unix system, as kernel events and extended items name it:
///
/// | uid  | SID                                                                       |
/// | ---- | ------------------------------------------------------------------------- |
/// | 0    | S-1-5-18, Local System: what runs with every right on Windows             |
/// | else | S-1-22-1-<uid>, "Unix User" of Samba's convention                         |
[[nodiscard]] Sid sidOfUnixUser(std::uint32_t uid) noexcept;
/// As it lies in a file.
[[nodiscard]] std::vector<std::byte> encodeSid(const Sid& sid);

/// 0x0301…0x0304 v4 and 0x0327 v5.
struct ProcessFields {
    std::uint64_t uniqueProcessKey = 0; ///< differs for every process of a trace, ended ones included
    std::uint32_t processId = 0;
    std::uint32_t parentId = 0;
    std::uint32_t sessionId = 0;
    std::int32_t exitStatus = kStillActive;
    std::uint32_t flags = 0;
    Sid user;                  ///< count 0: none
    std::string imageFileName; ///< bytes as the system has them
    std::string commandLine;   ///< UTF-8
    FileTime exitTime = 0;     ///< 0x0327 alone
    static constexpr std::int32_t kStillActive = 0x103;
    static constexpr std::uint32_t kNoSession = 0xFFFFFFFF;
};

/// 0x0501…0x0504 v3 with the thread's name, as build 18362 writes it.
struct ThreadFields {
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint64_t affinity = 0;
    std::uint64_t startAddress = 0;
    std::uint8_t basePriority = 0;
    std::uint8_t pagePriority = 5; ///< 5 and 2: normal on Windows
    std::uint8_t ioPriority = 2;
    std::string name; ///< UTF-8
};

/// 0x140A, 0x1402, 0x1403, 0x1404 v3.
struct ImageFields {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t processId = 0; ///< 0: the kernel and its modules
    std::uint32_t checksum = 0;
    std::uint32_t timeDateStamp = 0;
    std::uint64_t defaultBase = 0;
    std::string fileName; ///< UTF-8
};

/// 0x0B0A v3, 828 bytes.
struct ConfigCpuFields {
    std::uint32_t mhz = 0;
    std::uint32_t numberOfProcessors = 0;
    std::uint32_t memorySizeMib = 0;
    std::uint32_t pageSize = 4096;
    std::uint32_t allocationGranularity = 4096;
    std::string computerName; ///< UTF-8, cut at 255 UTF-16 units
    std::string domainName;   ///< UTF-8, cut at 133 UTF-16 units
    std::uint64_t hyperThreadingFlag = 0;
    std::uint64_t highestUserAddress = 0;
    std::uint16_t processorArchitecture = 0; ///< PROCESSOR_ARCHITECTURE_*: 9 AMD64, 12 ARM64
    std::uint16_t processorLevel = 0;
    std::uint16_t processorRevision = 0;
    bool hasNx = false;
};

/// Each returns the payload alone; texts too long for an event are cut.
std::vector<std::byte> encodeProcess(std::uint16_t hookId, const ProcessFields& process);
std::vector<std::byte> encodeThread(const ThreadFields& thread);
std::vector<std::byte> encodeThreadSetName(std::uint32_t processId, std::uint32_t threadId, std::string_view name);
std::vector<std::byte> encodeImage(const ImageFields& image);
std::vector<std::byte> encodeConfigCpu(const ConfigCpuFields& cpu);
/// 0x0F48, 0x0F49, 0x0F4A; intervals in 100 ns; `sourceName` is "Timer" for source 0.
std::vector<std::byte> encodeProfileInterval(std::uint32_t source, std::uint32_t newInterval, std::uint32_t oldInterval,
                                             std::string_view sourceName);
/// 0x0F22: UTF-8 text (the class says ANSI), zero-terminated, and two zero bytes.
std::vector<std::byte> encodeMark(std::string_view text);

/// The header of an event whose payload has `payloadSize` bytes.
inline PerfinfoHeader perfinfoHeader(std::uint16_t hookId, std::uint16_t version, std::size_t payloadSize, Ticks time) {
    PerfinfoHeader header;
    header.version = version;
    header.size = static_cast<std::uint16_t>(sizeof(PerfinfoHeader) + payloadSize);
    header.hookId = hookId;
    header.systemTime = time;
    return header;
}
inline SystemHeader systemHeader(std::uint16_t hookId, std::uint16_t version, std::size_t payloadSize, Ticks time,
                                 std::uint32_t processId, std::uint32_t threadId) {
    SystemHeader header;
    header.version = version;
    header.size = static_cast<std::uint16_t>(sizeof(SystemHeader) + payloadSize);
    header.hookId = hookId;
    header.threadId = threadId;
    header.processId = processId;
    header.systemTime = time;
    return header;
}

} // namespace tracedeck::etlformat
