// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/provider_registry.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <spdlog/spdlog.h>

namespace tracedeck::etw::engine {
namespace {

constexpr std::size_t kMostSessions = 8; // of one provider
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint8_t kEveryLevel = 0xFF;

} // namespace

Registration::Registration(ProviderRegistry& registry, Kind kind, const Guid& id, EnableCallback callback)
    : m_registry(registry), m_id(id), m_kind(kind), m_callback(std::move(callback)) {
    m_registry.add(*this);
}

Registration::~Registration() {
    m_registry.remove(*this);
}

ProviderRegistry::ProviderRegistry(std::uint32_t processors) : m_gate(processors) {}

ProviderRegistry::~ProviderRegistry() {
    assert(m_registrations.empty()); // they must not outlive the factory
}

void ProviderRegistry::add(Registration& registration) {
    const std::lock_guard lock(m_mutex);
    m_registrations.push_back(&registration);
    const auto found = m_enabled.find(registration.id());
    if (found == m_enabled.end()) {
        return;
    }
    for (const auto& [slot, enabling] : found->second) {
        publish(registration, slot, enabling.get());
    }
    unite(registration.id());
    if (const EnableNotice notice = united(registration.id()); notice.code == EnableNotice::Code::Enable) {
        tell(registration, notice);
    }
}

void ProviderRegistry::remove(Registration& registration) {
    const std::lock_guard lock(m_mutex);
    std::erase(m_registrations, &registration);
}

std::vector<Guid> ProviderRegistry::providers() {
    const std::lock_guard lock(m_mutex);
    std::vector<Guid> ids;
    for (const Registration* registration : m_registrations) {
        ids.push_back(registration->id());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

bool ProviderRegistry::isRegistered(const Guid& provider) const {
    return std::any_of(m_registrations.begin(), m_registrations.end(),
                       [&](const Registration* each) { return each->id() == provider; });
}

void ProviderRegistry::publish(Registration& registration, std::size_t slot, const Enabling* enabling) {
    const bool isWanted = enabling != nullptr && enabling->concernsThisProcess();
    registration.m_enablings[slot].store(isWanted ? enabling : nullptr);
    const std::uint64_t bit = std::uint64_t{1} << slot;
    if (isWanted) {
        registration.m_slots.fetch_or(bit, std::memory_order_release);
    } else {
        registration.m_slots.fetch_and(~bit, std::memory_order_release);
    }
}

void ProviderRegistry::publish(const Guid& provider, std::size_t slot, std::unique_ptr<Enabling> former) {
    const auto found = m_enabled.find(provider);
    const Enabling* now = nullptr;
    if (found != m_enabled.end()) {
        const auto ofSlot = found->second.find(slot);
        now = ofSlot != found->second.end() ? ofSlot->second.get() : nullptr;
        if (found->second.empty()) {
            m_enabled.erase(found);
        }
    }
    for (Registration* registration : m_registrations) {
        if (registration->id() == provider) {
            publish(*registration, slot, now);
        }
    }
    unite(provider);
    retire(slot, std::move(former));
}

void ProviderRegistry::retire(std::size_t slot, std::unique_ptr<Enabling> former) {
    std::vector<std::unique_ptr<Enabling>>& retired = m_retired[slot];
    if (former) {
        retired.push_back(std::move(former));
    }
    if (!retired.empty() && m_gate.isQuiet(slot)) {
        retired.clear();
    }
}

EnableNotice ProviderRegistry::united(const Guid& provider) const {
    EnableNotice notice;
    const auto found = m_enabled.find(provider);
    if (found == m_enabled.end()) {
        return notice;
    }
    notice.matchAllKeyword = kAll;
    for (const auto& [slot, enabling] : found->second) {
        if (!enabling->concernsThisProcess()) {
            continue;
        }
        notice.code = EnableNotice::Code::Enable;
        notice.level = std::max(notice.level, enabling->level() == 0 ? kEveryLevel : enabling->level());
        notice.matchAnyKeyword |= enabling->matchAny() == 0 ? kAll : enabling->matchAny();
        notice.matchAllKeyword &= enabling->matchAll();
    }
    return notice.code == EnableNotice::Code::Enable ? notice : EnableNotice{};
}

void ProviderRegistry::unite(const Guid& provider) {
    const EnableNotice notice = united(provider);
    for (Registration* registration : m_registrations) {
        if (registration->id() == provider) {
            registration->m_level.store(notice.level, std::memory_order_relaxed);
            registration->m_matchAny.store(notice.matchAnyKeyword, std::memory_order_relaxed);
        }
    }
}

void ProviderRegistry::tell(Registration& registration, const EnableNotice& notice) {
    if (!registration.m_callback) {
        return;
    }
    try {
        registration.m_callback(notice);
    } catch (const std::exception& error) {
        spdlog::error("provider {}: its callback has thrown: {}", toString(registration.id()), error.what());
    }
}

void ProviderRegistry::tell(const Guid& provider, const EnableNotice& notice) {
    for (Registration* registration : m_registrations) {
        if (registration->id() == provider) {
            tell(*registration, notice);
        }
    }
}

void ProviderRegistry::close(std::size_t slot) {
    {
        const std::lock_guard lock(m_mutex);
        std::vector<Guid> disabled;
        for (const auto& [id, enablings] : m_enabled) {
            if (enablings.contains(slot)) {
                disabled.push_back(id);
            }
        }
        for (const Guid& id : disabled) {
            auto node = m_enabled[id].extract(slot);
            publish(id, slot, std::move(node.mapped()));
            tell(id, united(id));
        }
    }
    m_gate.waitUntilQuiet(slot);
    const std::lock_guard lock(m_mutex);
    m_retired[slot].clear();
}

Status ProviderRegistry::enable(std::size_t slot, Session& session, const ProviderConfig& config) {
    const std::lock_guard lock(m_mutex);
    const Guid& id = config.provider;
    if (!isRegistered(id) && !m_enabled.contains(id)) {
        return fail(ErrorCode::ProviderUnknown, "provider " + toString(id) + " " + config.name + " is not registered",
                    win32::kGuidNotFound);
    }
    Result<Enabling> enabling = Enabling::of(session, config);
    if (!enabling) {
        return fail(enabling.error());
    }
    OfSlots& sessions = m_enabled[id];
    const bool isClassic = std::any_of(m_registrations.begin(), m_registrations.end(), [&](const Registration* each) {
        return each->id() == id && each->kind() == Registration::Kind::Classic;
    });
    if (isClassic && !sessions.empty() && !sessions.contains(slot)) {
        auto other = sessions.extract(sessions.begin());
        for (Registration* registration : m_registrations) {
            if (registration->id() == id) {
                publish(*registration, other.key(), nullptr);
            }
        }
        retire(other.key(), std::move(other.mapped()));
    } else if (sessions.size() == kMostSessions && !sessions.contains(slot)) {
        return fail(ErrorCode::SessionLimit,
                    "provider " + toString(id) + " " + config.name + " has " + std::to_string(kMostSessions) +
                        " sessions already",
                    win32::kNoSystemResources);
    }
    std::unique_ptr<Enabling> former = std::exchange(sessions[slot], std::make_unique<Enabling>(std::move(*enabling)));
    publish(id, slot, std::move(former));
    tell(id, united(id));
    return {};
}

Status ProviderRegistry::disable(std::size_t slot, const Guid& provider) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_enabled.find(provider);
    if (found == m_enabled.end() || !found->second.contains(slot)) {
        return isRegistered(provider)
                   ? Status()
                   : fail(ErrorCode::ProviderUnknown, "provider " + toString(provider) + " is not registered",
                          win32::kGuidNotFound);
    }
    auto node = found->second.extract(slot);
    publish(provider, slot, std::move(node.mapped()));
    tell(provider, united(provider));
    return {};
}

Status ProviderRegistry::captureState(std::size_t slot, const Guid& provider, std::uint64_t keywords) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_enabled.find(provider);
    const bool isEnabled = found != m_enabled.end() && found->second.contains(slot);
    if (!isEnabled && !isRegistered(provider)) {
        return fail(ErrorCode::ProviderUnknown, "provider " + toString(provider) + " is not registered",
                    win32::kGuidNotFound);
    }
    if (!isEnabled) {
        return fail(ErrorCode::SessionBadParameters,
                    "provider " + toString(provider) + ": the session has not enabled it", win32::kInvalidParameter);
    }
    EnableNotice notice = united(provider);
    if (notice.code == EnableNotice::Code::Enable) { // else every session's filters keep this process out
        notice.code = EnableNotice::Code::CaptureState;
        notice.matchAnyKeyword = keywords;
        notice.matchAllKeyword = 0;
        tell(provider, notice);
    }
    return {};
}

} // namespace tracedeck::etw::engine
