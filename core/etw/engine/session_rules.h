// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/etw/types.h"

#include <chrono>
#include <string>
#include <string_view>

namespace tracedeck::etw::engine {

constexpr std::uint32_t kNotSupported = 50; ///< ERROR_NOT_SUPPORTED

struct Machine {
    std::uint32_t processors = 1;
    Bytes physicalMemory{0};  ///< 0: not known
    Bytes availableMemory{0}; ///< 0: not known
};

/// Checks a configuration as StartTrace does, without regard to other sessions, and makes of its sizes what ETW makes
/// of them: buffers for no more than half of the machine's memory and no more than can be had now.
///
/// The codes, here and in the engine (evntrace.h, the StartTrace and ControlTrace pages, and practice):
///
///   name empty, or longer than 1,024 UTF-16 units                    123 ERROR_INVALID_NAME
///   modes that contradict each other, or are not built yet            87 ERROR_INVALID_PARAMETER
///   neither a file name nor BUFFERING nor REAL_TIME                  161 ERROR_BAD_PATHNAME
///   CIRCULAR, APPEND or NEWFILE without a file name                  161
///   a clock that is none of ETW's                                     87
///   CpuCycle where the counters are no clock; a system logger with    50 ERROR_NOT_SUPPORTED, as NotSupported
///     another clock than Qpc: its events cannot be converted truly
///   a consumer of a session that is not REAL_TIME                     87
///   BUFFERING with a file name                                        87
///   buffer size outside 4…16,384 KB                                   87
///   kernel groups or stacks for a session that is no system logger    87
///   more than 256 stack hooks, a negative flush timer                 87
///   name (without regard to case) or GUID of a running session       183 ERROR_ALREADY_EXISTS
///   log file of a running session                                    161, as SessionNameTaken
///   a largest file size that holds no header and one buffer           87
///   CIRCULAR or NEWFILE without a largest file size                    87
///   NEWFILE with a file name without one %d                           123
///   APPEND to a file of other buffers, processors, kind or clock        87
///   64 sessions, 8 system loggers                                   1450 ERROR_NO_SYSTEM_RESOURCES
///   no memory for the buffers, no thread for the file               1450, as OutOfMemory
///   unknown or stopped session                                      4201 ERROR_WMI_INSTANCE_NOT_FOUND
///   provider that nobody has registered                             4200 ERROR_WMI_GUID_NOT_FOUND
///   a ninth session of a provider                                   1450, as SessionLimit; a classic provider changes
///                                                                        over to the session that enables it last
///   filters: two of a kind; ids not 1…64; processes not 1…8;          87
///     program names of more than 1,024 bytes; empty names;
///     programs or processes kept out; of stacks without stacks
///   state of a provider that the session has not enabled              87
///   pause of a paused session, resume of one that runs                87, as WrongState
///   ring flushed without a file name                                 161
///   errors of the file itself (exists, no folder, no access, full)   as the file system says
[[nodiscard]] Result<SessionConfig> checkedConfig(SessionConfig config, const Machine& machine);

/// The most buffers that a session of this configuration gets on a machine: at least two per processor.
[[nodiscard]] std::uint32_t mostBuffers(const SessionConfig& config, const Machine& machine);

/// How many buffers `available` memory holds when a reserve of 128 MiB is left to others; 0 bytes: not known, no limit.
[[nodiscard]] std::uint64_t buffersFitting(std::uint64_t bufferSize, Bytes available) noexcept;

/// The flush timer as asked for; of a real-time session that asks for none, one second.
[[nodiscard]] std::chrono::seconds flushTimerOf(const SessionConfig& config) noexcept;

/// Session names are one and the same without regard to the case of ASCII letters.
[[nodiscard]] bool isSameName(std::string_view a, std::string_view b) noexcept;

} // namespace tracedeck::etw::engine
