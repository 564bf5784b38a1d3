// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/definitions.h"

namespace tracedeck::profile {

namespace {

template <class Index, class Definition>
void add(Index& index, const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions) {
        index.emplace(definition.id, &definition);
    }
}

} // namespace

Definitions::Definitions(const std::vector<const Document*>& searchList) {
    for (const Document* document : searchList) {
        add(m_collectors, document->collectors);
        add(m_systemProviders, document->systemProviders);
        add(m_eventProviders, document->eventProviders);
        add(m_heapProviders, document->heapProviders);
        add(m_hardwareCounters, document->hardwareCounters);
        add(m_microArchitecturalConfigs, document->microArchitecturalConfigs);
        add(m_profiles, document->profiles);
        add(m_mergeProperties, document->mergeProperties);
        for (const Profile& profile : document->profiles) {
            add(m_mergeProperties, profile.mergeProperties);
        }
    }
}

} // namespace tracedeck::profile
