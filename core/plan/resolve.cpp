// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/resolve.h"

#include "core/plan/ordered_by_id.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tracedeck::plan {

namespace {

using profile::CaptureState;
using profile::Collector;
using profile::CollectorList;
using profile::CollectorRef;
using profile::EventFilter;
using profile::EventProvider;
using profile::EventProviderList;
using profile::EventProviderRef;
using profile::ItemList;
using profile::ListItem;
using profile::Operation;
using profile::SystemProvider;
using profile::SystemProviderRef;

using profile::applyBuffers;
using profile::applyLists;
using profile::unite;
using profile::Values;

constexpr std::uint32_t kPropertySid = 0x1;              // EVENT_ENABLE_PROPERTY_SID
constexpr std::uint32_t kPropertyTsId = 0x2;             // EVENT_ENABLE_PROPERTY_TS_ID
constexpr std::uint32_t kPropertyEventKey = 0x100;       // EVENT_ENABLE_PROPERTY_EVENT_KEY
constexpr std::uint32_t kPropertyExcludePrivate = 0x200; // EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE

void applyProperty(std::uint32_t& properties, std::uint32_t bit, std::optional<bool> own) {
    if (own) {
        properties = *own ? properties | bit : properties & ~bit;
    }
}

void apply(std::optional<ResolvedCapture>& inherited, const std::vector<CaptureState>& own, Values values) {
    if (own.empty()) {
        return;
    }
    if (!inherited) {
        inherited.emplace();
    }
    std::vector<ItemList> lists;
    for (const CaptureState& state : own) {
        lists.push_back(state.keywords);
        inherited->timeoutSeconds = state.timeoutSeconds.value_or(inherited->timeoutSeconds);
    }
    applyLists(inherited->keywords, lists, values);
    if (inherited->keywords.empty()) {
        inherited.reset(); // all of it was removed
    }
}

void unite(std::optional<ResolvedCapture>& into, const std::optional<ResolvedCapture>& from) {
    if (from) {
        ResolvedCapture& capture = into ? *into : into.emplace();
        unite(capture.keywords, from->keywords, Values::Names);
        capture.timeoutSeconds = std::max(capture.timeoutSeconds, from->timeoutSeconds);
    }
}

Values valuesOf(EventFilter::Kind kind) {
    const bool hasIds = kind == EventFilter::Kind::EventId || kind == EventFilter::Kind::StackEventId;
    return hasIds ? Values::EventIds : Values::Names;
}

void apply(std::vector<EventFilter>& inherited, const std::vector<EventFilter>& own) {
    for (const EventFilter& filter : own) {
        const auto same = std::find_if(inherited.begin(), inherited.end(),
                                       [&](const EventFilter& other) { return other.kind == filter.kind; });
        if (same == inherited.end()) {
            inherited.push_back(filter);
            continue;
        }
        std::vector<ListItem> values = std::move(same->values.items);
        applyLists(values, {filter.values}, valuesOf(filter.kind));
        *same = filter;
        same->values.items = std::move(values);
    }
}

void apply(ResolvedProvider& inherited, const EventProvider& own) {
    if (!own.id.empty()) {
        inherited.id = own.id;
    }
    if (!own.name.empty()) {
        inherited.name = own.name;
    }
    inherited.level = own.level.value_or(inherited.level);
    inherited.captureStack = own.stack.value_or(inherited.captureStack);
    inherited.needsNonPagedMemory = own.nonPagedMemory.value_or(inherited.needsNonPagedMemory);
    inherited.captureStateOnly = own.captureStateOnly.value_or(inherited.captureStateOnly);
    inherited.isStrict = own.strict.value_or(inherited.isStrict);
    inherited.programs = own.processExeFilter.value_or(inherited.programs);
    applyProperty(inherited.properties, kPropertySid, own.sid);
    applyProperty(inherited.properties, kPropertyTsId, own.tsid);
    applyProperty(inherited.properties, kPropertyEventKey, own.eventKey);
    applyProperty(inherited.properties, kPropertyExcludePrivate, own.excludeInPrivate);
    applyLists(inherited.keywords, own.keywords, Values::Keywords);
    apply(inherited.captureOnStart, own.captureStateOnStart, Values::Keywords);
    apply(inherited.captureOnSave, own.captureStateOnSave, Values::Keywords);
    apply(inherited.captureOnDemand, own.captureStateOnDemand, Values::Keywords);
    applyLists(inherited.stacks, own.stacks, Values::Names);
    apply(inherited.filters, own.filters);
}

void apply(CollectorFlags& inherited, const Collector& own) {
    inherited.realtime = own.realtime.value_or(inherited.realtime);
    inherited.isPrivate = own.isPrivate.value_or(inherited.isPrivate);
    inherited.processPrivate = own.processPrivate.value_or(inherited.processPrivate);
    inherited.secure = own.secure.value_or(inherited.secure);
    inherited.hostGuestCorrelation = own.hostGuestCorrelation.value_or(inherited.hostGuestCorrelation);
    inherited.mergeAlone = own.mergeAlone.value_or(inherited.mergeAlone);
}

void apply(ResolvedMerge& inherited, const profile::MergeProperty& own) {
    inherited.fileCompression = own.fileCompression.value_or(inherited.fileCompression);
    inherited.injectOnly = own.injectOnly.value_or(inherited.injectOnly);
    inherited.skipMerge = own.skipMerge.value_or(inherited.skipMerge);
    inherited.deletePreMergedTraceFiles = own.deletePreMergedTraceFiles.value_or(inherited.deletePreMergedTraceFiles);
    applyLists(inherited.customEvents, own.customEvents, Values::Names);
}

/// Nobody derives that far; a file that does would cost time without end.
constexpr std::size_t kMostBases = 256;

/// A collector on the way.
struct Draft {
    ResolvedCollector collector;
    OrderedById<ResolvedProvider> providers;
    OrderedById<ResolvedHeapProvider> heapProviders;
};

/// Collectors of two kinds may have the same id, in two files.
std::string keyOf(Collector::Kind kind, const std::string& id) {
    return std::to_string(static_cast<int>(kind)) + id;
}

class Resolver {
public:
    explicit Resolver(const Definitions& definitions) : m_definitions(definitions) {}

    ResolvedProfile run(const profile::Profile& profile, const std::vector<profile::MergeProperty>& ofFile) {
        ResolvedProfile result;
        m_name = profile.name;
        addMerge(ofFile, result.merge);
        collect(profile, result);
        for (Draft& draft : m_drafts.take()) {
            draft.collector.providers = draft.providers.take();
            draft.collector.heapProviders = draft.heapProviders.take();
            result.collectors.push_back(std::move(draft.collector));
        }
        result.diagnostics = std::move(m_diagnostics);
        return result;
    }

private:
    void missing(const std::string& object, const std::string& id) {
        Diagnostic diagnostic;
        diagnostic.profile = m_name;
        diagnostic.object = object + " " + id;
        diagnostic.detail = "is not defined in this file or built in: what it would add is missing";
        if (m_missing.insert(diagnostic.object).second) {
            m_diagnostics.push_back(std::move(diagnostic));
        }
    }

    /// The chain from the outermost base to `object` itself; a base that is derived from its own heir ends it.
    template <class Object, class Find>
    std::vector<const Object*> chain(const Object& object, Find find, const std::string& what) {
        std::vector<const Object*> result{&object};
        while (!result.back()->base.empty()) {
            const Object* base = find(result.back()->base);
            if (base == nullptr) {
                missing(what, result.back()->base);
                break;
            }
            const bool isCircle = std::find(result.begin(), result.end(), base) != result.end();
            if (isCircle || result.size() > kMostBases) {
                Diagnostic diagnostic;
                diagnostic.profile = m_name;
                diagnostic.object = what + " " + (isCircle ? base->id : object.id);
                diagnostic.detail =
                    isCircle ? "is its own base: the circle is cut"
                             : "has more than " + std::to_string(kMostBases) + " bases: those beyond are left out";
                m_diagnostics.push_back(std::move(diagnostic));
                break;
            }
            result.push_back(base);
        }
        std::reverse(result.begin(), result.end());
        return result;
    }

    void collect(const profile::Profile& profile, ResolvedProfile& result) {
        const auto find = [this](const std::string& id) { return m_definitions.profile(id); };
        for (const profile::Profile* member : chain(profile, find, "profile")) {
            addMerge(member->mergeProperties, result.merge);
            bool isReplaced = false;
            for (const CollectorList& list : member->collectors) {
                if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
                    m_drafts.clear();
                }
                for (const CollectorRef& reference : list.collectors) {
                    applyCollector(list, reference);
                }
            }
        }
    }

    void applyCollector(const CollectorList& list, const CollectorRef& reference) {
        const std::string key = keyOf(reference.kind, reference.value);
        if (list.operation == Operation::Remove) {
            m_drafts.erase(key);
            return;
        }
        Draft* draft = m_drafts.find(key);
        if (draft == nullptr) {
            std::optional<ResolvedCollector> defined = define(reference);
            if (!defined) {
                return;
            }
            draft = &m_drafts.put(key, {*std::move(defined), {}, {}});
        }
        ResolvedCollector& collector = draft->collector;
        applyBuffers(collector.buffers, reference.buffers);
        collector.flags.hostGuestCorrelation = list.hostGuestCorrelation.value_or(collector.flags.hostGuestCorrelation);
        for (const SystemProviderRef& provider : reference.systemProviders) {
            addSystemProvider(collector, provider);
        }
        if (!reference.hardwareCounter.empty()) {
            setHardwareCounter(collector, reference.hardwareCounter);
        }
        applyProviders(*draft, reference);
    }

    void applyProviders(Draft& draft, const CollectorRef& reference) {
        bool isHeapReplaced = false;
        for (const profile::HeapProviderList& providers : reference.heapProviders) {
            if (providers.operation == Operation::Set && !std::exchange(isHeapReplaced, true)) {
                draft.heapProviders.clear();
            }
            for (const profile::HeapProviderRef& provider : providers.providers) {
                applyHeapProvider(draft.heapProviders, providers.operation, provider);
            }
        }
        bool isReplaced = false;
        for (const EventProviderList& providers : reference.eventProviders) {
            if (providers.operation == Operation::Set && !std::exchange(isReplaced, true)) {
                draft.providers.clear();
            }
            for (const EventProviderRef& provider : providers.providers) {
                applyEventProvider(draft.providers, providers.operation, provider);
            }
        }
    }

    std::optional<ResolvedCollector> define(const CollectorRef& reference) {
        const auto find = [this](const std::string& id) { return m_definitions.collector(id); };
        const Collector* definition = find(reference.value);
        if (definition == nullptr || definition->kind != reference.kind) {
            missing("collector", reference.value);
            return std::nullopt;
        }
        ResolvedCollector result;
        result.kind = reference.kind;
        result.id = reference.value;
        for (const Collector* member : chain(*definition, find, "collector")) {
            applyBuffers(result.buffers, member->buffers);
            apply(result.flags, *member);
            result.hasFileName = result.hasFileName || !member->fileName.empty();
            if (!member->name.empty()) {
                result.name = member->name;
            }
        }
        return result;
    }

    void addSystemProvider(ResolvedCollector& collector, const SystemProviderRef& reference) {
        ResolvedCollector own;
        const auto add = [&own](const SystemProvider& provider) {
            applyLists(own.keywords, provider.keywords, Values::Names);
            applyLists(own.stacks, provider.stacks, Values::Names);
            applyLists(own.poolTags, provider.poolTags, Values::Names);
            apply(own.captureOnStart, provider.captureStateOnStart, Values::Names);
            apply(own.captureOnSave, provider.captureStateOnSave, Values::Names);
            apply(own.captureOnDemand, provider.captureStateOnDemand, Values::Names);
        };
        const bool isDefinedHere = reference.inPlace && !reference.inPlace->id.empty();
        const SystemProvider* definition =
            isDefinedHere ? &*reference.inPlace : m_definitions.systemProvider(reference.value);
        if (definition == nullptr) {
            missing("system provider", reference.value);
        } else {
            const auto find = [this](const std::string& id) { return m_definitions.systemProvider(id); };
            for (const SystemProvider* member : chain(*definition, find, "system provider")) {
                add(*member);
            }
        }
        if (reference.inPlace && !isDefinedHere) {
            add(*reference.inPlace);
        }
        unite(collector.keywords, own.keywords, Values::Names);
        unite(collector.stacks, own.stacks, Values::Names);
        unite(collector.poolTags, own.poolTags, Values::Names);
        unite(collector.captureOnStart, own.captureOnStart);
        unite(collector.captureOnSave, own.captureOnSave);
        unite(collector.captureOnDemand, own.captureOnDemand);
    }

    void applyHeapProvider(OrderedById<ResolvedHeapProvider>& providers, Operation operation,
                           const profile::HeapProviderRef& reference) {
        if (operation == Operation::Remove) {
            providers.erase(reference.value);
            return;
        }
        const bool isDefinedHere = reference.inPlace && !reference.inPlace->id.empty();
        const profile::HeapProvider* definition =
            isDefinedHere ? &*reference.inPlace : m_definitions.heapProvider(reference.value);
        if (definition == nullptr) {
            missing("heap provider", reference.value);
            return;
        }
        ResolvedHeapProvider provider{reference.value, {}};
        const auto find = [this](const std::string& id) { return m_definitions.heapProvider(id); };
        for (const profile::HeapProvider* member : chain(*definition, find, "heap provider")) {
            applyLists(provider.processIds, member->processIds, Values::Processes);
        }
        if (reference.inPlace && !isDefinedHere) {
            applyLists(provider.processIds, reference.inPlace->processIds, Values::Processes);
        }
        providers.put(reference.value, std::move(provider));
    }

    void setHardwareCounter(ResolvedCollector& collector, const std::string& id) {
        const profile::HardwareCounter* definition = m_definitions.hardwareCounter(id);
        if (definition == nullptr) {
            missing("hardware counter", id);
            return;
        }
        HardwareCounters counters;
        std::string config;
        const auto find = [this](const std::string& base) { return m_definitions.hardwareCounter(base); };
        for (const profile::HardwareCounter* member : chain(*definition, find, "hardware counter")) {
            counters.apply(*member);
            config = member->microArchitecturalConfig.empty() ? config : member->microArchitecturalConfig;
        }
        if (!config.empty()) {
            applyConfig(counters, config);
        }
        collector.hardwareCounters = std::move(counters);
    }

    void applyConfig(HardwareCounters& counters, const std::string& id) {
        const auto find = [this](const std::string& base) { return m_definitions.microArchitecturalConfig(base); };
        const profile::MicroArchitecturalConfig* definition = find(id);
        if (definition == nullptr) {
            missing("micro-architectural configuration", id);
            return;
        }
        for (const auto* member : chain(*definition, find, "micro-architectural configuration")) {
            counters.apply(*member);
        }
    }

    void addMerge(const std::vector<profile::MergeProperty>& properties, ResolvedMerge& merge) {
        const auto find = [this](const std::string& id) { return m_definitions.mergeProperty(id); };
        for (const profile::MergeProperty& property : properties) {
            for (const profile::MergeProperty* member : chain(property, find, "merge property")) {
                apply(merge, *member);
            }
        }
    }

    void applyEventProvider(OrderedById<ResolvedProvider>& providers, Operation operation,
                            const EventProviderRef& reference) {
        if (operation == Operation::Remove) {
            providers.erase(reference.value);
            return;
        }
        const bool isDefinedHere = reference.inPlace && !reference.inPlace->id.empty();
        const EventProvider* definition =
            isDefinedHere ? &*reference.inPlace : m_definitions.eventProvider(reference.value);
        if (definition == nullptr) {
            missing("provider", reference.value);
            return;
        }
        ResolvedProvider provider;
        const auto find = [this](const std::string& id) { return m_definitions.eventProvider(id); };
        for (const EventProvider* member : chain(*definition, find, "provider")) {
            apply(provider, *member);
        }
        if (reference.inPlace && !isDefinedHere) {
            apply(provider, *reference.inPlace);
        }
        providers.put(reference.value, std::move(provider));
    }

    const Definitions& m_definitions;
    std::string m_name;
    OrderedById<Draft> m_drafts;
    std::set<std::string> m_missing; ///< told already
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace

void CollectorFlags::unite(const CollectorFlags& other) noexcept {
    realtime = realtime || other.realtime;
    isPrivate = isPrivate || other.isPrivate;
    processPrivate = processPrivate || other.processPrivate;
    secure = secure || other.secure;
    hostGuestCorrelation = hostGuestCorrelation || other.hostGuestCorrelation;
    mergeAlone = mergeAlone || other.mergeAlone;
}

ResolvedProfile resolve(const profile::Profile& profile, const profile::Document& document,
                        const Definitions& definitions) {
    return Resolver(definitions).run(profile, document.mergeProperties);
}

} // namespace tracedeck::plan
