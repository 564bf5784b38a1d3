// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/control_thread.h"
#include "core/etw/engine/enabling.h"
#include "core/etw/engine/writer_gate.h"
#include "core/etw/event_writer.h"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tracedeck::etw::engine {

class ProviderRegistry;

/// One registration of a provider, whatever events it writes: which sessions want which of them.
///
/// Each session's wishes are an immutable Enabling, swapped as a whole. A writer that is inside a session's slot
/// (writer_gate.h) may use the Enabling that it finds there, and the session in it.
///
/// Threading: isEnabled() and deliver() from any thread, without locks, allocation or system calls.
class Registration {
public:
    enum class Kind : std::uint8_t { SelfDescribing, Manifest, Classic };
    Registration(ProviderRegistry& registry, Kind kind, const Guid& id, Process process, EnableCallback callback);
    /// Returns when the callback is not running and will not run any more.
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    [[nodiscard]] const Guid& id() const noexcept { return m_id; }
    [[nodiscard]] Kind kind() const noexcept { return m_kind; }
    [[nodiscard]] const Process& process() const noexcept { return m_process; } ///< that logs its events
    /// Never false where a session wants such an event.
    [[nodiscard]] bool isEnabled(std::uint8_t level, std::uint64_t keyword) const noexcept {
        return m_slots.load(std::memory_order_acquire) != 0 && level <= m_level.load(std::memory_order_relaxed) &&
               (keyword == 0 || (keyword & m_matchAny.load(std::memory_order_relaxed)) != 0);
    }
    /// Calls `write(session, enabling)` for each session that wants an event of this level and keyword, and whose
    /// Enabling `passes`.
    template <class Passes, class Write>
    void deliver(std::uint8_t level, std::uint64_t keyword, Passes passes, Write write) noexcept;
    /// EVENT_ENABLE_PROPERTY_EVENT_KEY: no other event of this registry has it.
    [[nodiscard]] std::uint64_t newEventKey() noexcept;

private:
    friend class ProviderRegistry;

    ProviderRegistry& m_registry;
    const Guid m_id;
    const Kind m_kind;
    const Process m_process;
    const EnableCallback m_callback;
    std::uint64_t m_serial = 0;            ///< no other registration of the registry has it; written by add()
    std::atomic<std::uint64_t> m_slots{0}; ///< a bit for each that is not null below
    // Of all enablings together; EnableNotice says how they are united.
    std::atomic<std::uint8_t> m_level{0};
    std::atomic<std::uint64_t> m_matchAny{0};
    std::array<std::atomic<const Enabling*>, kMaximumSessions> m_enablings{};
};

/// The providers of this process and the sessions that have enabled them.
///
/// Threading: any thread, behind a lock that no writer of events takes. Providers are told on a thread for that, one
/// after another, in the order of the requests; who makes one waits for it no longer than it says.
class ProviderRegistry {
public:
    explicit ProviderRegistry(std::uint32_t processors);
    ~ProviderRegistry();
    ProviderRegistry(const ProviderRegistry&) = delete;
    ProviderRegistry& operator=(const ProviderRegistry&) = delete;

    /// Makes the thread on which providers are told: before the first enable(). Throws std::system_error where the
    /// system has none.
    void startTelling() { m_teller.emplace(); }

    [[nodiscard]] std::vector<Guid> providers();
    /// What of the configuration its providers, those that are registered now, cannot do.
    [[nodiscard]] std::vector<Limitation> limitationsOf(const ProviderConfig& config);

    /// Disables everything for the slot and returns when no writer is inside the session any more.
    void close(std::size_t slot);
    /// Returns when the writers that were inside the session are out.
    void waitForWriters(std::size_t slot) { m_gate.waitUntilQuiet(slot); }
    /// ProviderUnknown where no provider of that id is registered. A provider has eight sessions at most:
    /// SessionLimit; a classic one has one, which loses it. TimedOut as Controller::enable().
    [[nodiscard]] Status enable(std::size_t slot, Session& session, const ProviderConfig& config);
    /// ProviderUnknown where the slot has not enabled it and nobody has registered it.
    [[nodiscard]] Status disable(std::size_t slot, const Guid& provider);
    /// Tells the provider to log its state, and returns when it has, or TimedOut; at once where `timeout` is 0.
    [[nodiscard]] Status captureState(std::size_t slot, const Guid& provider, std::uint64_t keywords,
                                      std::chrono::milliseconds timeout);

private:
    friend class Registration;
    using OfSlots = std::map<std::size_t, std::unique_ptr<Enabling>>;

    void add(Registration& registration);
    void remove(Registration& registration);
    /// Makes writers see what m_enabled has for the slot, and drops what they saw until now.
    void publish(const Guid& provider, std::size_t slot, std::unique_ptr<Enabling> former);
    void publish(Registration& registration, std::size_t slot, const Enabling* enabling);
    void retire(std::size_t slot, std::unique_ptr<Enabling> former);
    /// What the sessions want of the registration together.
    [[nodiscard]] EnableNotice united(const Registration& registration) const;
    void unite(Registration& registration);
    struct Notice {
        Registration* registration = nullptr;
        std::uint64_t serial = 0; ///< another one may lie where it was
        EnableNotice notice;
    };
    using Notices = std::vector<Notice>;
    [[nodiscard]] Notices noticesFor(const Guid& provider) const;
    /// Without m_mutex. False where they have not all been told within `timeout`; 0: nobody waits, true.
    [[nodiscard]] bool tell(Notices notices, std::chrono::milliseconds timeout);
    /// Calls the callback with what `decide` returns under the lock, when no other call of it runs; not at all where
    /// the registration has gone, or nothing is returned.
    template <class Decide>
    void tellNow(Registration* registration, std::uint64_t serial, Decide&& decide);
    [[nodiscard]] bool isThere(const Registration* registration, std::uint64_t serial) const;
    [[nodiscard]] bool isBeingTold(const Registration* registration) const;
    [[nodiscard]] static Status outcomeOf(bool isTold, const Guid& provider, const char* what);
    [[nodiscard]] bool isRegistered(const Guid& provider) const;

    WriterGate m_gate;
    std::atomic<std::uint64_t> m_lastEventKey{0};
    std::mutex m_mutex;
    std::condition_variable m_told; ///< a callback has returned
    // Guarded by m_mutex:
    std::vector<const Registration*> m_beingTold; ///< their callbacks run, outside of the lock
    std::uint64_t m_lastSerial = 0;
    std::vector<Registration*> m_registrations;
    std::map<Guid, OfSlots> m_enabled;
    std::array<std::vector<std::unique_ptr<Enabling>>, kMaximumSessions> m_retired; ///< writers may still be inside

    std::optional<ControlThread> m_teller; ///< last: it uses all of the above
};

inline std::uint64_t Registration::newEventKey() noexcept {
    return m_registry.m_lastEventKey.fetch_add(1, std::memory_order_relaxed) + 1;
}

template <class Passes, class Write>
void Registration::deliver(std::uint8_t level, std::uint64_t keyword, Passes passes, Write write) noexcept {
    std::uint64_t left = m_slots.load(std::memory_order_acquire);
    while (left != 0) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(left));
        left &= left - 1;
        const WriterGate::Visit visit(m_registry.m_gate, slot);
        const Enabling* const enabling = m_enablings[slot].load(); // after the visit's note
        if (enabling != nullptr && enabling->passes(level, keyword) && passes(*enabling)) {
            write(enabling->session(), *enabling);
        }
    }
}

} // namespace tracedeck::etw::engine
