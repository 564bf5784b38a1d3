// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/provider_registry.h"

#include "core/etw/engine/current_thread.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <thread>

namespace tracedeck::etw::engine {

/// One registration.
///
/// A writer enters a session in three steps: it counts itself in, asks for the session once more, and steps back where
/// that is gone or another one than the provider was enabled for. Closing takes the session away first and then waits
/// for the count: sequential consistency of the two makes sure that one of them sees the other.
class ProviderRegistry::Provider final : public EventWriter {
public:
    Provider(ProviderRegistry& registry, std::string name, std::optional<std::uint32_t> processId)
        : m_registry(registry), m_name(std::move(name)), m_id(guidFromProviderName(m_name)), m_processId(processId) {
        m_registry.add(*this);
    }
    ~Provider() override { m_registry.remove(*this); }

    void write(const etlformat::TraceLoggingEvent& event) noexcept override {
        std::optional<etlformat::TraceLoggingEncoder> encoder; // measuring is for events that somebody wants
        for (std::uint64_t left = m_slots.load(std::memory_order_acquire); left != 0; left &= left - 1) {
            const auto slot = static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t session = m_filters[slot].session.load(std::memory_order_acquire);
            if (!m_filters[slot].passes(event)) {
                continue;
            }
            if (!encoder) {
                encoder.emplace(event, m_name);
            }
            deliver(slot, session, *encoder);
        }
    }

    [[nodiscard]] const Guid& providerId() const noexcept override { return m_id; }

    void enable(std::size_t slot, const Enabling& enabling) {
        Filter& filter = m_filters[slot];
        filter.level.store(enabling.level, std::memory_order_relaxed);
        filter.matchAny.store(enabling.matchAny, std::memory_order_relaxed);
        filter.matchAll.store(enabling.matchAll, std::memory_order_relaxed);
        filter.session.store(enabling.session, std::memory_order_release); // last: who sees it sees the rest
        m_slots.fetch_or(std::uint64_t{1} << slot, std::memory_order_release);
    }
    void disable(std::size_t slot) { m_slots.fetch_and(~(std::uint64_t{1} << slot), std::memory_order_release); }

private:
    struct Filter {
        /// Whom it is for. A slot goes from one session to the next, and a writer may have read the mask long ago.
        std::atomic<std::uint64_t> session{0};
        std::atomic<std::uint8_t> level{0};
        std::atomic<std::uint64_t> matchAny{0};
        std::atomic<std::uint64_t> matchAll{0};

        /// The rule of the providers' own libraries: level 0 of the session means all, level 0 of an event always
        /// passes, so does an event without keywords; a session's "any" of 0 means all.
        [[nodiscard]] bool passes(const etlformat::TraceLoggingEvent& event) const noexcept {
            const std::uint8_t upTo = level.load(std::memory_order_relaxed);
            if (upTo != 0 && event.level > upTo) {
                return false;
            }
            if (event.keyword == 0) {
                return true;
            }
            const std::uint64_t any = matchAny.load(std::memory_order_relaxed);
            const std::uint64_t all = matchAll.load(std::memory_order_relaxed);
            return (any == 0 || (event.keyword & any) != 0) && (event.keyword & all) == all;
        }
    };

    void deliver(std::size_t index, std::uint64_t id, const etlformat::TraceLoggingEncoder& encoder) noexcept {
        Slot& slot = m_registry.m_slots[index];
        if (slot.session.load() == nullptr) {
            return;
        }
        const std::uint32_t processor = currentProcessor();
        std::atomic<std::uint32_t>& inside = slot.inside[processor % m_registry.m_processors].writers;
        inside.fetch_add(1);
        Session* session = slot.session.load();
        if (session != nullptr && session->id().value == id) {
            session->writeEvent(processor, encoder.size(), [&](std::byte* place, Ticks time) {
                encoder.write(place, {m_id, time, m_processId ? *m_processId : currentProcessId(),
                                      m_processId ? *m_processId : currentThreadId()});
            });
        }
        inside.fetch_sub(1, std::memory_order_release);
    }

    ProviderRegistry& m_registry;
    const std::string m_name;
    const Guid m_id;
    const std::optional<std::uint32_t> m_processId; ///< of another process
    std::atomic<std::uint64_t> m_slots{0};
    std::array<Filter, kMaximumSessions> m_filters;
};

ProviderRegistry::ProviderRegistry(std::uint32_t processors) : m_processors(processors) {}

ProviderRegistry::~ProviderRegistry() {
    assert(m_providers.empty()); // they must not outlive the factory
}

std::unique_ptr<EventWriter> ProviderRegistry::registerProvider(std::string name) {
    return std::make_unique<Provider>(*this, std::move(name), std::nullopt);
}

std::unique_ptr<EventWriter> ProviderRegistry::registerProviderOf(std::uint32_t processId, std::string name) {
    return std::make_unique<Provider>(*this, std::move(name), processId);
}

void ProviderRegistry::add(Provider& provider) {
    const std::lock_guard lock(m_mutex);
    m_providers.push_back(&provider);
    if (const auto found = m_enabled.find(provider.providerId()); found != m_enabled.end()) {
        for (const auto& [slot, enabling] : found->second) {
            provider.enable(slot, enabling);
        }
    }
}

void ProviderRegistry::remove(Provider& provider) {
    const std::lock_guard lock(m_mutex);
    std::erase(m_providers, &provider);
}

std::vector<Guid> ProviderRegistry::providers() {
    const std::lock_guard lock(m_mutex);
    std::vector<Guid> ids;
    for (const Provider* provider : m_providers) {
        ids.push_back(provider->providerId());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

void ProviderRegistry::open(std::size_t slot, Session& session) {
    Slot& opened = m_slots[slot];
    if (!opened.inside) {
        opened.inside = std::make_unique<Inside[]>(m_processors);
    }
    opened.session.store(&session);
}

void ProviderRegistry::close(std::size_t slot) {
    Slot& closed = m_slots[slot];
    {
        const std::lock_guard lock(m_mutex);
        for (auto& [id, enablings] : m_enabled) {
            enablings.erase(slot);
        }
        std::erase_if(m_enabled, [](const auto& entry) { return entry.second.empty(); });
        for (Provider* provider : m_providers) {
            provider->disable(slot);
        }
    }
    closed.session.store(nullptr);
    if (closed.inside) {
        for (std::uint32_t i = 0; i < m_processors; ++i) {
            while (closed.inside[i].writers.load() != 0) {
                std::this_thread::yield();
            }
        }
    }
}

Status ProviderRegistry::enable(std::size_t slot, SessionId session, const ProviderConfig& config) {
    const std::lock_guard lock(m_mutex);
    const Enabling enabling{session.value, config.level, config.matchAnyKeyword, config.matchAllKeyword};
    bool isKnown = m_enabled.contains(config.provider);
    for (Provider* provider : m_providers) {
        if (provider->providerId() == config.provider) {
            provider->enable(slot, enabling);
            isKnown = true;
        }
    }
    if (!isKnown) {
        return fail(ErrorCode::ProviderUnknown,
                    "provider " + toString(config.provider) + " " + config.name + " is not registered",
                    win32::kGuidNotFound);
    }
    m_enabled[config.provider][slot] = enabling;
    return {};
}

Status ProviderRegistry::disable(std::size_t slot, const Guid& provider) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_enabled.find(provider);
    bool isKnown = found != m_enabled.end() && found->second.erase(slot) > 0;
    if (found != m_enabled.end() && found->second.empty()) {
        m_enabled.erase(found);
    }
    for (Provider* each : m_providers) {
        if (each->providerId() == provider) {
            each->disable(slot);
            isKnown = true;
        }
    }
    if (!isKnown) {
        return fail(ErrorCode::ProviderUnknown, "provider " + toString(provider) + " is not registered",
                    win32::kGuidNotFound);
    }
    return {};
}

} // namespace tracedeck::etw::engine
