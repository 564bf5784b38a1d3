// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/provider_names.h"

#include "core/profile/values.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracedeck::profile {

namespace {

struct Row {
    std::string_view name;
    std::string_view guid;
    std::size_t firstKeyword = 0;
    std::size_t keywords = 0;
};

#include "provider_table.inc"

} // namespace

std::span<const KnownProvider> knownProviders() {
    static const std::vector<KnownProvider> kProviders = [] {
        std::vector<KnownProvider> providers;
        providers.reserve(std::size(kRows));
        for (const Row& row : kRows) {
            providers.push_back({row.name, parseGuid(row.guid).value_or(Guid{}),
                                 std::span(kKeywords).subspan(row.firstKeyword, row.keywords)});
        }
        return providers;
    }();
    return kProviders;
}

const KnownProvider* findProvider(std::string_view name) {
    static const auto kByName = [] {
        std::unordered_map<std::string, const KnownProvider*> providers;
        for (const KnownProvider& provider : knownProviders()) {
            providers.emplace(lowerCase(provider.name), &provider);
        }
        return providers;
    }();
    const auto at = kByName.find(lowerCase(name));
    return at == kByName.end() ? nullptr : at->second;
}

const KnownProvider* findProvider(const Guid& guid) {
    static const auto kByGuid = [] {
        std::map<Guid, const KnownProvider*> providers;
        for (const KnownProvider& provider : knownProviders()) {
            providers.emplace(provider.guid, &provider);
        }
        return providers;
    }();
    const auto at = kByGuid.find(guid);
    return at == kByGuid.end() ? nullptr : at->second;
}

std::string providerName(std::string_view text) {
    if (const std::optional<Guid> guid = parseGuid(text)) {
        const KnownProvider* known = findProvider(*guid);
        return std::string(known != nullptr ? known->name : text);
    }
    return std::string(text.starts_with('*') ? text.substr(1) : text);
}

} // namespace tracedeck::profile
