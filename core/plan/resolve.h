// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/profile/definitions.h"
#include "core/profile/inherit.h"

#include <string>
#include <vector>

namespace tracedeck::plan {

using profile::Definitions;

/// The keywords with which a state is captured; every list of a provider applied.
struct ResolvedCapture {
    std::vector<profile::ListItem> keywords;
    std::uint32_t timeoutSeconds = 0; ///< 0: not given
};

/// An event provider with its bases and overrides applied.
struct ResolvedProvider {
    std::string id;
    std::string name;
    std::vector<profile::ListItem> keywords; ///< none: all events
    std::uint8_t level = 0;                  ///< 0: not given
    bool captureStack = false;
    bool needsNonPagedMemory = false;
    bool captureStateOnly = false;
    std::optional<ResolvedCapture> captureOnStart;
    std::optional<ResolvedCapture> captureOnSave;
    std::optional<ResolvedCapture> captureOnDemand;
    std::uint32_t properties = 0;              ///< EVENT_ENABLE_PROPERTY_* but for the stack
    std::string programs;                      ///< ProcessExeFilter
    std::vector<profile::ListItem> stacks;     ///< of classic providers
    std::vector<profile::EventFilter> filters; ///< at most one of each kind
    bool isStrict = false;
};

struct ResolvedHeapProvider {
    std::string id;
    std::vector<profile::ListItem> processIds; ///< none: every process that is marked for heap tracing
};

/// What a collector's flags say, its bases applied.
struct CollectorFlags {
    bool realtime = false;
    bool isPrivate = false;
    bool processPrivate = false;
    bool secure = false;
    bool hostGuestCorrelation = false;
    bool mergeAlone = false;
    /// What one of them asks for holds for both.
    void unite(const CollectorFlags& other) noexcept;
};

/// A collector as one profile uses it.
struct ResolvedCollector {
    profile::Collector::Kind kind = profile::Collector::Kind::System;
    std::string id;
    std::string name;
    profile::BufferSettings buffers;
    CollectorFlags flags;
    std::vector<profile::ListItem> keywords;
    std::vector<profile::ListItem> stacks;
    std::vector<profile::ListItem> poolTags;
    std::optional<ResolvedCapture> captureOnStart; ///< of system providers, as the two below
    std::optional<ResolvedCapture> captureOnSave;
    std::optional<ResolvedCapture> captureOnDemand;
    std::vector<ResolvedProvider> providers;
    std::vector<ResolvedHeapProvider> heapProviders;
    std::optional<HardwareCounters> hardwareCounters;
    bool hasFileName = false;
};

/// TraceMergeProperties, their bases applied.
struct ResolvedMerge {
    bool fileCompression = false;
    bool injectOnly = false;
    bool skipMerge = false;
    bool deletePreMergedTraceFiles = true;
    std::vector<profile::ListItem> customEvents; ///< none: not given
};

struct ResolvedProfile {
    std::vector<ResolvedCollector> collectors;
    ResolvedMerge merge;
    std::vector<Diagnostic> diagnostics; ///< bases and references that lead nowhere
};

/// Applies Base and Operation:
/// * A derived object has everything of its base; what it gives itself wins.
/// * Lists: Set replaces what was inherited (several Set lists of one object stand beside each other), Add appends,
///   Remove deletes. Numbers: Set overwrites, Add adds, Remove subtracts.
/// * A collector that a derived profile adds again keeps its providers, and those listed are added; system providers of
///   one collector are united.
/// * Merge properties of the file, then those of the profile and its bases.
[[nodiscard]] ResolvedProfile resolve(const profile::Profile& profile, const profile::Document& document,
                                      const Definitions& definitions);

} // namespace tracedeck::plan
