// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/provider_wish.h"

#include "core/profile/provider_names.h"
#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>

namespace tracedeck::plan {

namespace {

using etw::EventFilter;

std::uint64_t maskOf(const std::vector<profile::ListItem>& keywords) {
    std::uint64_t mask = 0;
    for (const profile::ListItem& keyword : keywords) {
        mask |= profile::parseEventKeyword(keyword.value).value_or(0);
    }
    return mask;
}

bool isAnyStrict(const std::vector<profile::ListItem>& items) {
    return std::any_of(items.begin(), items.end(),
                       [](const profile::ListItem& item) { return item.strict.value_or(false); });
}

EventFilter::Kind kindOf(profile::EventFilter::Kind kind) {
    switch (kind) {
    case profile::EventFilter::Kind::EventId:
        return EventFilter::Kind::EventId;
    case profile::EventFilter::Kind::StackEventId:
        return EventFilter::Kind::StackEventId;
    case profile::EventFilter::Kind::EventName:
        return EventFilter::Kind::EventName;
    case profile::EventFilter::Kind::StackEventName:
        return EventFilter::Kind::StackEventName;
    case profile::EventFilter::Kind::StackKeywordLevel:
        return EventFilter::Kind::StackKeywordLevel;
    }
    return EventFilter::Kind::EventId;
}

template <class Value>
void normalize(std::vector<Value>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

EventFilter filterOf(const profile::EventFilter& filter) {
    EventFilter result;
    result.kind = kindOf(filter.kind);
    result.isFilterIn = filter.isFilterIn;
    result.level = filter.level.value_or(0);
    result.keyword = profile::parseEventKeyword(filter.keyword).value_or(0);
    const bool hasIds = result.kind == EventFilter::Kind::EventId || result.kind == EventFilter::Kind::StackEventId;
    for (const profile::ListItem& value : filter.values.items) {
        if (hasIds) {
            result.ids.push_back(static_cast<std::uint16_t>(profile::parseEventId(value.value).value_or(0)));
        } else {
            result.names.push_back(value.value);
        }
    }
    normalize(result.ids);
    normalize(result.names);
    return result;
}

/// "a.exe; b.exe"
EventFilter programFilter(const std::string& programs) {
    EventFilter result;
    result.kind = EventFilter::Kind::ExecutableName;
    for (std::size_t at = 0; at < programs.size();) {
        const std::size_t end = std::min(programs.find(';', at), programs.size());
        std::string name = programs.substr(at, end - at);
        const std::size_t first = name.find_first_not_of(' ');
        name = first == std::string::npos ? "" : name.substr(first, name.find_last_not_of(' ') - first + 1);
        if (!name.empty()) {
            result.names.push_back(std::move(name));
        }
        at = end + 1;
    }
    normalize(result.names);
    return result;
}

template <class Value>
std::vector<Value> both(const std::vector<Value>& a, const std::vector<Value>& b) {
    std::vector<Value> result;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

template <class Value>
std::vector<Value> either(const std::vector<Value>& a, const std::vector<Value>& b) {
    std::vector<Value> result;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

/// One filter that lets through what `a` or `b` does; nothing where only no filter does.
std::optional<EventFilter> widened(const EventFilter& a, const EventFilter& b) {
    if (a.isFilterIn != b.isFilterIn) {
        return std::nullopt;
    }
    EventFilter result = a;
    // 0 is all of them: of two levels the higher one lets through more, unless one is 0.
    result.level = a.level == 0 || b.level == 0 ? std::uint8_t{0} : std::max(a.level, b.level);
    result.keyword = a.keyword == 0 || b.keyword == 0 ? 0 : a.keyword | b.keyword;
    if (a.isFilterIn) {
        result.ids = either(a.ids, b.ids);
        result.names = either(a.names, b.names);
        return result;
    }
    // What is kept out by both is kept out.
    if (a.level != b.level || a.keyword != b.keyword) {
        return std::nullopt;
    }
    result.level = a.level;
    result.keyword = a.keyword;
    result.ids = both(a.ids, b.ids);
    result.names = both(a.names, b.names);
    const bool isEmpty = result.ids.empty() && result.names.empty();
    return isEmpty && result.kind != EventFilter::Kind::StackKeywordLevel ? std::nullopt : std::optional(result);
}

void addCapture(std::optional<etw::CaptureState>& into, const std::optional<ResolvedCapture>& own) {
    if (!own) {
        return;
    }
    if (!into) {
        into.emplace();
    }
    into->keywords |= maskOf(own->keywords);
    into->timeout = std::max(into->timeout, std::chrono::seconds(own->timeoutSeconds));
}

} // namespace

ProviderWish::ProviderWish(Guid guid, const std::string& name) {
    m_config.provider = guid;
    m_config.name = profile::providerName(name);
    m_config.level = 0;
}

void ProviderWish::add(const ResolvedProvider& provider, const std::string& profile) {
    profiles.insert(profile);
    isStrict = isStrict || provider.isStrict || isAnyStrict(provider.keywords);
    addCapture(m_config.captureOnStart, provider.captureOnStart);
    addCapture(m_config.captureOnSave, provider.captureOnSave);
    addCapture(m_config.captureOnDemand, provider.captureOnDemand);
    m_config.needsNonPagedMemory = m_config.needsNonPagedMemory || provider.needsNonPagedMemory;
    if (provider.captureStateOnly) {
        return;
    }
    const std::uint64_t mask = maskOf(provider.keywords);
    m_isAll = m_isAll || mask == 0;
    m_config.matchAnyKeyword |= mask;
    // ETW shows a level that is not given, or 0, as 0xFF: all.
    const std::uint8_t level = provider.level == 0 ? std::uint8_t{0xFF} : provider.level;
    m_config.level = std::max(m_config.level, level);
    m_config.enableProperties |= provider.properties;
    m_hasStrictStacks = m_hasStrictStacks || isAnyStrict(provider.stacks);
    for (const profile::ListItem& stack : provider.stacks) {
        const profile::SystemStack* known = profile::findSystemStack(stack.value);
        const std::uint64_t hook = known != nullptr
                                       ? known->hookId
                                       : profile::parseHex(stack.value, 8, profile::HexPrefix::Required).value_or(0);
        m_config.stackHooks.push_back(static_cast<std::uint16_t>(hook));
    }
    normalize(m_config.stackHooks);
    std::vector<EventFilter> filters;
    for (const profile::EventFilter& filter : provider.filters) {
        filters.push_back(filterOf(filter));
    }
    if (EventFilter programs = programFilter(provider.programs); !programs.names.empty()) {
        filters.push_back(std::move(programs));
    }
    addFilters(std::move(filters), provider.captureStack);
    m_config.captureStack = m_config.captureStack || provider.captureStack;
    m_isEnabled = true;
}

void ProviderWish::addFilters(std::vector<EventFilter> filters, bool hasStack) {
    const bool hadStack = m_config.captureStack;
    const auto find = [](const std::vector<EventFilter>& list, EventFilter::Kind kind) {
        const auto at =
            std::find_if(list.begin(), list.end(), [&](const EventFilter& filter) { return filter.kind == kind; });
        return at == list.end() ? std::nullopt : std::optional(*at);
    };
    std::vector<EventFilter> common;
    for (const EventFilter::Kind kind :
         {EventFilter::Kind::EventId, EventFilter::Kind::StackEventId, EventFilter::Kind::EventName,
          EventFilter::Kind::StackEventName, EventFilter::Kind::StackKeywordLevel, EventFilter::Kind::ExecutableName}) {
        const bool isOfStack = kind == EventFilter::Kind::StackEventId || kind == EventFilter::Kind::StackEventName ||
                               kind == EventFilter::Kind::StackKeywordLevel;
        const auto mine = find(m_config.filters, kind);
        const auto own = find(filters, kind);
        std::optional<EventFilter> kept;
        if (!m_isEnabled || (isOfStack && !hadStack)) {
            kept = own; // nothing was wanted before that this could narrow
        } else if (isOfStack && !hasStack) {
            kept = mine;
        } else if (mine && own) {
            kept = widened(*mine, *own);
        }
        m_hasDroppedFilters = m_hasDroppedFilters || (!kept && (mine || own));
        if (kept) {
            common.push_back(*std::move(kept));
        }
    }
    m_config.filters = std::move(common);
}

etw::ProviderConfig ProviderWish::config() const {
    etw::ProviderConfig config = m_config;
    config.isCaptureOnly = !m_isEnabled;
    if (m_isAll) {
        config.matchAnyKeyword = 0;
    }
    return config;
}

} // namespace tracedeck::plan
