// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/own_provider.h"
#include "core/base/result.h"
#include "core/etw/types.h"
#include "core/plan/hardware_counters.h"
#include "core/profile/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::plan {

using profile::DetailLevel;
using profile::LoggingMode;

/// What the user chose on top of the profiles.
struct Overrides {
    DetailLevel detail = DetailLevel::Verbose;
    LoggingMode mode = LoggingMode::Memory;
    std::optional<std::uint32_t> maximumFileSizeMib; ///< file mode: stop writing there
    Bytes minimumFreeDisk = mib(200);                ///< file mode: floor
};

/// One profile to record, by name, in the document that defines it.
struct Selection {
    const profile::Document* document = nullptr;
    std::string name;                  ///< "CPU", any case
    std::optional<DetailLevel> detail; ///< of this profile alone ("CPU.Light"), else Overrides::detail
};

enum class Severity : std::uint8_t { Note, Warning, Error };

/// What the plan left out or changed, per object, with the reason.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string profile; ///< name of the profile it concerns, empty for all
    std::string object;  ///< "keyword Power", "stack DiskReadInit", "provider Microsoft-Windows-Win32k"
    std::optional<etw::Limitation> limitation; ///< where the machine is the reason
    std::string detail;             ///< English, where a rule is the reason: "buffer size 2 KB raised to 4 KB"
    std::optional<Guid> provider{}; ///< of an object that is a provider, where its id is known
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Diagnostic::detail of a stack that is missing because its event is.
constexpr std::string_view kEventIsMissing = "its event is not recorded";
/// Begins the detail of a keyword of which some events are recorded.
constexpr std::string_view kIsInPart = "in part";

/// A state of the kernel that is captured: rundown of these keywords.
struct SystemCapture {
    std::vector<std::string> keywords; ///< WPR names, or group ids ("0x20000200"), sorted
    std::chrono::seconds timeout{0};   ///< 0: not given
    friend bool operator==(const SystemCapture&, const SystemCapture&) = default;
};

/// One session of the plan, complete but for the file name (the recorder's).
struct PlannedSession {
    enum class Kind : std::uint8_t { System, Event, Heap, Hypervisor } kind = Kind::System;
    etw::SessionConfig config;
    std::string collector;             ///< the profile's name of it, the end of config.name
    std::vector<std::string> keywords; ///< WPR names of what config.kernelGroups holds, sorted
    std::vector<std::string> stacks;   ///< WPR names of config.stackHooks, sorted
    std::vector<etw::ProviderConfig> providers;
    std::vector<std::uint32_t> heapProcesses; ///< Heap: ids; none: every process that is marked for heap tracing
    /// What of the above a profile calls strict, as diagnostics name it ("keyword CSwitch"), sorted.
    std::vector<std::string> strict;
    // System; each is a Feature of a machine.
    std::optional<SystemCapture> captureOnStart;
    std::optional<SystemCapture> captureOnSave;
    std::optional<SystemCapture> captureOnDemand;
    std::optional<HardwareCounters> hardwareCounters;
};

/// How the raw files become one.
struct MergeOptions {
    bool isCompressed = false;
    friend bool operator==(const MergeOptions&, const MergeOptions&) = default;
};

/// The complete answer to "what will run".
struct RecordingPlan {
    std::vector<std::string> profiles;   ///< "CPU.Verbose.Memory", in the order of selection
    std::vector<std::string> categories; ///< ProblemCategory of all of them, each once
    DetailLevel detail = DetailLevel::Verbose;
    LoggingMode mode = LoggingMode::Memory;
    std::vector<PlannedSession>
        sessions; ///< system, event, heap, hypervisor; there is always an event session (our own events)
    MergeOptions merge;
    std::vector<Diagnostic> diagnostics;
    std::uint32_t numberOfProcessors = 1; ///< of the machine that it was made for

    /// Bytes of all buffers.
    [[nodiscard]] Bytes bufferMemory() const noexcept;
};

/// A pure function of its arguments: no I/O, no clock. The same arguments give the same plan.
///
/// `instance` goes into the session names (WPR_initiated_<instance>_<collector>). Tracedeck-Recorder is enabled in the
/// first event session, which is added where no profile has one.
/// Errors: ProfileUnknown, ProfileVariantMissing (the mode or detail that the profile lacks, and those it has),
/// StrictRefused (something that a profile calls strict cannot be recorded here), NothingToRecord (every keyword and
/// provider was dropped; the detail says why), InvalidArgument (no selection; a maximum file size that holds nothing).
[[nodiscard]] Result<RecordingPlan> compose(const std::vector<Selection>& selections, const Overrides& overrides,
                                            const etw::Capabilities& capabilities,
                                            const std::string& instance = "WprApp");

struct Cost; // cost.h

/// Stable JSON, keys in a fixed order, two spaces; UTF-8 whatever the names hold. With `cost`, what it is expected to
/// cost is part of it.
[[nodiscard]] std::string toJson(const RecordingPlan& plan, const Cost* cost = nullptr);

} // namespace tracedeck::plan
