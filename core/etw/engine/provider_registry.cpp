// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/provider_registry.h"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <exception>
#include <spdlog/spdlog.h>

namespace tracedeck::etw::engine {
namespace {

constexpr std::size_t kMostSessions = 8; // of one provider
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint8_t kEveryLevel = 0xFF;

} // namespace

Registration::Registration(ProviderRegistry& registry, Kind kind, const Guid& id, Process process,
                           EnableCallback callback)
    : m_registry(registry), m_id(id), m_kind(kind), m_process(std::move(process)), m_callback(std::move(callback)) {
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
    std::uint64_t serial = 0;
    {
        const std::lock_guard lock(m_mutex);
        serial = registration.m_serial = ++m_lastSerial;
        m_registrations.push_back(&registration);
        const auto found = m_enabled.find(registration.id());
        if (found == m_enabled.end()) {
            return;
        }
        for (const auto& [slot, enabling] : found->second) {
            publish(registration, slot, enabling.get());
        }
        unite(registration);
    }
    tellNow(&registration, serial, [&]() -> std::optional<EnableNotice> { // as things are when it is its turn
        const EnableNotice notice = united(registration);
        return notice.code == EnableNotice::Code::Enable ? std::optional(notice) : std::nullopt;
    });
}

void ProviderRegistry::remove(Registration& registration) {
    std::unique_lock lock(m_mutex);
    std::erase(m_registrations, &registration);
    m_told.wait(lock, [&] { return !isBeingTold(&registration); });
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
    const bool isWanted = enabling != nullptr && enabling->concerns(registration.process());
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
            unite(*registration);
        }
    }
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

EnableNotice ProviderRegistry::united(const Registration& registration) const {
    EnableNotice notice;
    const auto found = m_enabled.find(registration.id());
    if (found == m_enabled.end()) {
        return notice;
    }
    notice.matchAllKeyword = kAll;
    for (const auto& [slot, enabling] : found->second) {
        if (!enabling->concerns(registration.process())) {
            continue;
        }
        notice.code = EnableNotice::Code::Enable;
        notice.level = std::max(notice.level, enabling->level() == 0 ? kEveryLevel : enabling->level());
        notice.matchAnyKeyword |= enabling->matchAny() == 0 ? kAll : enabling->matchAny();
        notice.matchAllKeyword &= enabling->matchAll();
    }
    return notice.code == EnableNotice::Code::Enable ? notice : EnableNotice{};
}

void ProviderRegistry::unite(Registration& registration) {
    const EnableNotice notice = united(registration);
    registration.m_level.store(notice.level, std::memory_order_relaxed);
    registration.m_matchAny.store(notice.matchAnyKeyword, std::memory_order_relaxed);
}

ProviderRegistry::Notices ProviderRegistry::noticesFor(const Guid& provider) const {
    Notices notices;
    for (Registration* registration : m_registrations) {
        if (registration->id() == provider && registration->m_callback) {
            notices.push_back({registration, registration->m_serial, united(*registration)});
        }
    }
    return notices;
}

bool ProviderRegistry::tell(Notices notices, std::chrono::milliseconds timeout) {
    if (notices.empty()) {
        return true;
    }
    assert(m_teller);
    struct Told {
        std::mutex mutex;
        std::condition_variable done;
        bool isDone = false;
    };
    const auto told = std::make_shared<Told>();
    m_teller->post([this, told, notices = std::move(notices)] {
        for (const Notice& each : notices) {
            tellNow(each.registration, each.serial, [&] { return std::optional(each.notice); });
        }
        const std::lock_guard lock(told->mutex);
        told->isDone = true;
        told->done.notify_all();
    });
    if (timeout.count() == 0) {
        return true;
    }
    std::unique_lock lock(told->mutex);
    return told->done.wait_for(lock, timeout, [&] { return told->isDone; });
}

bool ProviderRegistry::isThere(const Registration* registration, std::uint64_t serial) const {
    return std::any_of(m_registrations.begin(), m_registrations.end(),
                       [&](const Registration* each) { return each == registration && each->m_serial == serial; });
}

bool ProviderRegistry::isBeingTold(const Registration* registration) const {
    return std::find(m_beingTold.begin(), m_beingTold.end(), registration) != m_beingTold.end();
}

template <class Decide>
void ProviderRegistry::tellNow(Registration* registration, std::uint64_t serial, Decide&& decide) {
    std::optional<EnableNotice> told;
    {
        std::unique_lock lock(m_mutex);
        m_told.wait(lock, [&] { return !isThere(registration, serial) || !isBeingTold(registration); });
        if (!isThere(registration, serial) || !registration->m_callback) {
            return;
        }
        told = decide();
        if (!told) {
            return;
        }
        m_beingTold.push_back(registration); // it cannot go until it is taken out again
    }
    try {
        registration->m_callback(*told);
    } catch (const std::exception& error) {
        spdlog::error("provider {}: its callback has thrown: {}", toString(registration->id()), error.what());
    }
    const std::lock_guard lock(m_mutex);
    std::erase(m_beingTold, registration);
    m_told.notify_all();
}

Status ProviderRegistry::outcomeOf(bool isTold, const Guid& provider, const char* what) {
    return isTold ? Status()
                  : fail(ErrorCode::TimedOut, "provider " + toString(provider) + ": " + what, win32::kTimeout);
}

std::vector<Limitation> ProviderRegistry::limitationsOf(const ProviderConfig& config) {
    std::uint32_t missing = config.enableProperties & ~enable_property::kServed;
    bool lacksStacks = !kCanWalkStacks;
    {
        const std::lock_guard lock(m_mutex);
        for (const Registration* registration : m_registrations) {
            if (registration->id() == config.provider) {
                // The header of classic events has no place for more data.
                const bool isClassic = registration->kind() == Registration::Kind::Classic;
                const std::uint32_t none = isClassic ? enable_property::kItems : registration->process().missingItems();
                lacksStacks = lacksStacks || (none & enable_property::kStackTrace) != 0;
                missing |= config.enableProperties & none & ~enable_property::kStackTrace;
            }
        }
    }
    std::vector<Limitation> limitations;
    const bool wantsStacks = config.captureStack || (config.enableProperties & enable_property::kStackTrace) != 0;
    if (wantsStacks && lacksStacks) {
        limitations.push_back(
            {LimitationCode::StackNotServed, config.name.empty() ? toString(config.provider) : config.name, 0});
    }
    if (missing != 0) {
        spdlog::warn("provider {}: its events do not have what the properties {:#x} ask for", toString(config.provider),
                     missing);
        limitations.push_back({LimitationCode::FeatureNotServed, std::string(toString(Feature::EnableProperties)), 0});
    }
    return limitations;
}

void ProviderRegistry::close(std::size_t slot) {
    Notices notices;
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
            const Notices ofProvider = noticesFor(id);
            notices.insert(notices.end(), ofProvider.begin(), ofProvider.end());
        }
    }
    if (!tell(std::move(notices), kProviderTimeout)) {
        spdlog::warn("session {}: its providers have not all taken note of its end", slot);
    }
    m_gate.waitUntilQuiet(slot);
    const std::lock_guard lock(m_mutex);
    m_retired[slot].clear();
}

Status ProviderRegistry::enable(std::size_t slot, Session& session, const ProviderConfig& config) {
    std::unique_lock lock(m_mutex);
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
    Notices notices = noticesFor(id);
    lock.unlock();
    return outcomeOf(tell(std::move(notices), config.timeout), id, "it has not yet taken note of being enabled");
}

Status ProviderRegistry::disable(std::size_t slot, const Guid& provider) {
    std::unique_lock lock(m_mutex);
    const auto found = m_enabled.find(provider);
    if (found == m_enabled.end() || !found->second.contains(slot)) {
        return isRegistered(provider)
                   ? Status()
                   : fail(ErrorCode::ProviderUnknown, "provider " + toString(provider) + " is not registered",
                          win32::kGuidNotFound);
    }
    auto node = found->second.extract(slot);
    publish(provider, slot, std::move(node.mapped()));
    Notices notices = noticesFor(provider);
    lock.unlock();
    return outcomeOf(tell(std::move(notices), kProviderTimeout), provider,
                     "it has not yet taken note of being disabled");
}

Status ProviderRegistry::captureState(std::size_t slot, const Guid& provider, std::uint64_t keywords,
                                      std::chrono::milliseconds timeout) {
    std::unique_lock lock(m_mutex);
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
    Notices notices;
    for (Notice& each : noticesFor(provider)) {
        if (each.notice.code == EnableNotice::Code::Enable) { // else every session's filters keep its process out
            each.notice = {EnableNotice::Code::CaptureState, each.notice.level, keywords, 0};
            notices.push_back(each);
        }
    }
    lock.unlock();
    return outcomeOf(tell(std::move(notices), timeout), provider, "it has not yet logged its state");
}

} // namespace tracedeck::etw::engine
