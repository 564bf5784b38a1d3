// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/session_rules.h"

#include "core/base/utf.h"
#include "core/etw/engine/buffer_pool.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tracedeck::etw::engine {
namespace {

namespace mode = etlformat::mode;

// Modes that etlformat::mode does not name because nothing writes them.
constexpr std::uint32_t kStopOnHybridShutdown = 0x00400000;
constexpr std::uint32_t kPersistOnHybridShutdown = 0x00800000;
constexpr std::uint32_t kIndependentSession = 0x08000000;

/// What the engine serves. Hybrid shutdown, paging of buffers and one session's failure touching another do not exist
/// here, so the modes that ask about them are met by doing nothing.
constexpr std::uint32_t kServedModes = mode::kSequential | mode::kCircular | mode::kAppend | mode::kNewFile |
                                       mode::kBuffering | mode::kRealTime | mode::kPagedMemory | mode::kSystemLogger |
                                       mode::kNoPerProcessorBuffering | kStopOnHybridShutdown |
                                       kPersistOnHybridShutdown | kIndependentSession;

struct ModeName {
    std::uint32_t bit;
    const char* name;
};
constexpr std::array kUnservedModes = {
    ModeName{0x00000010, "USE_MS_FLUSH_TIMER"},
    ModeName{0x00000020, "PREALLOCATE"},
    ModeName{0x00000040, "NONSTOPPABLE"},
    ModeName{0x00000080, "SECURE"},
    ModeName{0x00000200, "DELAY_OPEN_FILE"},
    ModeName{0x00000800, "PRIVATE_LOGGER"},
    ModeName{0x00001000, "ADD_HEADER"},
    ModeName{0x00002000, "USE_KBYTES_FOR_SIZE"},
    ModeName{0x00004000, "USE_GLOBAL_SEQUENCE"},
    ModeName{0x00008000, "USE_LOCAL_SEQUENCE"},
    ModeName{0x00010000, "RELOG"},
    ModeName{0x00020000, "PRIVATE_IN_PROC"},
    ModeName{mode::kCompressed, "COMPRESSED"},
};

/// Pairs that exclude each other, whether served or not.
struct Contradiction {
    std::uint32_t both;
    const char* names;
};
constexpr std::array kContradictions = {
    Contradiction{mode::kSequential | mode::kCircular, "SEQUENTIAL and CIRCULAR"},
    Contradiction{mode::kSequential | mode::kBuffering, "SEQUENTIAL and BUFFERING"},
    Contradiction{mode::kCircular | mode::kBuffering, "CIRCULAR and BUFFERING"},
    Contradiction{mode::kCircular | mode::kAppend, "CIRCULAR and APPEND"},
    Contradiction{mode::kCircular | mode::kNewFile, "CIRCULAR and NEWFILE"},
    Contradiction{mode::kAppend | mode::kNewFile, "APPEND and NEWFILE"},
    Contradiction{mode::kAppend | mode::kRealTime, "APPEND and REAL_TIME"},
    Contradiction{mode::kNewFile | mode::kSystemLogger, "NEWFILE and SYSTEM_LOGGER"},
    Contradiction{mode::kAppend | mode::kBuffering, "APPEND and BUFFERING"},
    Contradiction{mode::kNewFile | mode::kBuffering, "NEWFILE and BUFFERING"},
    Contradiction{mode::kPagedMemory | mode::kSystemLogger, "USE_PAGED_MEMORY and SYSTEM_LOGGER"},
    Contradiction{mode::kNoPerProcessorBuffering | mode::kSystemLogger, "NO_PER_PROCESSOR_BUFFERING and SYSTEM_LOGGER"},
    Contradiction{kStopOnHybridShutdown | kPersistOnHybridShutdown,
                  "STOP_ON_HYBRID_SHUTDOWN and PERSIST_ON_HYBRID_SHUTDOWN"},
};

constexpr std::uint32_t kMoreBuffersOfFiles = 20;
constexpr std::uint32_t kBuffersPerProcessor = 2;
constexpr Bytes kReserve = mib(128);

std::uint32_t leastBuffers(const SessionConfig& config, const Machine& machine) {
    const bool isShared = (config.logFileMode & mode::kNoPerProcessorBuffering) != 0;
    return kBuffersPerProcessor * (isShared ? 1 : machine.processors);
}

class Checker {
public:
    explicit Checker(const std::string& name) : m_subject("session " + name + ": ") {}
    [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what,
                                               std::uint32_t native = win32::kInvalidParameter) const {
        return fail(ErrorCode::SessionBadParameters, m_subject + what, native);
    }

private:
    std::string m_subject;
};

Status checkModes(const SessionConfig& config, const Checker& checker) {
    for (const Contradiction& each : kContradictions) {
        if ((config.logFileMode & each.both) == each.both) {
            return checker.refuse(std::string("modes ") + each.names + " exclude each other");
        }
    }
    for (const ModeName& each : kUnservedModes) {
        if ((config.logFileMode & each.bit) != 0) {
            return checker.refuse(std::string("mode ") + each.name + " is not served");
        }
    }
    if ((config.logFileMode & ~kServedModes) != 0) {
        return checker.refuse("unknown bits in mode " + std::to_string(config.logFileMode));
    }
    return {};
}

Status checkDestination(const SessionConfig& config, const Checker& checker) {
    const bool isRing = (config.logFileMode & mode::kBuffering) != 0;
    if (isRing && !config.logFileName.empty()) {
        return checker.refuse("mode BUFFERING with a log file name");
    }
    constexpr std::uint32_t kOfFiles = mode::kCircular | mode::kAppend | mode::kNewFile;
    const bool isRealTimeAlone = (config.logFileMode & mode::kRealTime) != 0 && (config.logFileMode & kOfFiles) == 0;
    if (!isRing && !isRealTimeAlone && config.logFileName.empty()) {
        return checker.refuse("neither a log file name nor mode BUFFERING or REAL_TIME", win32::kBadPathname);
    }
    if ((config.logFileMode & mode::kNewFile) != 0) {
        const std::size_t number = config.logFileName.find("%d");
        if (number == std::string::npos || config.logFileName.find('%') != number ||
            config.logFileName.find('%', number + 1) != std::string::npos) {
            return checker.refuse("mode NEWFILE wants a log file name with one %d and no other %", win32::kInvalidName);
        }
    }
    return {};
}

Status checkSizes(const SessionConfig& config, const Checker& checker) {
    if (config.bufferSizeKib < kSmallestBufferKib || config.bufferSizeKib > kLargestBufferKib) {
        return checker.refuse("buffer size of " + std::to_string(config.bufferSizeKib) + " KiB");
    }
    const bool isRing = (config.logFileMode & mode::kBuffering) != 0;
    const Bytes largest = mib(config.maximumFileSizeMib);
    if ((config.logFileMode & (mode::kCircular | mode::kNewFile)) != 0 && largest.count == 0) {
        return checker.refuse("modes CIRCULAR and NEWFILE want a largest file size");
    }
    if (!isRing && largest.count != 0 && largest < kib(config.bufferSizeKib) * 2) {
        return checker.refuse("a largest file size of " + std::to_string(config.maximumFileSizeMib) +
                              " MiB holds no header and one buffer");
    }
    if (config.flushTimer.count() < 0) {
        return checker.refuse("negative flush timer");
    }
    if (config.stackHooks.size() > kMaximumStackHooks) {
        return checker.refuse(std::to_string(config.stackHooks.size()) + " stack hooks");
    }
    if (config.clock < ClockType::Qpc || config.clock > ClockType::CpuCycle) {
        return checker.refuse("no clock of ETW's");
    }
    const bool isSystemLogger = (config.logFileMode & mode::kSystemLogger) != 0;
    if (isSystemLogger && config.clock != ClockType::Qpc) {
        return fail(ErrorCode::NotSupported,
                    "session " + config.name + ": the kernel stamps its events by the trace clock alone",
                    kNotSupported);
    }
    if (!isSystemLogger && (!config.kernelGroups.isEmpty() || !config.stackHooks.empty())) {
        return checker.refuse("kernel events without mode SYSTEM_LOGGER");
    }
    return {};
}

} // namespace

std::uint64_t buffersFitting(std::uint64_t bufferSize, Bytes available) noexcept {
    if (available.count == 0) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    return available.count <= kReserve.count ? 0 : (available.count - kReserve.count) / bufferSize;
}

std::uint32_t mostBuffers(const SessionConfig& config, const Machine& machine) {
    std::uint64_t most = BufferPool::kMostBuffers;
    const std::uint64_t size = kib(config.bufferSizeKib).count;
    if (machine.physicalMemory.count != 0) {
        // Half of the machine for one session is more than anybody means.
        most = std::min(most, machine.physicalMemory.count / 2 / size);
    }
    most = std::min(most, buffersFitting(size, machine.availableMemory));
    return std::max(static_cast<std::uint32_t>(most), leastBuffers(config, machine));
}

Result<SessionConfig> checkedConfig(SessionConfig config, const Machine& machine) {
    const Checker checker(config.name);
    const std::size_t nameLength = toUtf16(config.name).size();
    if (nameLength == 0 || nameLength > kLongestSessionName) {
        return checker.refuse("a name of " + std::to_string(nameLength) + " characters", win32::kInvalidName);
    }
    const bool isRing = (config.logFileMode & mode::kBuffering) != 0;
    if (isRing) {
        config.logFileMode &= ~mode::kRealTime; // BUFFERING overrides it
    }
    for (const Status& status :
         {checkModes(config, checker), checkDestination(config, checker), checkSizes(config, checker)}) {
        if (!status) {
            return fail(status.error());
        }
    }
    config.flushTimer = flushTimerOf(config);
    const std::uint32_t least = leastBuffers(config, machine);
    const std::uint32_t most = mostBuffers(config, machine);
    config.minimumBuffers = std::min(std::max(config.minimumBuffers, least), most);
    const std::uint32_t room = std::numeric_limits<std::uint32_t>::max() - kMoreBuffersOfFiles;
    config.maximumBuffers =
        isRing ? config.minimumBuffers
               : std::max(config.maximumBuffers, std::min(config.minimumBuffers, room) + kMoreBuffersOfFiles);
    config.maximumBuffers = std::max(std::min(config.maximumBuffers, most), config.minimumBuffers);
    return config;
}

std::chrono::seconds flushTimerOf(const SessionConfig& config) noexcept {
    const bool isRealTime = (config.logFileMode & (mode::kRealTime | mode::kBuffering)) == mode::kRealTime;
    return isRealTime && config.flushTimer.count() == 0 ? std::chrono::seconds(1) : config.flushTimer;
}

bool isSameName(std::string_view a, std::string_view b) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

} // namespace tracedeck::etw::engine
