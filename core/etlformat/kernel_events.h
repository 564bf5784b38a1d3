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
constexpr std::uint16_t kDiskIo = 3;
constexpr std::uint16_t kInterrupt = 2;
constexpr std::uint16_t kDpc = 2;
constexpr std::uint16_t kConfigIrq = 3;
constexpr std::uint16_t kConfigPhysicalDisk = 2;
constexpr std::uint16_t kConfigLogicalDisk = 2;
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

/// IRP_* flags of disk events (wdm.h) and the priority of the request (IoPriorityHint) in bits 17 to 19.
namespace irp_flag {
constexpr std::uint32_t kNoCache = 0x1;
constexpr std::uint32_t kPaging = 0x2;
constexpr std::uint32_t kSynchronous = 0x4;
constexpr std::uint32_t kPriorityShift = 17;
constexpr std::uint32_t kPriorityVeryLow = 1;
constexpr std::uint32_t kPriorityNormal = 3;
constexpr std::uint32_t kPriorityHigh = 4;
} // namespace irp_flag

#pragma pack(push, 4) // the kernel writes these without the padding at their ends
/// 0x010A, 0x010B: a transfer has ended.
struct DiskTransferPayload {
    std::uint32_t diskNumber = 0;
    std::uint32_t irpFlags = 0;
    std::uint32_t transferSize = 0; ///< bytes
    std::uint32_t reserved = 0;
    std::uint64_t byteOffset = 0;          ///< from the beginning of the disk
    std::uint64_t fileObject = 0;          ///< 0: not known
    std::uint64_t irp = 0;                 ///< as in the Init event
    std::uint64_t highResResponseTime = 0; ///< trace clock, since the Init event
    std::uint32_t issuingThreadId = 0;
};
static_assert(sizeof(DiskTransferPayload) == 52);

/// 0x010E: a flush has ended.
struct DiskFlushPayload {
    std::uint32_t diskNumber = 0;
    std::uint32_t irpFlags = 0;
    std::uint64_t highResResponseTime = 0;
    std::uint64_t irp = 0;
    std::uint32_t issuingThreadId = 0;
};
static_assert(sizeof(DiskFlushPayload) == 28);

/// 0x010C, 0x010D, 0x010F: the request was made.
struct DiskInitPayload {
    std::uint64_t irp = 0;
    std::uint32_t issuingThreadId = 0;
};
static_assert(sizeof(DiskInitPayload) == 12);
#pragma pack(pop)

#pragma pack(push, 1)
/// 0x0F43 v2: a handler has returned.
struct IsrPayload {
    Ticks initialTime = 0; ///< when it was called
    std::uint64_t routine = 0;
    std::uint8_t returnValue = 0; ///< 1: it was its interrupt
    std::uint16_t vector = 0;
    std::uint8_t reserved = 0;
};
static_assert(sizeof(IsrPayload) == 20);
#pragma pack(pop)

/// 0x0F44, 0x0F45 v2: deferred work has ended.
struct DpcPayload {
    Ticks initialTime = 0;
    std::uint64_t routine = 0;
};
static_assert(sizeof(DpcPayload) == 16);

/// 0x0B15 v3: a device's interrupt.
struct ConfigIrqFields {
    std::uint64_t affinity = 0;
    std::uint32_t number = 0;
    std::string device; ///< UTF-8
};

/// 0x0B0B v2, 568 bytes.
struct PhysicalDiskFields {
    std::uint32_t diskNumber = 0;
    std::uint32_t bytesPerSector = 512;
    std::uint32_t sectorsPerTrack = 63; ///< these two as all systems make them up for disks without tracks
    std::uint32_t tracksPerCylinder = 255;
    std::uint64_t cylinders = 0;
    std::uint32_t scsiPort = 0;
    std::uint32_t scsiPath = 0;
    std::uint32_t scsiTarget = 0;
    std::uint32_t scsiLun = 0;
    std::string manufacturer; ///< UTF-8: vendor and model, cut at 255 UTF-16 units
    std::uint32_t partitionCount = 0;
    bool isWriteCacheEnabled = false;
    std::string bootDriveLetter; ///< at most 2 characters
};

/// 0x0B0C v2, 112 bytes: a volume.
struct LogicalDiskFields {
    std::uint64_t startOffset = 0; ///< bytes
    std::uint64_t partitionSize = 0;
    std::uint32_t diskNumber = 0;
    std::uint32_t driveType = kPartition;
    std::string driveLetter; ///< at most 3 characters
    std::uint32_t partitionNumber = 0;
    std::uint32_t sectorsPerCluster = 0;
    std::uint32_t bytesPerSector = 512;
    std::uint64_t freeClusters = 0;
    std::uint64_t totalClusters = 0;
    std::string fileSystem; ///< UTF-8, cut at 15 UTF-16 units
    static constexpr std::uint32_t kPartition = 1;
};

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
std::vector<std::byte> encodeConfigIrq(const ConfigIrqFields& irq);
std::vector<std::byte> encodePhysicalDisk(const PhysicalDiskFields& disk);
std::vector<std::byte> encodeLogicalDisk(const LogicalDiskFields& volume);
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
