// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/summary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etl {

/// Something that whoever gets a recording should know. Codes and numbers; the applications have the words.
struct HealthIssue {
    /// Error: parts cannot be trusted. Warning: something is missing that was asked for. Note: good to know.
    enum class Severity : std::uint8_t { Note, Warning, Error };
    enum class Code : std::uint8_t {
        Damaged,             ///< `count` places, `bytes` of them left out, `events` by estimate
        OutOfOrder,          ///< `count` events or buffers
        ProcessorOutOfRange, ///< `count` buffers name a processor that the header does not have
        Truncated,           ///< the last `bytes` of the file hold nothing
        NotClosed,           ///< the session was never closed
        PartsMissing,        ///< `count` buffers are missing or repeated, `events` by estimate
        CountMismatch,       ///< the header counts other buffers than there are
        NoEvents,
        EventsLost,              ///< `events` events and `count` buffers of all sessions
        SessionLostEvents,       ///< `events` of session `object` for `cause`, the first at `time`
        StoppedEarly,            ///< `cause`: the StopReason by name
        OldestOverwritten,       ///< `events` older ones made room for newer, as was chosen for a short disk
        ProviderSilent,          ///< the provider `object` was turned on and said nothing
        KeywordSilent,           ///< the system keyword `object` was turned on and no event of it is there
        NoStacks,                ///< stacks were turned on, and there are none
        StacksWithoutEvent,      ///< `count` of `of` stacks
        FewStacks,               ///< `count` of `of` samples and context switches together have one
        NoImages,                ///< stacks, but no images: addresses cannot be named
        NoImageIdentity,         ///< `count` image events, none with the build that it was
        ProcessorWithoutSamples, ///< `object`: processors by number; `count` of `of`
        Limited,                 ///< the machine did not give all: `cause` is the LimitationCode by name
        NotByUs,                 ///< no recorder of ours wrote down what was turned on
    };
    Severity severity = Severity::Note;
    Code code = Code::Damaged;
    std::uint64_t count = 0;
    std::uint64_t of = 0;
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    FileTime time = 0;
    std::string object; ///< a name from the file, UTF-8; text for programs and evidence
    std::string cause;  ///< a code by name, see above
    std::string detail; ///< English, with the first place in the file
};

/// Whether a recording is worth sending to somebody, and what it holds for analysis.
struct HealthReport {
    enum class Verdict : std::uint8_t { GoodToSend, Incomplete, Damaged };

    double seconds = 0;
    std::uint64_t bytes = 0;
    std::uint64_t events = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0;
    std::uint64_t marks = 0;
    std::uint64_t samples = 0;
    std::uint64_t samplesWithStack = 0;
    std::uint64_t switches = 0;
    std::uint64_t switchesWithStack = 0;
    std::uint64_t stacks = 0;
    std::uint64_t images = 0;          ///< events that say where an image lies
    std::uint64_t imageIdentities = 0; ///< events that say which build it is
    bool hasPlan = false;              ///< the file says what was turned on
    std::size_t providersEnabled = 0;
    std::size_t providersSilent = 0;
    std::size_t keywordsEnabled = 0;
    std::size_t keywordsSilent = 0;
    std::vector<HealthIssue> issues; ///< errors first, then warnings, then notes

    /// By the worst issue.
    [[nodiscard]] Verdict verdict() const noexcept;
};

/// A pure function of what one reading of the file found.
[[nodiscard]] HealthReport judgeHealth(const Summary& summary);

/// "SessionLostEvents": for programs, as spelled above.
[[nodiscard]] std::string_view toString(HealthIssue::Code code) noexcept;
/// "note", "warning", "error"
[[nodiscard]] std::string_view toString(HealthIssue::Severity severity) noexcept;
/// "good", "incomplete", "damaged"
[[nodiscard]] std::string_view toString(HealthReport::Verdict verdict) noexcept;

} // namespace tracedeck::etl
