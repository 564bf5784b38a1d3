// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracedeck::profile {

/// Where ids are looked up: the first document that defines an id wins, and in a document the first definition.
///
/// Threading: a value; share it read-only. Ownership: none; the documents outlive it and stay as they are.
class Definitions {
public:
    explicit Definitions(const std::vector<const Document*>& searchList);

    [[nodiscard]] const Collector* collector(std::string_view id) const { return find(m_collectors, id); }
    [[nodiscard]] const SystemProvider* systemProvider(std::string_view id) const {
        return find(m_systemProviders, id);
    }
    [[nodiscard]] const EventProvider* eventProvider(std::string_view id) const { return find(m_eventProviders, id); }
    [[nodiscard]] const HeapProvider* heapProvider(std::string_view id) const { return find(m_heapProviders, id); }
    [[nodiscard]] const HardwareCounter* hardwareCounter(std::string_view id) const {
        return find(m_hardwareCounters, id);
    }
    [[nodiscard]] const MicroArchitecturalConfig* microArchitecturalConfig(std::string_view id) const {
        return find(m_microArchitecturalConfigs, id);
    }
    [[nodiscard]] const MergeProperty* mergeProperty(std::string_view id) const { return find(m_mergeProperties, id); }
    [[nodiscard]] const Profile* profile(std::string_view id) const { return find(m_profiles, id); }

private:
    template <class Definition>
    using Index = std::unordered_map<std::string_view, const Definition*>;

    template <class Definition>
    static const Definition* find(const Index<Definition>& index, std::string_view id) {
        const auto at = index.find(id);
        return at == index.end() ? nullptr : at->second;
    }

    Index<Collector> m_collectors;
    Index<SystemProvider> m_systemProviders;
    Index<EventProvider> m_eventProviders;
    Index<HeapProvider> m_heapProviders;
    Index<HardwareCounter> m_hardwareCounters;
    Index<MicroArchitecturalConfig> m_microArchitecturalConfigs;
    Index<MergeProperty> m_mergeProperties;
    Index<Profile> m_profiles;
};

} // namespace tracedeck::profile
