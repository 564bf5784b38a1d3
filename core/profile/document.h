// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Recording profiles (.wprp) as their author wrote them: values and places, no decisions.
/// Source of the element and attribute names: Microsoft's WPRControlProfiles schema and element pages.
namespace tracedeck::profile {

enum class LoggingMode : std::uint8_t { File, Memory };
enum class DetailLevel : std::uint8_t { Light, Verbose };
enum class Operation : std::uint8_t { Set, Add, Remove };
std::string_view toString(LoggingMode mode) noexcept;
std::string_view toString(DetailLevel level) noexcept;

/// Line and column of an element's start tag, both from 1; 0 where unknown. Columns count characters.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

/// One problem of a file.
struct Problem {
    enum class Severity : std::uint8_t { Warning, Error } severity = Severity::Error;
    Place place;
    std::string element;   ///< "Keyword"
    std::string elementId; ///< nearest enclosing Id, may be empty
    std::string message;   ///< English: what was found and what is allowed; a suggestion where a word is nearly right
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// <Keyword>, <Stack>, <CustomKeyword>, <CustomStack> and the like: one value of a list.
struct ListItem {
    std::string value;
    bool isCustom = false; ///< a raw number (CustomKeyword, CustomStack)
    std::optional<bool> strict;
    Place place;
};

/// A list with its Operation.
struct ItemList {
    Operation operation = Operation::Set;
    std::vector<ListItem> items;
    Place place;
};

/// CaptureStateOnStart, CaptureStateOnSave and CaptureStateOnDemand.
struct CaptureState {
    ItemList keywords;
    std::optional<std::uint32_t> timeoutSeconds;
};

/// EventFilters, StackFilters, EventNameFilters, StackEventNameFilters and StackKeywordLevelFilter.
struct EventFilter {
    enum class Kind : std::uint8_t { EventId, StackEventId, EventName, StackEventName, StackKeywordLevel };
    Kind kind = Kind::EventId;
    bool isFilterIn = true;
    std::optional<std::uint8_t> level;
    std::string keyword; ///< as written; of the kinds that have one
    ItemList values;     ///< event ids or names; none for StackKeywordLevel
};

/// BufferSize, Buffers, BuffersPerCPU, MaximumFileSize, FileMax, FlushTimer and FlushThreshold.
struct Quantity {
    Operation operation = Operation::Set;
    double value = 0;
    Place place;
};

struct Buffers {
    Operation operation = Operation::Set;
    double value = 0;
    bool isPercentageOfTotalMemory = false;
    std::optional<std::uint64_t> maximumBufferSpaceMib;
    Place place;
};

struct StackCaching {
    std::uint64_t bucketCount = 0;
    std::uint64_t cacheSizeKib = 0;
    friend bool operator==(const StackCaching&, const StackCaching&) = default;
};

struct BufferSettings {
    std::optional<Quantity> bufferSizeKib;
    std::optional<Buffers> buffers;
    std::optional<Quantity> buffersPerProcessor;
    std::optional<StackCaching> stackCaching;
    std::optional<Quantity> maximumFileSizeMib;
    bool isMaximumFileSizeCircular = true;
    std::optional<Quantity> fileMax;           ///< log files of an autologger that are kept
    std::optional<Quantity> flushTimerSeconds; ///< by name and by EVENT_TRACE_PROPERTIES; not documented by WPR
    std::optional<Quantity> flushThreshold;    ///< filled buffers; by name, as above
};

struct SystemProvider {
    std::string id;
    std::string base;
    std::vector<ItemList> keywords;
    std::vector<ItemList> stacks;
    std::vector<ItemList> poolTags;
    std::vector<CaptureState> captureStateOnStart;
    std::vector<CaptureState> captureStateOnSave;
    std::vector<CaptureState> captureStateOnDemand;
    Place place;
};

struct EventProvider {
    std::string id;
    std::string base;
    std::string name; ///< as written: registered name, GUID, or *Name
    std::optional<bool> nonPagedMemory;
    std::optional<bool> stack;
    std::optional<std::uint8_t> level;
    std::optional<bool> captureStateOnly;
    std::optional<bool> strict;
    std::optional<bool> sid;
    std::optional<bool> tsid;
    std::optional<bool> eventKey;
    std::optional<bool> excludeInPrivate;
    std::optional<std::string> processExeFilter; ///< names of executables, separated by ';'
    std::vector<ItemList> keywords;
    std::vector<CaptureState> captureStateOnStart;
    std::vector<CaptureState> captureStateOnSave;
    std::vector<CaptureState> captureStateOnDemand;
    std::vector<ItemList> stacks; ///< of classic providers
    std::vector<EventFilter> filters;
    Place place;
};

/// HeapEventProvider: no process id means every process that is marked for heap tracing.
struct HeapProvider {
    std::string id;
    std::string base;
    std::vector<ItemList> processIds;
    Place place;
};

/// HardwareCounter, with what it lists by name only: which counters there are, the machine knows.
struct HardwareCounter {
    struct Sampled {
        std::string counter;
        std::optional<std::uint64_t> interval;
    };
    struct SampledList {
        Operation operation = Operation::Set;
        std::vector<Sampled> counters;
    };
    std::string id;
    std::string base;
    std::optional<bool> strict;
    std::string microArchitecturalConfig; ///< id, may be empty
    std::vector<ItemList> counters;
    std::vector<ItemList> events;
    std::vector<SampledList> sampledCounters;
    std::vector<ItemList> lastBranchEvents;
    std::vector<ItemList> lastBranchFiltersOut;
    bool hasProcessorTrace = false;
    std::optional<Quantity> processorTraceBufferSize;
    std::string processorTraceCodeMode;
    std::vector<ItemList> processorTraceEvents;
    Place place;
};

/// MicroArchitecturalConfig: counters that the machine does not name by itself.
struct MicroArchitecturalConfig {
    struct Source {
        std::string name, event, unit, description;
        std::optional<std::uint64_t> interval;
        std::optional<bool> allowsHalt;
    };
    struct Sources {
        Operation operation = Operation::Set;
        std::string architecture, description;
        std::vector<Source> sources;
    };
    std::string id;
    std::string base;
    std::vector<Sources> sources;
    Place place;
};

/// SystemCollector, EventCollector, HeapEventCollector and HypervisorEventCollector.
struct Collector {
    enum class Kind : std::uint8_t { System, Event, Heap, Hypervisor } kind = Kind::System;
    std::string id;
    std::string base;
    std::string name;
    BufferSettings buffers;
    std::optional<bool> realtime;
    std::optional<bool> isPrivate;
    std::optional<bool> processPrivate;
    std::optional<bool> secure;
    std::optional<bool> hostGuestCorrelation;
    std::optional<bool> mergeAlone; ///< hypervisor
    std::string fileName;
    Place place;
};

/// Reference to a definition (SystemProviderId, EventProviderId) with the overriding children it may carry, or a
/// definition in place: then `value` is the definition's own id.
struct SystemProviderRef {
    std::string value;
    std::optional<SystemProvider> inPlace; ///< definition, or overrides (then without id)
    Place place;
};
struct EventProviderRef {
    std::string value;
    std::optional<EventProvider> inPlace;
    Place place;
};
struct HeapProviderRef {
    std::string value;
    std::optional<HeapProvider> inPlace;
    Place place;
};
struct HeapProviderList {
    Operation operation = Operation::Set; ///< as EventProviderList
    std::vector<HeapProviderRef> providers;
};
struct EventProviderList {
    /// Where the file gives none: that of the enclosing Collectors, so that providers listed in Collectors
    /// Operation="Add" are added.
    Operation operation = Operation::Set;
    std::vector<EventProviderRef> providers;
};

/// SystemCollectorId, EventCollectorId, HeapEventCollectorId and HypervisorEventCollectorId.
struct CollectorRef {
    Collector::Kind kind = Collector::Kind::System;
    std::string value;
    BufferSettings buffers;
    std::vector<SystemProviderRef> systemProviders;
    std::vector<EventProviderList> eventProviders;
    std::vector<HeapProviderList> heapProviders;
    std::string hardwareCounter; ///< id, may be empty
    Place place;
};
struct CollectorList {
    Operation operation = Operation::Set;
    std::optional<bool> hostGuestCorrelation;
    std::vector<CollectorRef> collectors;
};

/// TraceMergeProperty: how the raw files become one.
struct MergeProperty {
    std::string id;
    std::string base;
    std::string name;
    std::optional<bool> deletePreMergedTraceFiles;
    std::optional<bool> fileCompression;
    std::optional<bool> injectOnly;
    std::optional<bool> skipMerge;
    std::vector<ItemList> customEvents;
    Place place;
};

/// OnOffTransitionConfiguration.
struct OnOffTransition {
    std::string id;
    std::string name;
    std::string type; ///< "On/Off - Boot" …
    bool prepareSystem = true;
    std::uint32_t numberOfRuns = 3;
    std::optional<std::uint32_t> postBootDelaySeconds;
    std::optional<std::uint32_t> wakeupDelaySeconds;
    std::string transitionTag;
    Place place;
};

struct Profile {
    std::string id;
    std::string base;
    std::string name;
    std::string description;
    LoggingMode loggingMode = LoggingMode::File;
    DetailLevel detailLevel = DetailLevel::Verbose;
    bool isInternal = false;
    bool isDefault = false;
    std::optional<bool> strict;
    std::vector<ItemList> problemCategories;
    std::vector<CollectorList> collectors;
    std::vector<MergeProperty> mergeProperties;
    Place place;
};

/// One file.
///
/// Threading: a value; share it read-only.
struct Document {
    std::string path; ///< for messages
    std::string author;
    std::string comments;
    std::vector<Collector> collectors;
    std::vector<SystemProvider> systemProviders;
    std::vector<EventProvider> eventProviders;
    std::vector<HeapProvider> heapProviders;
    std::vector<HardwareCounter> hardwareCounters;
    std::vector<MicroArchitecturalConfig> microArchitecturalConfigs;
    std::vector<Profile> profiles;
    std::vector<MergeProperty> mergeProperties;
    std::vector<OnOffTransition> onOffTransitions;
    std::vector<Problem> warnings;

    [[nodiscard]] const Collector* findCollector(std::string_view id) const noexcept;
    [[nodiscard]] const SystemProvider* findSystemProvider(std::string_view id) const noexcept;
    [[nodiscard]] const EventProvider* findEventProvider(std::string_view id) const noexcept;
    [[nodiscard]] const HeapProvider* findHeapProvider(std::string_view id) const noexcept;
    [[nodiscard]] const HardwareCounter* findHardwareCounter(std::string_view id) const noexcept;
    [[nodiscard]] const MicroArchitecturalConfig* findMicroArchitecturalConfig(std::string_view id) const noexcept;
    [[nodiscard]] const MergeProperty* findMergeProperty(std::string_view id) const noexcept; ///< profiles' own too
    [[nodiscard]] const Profile* findProfile(std::string_view id) const noexcept;
};

/// A document or everything that is wrong with it, in the order of the file.
struct Parsed {
    std::optional<Document> document;
    std::vector<Problem> problems; ///< warnings too
    bool isWellFormed = true;      ///< false: the content is no XML (or no text at all)
};

/// Parses and checks. `path` is only for messages. UTF-8 with or without byte order mark, UTF-16 with one.
[[nodiscard]] Parsed parse(std::string_view content, std::string path);

/// Reads and parses a file. Errors: those of opening it; InvalidArgument where it is too large; ProfileMalformed (no
/// XML) or ProfileInvalid with the first problem as format() has it and the number of the others in detail;
/// `problems`, where given, gets all.
[[nodiscard]] Result<Document> load(const std::string& path, std::vector<Problem>* problems = nullptr);

/// "file:line:column: message [Element, Id of it or around it]" as compilers print it; line and column where known.
[[nodiscard]] std::string format(const std::string& path, const Problem& problem);

} // namespace tracedeck::profile
