// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/session.h"
#include "core/etw/event_writer.h"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tracedeck::etw::engine {

/// The providers of this process and the sessions that have enabled them.
///
/// A session has a slot, 0…63. Each provider holds a mask of the slots that have enabled it, which is all that a
/// write() nobody listens to looks at.
///
/// Threading: write() of a provider from any thread, without locks, allocation or system calls; the registry's own
/// functions from any thread too, behind a lock that no writer of events takes.
class ProviderRegistry {
public:
    explicit ProviderRegistry(std::uint32_t processors);
    ~ProviderRegistry();
    ProviderRegistry(const ProviderRegistry&) = delete;
    ProviderRegistry& operator=(const ProviderRegistry&) = delete;

    [[nodiscard]] std::unique_ptr<EventWriter> registerProvider(std::string name);
    /// Of another process, whose events reach this one: they carry its id, and that of its main thread.
    [[nodiscard]] std::unique_ptr<EventWriter> registerProviderOf(std::uint32_t processId, std::string name);
    [[nodiscard]] std::vector<Guid> providers();

    /// Opens a slot for the session's events.
    void open(std::size_t slot, Session& session);
    /// Disables everything for the slot and returns when no writer is inside the session any more.
    void close(std::size_t slot);
    /// For `session`, which has the slot. ProviderUnknown where no provider of that id is registered.
    [[nodiscard]] Status enable(std::size_t slot, SessionId session, const ProviderConfig& config);
    /// ProviderUnknown where the slot has not enabled it and nobody has registered it.
    [[nodiscard]] Status disable(std::size_t slot, const Guid& provider);

private:
    class Provider;

    /// Writers inside one slot's session, counted apart for each processor so that they do not share a cache line.
    struct alignas(64) Inside {
        std::atomic<std::uint32_t> writers{0};
    };
    struct Slot {
        std::atomic<Session*> session{nullptr};
        std::unique_ptr<Inside[]> inside; ///< made at the first use of the slot, kept
    };
    struct Enabling {
        std::uint64_t session = 0;
        std::uint8_t level = 0xFF;
        std::uint64_t matchAny = 0;
        std::uint64_t matchAll = 0;
    };

    void add(Provider& provider);
    void remove(Provider& provider);

    const std::uint32_t m_processors;
    std::array<Slot, kMaximumSessions> m_slots;

    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::vector<Provider*> m_providers;
    std::map<Guid, std::map<std::size_t, Enabling>> m_enabled;
};

} // namespace tracedeck::etw::engine
