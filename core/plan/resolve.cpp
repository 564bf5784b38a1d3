// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/resolve.h"

#include <algorithm>
#include <utility>

namespace tracedeck::plan {

namespace {

using profile::BufferSettings;
using profile::Collector;
using profile::CollectorList;
using profile::CollectorRef;
using profile::EventProvider;
using profile::EventProviderList;
using profile::EventProviderRef;
using profile::ItemList;
using profile::ListItem;
using profile::Operation;
using profile::SystemProvider;
using profile::SystemProviderRef;

template <class Find>
auto firstOf(const std::vector<const profile::Document*>& documents, Find find) {
    decltype(find(*documents.front())) found = nullptr;
    for (const profile::Document* document : documents) {
        if (found == nullptr) {
            found = find(*document);
        }
    }
    return found;
}

void unite(std::vector<ListItem>& into, const std::vector<ListItem>& from) {
    for (const ListItem& item : from) {
        const auto same = std::find_if(into.begin(), into.end(),
                                       [&item](const ListItem& candidate) { return candidate.value == item.value; });
        if (same == into.end()) {
            into.push_back(item);
        } else if (item.strict.value_or(false)) {
            same->strict = true;
        }
    }
}

void apply(std::vector<ListItem>& inherited, const std::vector<ItemList>& own) {
    bool isReplaced = false;
    for (const ItemList& list : own) {
        if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
            inherited.clear();
        }
        if (list.operation == Operation::Remove) {
            std::erase_if(inherited, [&list](const ListItem& item) {
                return std::any_of(list.items.begin(), list.items.end(),
                                   [&item](const ListItem& removed) { return removed.value == item.value; });
            });
        } else {
            unite(inherited, list.items);
        }
    }
}

double combined(Operation operation, double inherited, double own) {
    return operation == Operation::Add      ? inherited + own
           : operation == Operation::Remove ? std::max(0.0, inherited - own)
                                            : own;
}

void apply(std::optional<profile::Quantity>& inherited, const std::optional<profile::Quantity>& own) {
    if (own) {
        const double value = combined(own->operation, inherited ? inherited->value : 0, own->value);
        inherited = profile::Quantity{Operation::Set, value, own->place};
    }
}

void apply(BufferSettings& inherited, const BufferSettings& own) {
    apply(inherited.bufferSizeKib, own.bufferSizeKib);
    if (own.maximumFileSizeMib) {
        apply(inherited.maximumFileSizeMib, own.maximumFileSizeMib);
        inherited.isMaximumFileSizeCircular = own.isMaximumFileSizeCircular;
    }
    if (own.buffers) {
        // A percentage and a count cannot be added up: then the own value is taken as it is.
        const bool isSameUnit =
            inherited.buffers && inherited.buffers->isPercentageOfTotalMemory == own.buffers->isPercentageOfTotalMemory;
        const double value = isSameUnit ? combined(own.buffers->operation, inherited.buffers->value, own.buffers->value)
                                        : own.buffers->value;
        inherited.buffers = own.buffers;
        inherited.buffers->operation = Operation::Set;
        inherited.buffers->value = value;
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
    inherited.captureStateOnly = own.captureStateOnly.value_or(inherited.captureStateOnly);
    inherited.isStrict = own.strict.value_or(inherited.isStrict);
    apply(inherited.keywords, own.keywords);
    inherited.capturesState =
        inherited.capturesState || !own.captureStateOnStart.empty() || !own.captureStateOnSave.empty();
}

class Resolver {
public:
    explicit Resolver(const Definitions& definitions) : m_definitions(definitions) {}

    ResolvedProfile run(const profile::Profile& profile) {
        ResolvedProfile result;
        m_name = profile.name;
        collect(profile, result.collectors);
        result.diagnostics = std::move(m_diagnostics);
        return result;
    }

private:
    void missing(const std::string& object, const std::string& id) {
        Diagnostic diagnostic;
        diagnostic.profile = m_name;
        diagnostic.object = object + " " + id;
        diagnostic.detail = "is not defined in this file or built in: what it would add is missing";
        if (std::find(m_diagnostics.begin(), m_diagnostics.end(), diagnostic) == m_diagnostics.end()) {
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
            if (std::find(result.begin(), result.end(), base) != result.end()) {
                Diagnostic diagnostic;
                diagnostic.profile = m_name;
                diagnostic.object = what + " " + base->id;
                diagnostic.detail = "is its own base: the circle is cut";
                m_diagnostics.push_back(std::move(diagnostic));
                break;
            }
            result.push_back(base);
        }
        std::reverse(result.begin(), result.end());
        return result;
    }

    void collect(const profile::Profile& profile, std::vector<ResolvedCollector>& collectors) {
        const auto find = [this](const std::string& id) { return m_definitions.profile(id); };
        for (const profile::Profile* member : chain(profile, find, "profile")) {
            bool isReplaced = false;
            for (const CollectorList& list : member->collectors) {
                if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
                    collectors.clear();
                }
                for (const CollectorRef& reference : list.collectors) {
                    applyCollector(collectors, list.operation, reference);
                }
            }
        }
    }

    void applyCollector(std::vector<ResolvedCollector>& collectors, Operation operation,
                        const CollectorRef& reference) {
        auto at = std::find_if(collectors.begin(), collectors.end(), [&reference](const ResolvedCollector& candidate) {
            return candidate.kind == reference.kind && candidate.id == reference.value;
        });
        if (operation == Operation::Remove) {
            if (at != collectors.end()) {
                collectors.erase(at);
            }
            return;
        }
        if (at == collectors.end()) {
            const std::optional<ResolvedCollector> defined = define(reference);
            if (!defined) {
                return;
            }
            at = collectors.insert(collectors.end(), *defined);
        }
        apply(at->buffers, reference.buffers);
        for (const SystemProviderRef& provider : reference.systemProviders) {
            addSystemProvider(*at, provider);
        }
        bool isReplaced = false;
        for (const EventProviderList& list : reference.eventProviders) {
            if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
                at->providers.clear();
            }
            for (const EventProviderRef& provider : list.providers) {
                applyEventProvider(at->providers, list.operation, provider);
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
            apply(result.buffers, member->buffers);
            if (!member->name.empty()) {
                result.name = member->name;
            }
        }
        return result;
    }

    void addSystemProvider(ResolvedCollector& collector, const SystemProviderRef& reference) {
        std::vector<ListItem> keywords;
        std::vector<ListItem> stacks;
        const bool isDefinedHere = reference.inPlace && !reference.inPlace->id.empty();
        const SystemProvider* definition =
            isDefinedHere ? &*reference.inPlace : m_definitions.systemProvider(reference.value);
        if (definition == nullptr) {
            missing("system provider", reference.value);
        } else {
            const auto find = [this](const std::string& id) { return m_definitions.systemProvider(id); };
            for (const SystemProvider* member : chain(*definition, find, "system provider")) {
                apply(keywords, member->keywords);
                apply(stacks, member->stacks);
            }
        }
        if (reference.inPlace && !isDefinedHere) {
            apply(keywords, reference.inPlace->keywords);
            apply(stacks, reference.inPlace->stacks);
        }
        unite(collector.keywords, keywords);
        unite(collector.stacks, stacks);
    }

    void applyEventProvider(std::vector<ResolvedProvider>& providers, Operation operation,
                            const EventProviderRef& reference) {
        const auto hasId = [&reference](const ResolvedProvider& provider) { return provider.id == reference.value; };
        if (operation == Operation::Remove) {
            std::erase_if(providers, hasId);
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
        const auto same = std::find_if(providers.begin(), providers.end(), hasId);
        if (same == providers.end()) {
            providers.push_back(std::move(provider));
        } else {
            *same = std::move(provider);
        }
    }

    const Definitions& m_definitions;
    std::string m_name;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace

const profile::Collector* Definitions::collector(const std::string& id) const {
    return firstOf(m_searchList, [&id](const profile::Document& document) { return document.findCollector(id); });
}

const profile::SystemProvider* Definitions::systemProvider(const std::string& id) const {
    return firstOf(m_searchList, [&id](const profile::Document& document) { return document.findSystemProvider(id); });
}

const profile::EventProvider* Definitions::eventProvider(const std::string& id) const {
    return firstOf(m_searchList, [&id](const profile::Document& document) { return document.findEventProvider(id); });
}

const profile::Profile* Definitions::profile(const std::string& id) const {
    return firstOf(m_searchList, [&id](const profile::Document& document) { return document.findProfile(id); });
}

ResolvedProfile resolve(const profile::Profile& profile, const Definitions& definitions) {
    return Resolver(definitions).run(profile);
}

} // namespace tracedeck::plan
