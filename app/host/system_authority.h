// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/authority.h"
#include "core/etw/remote/inbox.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <thread>

struct sd_bus;
struct sd_bus_message;

namespace tracedeck::host {

/// The rule of this machine: root, members of the group "tracedeck", and whom polkit lets do
/// io.github.tracedeck.record-system, for which a person may be asked for a password. Without polkit the rest is
/// refused.
///
/// Threading: as Authority; a thread of its own asks the user database and polkit. Ownership: the destructor answers
/// what is open (Cancelled) and joins.
class SystemAuthority final : public etw::remote::Authority {
public:
    /// `authorised`: a user who has been authorised already, by pkexec.
    explicit SystemAuthority(std::optional<std::uint32_t> authorised = std::nullopt);
    ~SystemAuthority() override;
    SystemAuthority(const SystemAuthority&) = delete;
    SystemAuthority& operator=(const SystemAuthority&) = delete;

    void recordSystem(std::shared_ptr<const etw::remote::Peer> peer, etw::Completion<void> done) override;

private:
    struct Question {
        SystemAuthority* authority = nullptr;
        std::shared_ptr<const etw::remote::Peer> peer;
        etw::Completion<void> done;
    };

    void run();
    void decide(std::shared_ptr<const etw::remote::Peer> peer, etw::Completion<void> done);
    [[nodiscard]] Status askPolkit(Question& question);
    [[nodiscard]] Status openBus();
    void closeBus(const Error& why);
    void answer(Question& question, Result<void> outcome);
    static int answered(sd_bus_message* message, void* question, void* error);

    const std::optional<std::uint32_t> m_authorised;
    etw::remote::Inbox m_inbox;
    std::atomic<bool> m_isEnding{false};
    // The thread's own:
    sd_bus* m_bus = nullptr;
    std::list<Question> m_open;
    std::thread m_thread; ///< last: it uses all of the above
};

/// Whether the user is in the group, by the groups of the process or by the user database.
[[nodiscard]] bool isMember(const etw::remote::Peer& peer, const char* group);

/// When the process began, in the kernel's ticks since boot (field 22 of /proc/<pid>/stat): with the id it names one
/// process for good. Nothing where `process` (a pidfd of it) has ended, so that the id may be another's.
[[nodiscard]] std::optional<std::uint64_t> startTimeOf(std::uint32_t pid, int process);

} // namespace tracedeck::host
