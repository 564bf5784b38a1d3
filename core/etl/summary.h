// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/guid.h"
#include "core/base/result.h"
#include "core/etl/damage.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// What the header buffer of a file says.
struct HeaderSummary {
    std::uint32_t bufferSize = 0;
    std::uint32_t numberOfProcessors = 0;
    std::uint32_t providerVersion = 0;
    std::uint32_t logFileMode = 0;
    std::uint32_t buffersWritten = 0;
    std::uint32_t pointerSize = 8;
    std::uint32_t eventsLost = 0;
    std::uint32_t buffersLost = 0;
    std::uint32_t clockType = 1;
    std::int64_t perfFreq = 0;
    FileTime bootTime = 0;
    FileTime startTime = 0;
    FileTime endTime = 0;
    Ticks startTicks = 0;
    std::string loggerName;
    std::string logFileName;
};

/// One thing that is wrong with a file, or that a reader should know.
struct Finding {
    enum class Severity : std::uint8_t { Note, Warning, Error };
    enum class Code : std::uint8_t {
        NotClosed,         ///< the session was never closed: no end time, no buffer count
        Truncated,         ///< the last buffer runs past the end of the file
        DamagedBuffer,     ///< a buffer's header or an event in it is impossible
        TimeDisorder,      ///< an event is earlier than the one before it in its processor's stream
        SequenceGap,       ///< buffers are missing or repeated
        CountMismatch,     ///< the header's buffer count is not what the file holds
        StackWithoutEvent, ///< a stack matches no event
        EventsLost,        ///< the header counts lost events or buffers
        NoEvents,
        ProcessorOutOfRange,
    };
    Severity severity = Severity::Note;
    Code code = Code::NotClosed;
    std::uint64_t offset = 0; ///< byte offset of the first place
    std::uint64_t count = 1;  ///< how many places
    std::string detail;       ///< English
    std::uint64_t bytes = 0;  ///< of the file that were left out for it
    /// Events that were lost with it: by the missing sequence numbers and by the bytes, at the file's own average.
    std::uint64_t eventsEstimated = 0;
};

struct EventCount {
    std::string name; ///< "Thread/CSwitch", "Process/DCStart", "Tracedeck-Recorder/Mark", "{guid}/12"
    std::uint64_t events = 0;
};

/// What one provider (of manifest and self-describing events) said.
struct ProviderCount {
    Guid provider;
    std::uint64_t events = 0;
};

/// A kind of kernel event, and how many of its events have a call stack.
struct HookCount {
    std::uint16_t hookId = 0;
    std::uint64_t events = 0;
    std::uint64_t withStack = 0;
};

struct ProcessorSummary {
    std::uint64_t buffers = 0;
    std::uint64_t events = 0;
    std::uint64_t samples = 0; ///< SampledProfile events
    Ticks first = 0;
    Ticks last = 0;
};

/// What a recorder noted about loss while it recorded.
struct LossRecord {
    std::string session;
    std::string cause; ///< LossCause by name: "NoFreeBuffer"
    std::uint64_t events = 0;
    FileTime first = 0;
};

/// A whole file, read once from end to end.
struct Summary {
    HeaderSummary header;
    std::uint64_t fileBytes = 0;
    std::uint64_t buffers = 0;
    std::uint64_t events = 0;                       ///< header events included, as an independent reader counts them
    std::vector<EventCount> names;                  ///< most frequent first
    std::vector<std::uint64_t> samplesPerProcessor; ///< SampledProfile events
    /// From the first sample to the last one, of all processors: what rates of samples are counted over. Where older
    /// events made room for newer ones, other sessions' events reach much farther back.
    double samplesSeconds = 0;
    std::vector<ProcessorSummary> processors; ///< by index; those that the header counts, at least
    std::vector<HookCount> hooks;             ///< by hook id, those that occur
    std::vector<ProviderCount> providers;     ///< by id, those that occur
    std::uint64_t imageIdentities = 0;        ///< ImageID events that say which build an image is (RSDS and the like)
    std::uint64_t stacks = 0;
    std::uint64_t stacksWithoutEvent = 0;
    Ticks first = 0; ///< of all events but the header event
    Ticks last = 0;
    /// From `first` to `last`. Of a recording whose program was ended before it could stop: to that moment, as whoever
    /// saved it noted. What comes behind, the rundown of what still ran, was not recorded but written when it was
    /// saved.
    double spanSeconds = 0;
    std::vector<Finding> findings;
    std::vector<DamagedRange> damagedRanges;     ///< in their order, at most Damage::kMostRanges
    std::vector<LossRecord> losses;              ///< of Tracedeck-Recorder's Loss events, by session and cause
    std::uint64_t marks = 0;                     ///< of the recorder, and the kernel's
    std::map<std::string, std::string> recorder; ///< fields of Tracedeck-Recorder events that say how it was recorded

    enum class Verdict : std::uint8_t { Good, Incomplete, Damaged };
    /// Good: closed, in order, nothing lost. Incomplete: readable, but lost events or not closed. Damaged: errors.
    [[nodiscard]] Verdict verdict() const noexcept;
};

/// Reads and checks a file. Files of Windows and ours. Errors: FileNotFound, AccessDenied, ReadFailed, NotAnEtl (no
/// header where it must be); anything after the header is a finding, not an error. Cancelled when `stop` is requested.
/// `progress` is called with 0…1 of the bytes, a few hundred times for a large file, on the calling thread.
[[nodiscard]] Result<Summary> summarize(FileSystem& files, const std::string& path, std::stop_token stop = {},
                                        const std::function<void(double fraction)>& progress = {});

} // namespace tracedeck::etl
