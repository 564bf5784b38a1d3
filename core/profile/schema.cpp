// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/schema.h"

namespace tracedeck::profile::schema {

namespace {

using Words = std::string_view;

// ---- words ----------------------------------------------------------------------------------------------------------
constexpr Words kOperations[] = {"Set", "Add", "Remove"};
constexpr Words kLoggingModes[] = {"File", "Memory"};
constexpr Words kDetailLevels[] = {"Light", "Verbose"};
constexpr Words kFileModes[] = {"Circular", "Sequential"};
constexpr Words kMergeEvents[] = {"None",          "ImageId",           "BuildInfo", "VolumeMapping",
                                  "EventMetadata", "PerfTrackMetadata", "WinSAT",    "NetworkInterface"};
constexpr Words kTransitions[] = {
    "On/Off - Boot",        "On/Off - FastStartup",    "On/Off - HybridBoot",      "On/Off - Shutdown",
    "On/Off - RebootCycle", "On/Off - Standby/Resume", "On/Off - Hibernate/Resume"};
constexpr Words kBranchFilters[] = {"ConditionalBranches",
                                    "NearRelativeCalls",
                                    "NearIndirectCalls",
                                    "NearReturns",
                                    "NearIndirectJumps",
                                    "FarBranches",
                                    "Kernel",
                                    "User",
                                    "StackMode"};
constexpr Words kCodeModes[] = {"User", "Kernel", "UserKernel"};

// ---- attributes that many elements share ----------------------------------------------------------------------------
constexpr Attribute kOperation{"Operation", Kind::Enumeration, false, kOperations};

constexpr Attribute kOperationOnly[] = {kOperation};
constexpr Attribute kReference[] = {{"Value", Kind::Id, true}};
constexpr Attribute kAnyValue[] = {{"Value", Kind::NonEmptyText, true}};
constexpr Attribute kCountValue[] = {kOperation, {"Value", Kind::Count, true}};
constexpr Attribute kBooleanValue[] = {{"Value", Kind::Boolean, true}};
constexpr Attribute kSecondsValue[] = {{"Value", Kind::Seconds, true}};
constexpr Attribute kPositiveValue[] = {{"Value", Kind::PositiveCount, true}};
constexpr Attribute kIdAndBase[] = {{"Id", Kind::Id, true}, {"Base"}};

// ---- buffers --------------------------------------------------------------------------------------------------------
constexpr Attribute kBuffersAttributes[] = {kOperation,
                                            {"Value", Kind::Decimal, true},
                                            {"PercentageOfTotalMemory", Kind::Boolean},
                                            {"MaximumBufferSpace", Kind::Count}};
constexpr Attribute kStackCachingAttributes[] = {{"BucketCount", Kind::Count, true}, {"CacheSize", Kind::Count, true}};
constexpr Attribute kMaximumFileSizeAttributes[] = {
    kOperation, {"Value", Kind::Count, true}, {"FileMode", Kind::Enumeration, false, kFileModes}};

constexpr Element kBufferSize{"BufferSize", kCountValue, {}};
constexpr Element kBuffers{"Buffers", kBuffersAttributes, {}};
// Public profiles spell it both ways.
constexpr Element kBuffersPerCpu{"BuffersPerCPU", kCountValue, {}};
constexpr Element kBuffersPerCpuOther{"BuffersPerCpu", kCountValue, {}};
constexpr Element kStackCaching{"StackCaching", kStackCachingAttributes, {}};
constexpr Element kMaximumFileSize{"MaximumFileSize", kMaximumFileSizeAttributes, {}};
constexpr Element kFileMax{"FileMax", kCountValue, {}};
constexpr Element kFlushTimer{"FlushTimer", kCountValue, {}};
constexpr Element kFlushThreshold{"FlushThreshold", kCountValue, {}};

constexpr Child kBufferChildren[] = {{&kBufferSize, 0, 1},
                                     {&kBuffers, 0, 1},
                                     {&kBuffersPerCpu, 0, 1, true},
                                     {&kBuffersPerCpuOther, 0, 1, true},
                                     {&kStackCaching, 0, 1},
                                     {&kMaximumFileSize, 0, 1},
                                     {&kFileMax, 0, 1},
                                     {&kFlushTimer, 0, 1},
                                     {&kFlushThreshold, 0, 1}};

// ---- collectors -----------------------------------------------------------------------------------------------------
constexpr Attribute kSystemCollectorAttributes[] = {{"Id", Kind::Id, true},
                                                    {"Base"},
                                                    // Required by the schema, left out in practice; WPR ignores it.
                                                    {"Name", Kind::NonEmptyText},
                                                    {"Realtime", Kind::Boolean},
                                                    {"HostGuestCorrelation", Kind::Boolean},
                                                    {"FileName"}};
constexpr Attribute kEventCollectorAttributes[] = {{"Id", Kind::Id, true},
                                                   {"Base"},
                                                   {"Name", Kind::NonEmptyText, true},
                                                   {"Realtime", Kind::Boolean},
                                                   {"Private", Kind::Boolean},
                                                   {"ProcessPrivate", Kind::Boolean},
                                                   {"Secure", Kind::Boolean},
                                                   {"HostGuestCorrelation", Kind::Boolean},
                                                   {"FileName"}};
constexpr Attribute kHeapCollectorAttributes[] = {{"Id", Kind::Id, true},
                                                  {"Base"},
                                                  {"Name", Kind::NonEmptyText, true},
                                                  {"Realtime", Kind::Boolean},
                                                  {"Secure", Kind::Boolean},
                                                  {"HostGuestCorrelation", Kind::Boolean},
                                                  {"FileName"}};
constexpr Attribute kHypervisorCollectorAttributes[] = {{"Id", Kind::Id, true},
                                                        {"Base"},
                                                        {"Name", Kind::NonEmptyText},
                                                        {"Realtime", Kind::Boolean},
                                                        {"MergeAlone", Kind::Boolean}};

constexpr Element kSystemCollector{"SystemCollector", kSystemCollectorAttributes, kBufferChildren};
constexpr Element kEventCollector{"EventCollector", kEventCollectorAttributes, kBufferChildren};
constexpr Element kHeapCollector{"HeapEventCollector", kHeapCollectorAttributes, kBufferChildren};
constexpr Element kHypervisorCollector{"HypervisorEventCollector", kHypervisorCollectorAttributes, kBufferChildren};

// ---- system provider ------------------------------------------------------------------------------------------------
constexpr Attribute kSystemKeywordAttributes[] = {{"Value", Kind::SystemKeyword, true}, {"Strict", Kind::Boolean}};
constexpr Attribute kSystemStackAttributes[] = {{"Value", Kind::SystemStack, true}, {"Strict", Kind::Boolean}};
constexpr Attribute kCustomAttributes[] = {{"Value", Kind::Hex32, true}, {"Strict", Kind::Boolean}};
constexpr Attribute kPoolTagAttributes[] = {{"Value", Kind::PoolTag, true}};
constexpr Attribute kCaptureAttributes[] = {kOperation, {"Timeout", Kind::Count}};

constexpr Element kSystemKeyword{"Keyword", kSystemKeywordAttributes, {}};
constexpr Element kCustomKeyword{"CustomKeyword", kCustomAttributes, {}};
constexpr Element kStack{"Stack", kSystemStackAttributes, {}};
constexpr Element kCustomStack{"CustomStack", kCustomAttributes, {}};
constexpr Element kPoolTag{"PoolTag", kPoolTagAttributes, {}};

constexpr Child kSystemKeywordsChildren[] = {{&kSystemKeyword}, {&kCustomKeyword}};
constexpr Child kStacksChildren[] = {{&kStack}, {&kCustomStack}};
constexpr Child kPoolTagsChildren[] = {{&kPoolTag, 1, 4}};

constexpr Element kSystemKeywords{"Keywords", kOperationOnly, kSystemKeywordsChildren, Rule::DistinctValues};
constexpr Element kStacks{"Stacks", kOperationOnly, kStacksChildren, Rule::DistinctValues};
constexpr Element kPoolTags{"PoolTags", kOperationOnly, kPoolTagsChildren, Rule::DistinctValues};
constexpr Element kSystemCaptureOnStart{"CaptureStateOnStart", kCaptureAttributes, kSystemKeywordsChildren,
                                        Rule::DistinctValues};
constexpr Element kSystemCaptureOnSave{"CaptureStateOnSave", kCaptureAttributes, kSystemKeywordsChildren,
                                       Rule::DistinctValues};
constexpr Element kSystemCaptureOnDemand{"CaptureStateOnDemand", kCaptureAttributes, kSystemKeywordsChildren,
                                         Rule::DistinctValues};

constexpr Child kSystemProviderChildren[] = {
    {&kSystemKeywords},       {&kStacks}, {&kPoolTags}, {&kSystemCaptureOnStart}, {&kSystemCaptureOnSave},
    {&kSystemCaptureOnDemand}};
constexpr Element kSystemProvider{"SystemProvider", kIdAndBase, kSystemProviderChildren};
constexpr Element kSystemProviderId{"SystemProviderId", kReference, kSystemProviderChildren};

// ---- event provider -------------------------------------------------------------------------------------------------
constexpr Attribute kEventKeywordAttributes[] = {{"Value", Kind::EventKeyword, true}, {"Strict", Kind::Boolean}};
constexpr Attribute kFilterAttributes[] = {{"FilterIn", Kind::Boolean, true}, kOperation, {"Level", Kind::Byte}};
constexpr Attribute kEventIdAttributes[] = {{"Value", Kind::EventId, true}};

constexpr Element kEventKeyword{"Keyword", kEventKeywordAttributes, {}};
constexpr Child kEventKeywordsChildren[] = {{&kEventKeyword}};
constexpr Element kEventKeywords{"Keywords", kOperationOnly, kEventKeywordsChildren, Rule::DistinctValues};
constexpr Element kCaptureOnStart{"CaptureStateOnStart", kCaptureAttributes, kEventKeywordsChildren,
                                  Rule::DistinctValues};
constexpr Element kCaptureOnSave{"CaptureStateOnSave", kCaptureAttributes, kEventKeywordsChildren,
                                 Rule::DistinctValues};
constexpr Element kCaptureOnDemand{"CaptureStateOnDemand", kCaptureAttributes, kEventKeywordsChildren,
                                   Rule::DistinctValues};
constexpr Element kProviderStacks{"Stacks", kOperationOnly, kStacksChildren, Rule::DistinctValues};

constexpr Element kEventId{"EventId", kEventIdAttributes, {}};
constexpr Element kEventName{"EventName", kAnyValue, {}};
constexpr Child kEventIdChildren[] = {{&kEventId, 1}};
constexpr Child kEventNameChildren[] = {{&kEventKeyword, 0, 1, true}, {&kEventName, 1}};
constexpr Child kFilterKeywordChildren[] = {{&kEventKeyword, 1, 1}};
constexpr Element kEventFilters{"EventFilters", kFilterAttributes, kEventIdChildren};
constexpr Element kStackFilters{"StackFilters", kFilterAttributes, kEventIdChildren};
constexpr Element kEventNameFilters{"EventNameFilters", kFilterAttributes, kEventNameChildren};
constexpr Element kStackNameFilters{"StackEventNameFilters", kFilterAttributes, kEventNameChildren};
constexpr Element kStackLevelFilter{"StackKeywordLevelFilter", kFilterAttributes, kFilterKeywordChildren};

constexpr Attribute kEventProviderAttributes[] = {{"Id", Kind::Id, true},
                                                  {"Base"},
                                                  {"Name", Kind::NonEmptyText, true},
                                                  {"NonPagedMemory", Kind::Boolean},
                                                  {"Stack", Kind::Boolean},
                                                  {"SID", Kind::Boolean},
                                                  {"TSID", Kind::Boolean},
                                                  {"Level", Kind::Byte},
                                                  {"CaptureStateOnly", Kind::Boolean},
                                                  {"Strict", Kind::Boolean},
                                                  {"ProcessExeFilter", Kind::Text, false},
                                                  {"EventKey", Kind::Boolean},
                                                  {"ExcludeInPrivate", Kind::Boolean}};
constexpr Child kEventProviderChildren[] = {
    {&kEventKeywords},          {&kCaptureOnStart},        {&kCaptureOnSave},      {&kCaptureOnDemand},
    {&kProviderStacks},         {&kEventFilters, 0, 1},    {&kStackFilters, 0, 1}, {&kEventNameFilters, 0, 1},
    {&kStackNameFilters, 0, 1}, {&kStackLevelFilter, 0, 1}};
constexpr Element kEventProvider{"EventProvider", kEventProviderAttributes, kEventProviderChildren};
constexpr Element kEventProviderId{"EventProviderId", kReference, kEventProviderChildren};

// ---- heap provider --------------------------------------------------------------------------------------------------
constexpr Element kHeapProcessId{"HeapProcessId", kCountValue, {}};
constexpr Child kHeapProcessIdsChildren[] = {{&kHeapProcessId, 1, 2}};
constexpr Element kHeapProcessIds{"HeapProcessIds", kOperationOnly, kHeapProcessIdsChildren};
constexpr Child kHeapProviderChildren[] = {{&kHeapProcessIds, 0, 1}};
constexpr Element kHeapProvider{"HeapEventProvider", kIdAndBase, kHeapProviderChildren};
constexpr Element kHeapProviderId{"HeapEventProviderId", kReference, kHeapProviderChildren};

// ---- hardware counters ----------------------------------------------------------------------------------------------
constexpr Attribute kSampledCounterAttributes[] = {{"Value", Kind::NonEmptyText, true}, {"Interval", Kind::Count}};
constexpr Attribute kBranchFilterAttributes[] = {{"Value", Kind::Enumeration, true, kBranchFilters}};
constexpr Attribute kCodeModeAttributes[] = {{"Value", Kind::Enumeration, true, kCodeModes}};
constexpr Attribute kHardwareCounterAttributes[] = {{"Id", Kind::Id, true}, {"Base"}, {"Strict", Kind::Boolean}};
constexpr Attribute kProfileSourcesAttributes[] = {
    kOperation, {"Architecture", Kind::NonEmptyText, true}, {"Description"}};
constexpr Attribute kProfileSourceAttributes[] = {{"Name", Kind::NonEmptyText, true}, {"Event", Kind::Hex32, true},
                                                  {"Unit", Kind::Hex32, true},        {"Interval", Kind::Count},
                                                  {"AllowsHalt", Kind::Boolean},      {"Description"}};

constexpr Element kCounter{"Counter", kAnyValue, {}};
constexpr Element kEvent{"Event", kAnyValue, {}};
constexpr Element kSampledCounter{"SampledCounter", kSampledCounterAttributes, {}};
constexpr Element kBranchFilterOut{"LastBranchFilterOut", kBranchFilterAttributes, {}};
constexpr Element kCodeMode{"CodeMode", kCodeModeAttributes, {}};
constexpr Child kCountersChildren[] = {{&kCounter, 1}};
constexpr Child kEventsChildren[] = {{&kEvent, 1}};
constexpr Child kSampledCountersChildren[] = {{&kSampledCounter, 1}};
constexpr Child kBranchFiltersChildren[] = {{&kBranchFilterOut, 1}};
constexpr Element kCounters{"Counters", kOperationOnly, kCountersChildren};
constexpr Element kEvents{"Events", kOperationOnly, kEventsChildren};
constexpr Element kSampledCounters{"SampledCounters", kOperationOnly, kSampledCountersChildren};
constexpr Element kBranchFilterList{"LastBranchFilters", kOperationOnly, kBranchFiltersChildren};
constexpr Child kLastBranchChildren[] = {{&kEvents, 0, 1}, {&kBranchFilterList, 0, 1}};
constexpr Element kLastBranch{"LastBranch", {}, kLastBranchChildren};
constexpr Child kProcessorTraceChildren[] = {
    {&kBufferSize, 0, 1, true}, {&kCodeMode, 0, 1, true}, {&kEvents, 0, 1, true}};
constexpr Element kProcessorTrace{"ProcessorTrace", {}, kProcessorTraceChildren};
constexpr Element kMicroConfigId{"MicroArchitecturalConfigId", kReference, {}};
constexpr Child kHardwareCounterChildren[] = {
    {&kMicroConfigId, 0, 1, true}, {&kCounters, 0, 1},   {&kEvents, 0, 1},
    {&kSampledCounters, 0, 1},     {&kLastBranch, 0, 1}, {&kProcessorTrace, 0, 1}};
constexpr Element kHardwareCounter{"HardwareCounter", kHardwareCounterAttributes, kHardwareCounterChildren};
constexpr Element kHardwareCounterId{"HardwareCounterId", kReference, {}};
constexpr Element kProfileSource{"ProfileSource", kProfileSourceAttributes, {}};
constexpr Child kProfileSourcesChildren[] = {{&kProfileSource, 1}};
constexpr Element kProfileSources{"ProfileSources", kProfileSourcesAttributes, kProfileSourcesChildren};
constexpr Child kMicroConfigChildren[] = {{&kProfileSources, 1}};
constexpr Element kMicroConfig{"MicroArchitecturalConfig", kIdAndBase, kMicroConfigChildren};

// ---- profile --------------------------------------------------------------------------------------------------------
constexpr Child kEventProvidersChildren[] = {{&kEventProviderId}, {&kEventProvider}};
constexpr Element kEventProviders{"EventProviders", kOperationOnly, kEventProvidersChildren, Rule::OneChildAtLeast};
constexpr Child kHeapProvidersChildren[] = {{&kHeapProviderId}, {&kHeapProvider}};
constexpr Element kHeapProviders{"HeapEventProviders", kOperationOnly, kHeapProvidersChildren, Rule::OneChildAtLeast};

constexpr Child kSystemCollectorIdChildren[] = {{&kBufferSize, 0, 1},
                                                {&kBuffers, 0, 1},
                                                {&kBuffersPerCpu, 0, 1, true},
                                                {&kBuffersPerCpuOther, 0, 1, true},
                                                {&kStackCaching, 0, 1},
                                                {&kMaximumFileSize, 0, 1},
                                                {&kFileMax, 0, 1},
                                                {&kSystemProviderId, 0, 1},
                                                {&kSystemProvider, 0, 1},
                                                {&kHardwareCounterId, 0, 1}};
constexpr Child kEventCollectorIdChildren[] = {{&kBufferSize, 0, 1},
                                               {&kBuffers, 0, 1},
                                               {&kBuffersPerCpu, 0, 1, true},
                                               {&kBuffersPerCpuOther, 0, 1, true},
                                               {&kStackCaching, 0, 1},
                                               {&kMaximumFileSize, 0, 1},
                                               {&kFileMax, 0, 1},
                                               {&kEventProviders}};
constexpr Child kHeapCollectorIdChildren[] = {
    {&kBufferSize, 0, 1}, {&kBuffers, 0, 1}, {&kStackCaching, 0, 1}, {&kMaximumFileSize, 0, 1}, {&kHeapProviders}};
constexpr Child kHypervisorCollectorIdChildren[] = {
    {&kBufferSize, 0, 1}, {&kBuffersPerCpu, 0, 1, true}, {&kBuffersPerCpuOther, 0, 1, true}, {&kMaximumFileSize, 0, 1},
    {&kFileMax, 0, 1},    {&kEventProviders, 1, 1}};
constexpr Element kSystemCollectorId{"SystemCollectorId", kReference, kSystemCollectorIdChildren};
constexpr Element kEventCollectorId{"EventCollectorId", kReference, kEventCollectorIdChildren};
constexpr Element kHeapCollectorId{"HeapEventCollectorId", kReference, kHeapCollectorIdChildren};
constexpr Element kHypervisorCollectorId{"HypervisorEventCollectorId", kReference, kHypervisorCollectorIdChildren};

constexpr Attribute kCollectorsAttributes[] = {kOperation, {"HostGuestCorrelation", Kind::Boolean}};
constexpr Child kCollectorsChildren[] = {
    {&kSystemCollectorId, 0, 1}, {&kEventCollectorId}, {&kHeapCollectorId}, {&kHypervisorCollectorId}};
constexpr Element kCollectors{"Collectors", kCollectorsAttributes, kCollectorsChildren, Rule::OneChildAtLeast};
constexpr Element kProblemCategory{"ProblemCategory", kAnyValue, {}};
constexpr Child kProblemCategoriesChildren[] = {{&kProblemCategory, 1}};
constexpr Element kProblemCategories{"ProblemCategories", kOperationOnly, kProblemCategoriesChildren};

// ---- merging --------------------------------------------------------------------------------------------------------
constexpr Attribute kMergePropertyAttributes[] = {{"Id", Kind::Id, true}, {"Name", Kind::NonEmptyText, true}, {"Base"}};
constexpr Attribute kCustomEventAttributes[] = {{"Value", Kind::Enumeration, true, kMergeEvents}};
constexpr Element kCustomEvent{"CustomEvent", kCustomEventAttributes, {}};
constexpr Child kCustomEventsChildren[] = {{&kCustomEvent, 1}};
constexpr Element kCustomEvents{"CustomEvents", kOperationOnly, kCustomEventsChildren, Rule::DistinctValues};
constexpr Element kDeletePreMerged{"DeletePreMergedTraceFiles", kBooleanValue, {}};
constexpr Element kFileCompression{"FileCompression", kBooleanValue, {}};
constexpr Element kInjectOnly{"InjectOnly", kBooleanValue, {}};
constexpr Element kSkipMerge{"SkipMerge", kBooleanValue, {}};
constexpr Child kMergePropertyChildren[] = {{&kDeletePreMerged, 0, 1, true},
                                            {&kFileCompression, 0, 1, true},
                                            {&kInjectOnly, 0, 1, true},
                                            {&kSkipMerge, 0, 1, true},
                                            {&kCustomEvents, 0, kMany, true}};
constexpr Element kMergeProperty{"TraceMergeProperty", kMergePropertyAttributes, kMergePropertyChildren};
constexpr Child kMergePropertiesChildren[] = {{&kMergeProperty, 1}};
constexpr Element kMergeProperties{"TraceMergeProperties", {}, kMergePropertiesChildren};

// ---- on/off transitions ---------------------------------------------------------------------------------------------
constexpr Attribute kTransitionAttributes[] = {
    {"Id", Kind::Id, true}, {"Name", Kind::NonEmptyText, true}, {"Type", Kind::Enumeration, true, kTransitions}};
constexpr Attribute kTransitionTagAttributes[] = {{"Value", Kind::TransitionTag, true}};
constexpr Element kPrepareSystem{"PrepareSystem", kBooleanValue, {}};
constexpr Element kNumberOfRuns{"NumberOfRuns", kPositiveValue, {}};
constexpr Element kPostBootDelay{"PostBootDelay", kSecondsValue, {}};
constexpr Element kWakeupDelay{"WakeupDelay", kSecondsValue, {}};
constexpr Element kTransitionTag{"TransitionTag", kTransitionTagAttributes, {}};
constexpr Child kTransitionChildren[] = {{&kPrepareSystem, 1, 1},
                                         {&kNumberOfRuns, 1, 1},
                                         {&kPostBootDelay, 0, 1},
                                         {&kWakeupDelay, 0, 1},
                                         {&kTransitionTag, 0, 1}};
constexpr Element kTransition{"OnOffTransitionConfiguration", kTransitionAttributes, kTransitionChildren};
constexpr Child kTransitionsChildren[] = {{&kTransition, 1, 6}};
constexpr Element kTransitionConfigurations{"OnOffTransitionConfigurations", {}, kTransitionsChildren};

// ---- top ------------------------------------------------------------------------------------------------------------
constexpr Attribute kProfileAttributes[] = {{"Id", Kind::Id, true},
                                            {"Base"},
                                            {"Name", Kind::Id, true},
                                            {"Description", Kind::Text, true},
                                            {"LoggingMode", Kind::Enumeration, true, kLoggingModes},
                                            {"DetailLevel", Kind::Enumeration, true, kDetailLevels},
                                            {"Internal", Kind::Boolean},
                                            {"Default", Kind::Boolean},
                                            {"Strict", Kind::Boolean}};
constexpr Child kProfileChildren[] = {{&kProblemCategories}, {&kCollectors}, {&kMergeProperties, 0, 1}};
constexpr Element kProfile{"Profile", kProfileAttributes, kProfileChildren, Rule::ProfileId};

// Public files have hardware counters before and after the event providers.
constexpr Child kProfilesChildren[] = {{&kSystemCollector},
                                       {&kEventCollector},
                                       {&kHeapCollector},
                                       {&kHypervisorCollector},
                                       {&kSystemProvider},
                                       {&kEventProvider},
                                       {&kHeapProvider},
                                       {&kHardwareCounter, 0, kMany, true},
                                       {&kMicroConfig, 0, kMany, true},
                                       {&kProfile, 1}};
constexpr Element kProfiles{"Profiles", {}, kProfilesChildren};

constexpr Attribute kRootAttributes[] = {
    {"Version", Kind::Float, true}, {"Author"}, {"Team"}, {"Copyright"}, {"Company"}, {"Comments"}, {"Tag"}};
constexpr Child kRootChildren[] = {{&kProfiles, 0, 1}, {&kMergeProperties}, {&kTransitionConfigurations, 0, 1}};
constexpr Element kRoot{"WindowsPerformanceRecorder", kRootAttributes, kRootChildren};

} // namespace

const Element& root() noexcept {
    return kRoot;
}

} // namespace tracedeck::profile::schema
