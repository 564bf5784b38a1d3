// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/base/guid.h"
#include "core/base/result.h"
#include "core/etlformat/hooks.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Values of the tracing contract, in ETW's terms. All of them can be sent to another process as they are.
namespace tracedeck::etw {

using etlformat::GroupMasks;

/// Names a running session to its controller; never reused while the controller lives. 0 is no session.
struct SessionId {
    std::uint64_t value = 0;
    friend auto operator<=>(SessionId, SessionId) = default;
};

/// Win32 codes that ETW's functions return; Error::native holds them, ErrorCode says the same in our terms.
namespace win32 {
constexpr std::uint32_t kInvalidParameter = 87;    ///< SessionBadParameters
constexpr std::uint32_t kInvalidName = 123;        ///< SessionBadParameters
constexpr std::uint32_t kBadPathname = 161;        ///< SessionBadParameters: neither file name nor BUFFERING/REAL_TIME
constexpr std::uint32_t kAlreadyExists = 183;      ///< SessionNameTaken
constexpr std::uint32_t kDiskFull = 112;           ///< DiskFull
constexpr std::uint32_t kAccessDenied = 5;         ///< AccessDenied
constexpr std::uint32_t kNoSystemResources = 1450; ///< SessionLimit
constexpr std::uint32_t kInstanceNotFound = 4201;  ///< SessionUnknown (ERROR_WMI_INSTANCE_NOT_FOUND)
constexpr std::uint32_t kGuidNotFound = 4200;      ///< ProviderUnknown
constexpr std::uint32_t kTimeout = 1460;           ///< TimedOut
} // namespace win32

/// Limits of ETW (evntrace.h and the StartTrace page).
constexpr std::uint32_t kSmallestBufferKib = 4;
constexpr std::uint32_t kLargestBufferKib = 16384;
constexpr std::size_t kLongestSessionName = 1024; ///< UTF-16 units
constexpr std::size_t kMaximumSessions = 64;
constexpr std::size_t kMaximumSystemSessions = 8;
constexpr std::size_t kMaximumStackHooks = 256;

/// ETW_EXT_STACK_CACHING: equal stacks are written once.
struct StackCaching {
    std::uint64_t bucketCount = 0;
    std::uint64_t cacheSizeKib = 0;
    friend bool operator==(const StackCaching&, const StackCaching&) = default;
};

/// WNODE_HEADER::ClientContext: the clock that stamps a session's events. The file's header says which.
enum class ClockType : std::uint8_t {
    Qpc = 1,        ///< never steps back, one for all processors; what sessions that are merged must share
    SystemTime = 2, ///< FILETIME, 100 ns; steps when the machine's time is set
    CpuCycle = 3,   ///< the processor's own counter: the cheapest, where it runs at one rate on all processors
};
std::string_view toString(ClockType clock) noexcept;

/// EVENT_TRACE_PROPERTIES plus what TraceSetInformation adds.
struct SessionConfig {
    std::string name; ///< UTF-8, unique without regard to case
    Guid guid;        ///< null: the controller makes one
    /// etlformat::mode bits. A system logger (kSystemLogger) records the kernel, any other session providers.
    std::uint32_t logFileMode = etlformat::mode::kSequential;
    ClockType clock = ClockType::Qpc;
    std::uint32_t bufferSizeKib = 64;   ///< 4…16384
    std::uint32_t minimumBuffers = 0;   ///< 0: two per processor; raised to that
    std::uint32_t maximumBuffers = 0;   ///< 0: as minimumBuffers, at least minimum + 20 in file mode, as ETW does
    std::chrono::seconds flushTimer{0}; ///< 0: buffers are written when full
    /// 0: unlimited. Sequential: the recording ends with the events that fit; the file is never larger. Circular: from
    /// then on the oldest buffers are overwritten. New file: another one follows.
    std::uint32_t maximumFileSizeMib = 0;
    /// Full path, UTF-8; empty with kBuffering. New file: with one "%d", for 1, 2, …; numbers that are taken are
    /// passed over.
    std::string logFileName;
    /// Writing stops (and LossCause::DiskFull counts) before the volume has less free than this; circular files begin
    /// to overwrite then, and may have 16 MiB all the same. 0: only when it is full.
    Bytes minimumFreeDisk{0};

    // System loggers only.
    GroupMasks kernelGroups;               ///< EnableFlags and group masks
    std::vector<std::uint16_t> stackHooks; ///< hook ids whose events carry a stack, at most kMaximumStackHooks
    std::chrono::nanoseconds profileInterval{std::chrono::milliseconds(1)}; ///< of SampledProfile
    std::vector<std::string> poolTags; ///< ETW_EXT_POOLTAG_FILTER: 1 to 4 characters each, at most four; Feature

    std::optional<StackCaching> stackCaching; ///< Feature
    std::uint32_t flushThreshold = 0;         ///< filled buffers that trigger a flush, 0: none; Feature
};

/// Why events are missing from a trace. "Overwritten by the ring" is no loss and is counted apart.
enum class LossCause : std::uint8_t {
    NoFreeBuffer,    ///< producers were faster than the writer: more or larger buffers help
    EventTooLarge,   ///< larger than a buffer or than 64 KiB
    SourceOverflow,  ///< the kernel's own ring overflowed before it was read (PERF_RECORD_LOST, PERF_FORMAT_LOST)
    SourceThrottled, ///< the kernel paused sampling (PERF_RECORD_THROTTLE) while threads ran
    TooLate,         ///< arrived when its place in the time order was already written
    DiskFull,        ///< no space left, or the floor was reached
    WriteFailed,     ///< the device failed
};
constexpr std::size_t kLossCauses = 7;
std::string_view toString(LossCause cause) noexcept;

struct LossCount {
    LossCause cause = LossCause::NoFreeBuffer;
    std::uint64_t events = 0;
    Ticks first = 0; ///< when the first one was lost, trace clock; to the flush interval where the kernel does not say
    friend bool operator==(const LossCount&, const LossCount&) = default;
};

/// Something that this machine does not give, known before or at the start of a session.
enum class LimitationCode : std::uint16_t {
    PerfEventParanoid,         ///< kernel.perf_event_paranoid refuses this user; `detail` holds its value
    NoPerfEvents,              ///< perf_event_open is refused outright (seccomp, container, CONFIG_PERF_EVENTS off)
    NoTracefs,                 ///< tracefs cannot be reached: no context switches, no ready-thread
    MlockLimit,                ///< the ring had to be made smaller (kernel.perf_event_mlock_kb, RLIMIT_MEMLOCK)
    KernelPointersHidden,      ///< kernel.kptr_restrict or lack of CAP_SYSLOG: kernel and module images have no address
    ProcUnreadable,            ///< some /proc/<pid> entries are refused: `count` processes lack images or command lines
    ShortStacks,               ///< code without frame pointers ends a stack early
    KeywordNotOnThisPlatform,  ///< `detail` is the keyword's name or group id
    KeywordNotServed,          ///< possible on this platform, not served by this build; `detail` as above
    StackNotServed,            ///< `detail` is the stack's name or hook id, or the provider's name or GUID
    ProviderNotOnThisPlatform, ///< `detail` is the provider's name or GUID
    ProfilerTimerCoarse,       ///< the sampling interval cannot be served exactly; `detail` holds what is
    NotElevated,               ///< the process lacks the rights to record other users' activity
    ImageUnloadUnseen,         ///< images that a running process unmaps keep counting as loaded
    EventsUnreported,          ///< `count` events of the kind in `detail` that this kernel keeps to itself
    PidNamespace,              ///< the kernel's process ids mean others here (container): nothing of it is recorded
    DescriptorLimit,           ///< RLIMIT_NOFILE or fs.file-max leave no room for the kernel's events
    ImageFilesUntouched,       ///< `count` files on network or FUSE file systems whose layout was not read
    FeatureNotServed,          ///< `detail` is the Feature's name
    ProcessorsUnrecorded,      ///< `count` processors that went offline or came online while recording; `detail` lists
                               ///< them with the seconds of the recording that they are missing: "1, 4-7 (2.0-3.5 s)"
    RingNotShared,             ///< a ring that ends with the program that records it; `detail` says why
};
std::string_view toString(LimitationCode code) noexcept;

struct Limitation {
    LimitationCode code = LimitationCode::NoPerfEvents;
    std::string detail;      ///< English or a bare value, see the code
    std::uint64_t count = 0; ///< how many objects it concerns, 0 where that makes no sense
    friend bool operator==(const Limitation&, const Limitation&) = default;
};

/// ControlTrace(QUERY), with the counters that ETW keeps to itself. Events are counted exactly:
/// produced = recorded + lost + overwritten; only rings (kBuffering) and circular files overwrite.
struct SessionStats {
    std::uint32_t bufferSizeKib = 0;
    std::uint32_t numberOfBuffers = 0; ///< allocated
    std::uint32_t freeBuffers = 0;
    std::uint32_t minimumBuffers = 0;
    std::uint32_t maximumBuffers = 0;
    std::uint64_t buffersWritten = 0; ///< to the file, header buffer included
    std::uint64_t eventsProduced = 0; ///< offered to the session, kernel-side loss included
    std::uint64_t eventsRecorded = 0; ///< in buffers or in the file now
    std::uint64_t eventsLost = 0;     ///< sum of `losses`
    std::uint64_t eventsOverwritten = 0;
    std::uint64_t buffersLost = 0;   ///< buffers that could not be written
    std::uint64_t bytesProduced = 0; ///< of recorded and overwritten events, alignment included
    Bytes fileSize{0};               ///< of all files together
    std::vector<std::string> files;  ///< full paths, oldest first; more than one with kNewFile
    Ticks oldest = 0;                ///< oldest event still in the ring or in a circular file, else the session's start
    std::vector<LossCount> losses;   ///< causes with at least one event
    std::vector<Limitation> limitations; ///< as found while running
    std::optional<Error> writeError;     ///< why writing stopped, if it did (DiskFull, WriteFailed)
    std::optional<Error> sourceError;    ///< why no more of the kernel's events come, if so
    /// The file has its largest size and the recording has ended there, by itself: no error. What came afterwards was
    /// not produced, recorded or lost; it is not part of the recording.
    bool isAtSizeLimit = false;
    bool isPaused = false; ///< between Controller::pause() and resume()

    /// 0…1: buffers in use of those allocated.
    [[nodiscard]] double bufferFill() const noexcept {
        return numberOfBuffers == 0 ? 0.0
                                    : 1.0 - static_cast<double>(freeBuffers) / static_cast<double>(numberOfBuffers);
    }
};

struct SessionInfo {
    SessionId id;
    std::string name;
    std::uint32_t logFileMode = 0;
    std::string logFileName;
    Guid guid{}; ///< as it was started with, or was given
};

struct StartedSession {
    SessionId id;
    SessionStats stats;                  ///< what the controller made of the sizes asked for
    std::vector<Limitation> limitations; ///< what of the configuration is not served
};

/// EVENT_FILTER_DESCRIPTOR of EnableTraceEx2, as profiles can ask for it.
struct EventFilter {
    enum class Kind : std::uint8_t {
        EventId,
        StackEventId, ///< which events carry a stack
        EventName,
        StackEventName,
        StackKeywordLevel,
        ExecutableName, ///< of the process that logs
        ProcessId,      ///< of the process that logs
    };
    Kind kind = Kind::EventId;
    bool isFilterIn = true;
    std::uint8_t level = 0;    ///< 0: every level
    std::uint64_t keyword = 0; ///< 0: every keyword
    std::vector<std::uint16_t> ids;
    std::vector<std::string> names;
    std::vector<std::uint32_t> processIds; ///< at most eight (MAX_EVENT_FILTER_PID_COUNT)
    friend bool operator==(const EventFilter&, const EventFilter&) = default;
};

/// How long a controller waits for what a provider does when it is told something, unless it is asked for another time.
constexpr std::chrono::seconds kProviderTimeout{10};

/// EVENT_CONTROL_CODE_CAPTURE_STATE with these keywords.
struct CaptureState {
    std::uint64_t keywords = 0;
    std::chrono::seconds timeout{0}; ///< how long to wait for it; 0: kProviderTimeout
    friend bool operator==(const CaptureState&, const CaptureState&) = default;
};

/// ENABLE_TRACE_PARAMETERS and the arguments of EnableTraceEx2.
struct ProviderConfig {
    Guid provider;
    std::string name; ///< for messages; may be empty
    std::uint8_t level = 0xFF;
    std::uint64_t matchAnyKeyword = 0; ///< 0: all
    std::uint64_t matchAllKeyword = 0;
    bool captureStack = false;
    // Each of these is a Feature.
    std::uint32_t enableProperties = 0;      ///< EVENT_ENABLE_PROPERTY_* but for the stack
    std::vector<EventFilter> filters{};      ///< at most one of each kind
    std::vector<std::uint16_t> stackHooks{}; ///< of classic providers
    bool needsNonPagedMemory = false;        ///< a kernel's provider cannot write to a paged session; no Feature
    std::optional<CaptureState> captureOnStart{};
    std::optional<CaptureState> captureOnSave{};
    std::optional<CaptureState> captureOnDemand{};
    bool isCaptureOnly = false; ///< never enabled, only asked for its state
    /// EnableTraceEx2's Timeout: how long to wait until the provider has been told. 0: not at all.
    std::chrono::milliseconds timeout = kProviderTimeout;
    friend bool operator==(const ProviderConfig&, const ProviderConfig&) = default;
};

/// Parts of a configuration that not every controller carries out. What it does not, it must not be asked for.
enum class Feature : std::uint8_t {
    EventFilters,   ///< EventFilter of every kind but the next two
    ProcessFilters, ///< EventFilter::Kind::ExecutableName and ProcessId
    CaptureState,
    EnableProperties,
    ClassicStacks, ///< ProviderConfig::stackHooks
    SystemCaptureState,
    StackCaching,
    PoolTags,
    FlushThreshold,
    HardwareCounters,
    RealTimeSessions,
    PrivateSessions,
    SecureSessions,
    HeapSessions,
    HypervisorSessions,
    CircularFiles,
    CompressedFiles,
};
constexpr std::size_t kFeatures = 17;
std::string_view toString(Feature feature) noexcept;

/// What the machine behind a controller can do.
struct Capabilities {
    std::string platform; ///< "Linux 6.18.44", "Windows 10.0.22631"
    bool isElevated = false;
    std::uint32_t numberOfProcessors = 1;
    Bytes physicalMemory{0};
    GroupMasks kernelGroups;               ///< groups that are served
    std::vector<std::uint16_t> stackHooks; ///< hooks whose stacks are served
    /// Groups that are not served, with the reason. A group in neither list is KeywordNotServed.
    struct Refused {
        std::uint32_t group = 0;
        Limitation limitation;
        friend bool operator==(const Refused&, const Refused&) = default;
    };
    std::vector<Refused> refusedGroups;
    std::vector<Guid> providers;         ///< registered in-process providers
    std::vector<Feature> features;       ///< that are carried out
    bool hasWindowsProviders = false;    ///< true on Windows: any registered provider can be enabled
    std::vector<Limitation> limitations; ///< of the machine as a whole
};

} // namespace tracedeck::etw
