// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/wire.h"
#include "tests/support/catch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace tracedeck::test {

/// A client that sends what no decent one would.
///
/// Threading: the test's thread. Every wait ends after half a minute at the latest.
class RawClient {
public:
    explicit RawClient(etw::remote::Descriptor connection) : m_fd(connection.get()), m_socket(std::move(connection)) {}

    /// False where the connection is gone or, without waiting, has no room.
    bool sendBytes(std::span<const std::byte> bytes, int file = -1) {
        const auto sent = m_socket.send(bytes, file);
        return sent && *sent;
    }
    bool send(etw::remote::request::Body body, int file = -1, std::uint64_t id = 1) {
        const auto packet = encode(etw::remote::Request{id, std::move(body)});
        REQUIRE(packet.has_value());
        return sendBytes(*packet, file);
    }
    /// Several descriptors in one message.
    bool sendMany(std::span<const std::byte> bytes, const std::vector<int>& files) const {
        iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
        std::vector<std::byte> control(CMSG_SPACE(files.size() * sizeof(int)));
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
        std::memcpy(CMSG_DATA(rights), files.data(), files.size() * sizeof(int));
        return ::sendmsg(m_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    }
    /// The next reply; nothing where the connection was closed, or nothing came.
    std::optional<etw::remote::Reply> receive() {
        while (true) {
            auto packet = m_socket.receive();
            if (!packet) {
                isClosed = true;
                return std::nullopt;
            }
            if (*packet) {
                auto reply = etw::remote::decodeReply((*packet)->bytes);
                REQUIRE(reply.has_value());
                return std::move(*reply);
            }
            pollfd waiting{m_fd, POLLIN, 0};
            if (::poll(&waiting, 1, 30'000) <= 0) {
                return std::nullopt;
            }
        }
    }
    [[nodiscard]] int descriptor() const noexcept { return m_fd; }
    /// Reads to the end; whether the host has closed the connection.
    bool waitForEnd() {
        while (receive()) {
        }
        return isClosed;
    }
    bool isClosed = false;

private:
    int m_fd;
    etw::remote::PacketSocket m_socket;
};

} // namespace tracedeck::test
