// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/reader.h"

#include "core/profile/validator.h"
#include "core/profile/values.h"

#include <algorithm>

namespace tracedeck::profile {

namespace {

std::optional<bool> booleanOf(pugi::xml_node node, const char* name) {
    return parseBoolean(node.attribute(name).value()); // an absent attribute has an empty value: no boolean
}

std::optional<std::uint32_t> countOf(pugi::xml_node node, const char* name) {
    const auto value = parseUnsigned(node.attribute(name).value(), UINT32_MAX);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<bool> valueOf(pugi::xml_node node, const char* child) {
    return booleanOf(node.child(child), "Value");
}

template <class Kind>
struct Named {
    std::string_view name;
    Kind kind;
};

constexpr Named<Collector::Kind> kCollectors[] = {{"SystemCollector", Collector::Kind::System},
                                                  {"EventCollector", Collector::Kind::Event},
                                                  {"HeapEventCollector", Collector::Kind::Heap},
                                                  {"HypervisorEventCollector", Collector::Kind::Hypervisor}};
constexpr Named<EventFilter::Kind> kFilters[] = {{"EventFilters", EventFilter::Kind::EventId},
                                                 {"StackFilters", EventFilter::Kind::StackEventId},
                                                 {"EventNameFilters", EventFilter::Kind::EventName},
                                                 {"StackEventNameFilters", EventFilter::Kind::StackEventName},
                                                 {"StackKeywordLevelFilter", EventFilter::Kind::StackKeywordLevel}};

template <class Kind, std::size_t Count>
std::optional<Kind> kindOf(const Named<Kind> (&table)[Count], std::string_view name) {
    for (const Named<Kind>& row : table) {
        if (row.name == name) {
            return row.kind;
        }
    }
    return std::nullopt;
}

bool hasElements(pugi::xml_node node) {
    return std::any_of(node.begin(), node.end(),
                       [](const pugi::xml_node& child) { return child.type() == pugi::node_element; });
}

Operation operationOf(pugi::xml_node node, Operation otherwise = Operation::Set) {
    const std::string_view text = node.attribute("Operation").value();
    return text == "Add"      ? Operation::Add
           : text == "Remove" ? Operation::Remove
           : text.empty()     ? otherwise
                              : Operation::Set;
}

class Reader {
public:
    explicit Reader(const Places& places) : m_places(places) {}

    Document document(const pugi::xml_document& xml) const {
        const pugi::xml_node root = xml.document_element();
        Document result;
        result.author = root.attribute("Author").value();
        result.comments = root.attribute("Comments").value();
        for (const pugi::xml_node node : root.child("Profiles").children()) {
            const std::string_view name = node.name();
            if (const auto kind = kindOf(kCollectors, name)) {
                result.collectors.push_back(collector(node, *kind));
            } else if (name == "SystemProvider") {
                result.systemProviders.push_back(systemProvider(node));
            } else if (name == "EventProvider") {
                result.eventProviders.push_back(eventProvider(node));
            } else if (name == "HeapEventProvider") {
                result.heapProviders.push_back(heapProvider(node));
            } else if (name == "HardwareCounter") {
                result.hardwareCounters.push_back(hardwareCounter(node));
            } else if (name == "MicroArchitecturalConfig") {
                result.microArchitecturalConfigs.push_back(microArchitecturalConfig(node));
            } else if (name == "Profile") {
                result.profiles.push_back(profile(node));
            }
        }
        result.mergeProperties = mergeProperties(root);
        for (const pugi::xml_node node : root.child("OnOffTransitionConfigurations").children()) {
            if (node.type() == pugi::node_element) {
                result.onOffTransitions.push_back(transition(node));
            }
        }
        return result;
    }

private:
    Place place(pugi::xml_node node) const { return placeOf(node, m_places); }

    ItemList items(pugi::xml_node node) const {
        ItemList list;
        list.operation = operationOf(node);
        list.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            if (child.type() == pugi::node_element) {
                const bool isCustom = std::string_view(child.name()).starts_with("Custom");
                list.items.push_back(
                    {child.attribute("Value").value(), isCustom, booleanOf(child, "Strict"), place(child)});
            }
        }
        return list;
    }

    std::vector<ItemList> lists(pugi::xml_node node, const char* name) const {
        std::vector<ItemList> result;
        for (const pugi::xml_node child : node.children(name)) {
            result.push_back(items(child));
        }
        return result;
    }

    std::vector<CaptureState> captureStates(pugi::xml_node node, const char* name) const {
        std::vector<CaptureState> result;
        for (const pugi::xml_node child : node.children(name)) {
            result.push_back({items(child), countOf(child, "Timeout")});
        }
        return result;
    }

    EventFilter filter(pugi::xml_node node, EventFilter::Kind kind) const {
        EventFilter result;
        result.kind = kind;
        result.isFilterIn = booleanOf(node, "FilterIn").value_or(true);
        if (const auto level = countOf(node, "Level")) {
            result.level = static_cast<std::uint8_t>(*level);
        }
        result.keyword = node.child("Keyword").attribute("Value").value();
        result.values.operation = operationOf(node);
        result.values.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            if (child.type() == pugi::node_element && std::string_view(child.name()) != "Keyword") {
                result.values.items.push_back({child.attribute("Value").value(), false, std::nullopt, place(child)});
            }
        }
        return result;
    }

    Quantity quantity(pugi::xml_node node) const {
        return {operationOf(node), parseDecimal(node.attribute("Value").value()).value_or(0), place(node)};
    }

    std::optional<Quantity> quantity(pugi::xml_node node, const char* name) const {
        const pugi::xml_node child = node.child(name);
        return child ? std::optional(quantity(child)) : std::nullopt;
    }

    BufferSettings bufferSettings(pugi::xml_node node) const {
        BufferSettings settings;
        settings.bufferSizeKib = quantity(node, "BufferSize");
        settings.buffersPerProcessor = quantity(node, "BuffersPerCPU");
        if (!settings.buffersPerProcessor) {
            settings.buffersPerProcessor = quantity(node, "BuffersPerCpu");
        }
        settings.fileMax = quantity(node, "FileMax");
        settings.flushTimerSeconds = quantity(node, "FlushTimer");
        settings.flushThreshold = quantity(node, "FlushThreshold");
        if (const pugi::xml_node caching = node.child("StackCaching")) {
            settings.stackCaching =
                StackCaching{countOf(caching, "BucketCount").value_or(0), countOf(caching, "CacheSize").value_or(0)};
        }
        if (const pugi::xml_node buffers = node.child("Buffers")) {
            const Quantity count = quantity(buffers);
            settings.buffers = Buffers{
                .operation = count.operation,
                .value = count.value,
                .isPercentageOfTotalMemory = booleanOf(buffers, "PercentageOfTotalMemory").value_or(false),
                .maximumBufferSpaceMib = parseUnsigned(buffers.attribute("MaximumBufferSpace").value(), UINT32_MAX),
                .place = count.place};
        }
        if (const pugi::xml_node size = node.child("MaximumFileSize")) {
            settings.maximumFileSizeMib = quantity(size);
            settings.isMaximumFileSizeCircular = std::string_view(size.attribute("FileMode").value()) != "Sequential";
        }
        return settings;
    }

    Collector collector(pugi::xml_node node, Collector::Kind kind) const {
        Collector result;
        result.kind = kind;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.buffers = bufferSettings(node);
        result.realtime = booleanOf(node, "Realtime");
        result.isPrivate = booleanOf(node, "Private");
        result.processPrivate = booleanOf(node, "ProcessPrivate");
        result.secure = booleanOf(node, "Secure");
        result.hostGuestCorrelation = booleanOf(node, "HostGuestCorrelation");
        result.mergeAlone = booleanOf(node, "MergeAlone");
        result.fileName = node.attribute("FileName").value();
        result.place = place(node);
        return result;
    }

    /// Of a definition, or the overrides of a reference (no id then).
    SystemProvider systemProvider(pugi::xml_node node) const {
        SystemProvider result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.place = place(node);
        result.keywords = lists(node, "Keywords");
        result.stacks = lists(node, "Stacks");
        result.poolTags = lists(node, "PoolTags");
        result.captureStateOnStart = captureStates(node, "CaptureStateOnStart");
        result.captureStateOnSave = captureStates(node, "CaptureStateOnSave");
        result.captureStateOnDemand = captureStates(node, "CaptureStateOnDemand");
        return result;
    }

    EventProvider eventProvider(pugi::xml_node node) const {
        EventProvider result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.nonPagedMemory = booleanOf(node, "NonPagedMemory");
        result.stack = booleanOf(node, "Stack");
        if (const auto level = parseUnsigned(node.attribute("Level").value(), 255)) {
            result.level = static_cast<std::uint8_t>(*level);
        }
        result.captureStateOnly = booleanOf(node, "CaptureStateOnly");
        result.strict = booleanOf(node, "Strict");
        result.sid = booleanOf(node, "SID");
        result.tsid = booleanOf(node, "TSID");
        result.eventKey = booleanOf(node, "EventKey");
        result.excludeInPrivate = booleanOf(node, "ExcludeInPrivate");
        if (const pugi::xml_attribute programs = node.attribute("ProcessExeFilter")) {
            result.processExeFilter = programs.value();
        }
        result.place = place(node);
        result.keywords = lists(node, "Keywords");
        result.captureStateOnStart = captureStates(node, "CaptureStateOnStart");
        result.captureStateOnSave = captureStates(node, "CaptureStateOnSave");
        result.captureStateOnDemand = captureStates(node, "CaptureStateOnDemand");
        result.stacks = lists(node, "Stacks");
        for (const pugi::xml_node child : node.children()) {
            if (const auto kind = kindOf(kFilters, child.name())) {
                result.filters.push_back(filter(child, *kind));
            }
        }
        return result;
    }

    HeapProvider heapProvider(pugi::xml_node node) const {
        return {node.attribute("Id").value(), node.attribute("Base").value(), lists(node, "HeapProcessIds"),
                place(node)};
    }

    HardwareCounter hardwareCounter(pugi::xml_node node) const {
        HardwareCounter result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.strict = booleanOf(node, "Strict");
        result.microArchitecturalConfig = node.child("MicroArchitecturalConfigId").attribute("Value").value();
        result.counters = lists(node, "Counters");
        result.events = lists(node, "Events");
        for (const pugi::xml_node list : node.children("SampledCounters")) {
            HardwareCounter::SampledList sampled{operationOf(list), {}};
            for (const pugi::xml_node counter : list.children("SampledCounter")) {
                sampled.counters.push_back({counter.attribute("Value").value(), countOf(counter, "Interval")});
            }
            result.sampledCounters.push_back(std::move(sampled));
        }
        result.lastBranchEvents = lists(node.child("LastBranch"), "Events");
        result.lastBranchFiltersOut = lists(node.child("LastBranch"), "LastBranchFilters");
        const pugi::xml_node trace = node.child("ProcessorTrace");
        result.hasProcessorTrace = !trace.empty();
        result.processorTraceBufferSize = quantity(trace, "BufferSize");
        result.processorTraceCodeMode = trace.child("CodeMode").attribute("Value").value();
        result.processorTraceEvents = lists(trace, "Events");
        result.place = place(node);
        return result;
    }

    MicroArchitecturalConfig microArchitecturalConfig(pugi::xml_node node) const {
        MicroArchitecturalConfig result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        for (const pugi::xml_node list : node.children("ProfileSources")) {
            MicroArchitecturalConfig::Sources sources;
            sources.operation = operationOf(list);
            sources.architecture = list.attribute("Architecture").value();
            sources.description = list.attribute("Description").value();
            for (const pugi::xml_node source : list.children("ProfileSource")) {
                sources.sources.push_back({source.attribute("Name").value(), source.attribute("Event").value(),
                                           source.attribute("Unit").value(), source.attribute("Description").value(),
                                           countOf(source, "Interval"), booleanOf(source, "AllowsHalt")});
            }
            result.sources.push_back(std::move(sources));
        }
        result.place = place(node);
        return result;
    }

    std::vector<MergeProperty> mergeProperties(pugi::xml_node parent) const {
        std::vector<MergeProperty> result;
        for (const pugi::xml_node list : parent.children("TraceMergeProperties")) {
            for (const pugi::xml_node node : list.children("TraceMergeProperty")) {
                result.push_back({.id = node.attribute("Id").value(),
                                  .base = node.attribute("Base").value(),
                                  .name = node.attribute("Name").value(),
                                  .deletePreMergedTraceFiles = valueOf(node, "DeletePreMergedTraceFiles"),
                                  .fileCompression = valueOf(node, "FileCompression"),
                                  .injectOnly = valueOf(node, "InjectOnly"),
                                  .skipMerge = valueOf(node, "SkipMerge"),
                                  .customEvents = lists(node, "CustomEvents"),
                                  .place = place(node)});
            }
        }
        return result;
    }

    OnOffTransition transition(pugi::xml_node node) const {
        OnOffTransition result;
        result.id = node.attribute("Id").value();
        result.name = node.attribute("Name").value();
        result.type = node.attribute("Type").value();
        result.prepareSystem = valueOf(node, "PrepareSystem").value_or(result.prepareSystem);
        result.numberOfRuns = countOf(node.child("NumberOfRuns"), "Value").value_or(result.numberOfRuns);
        result.postBootDelaySeconds = countOf(node.child("PostBootDelay"), "Value");
        result.wakeupDelaySeconds = countOf(node.child("WakeupDelay"), "Value");
        result.transitionTag = node.child("TransitionTag").attribute("Value").value();
        result.place = place(node);
        return result;
    }

    SystemProviderRef systemProviderRef(pugi::xml_node node) const {
        SystemProvider provider = systemProvider(node);
        SystemProviderRef reference{node.attribute("Value").value(), std::nullopt, place(node)};
        if (!provider.id.empty()) {
            reference.value = provider.id;
        }
        if (!provider.id.empty() || hasElements(node)) {
            reference.inPlace = std::move(provider);
        }
        return reference;
    }

    EventProviderRef eventProviderRef(pugi::xml_node node) const {
        EventProvider provider = eventProvider(node);
        EventProviderRef reference{node.attribute("Value").value(), std::nullopt, place(node)};
        if (!provider.id.empty()) {
            reference.value = provider.id;
        }
        if (!provider.id.empty() || hasElements(node)) {
            reference.inPlace = std::move(provider);
        }
        return reference;
    }

    HeapProviderRef heapProviderRef(pugi::xml_node node) const {
        HeapProvider provider = heapProvider(node);
        HeapProviderRef reference{node.attribute("Value").value(), std::nullopt, place(node)};
        if (!provider.id.empty()) {
            reference.value = provider.id;
        }
        if (!provider.id.empty() || hasElements(node)) {
            reference.inPlace = std::move(provider);
        }
        return reference;
    }

    CollectorRef collectorRef(pugi::xml_node node, Collector::Kind kind, Operation outer) const {
        CollectorRef result;
        result.kind = kind;
        result.value = node.attribute("Value").value();
        result.buffers = bufferSettings(node);
        result.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            const std::string_view name = child.name();
            if (name == "SystemProviderId" || name == "SystemProvider") {
                result.systemProviders.push_back(systemProviderRef(child));
            } else if (name == "EventProviders") {
                EventProviderList list{operationOf(child, outer), {}};
                for (const pugi::xml_node provider : child.children()) {
                    if (provider.type() == pugi::node_element) {
                        list.providers.push_back(eventProviderRef(provider));
                    }
                }
                result.eventProviders.push_back(std::move(list));
            } else if (name == "HeapEventProviders") {
                HeapProviderList list{operationOf(child, outer), {}};
                for (const pugi::xml_node provider : child.children()) {
                    if (provider.type() == pugi::node_element) {
                        list.providers.push_back(heapProviderRef(provider));
                    }
                }
                result.heapProviders.push_back(std::move(list));
            } else if (name == "HardwareCounterId") {
                result.hardwareCounter = child.attribute("Value").value();
            }
        }
        return result;
    }

    Profile profile(pugi::xml_node node) const {
        Profile result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.description = node.attribute("Description").value();
        result.loggingMode = std::string_view(node.attribute("LoggingMode").value()) == "Memory" ? LoggingMode::Memory
                                                                                                 : LoggingMode::File;
        result.detailLevel = std::string_view(node.attribute("DetailLevel").value()) == "Light" ? DetailLevel::Light
                                                                                                : DetailLevel::Verbose;
        result.isInternal = booleanOf(node, "Internal").value_or(false);
        result.isDefault = booleanOf(node, "Default").value_or(false);
        result.strict = booleanOf(node, "Strict");
        result.place = place(node);
        result.problemCategories = lists(node, "ProblemCategories");
        for (const pugi::xml_node child : node.children("Collectors")) {
            CollectorList list{operationOf(child), booleanOf(child, "HostGuestCorrelation"), {}};
            for (const pugi::xml_node reference : child.children()) {
                const std::string_view name = reference.name();
                if (const auto kind =
                        kindOf(kCollectors, name.substr(0, name.size() - std::min<std::size_t>(2, name.size())))) {
                    list.collectors.push_back(collectorRef(reference, *kind, list.operation));
                }
            }
            result.collectors.push_back(std::move(list));
        }
        result.mergeProperties = mergeProperties(node);
        return result;
    }

    const Places& m_places;
};

} // namespace

Document readDocument(const pugi::xml_document& xml, const Places& places) {
    return Reader(places).document(xml);
}

} // namespace tracedeck::profile
