// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/server.h"

#include "core/etw/remote/aside.h"
#include "core/etw/remote/dispatcher.h"
#include "core/etw/remote/packet_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <exception>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracedeck::etw::remote {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Packets of one client before the next one's turn.
constexpr int kPacketsAtATime = 32;
/// After a connection could not be taken because descriptors or memory are short.
constexpr std::chrono::milliseconds kPauseOfAccepting{500};

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 // Linux 6.5
#endif

/// Of the process at the other end, by the kernel's own reference to it where the kernel gives that, else by its id.
Descriptor processOf(int socket, pid_t pid) {
    int fd = -1;
    socklen_t size = sizeof(fd);
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &fd, &size) == 0) {
        return Descriptor(fd);
    }
    return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// None where they are too many to tell, or of nobody's (a pair of connected sockets).
std::vector<std::uint32_t> groupsOf(int socket) {
    constexpr std::size_t kMost = 1024;
    std::vector<gid_t> groups(kMost);
    auto size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) != 0) {
        return {};
    }
    return {groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(size / sizeof(gid_t))};
}

Result<Peer> peerOf(int socket) {
    ucred credentials{};
    socklen_t size = sizeof(credentials);
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
        return fail(errnoError(errno, "the peer's credentials"));
    }
    return Peer{credentials.uid, credentials.gid, static_cast<std::uint32_t>(credentials.pid), groupsOf(socket),
                processOf(socket, credentials.pid)};
}

/// Whether a request of this kind is answered.
bool isAnswered(const request::Body& body) {
    return !std::holds_alternative<request::WriteEvent>(body) &&
           !std::holds_alternative<request::UnregisterProvider>(body);
}

/// A client's connection: packets in, answers out, never waited for.
class Connection {
public:
    Connection(Descriptor socket, std::shared_ptr<Client> connected)
        : m_socket(std::move(socket)), client(std::move(connected)) {}

    void answer(Reply reply) {
        const std::uint64_t id = reply.id;
        auto packet = encode(std::move(reply));
        if (!packet) { // what a controller says and no message holds
            packet = encode(Reply{id, reply::Failed{packet.error()}});
        }
        if (packet) {
            if (m_waiting.empty()) {
                m_since = SteadyClock::now();
            }
            m_waiting.push_back(std::move(*packet));
        }
        flush();
    }
    /// Sends what there is room for.
    void flush() {
        while (!m_waiting.empty() && !isBroken) {
            const Result<bool> sent = m_socket.send(m_waiting.front());
            if (!sent) {
                isBroken = true;
                return;
            }
            if (!*sent) {
                return;
            }
            m_waiting.pop_front();
            m_since = SteadyClock::now();
        }
    }
    [[nodiscard]] Result<std::optional<Packet>> receive() { return m_socket.receive(); }
    [[nodiscard]] int descriptor() const noexcept { return m_socket.descriptor(); }
    [[nodiscard]] bool hasAnswersWaiting() const noexcept { return !m_waiting.empty(); }
    [[nodiscard]] std::size_t unanswered() const noexcept { return outstanding + m_waiting.size(); }
    /// Since when the oldest answer waits.
    [[nodiscard]] SteadyClock::time_point waitingSince() const noexcept { return m_since; }

private:
    PacketSocket m_socket;
    std::deque<std::vector<std::byte>> m_waiting;
    SteadyClock::time_point m_since;

public:
    std::shared_ptr<Client> client;
    std::size_t outstanding = 0;  ///< requests that are being carried out
    bool isBeingLookedAt = false; ///< the file of its last request: what follows waits, to keep the order
    bool isBroken = false;
};

} // namespace

class Server::Impl {
public:
    explicit Impl(Setup setup)
        : m_limits(setup.limits), m_idleTimeout(setup.idleTimeout), m_inbox(std::make_shared<Inbox>()),
          m_aside(m_inbox), m_dispatcher(std::move(setup), m_inbox), m_busyUntil(SteadyClock::now()) {}
    ~Impl() {
        for (auto& [id, connection] : m_connections) {
            m_dispatcher.disconnected(std::move(connection.client));
        }
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void listen(Descriptor listener) { m_listeners.push_back(std::move(listener)); }
    void adopt(Descriptor connection) {
        auto kept = std::make_shared<Descriptor>(std::move(connection));
        m_inbox->post([this, kept] { take(std::move(*kept)); });
    }
    void stop() noexcept {
        m_isStopping = true;
        m_inbox->wake();
    }
    std::optional<End> step(std::chrono::milliseconds most, int until);

private:
    /// What poll() waits for, and whose it is.
    struct Waiting {
        std::vector<pollfd> descriptors;
        std::vector<std::uint64_t> connections; ///< of the descriptors behind the fixed ones
        std::size_t firstListener = 0;
        std::size_t firstConnection = 0;
    };
    [[nodiscard]] Waiting waiting(int until) const;
    [[nodiscard]] std::chrono::milliseconds patience(std::chrono::milliseconds most) const;
    void take(Descriptor socket);
    void accept(int listener);
    void serve(std::uint64_t id, short events);
    [[nodiscard]] bool mayAsk(const Connection& connection) const noexcept {
        return !connection.isBroken && !connection.isBeingLookedAt && connection.unanswered() < m_limits.outstanding &&
               !m_aside.isFull(connection.client->peer->uid);
    }
    void handle(std::uint64_t id, Connection& connection, Packet packet);
    void refuse(Connection& connection, std::span<const std::byte> packet, const Error& why);
    void dispatch(std::uint64_t id, Connection& connection, Request request, Descriptor file);
    void lookAt(std::uint64_t id, Connection& connection, Request request, Descriptor file);
    void discard(std::uint32_t user, Descriptor file);
    void dropBroken();
    [[nodiscard]] bool isIdle() const noexcept { return m_connections.empty() && !m_dispatcher.hasSessions(); }

    const Limits m_limits;
    const std::optional<std::chrono::milliseconds> m_idleTimeout;
    const std::shared_ptr<Inbox> m_inbox;
    std::vector<Descriptor> m_listeners;
    std::atomic<bool> m_isStopping{false};
    Aside m_aside;
    Dispatcher m_dispatcher;
    std::map<std::uint64_t, Connection> m_connections;
    std::uint64_t m_lastConnection = 0;
    SteadyClock::time_point m_acceptsFrom;
    SteadyClock::time_point m_busyUntil; ///< when there was a client or a session last
};

Server::Impl::Waiting Server::Impl::waiting(int until) const {
    Waiting all;
    all.descriptors.push_back({m_inbox->descriptor(), POLLIN, 0});
    all.descriptors.push_back({until, POLLIN, 0}); // -1 is passed over
    all.firstListener = all.descriptors.size();
    const bool accepts = SteadyClock::now() >= m_acceptsFrom;
    for (const Descriptor& listener : m_listeners) {
        all.descriptors.push_back({accepts ? listener.get() : -1, POLLIN, 0});
    }
    all.firstConnection = all.descriptors.size();
    for (const auto& [id, connection] : m_connections) {
        const int events = (mayAsk(connection) ? POLLIN : 0) | (connection.hasAnswersWaiting() ? POLLOUT : 0);
        all.descriptors.push_back({connection.descriptor(), static_cast<short>(events), 0});
        all.connections.push_back(id);
    }
    return all;
}

/// Until something is due by itself.
std::chrono::milliseconds Server::Impl::patience(std::chrono::milliseconds most) const {
    const auto now = SteadyClock::now();
    const auto until = [&](SteadyClock::time_point due) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - now);
        most = std::min(most, std::max(left, std::chrono::milliseconds(0)));
    };
    for (const auto& [id, connection] : m_connections) {
        if (connection.hasAnswersWaiting()) {
            until(connection.waitingSince() + m_limits.patience);
        }
    }
    if (m_acceptsFrom > now) {
        until(m_acceptsFrom);
    }
    if (m_idleTimeout && isIdle()) {
        until(m_busyUntil + *m_idleTimeout);
    }
    return most;
}

std::optional<Server::End> Server::Impl::step(std::chrono::milliseconds most, int until) {
    Waiting all = waiting(until);
    const auto timeout = static_cast<int>(patience(most).count());
    if (::poll(all.descriptors.data(), all.descriptors.size(), timeout) > 0) {
        if (all.descriptors[0].revents != 0) {
            m_inbox->carryOut();
        }
        if (all.descriptors[1].revents != 0) {
            return End::Stopped;
        }
        for (std::size_t i = 0; i < all.connections.size(); ++i) {
            if (const short events = all.descriptors[all.firstConnection + i].revents; events != 0) {
                serve(all.connections[i], events);
            }
        }
        for (std::size_t i = all.firstListener; i < all.firstConnection; ++i) {
            if (all.descriptors[i].revents != 0) {
                accept(all.descriptors[i].fd);
            }
        }
    }
    dropBroken();
    if (m_isStopping) {
        return End::Stopped;
    }
    const auto now = SteadyClock::now();
    if (!isIdle()) {
        m_busyUntil = now;
    } else if (m_idleTimeout && now - m_busyUntil >= *m_idleTimeout) {
        return End::Idle;
    }
    return std::nullopt;
}

void Server::Impl::accept(int listener) {
    Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.isOpen()) {
        take(std::move(socket));
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        // Out of descriptors or memory: the client waits in the backlog.
        spdlog::warn("a client waits to be accepted: {}", errnoError(errno, "accept").detail);
        m_acceptsFrom = SteadyClock::now() + kPauseOfAccepting;
    }
}

void Server::Impl::take(Descriptor socket) {
    Result<Peer> peer = peerOf(socket.get());
    if (!peer) {
        spdlog::warn("a client is turned away: {}", peer.error().detail);
        return;
    }
    if (m_connections.size() >= m_limits.allConnections || m_aside.isFull(peer->uid) ||
        m_dispatcher.connectionsOf(peer->uid) >= m_limits.connections) {
        spdlog::warn("a client of user {} is turned away: too many are connected", peer->uid);
        return;
    }
    try {
        m_connections.try_emplace(++m_lastConnection, std::move(socket), m_dispatcher.connected(std::move(*peer)));
    } catch (const std::exception& error) { // memory, or a thread, is short
        spdlog::warn("a client is turned away: {}", error.what());
    }
}

void Server::Impl::serve(std::uint64_t id, short events) {
    const auto found = m_connections.find(id);
    if (found == m_connections.end()) {
        return;
    }
    Connection& connection = found->second;
    if ((events & POLLOUT) != 0) {
        connection.flush();
    }
    if ((events & (POLLIN | POLLHUP | POLLERR)) == 0) {
        return;
    }
    for (int i = 0; i < kPacketsAtATime && !connection.isBroken; ++i) {
        if (!mayAsk(connection)) {
            // Gone, and nobody to take the answers that it would have to wait for.
            connection.isBroken = connection.isBroken || (events & (POLLHUP | POLLERR)) != 0;
            return;
        }
        Result<std::optional<Packet>> packet = connection.receive();
        if (!packet) {
            connection.isBroken = true;
        } else if (!*packet) {
            return;
        } else {
            handle(id, connection, std::move(**packet));
        }
    }
}

void Server::Impl::handle(std::uint64_t id, Connection& connection, Packet packet) {
    Result<Request> request = decodeRequest(packet.bytes);
    if (!packet.isWhole) {
        request = fail(ErrorCode::InvalidArgument, "message: too large, or with several descriptors");
    } else if (request && request->hasFile() != packet.file.isOpen()) {
        request = fail(ErrorCode::InvalidArgument, "message: a descriptor that is missing, or that nobody asked for");
    }
    try {
        if (!request) {
            refuse(connection, packet.bytes, request.error());
            discard(connection.client->peer->uid, std::move(packet.file));
        } else if (packet.file.isOpen() && mayWait(packet.file.get())) {
            lookAt(id, connection, std::move(*request), std::move(packet.file));
        } else {
            dispatch(id, connection, std::move(*request), std::move(packet.file));
        }
    } catch (const std::exception& error) { // memory is short
        spdlog::warn("a client of user {} is disconnected: {}", connection.client->peer->uid, error.what());
        connection.isBroken = true;
    }
}

void Server::Impl::refuse(Connection& connection, std::span<const std::byte> packet, const Error& why) {
    spdlog::warn("a client of user {} is disconnected: {}", connection.client->peer->uid, why.detail);
    connection.answer({idOf(packet), reply::Failed{why}});
    connection.isBroken = true;
}

void Server::Impl::dispatch(std::uint64_t id, Connection& connection, Request request, Descriptor file) {
    Dispatcher::Answer answer;
    if (isAnswered(request.body)) {
        ++connection.outstanding;
        answer = [this, id, requestId = request.id](reply::Body body) {
            if (const auto found = m_connections.find(id); found != m_connections.end()) {
                --found->second.outstanding;
                found->second.answer({requestId, std::move(body)});
            }
        };
    }
    m_dispatcher.handle(connection.client, std::move(request), std::move(file), std::move(answer));
}

/// A file that may keep whoever looks at it waiting is looked at aside, and closed there where it is refused.
void Server::Impl::lookAt(std::uint64_t id, Connection& connection, Request request, Descriptor file) {
    struct Look {
        Request request;
        Descriptor file;
        Status outcome;
    };
    const std::uint32_t user = connection.client->peer->uid;
    auto look = std::make_shared<Look>(Look{std::move(request), std::move(file), {}});
    connection.isBeingLookedAt = true;
    const auto work = [look, user] {
        look->outcome = checkOffered(look->file.get(), user);
        if (!look->outcome) {
            look->file.reset();
        }
    };
    const bool isRunning = m_aside.run(user, work, [this, id, look] {
        const auto found = m_connections.find(id);
        if (found == m_connections.end()) {
            return; // a file that was accepted does not keep anybody waiting
        }
        found->second.isBeingLookedAt = false;
        if (!look->outcome) {
            look->request.withholdFile(look->outcome.error());
        }
        dispatch(id, found->second, std::move(look->request), std::move(look->file));
    });
    if (!isRunning) {
        static_cast<void>(look->file.release()); // kept open for good: closing it might take for ever
        connection.isBroken = true;
    }
}

void Server::Impl::discard(std::uint32_t user, Descriptor file) {
    if (!file.isOpen() || !mayWait(file.get())) {
        return;
    }
    auto kept = std::make_shared<Descriptor>(std::move(file));
    if (!m_aside.run(
            user, [kept] { kept->reset(); }, [] {})) {
        static_cast<void>(kept->release()); // as above
    }
}

void Server::Impl::dropBroken() {
    const auto now = SteadyClock::now();
    for (auto each = m_connections.begin(); each != m_connections.end();) {
        Connection& connection = each->second;
        if (!connection.isBroken && connection.hasAnswersWaiting() &&
            now - connection.waitingSince() >= m_limits.patience) {
            spdlog::warn("a client of user {} is disconnected: it reads no answers", connection.client->peer->uid);
            connection.isBroken = true;
        }
        if (!connection.isBroken) {
            ++each;
            continue;
        }
        std::shared_ptr<Client> client = std::move(connection.client);
        each = m_connections.erase(each);
        m_dispatcher.disconnected(std::move(client));
    }
}

Server::Server(Setup setup) : m_impl(std::make_unique<Impl>(std::move(setup))) {}

Server::~Server() = default;

void Server::listen(Descriptor listener) {
    m_impl->listen(std::move(listener));
}

void Server::adopt(Descriptor connection) {
    m_impl->adopt(std::move(connection));
}

Server::End Server::run(int until) {
    constexpr std::chrono::hours kLong{1};
    while (true) {
        if (const auto end = m_impl->step(kLong, until)) {
            return *end;
        }
    }
}

std::optional<Server::End> Server::step(std::chrono::milliseconds most, int until) {
    return m_impl->step(most, until);
}

void Server::stop() noexcept {
    m_impl->stop();
}

} // namespace tracedeck::etw::remote
