// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/remote/descriptor.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etw::remote {

/// One way to a session host.
///
/// Threading: connect() waits; not on a thread that a person waits for, but for a program without a window.
class HostStarter {
public:
    virtual ~HostStarter() = default;
    /// A connection to the host. HostUnreachable: there is none on this way. AccessDenied, Cancelled: there is, and it
    /// was refused.
    [[nodiscard]] virtual Result<Descriptor> connect() = 0;
};

/// The hosts that run already, or that systemd starts when somebody connects: of the machine, or of this user alone.
class RunningHost final : public HostStarter {
public:
    /// Sockets in the order in which they are tried.
    explicit RunningHost(std::vector<std::string> sockets) : m_sockets(std::move(sockets)) {}
    /// The usual ones.
    [[nodiscard]] static RunningHost ofUser(std::uint32_t uid);
    [[nodiscard]] Result<Descriptor> connect() override;

private:
    std::vector<std::string> m_sockets;
};

/// Starts a host of this user's own through pkexec, which asks for a password. It stays when this program ends, until
/// nobody needs it.
class PkexecHost final : public HostStarter {
public:
    /// `command`: ends in the host's program and options; says the socket's path on its standard output when it
    /// listens. `socket`: where that is expected to be. `patience`: for a person who looks for the password.
    PkexecHost(std::vector<std::string> command, std::string socket,
               std::chrono::milliseconds patience = std::chrono::minutes(3))
        : m_command(std::move(command)), m_socket(std::move(socket)), m_patience(patience) {}
    /// `hostProgram`: full path of tracedeck-host.
    [[nodiscard]] static PkexecHost ofUser(std::uint32_t uid, std::string hostProgram);
    /// Cancelled where the person does not want to; AccessDenied where he may not.
    [[nodiscard]] Result<Descriptor> connect() override;

private:
    std::vector<std::string> m_command;
    std::string m_socket;
    std::chrono::milliseconds m_patience;
};

/// The first way that leads to a host. An error that is not HostUnreachable ends the search; else what every way has
/// said is in the error.
[[nodiscard]] Result<Descriptor> connectToHost(std::span<HostStarter* const> ways);

} // namespace tracedeck::etw::remote
