// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/packet_socket.h"

#include "core/etw/remote/wire.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tracedeck::etw::remote {
namespace {

constexpr int kKind = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK;
constexpr int kBacklog = 64;

Error lost(int errnoValue, const char* call) {
    Error error = errnoError(errnoValue, call);
    error.code = ErrorCode::HostUnreachable;
    return error;
}

Result<sockaddr_un> addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path)) {
        return fail(ErrorCode::InvalidArgument, "socket " + path + ": a name of this length has no room");
    }
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

/// The descriptor that came with a message: there is room for no more.
Descriptor descriptorOf(msghdr& message) {
    Descriptor received;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS &&
            part->cmsg_len >= CMSG_LEN(sizeof(int))) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part), sizeof(int));
            received.reset(fd);
        }
    }
    return received;
}

} // namespace

PacketSocket::PacketSocket(Descriptor socket) : m_socket(std::move(socket)) {}

Result<bool> PacketSocket::send(std::span<const std::byte> bytes, int file) {
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()}; // sendmsg() only reads it
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control{};
    if (file >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(rights), &file, sizeof(int));
    }
    while (::sendmsg(m_socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            return fail(lost(errno, "send to the connection"));
        }
    }
    return true;
}

Result<std::optional<Packet>> PacketSocket::receive() {
    Packet packet;
    packet.bytes.resize(kLargestPacket);
    iovec part{packet.bytes.data(), packet.bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control{};
    message.msg_control = control.data();
    message.msg_controllen = CMSG_LEN(sizeof(int)); // one: the kernel drops what goes beyond
    ssize_t size = -1;
    while ((size = ::recvmsg(m_socket.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return std::nullopt;
        }
        if (errno != EINTR) {
            return fail(lost(errno, "receive from the connection"));
        }
    }
    packet.file = descriptorOf(message);
    if (size == 0 && !packet.file.isOpen()) {
        return fail(ErrorCode::HostUnreachable, "the other end has closed the connection");
    }
    packet.isWhole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    packet.bytes.resize(static_cast<std::size_t>(size));
    packet.bytes.shrink_to_fit();
    return packet;
}

namespace {

Result<Descriptor> newSocket() {
    Descriptor socket(::socket(AF_UNIX, kKind, 0));
    if (!socket.isOpen()) {
        return fail(errnoError(errno, "socket"));
    }
    return socket;
}

} // namespace

Result<Descriptor> connectTo(const std::string& path) {
    const Result<sockaddr_un> address = addressOf(path);
    if (!address) {
        return fail(address.error());
    }
    Result<Descriptor> socket = newSocket();
    if (!socket) {
        return socket;
    }
    // Connecting to a local socket does not wait: a full backlog is EAGAIN.
    if (::connect(socket->get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0) {
        Error error = errnoError(errno, "connect to " + path, ErrorCode::HostUnreachable);
        if (error.code == ErrorCode::FileNotFound) {
            error.code = ErrorCode::HostUnreachable;
        }
        return fail(std::move(error));
    }
    return socket;
}

Result<Descriptor> listenAt(const std::string& path, std::uint32_t mode) {
    const Result<sockaddr_un> address = addressOf(path);
    if (!address) {
        return fail(address.error());
    }
    Result<Descriptor> socket = newSocket();
    if (!socket) {
        return socket;
    }
    // Nobody can connect before listen(), so that the mode is set in time.
    if (::bind(socket->get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0) {
        return fail(errnoError(errno == EADDRINUSE ? EEXIST : errno, "bind " + path));
    }
    if (::chmod(path.c_str(), mode) != 0 || ::listen(socket->get(), kBacklog) != 0) {
        Error error = errnoError(errno, "listen at " + path);
        ::unlink(path.c_str());
        return fail(std::move(error));
    }
    return socket;
}

Result<std::pair<Descriptor, Descriptor>> connectedPair() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, kKind, 0, ends.data()) != 0) {
        return fail(errnoError(errno, "socketpair"));
    }
    return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

} // namespace tracedeck::etw::remote
