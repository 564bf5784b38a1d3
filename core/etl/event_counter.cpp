// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/event_counter.h"

#include "core/base/utf.h"
#include "core/etl/names.h"

#include <algorithm>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kFirstSlots = 1024; // a power of two, as every size after it

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    hash ^= value;
    hash *= 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
}

std::uint64_t mixText(std::uint64_t hash, std::string_view text) noexcept {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        hash = mix(hash, word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, text.data() + at, text.size() - at);
    return mix(mix(hash, rest), text.size());
}

/// Names in files may be any bytes; those that go on are UTF-8.
std::string clean(std::string_view text) {
    return toUtf8(toUtf16(text));
}

} // namespace

EventCounter::EventCounter() : m_slots(kFirstSlots) {}

void EventCounter::count(const EventView& event, const ExtendedData& extended) {
    switch (event.kind) {
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Perfinfo:
        ++m_hooks[event.hookId].events;
        return;
    case EventKind::Full:
    case EventKind::Instance:
        countNamed({event.guid(), loadAt<std::uint8_t>(event.data, 4), EventKind::Full, {}}, {});
        return;
    case EventKind::Event:
        countNamed({event.guid(), loadAt<std::uint16_t>(event.data, 0x28), event.kind, extended.eventName},
                   extended.providerName);
        return;
    case EventKind::Message:
        countNamed({Guid{}, loadAt<std::uint16_t>(event.data, 4), event.kind, {}}, {});
        return;
    case EventKind::Other:
        countNamed({Guid{}, loadAt<std::uint8_t>(event.data, 2), event.kind, {}}, {});
        return;
    }
}

void EventCounter::countNamed(const Key& key, std::string_view providerName) {
    std::uint64_t hash = mix(loadAt<std::uint64_t>(reinterpret_cast<const std::byte*>(key.guid.bytes.data()), 0),
                             loadAt<std::uint64_t>(reinterpret_cast<const std::byte*>(key.guid.bytes.data()), 8));
    hash = mix(hash, (std::uint64_t{key.id} << 8U) | static_cast<std::uint64_t>(key.kind));
    if (!key.eventName.empty()) {
        hash = mixText(hash, key.eventName);
    }
    std::size_t slot = static_cast<std::size_t>(hash) & (m_slots.size() - 1);
    while (m_slots[slot] != 0) {
        Entry& entry = m_entries[m_slots[slot] - 1];
        if (entry.hash == hash && entry.id == key.id && entry.kind == key.kind && entry.guid == key.guid &&
            entry.eventName == key.eventName) {
            ++entry.events;
            return;
        }
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    if (m_entries.size() == kMostNames) {
        ++m_others;
        return;
    }
    m_entries.push_back({hash, key.guid, key.id, key.kind, std::string(key.eventName), std::string(providerName), 1});
    m_slots[slot] = static_cast<std::uint32_t>(m_entries.size());
    if (m_entries.size() * 2 > m_slots.size()) {
        grow();
    }
}

void EventCounter::grow() {
    std::vector<std::uint32_t> slots(m_slots.size() * 2);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        std::size_t slot = static_cast<std::size_t>(m_entries[i].hash) & (slots.size() - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.size() - 1);
        }
        slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
    m_slots = std::move(slots);
}

std::string EventCounter::nameOf(const Entry& entry) {
    const std::string guid = "{" + toString(entry.guid) + "}";
    switch (entry.kind) {
    case EventKind::Event:
        if (entry.eventName.empty()) {
            return guid + "/" + std::to_string(entry.id);
        }
        return (entry.providerName.empty() ? guid : clean(entry.providerName)) + "/" + clean(entry.eventName);
    case EventKind::Message:
        return "WPP message/" + std::to_string(entry.id);
    case EventKind::Full:
        return guid + "/op" + std::to_string(entry.id);
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Perfinfo:
    case EventKind::Instance:
    case EventKind::Other:
        break;
    }
    return "unknown header type/" + std::to_string(entry.id);
}

std::vector<ProviderCount> EventCounter::providers() const {
    std::vector<ProviderCount> counts;
    for (const Entry& entry : m_entries) {
        if (entry.kind == EventKind::Event) {
            counts.push_back({entry.guid, entry.events});
        }
    }
    std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.provider < b.provider; });
    std::vector<ProviderCount> merged;
    for (const ProviderCount& count : counts) {
        if (!merged.empty() && merged.back().provider == count.provider) {
            merged.back().events += count.events;
        } else {
            merged.push_back(count);
        }
    }
    return merged;
}

std::vector<HookCount> EventCounter::hooks() const {
    std::vector<HookCount> counts;
    m_hooks.forEach([&](std::uint16_t hookId, const HookCounters::Counts& count) {
        counts.push_back({hookId, count.events, count.withStack});
    });
    return counts;
}

std::vector<EventCount> EventCounter::result() const {
    std::vector<EventCount> counts;
    m_hooks.forEach([&](std::uint16_t hookId, const HookCounters::Counts& count) {
        counts.push_back({hookName(hookId), count.events});
    });
    for (const Entry& entry : m_entries) {
        counts.push_back({nameOf(entry), entry.events});
    }
    if (m_others != 0) {
        counts.push_back({"(other events)", m_others});
    }
    // Two providers may share a name, one event may have been seen with and without traits.
    std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    std::vector<EventCount> merged;
    for (EventCount& count : counts) {
        if (!merged.empty() && merged.back().name == count.name) {
            merged.back().events += count.events;
        } else {
            merged.push_back(std::move(count));
        }
    }
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.events > b.events; });
    return merged;
}

} // namespace tracedeck::etl
