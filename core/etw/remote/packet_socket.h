// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/remote/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::etw::remote {

/// One packet, and the descriptor that came with it.
struct Packet {
    std::vector<std::byte> bytes;
    Descriptor file;
    bool isWhole = true; ///< not too large, and without a second descriptor
};

/// One end of a connection of AF_UNIX SOCK_SEQPACKET, never blocking.
///
/// Threading: one thread at a time. Errors: HostUnreachable where the other end is gone; any other error is of the
/// connection as well, which is of no use then.
class PacketSocket {
public:
    PacketSocket() = default;
    /// A connected socket; made non-blocking by the first call.
    explicit PacketSocket(Descriptor socket);

    /// False where there is no room now: to be tried again when the socket can be written to. `file`: a descriptor to
    /// go with it, -1: none.
    [[nodiscard]] Result<bool> send(std::span<const std::byte> bytes, int file = -1);
    /// Nothing where there is no packet now.
    [[nodiscard]] Result<std::optional<Packet>> receive();
    [[nodiscard]] int descriptor() const noexcept { return m_socket.get(); }

private:
    Descriptor m_socket;
};

/// Connects to a host that listens at `path`. HostUnreachable where nobody does, AccessDenied where one may not.
[[nodiscard]] Result<Descriptor> connectTo(const std::string& path);
/// Listens at `path`, where nothing of that name may exist, for those who may write to it (`mode`).
[[nodiscard]] Result<Descriptor> listenAt(const std::string& path, std::uint32_t mode);
/// Two ends of one connection.
[[nodiscard]] Result<std::pair<Descriptor, Descriptor>> connectedPair();

} // namespace tracedeck::etw::remote
