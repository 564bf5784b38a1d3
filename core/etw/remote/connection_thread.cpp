// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/connection_thread.h"

#include <poll.h>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// What tell() lets wait, in bytes: a host that does not read costs no more memory than that.
constexpr std::size_t kMostTold = std::size_t{4} * 1024 * 1024;
/// For what is still to be sent when the client ends.
constexpr std::chrono::seconds kFarewell{1};

void setFile(request::Body& body, OfferedFile file) {
    std::visit(
        [&](auto& each) {
            if constexpr (requires { each.file; }) {
                each.file = std::move(file);
            }
        },
        body);
}

} // namespace

ConnectionThread::ConnectionThread(Descriptor connection)
    : m_socket(std::move(connection)), m_thread([this] { run(); }) {}

ConnectionThread::~ConnectionThread() {
    m_isEnding = true;
    m_inbox.wake();
    m_thread.join();
}

void ConnectionThread::ask(request::Body body, Wish wish, Answered answered) {
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back({std::move(body), std::move(wish), std::move(answered), {}});
    }
    m_inbox.wake();
}

bool ConnectionThread::tell(const request::Body& body) {
    Result<std::vector<std::byte>> packet = encode(Request{0, body});
    if (!packet) {
        return false;
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_toldBytes + packet->size() > kMostTold) {
            return false;
        }
        m_toldBytes += packet->size();
        m_queue.push_back({{}, {}, {}, std::move(*packet)});
    }
    m_inbox.wake();
    return true;
}

void ConnectionThread::run() {
    while (!mayEnd()) {
        while (m_sending.empty() && takeNext()) {
        }
        send();
        waitForNews();
    }
    lose({ErrorCode::HostUnreachable, "the connection to the host was closed by this program"});
    while (takeNext()) {
    }
}

/// Nothing is left to be sent, or there was time enough.
bool ConnectionThread::mayEnd() const {
    if (!m_isEnding) {
        return false;
    }
    const std::lock_guard lock(m_mutex);
    const bool isSent = m_queue.empty() && m_sending.empty();
    return isSent || m_lost || (m_endsAt && SteadyClock::now() >= *m_endsAt);
}

void ConnectionThread::waitForNews() {
    int timeout = -1;
    if (m_isEnding) {
        if (!m_endsAt) {
            m_endsAt = SteadyClock::now() + kFarewell;
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*m_endsAt - SteadyClock::now());
        timeout = static_cast<int>(std::max(left, std::chrono::milliseconds(0)).count());
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_sending.empty() && (!m_queue.empty() || m_isEnding)) {
            timeout = 0;
        }
    }
    const auto events = static_cast<short>(POLLIN | (m_sending.empty() ? 0 : POLLOUT));
    std::array<pollfd, 2> descriptors{
        {{m_inbox.descriptor(), POLLIN, 0}, {m_lost ? -1 : m_socket.descriptor(), events, 0}}};
    if (::poll(descriptors.data(), descriptors.size(), timeout) <= 0) {
        return;
    }
    if (descriptors[0].revents != 0) {
        m_inbox.carryOut();
    }
    if ((descriptors[1].revents & ~POLLOUT) != 0) {
        receive();
    }
}

/// Prepares the next message; false where there is none.
bool ConnectionThread::takeNext() {
    Outgoing next;
    {
        const std::lock_guard lock(m_mutex);
        if (m_queue.empty()) {
            return false;
        }
        next = std::move(m_queue.front());
        m_queue.pop_front();
        m_toldBytes -= next.told.size();
    }
    prepare(std::move(next));
    return true;
}

void ConnectionThread::prepare(Outgoing outgoing) {
    if (!outgoing.told.empty()) {
        if (!m_lost) {
            m_sending = std::move(outgoing.told);
            m_sendingId = 0;
        }
        return;
    }
    if (m_lost) {
        outgoing.answered(fail(*m_lost));
        return;
    }
    Pending pending{std::move(outgoing.answered), std::nullopt};
    if (!outgoing.wish.path.empty()) {
        Result<ClientFile> file = ClientFile::create(outgoing.wish.path, outgoing.wish.existing);
        if (file) {
            pending.file = std::move(*file);
            setFile(outgoing.body, {true, std::nullopt});
        } else {
            setFile(outgoing.body, {false, std::move(file).error()});
        }
    }
    const std::uint64_t id = ++m_lastId;
    m_pending.emplace(id, std::move(pending));
    Result<std::vector<std::byte>> packet = encode(Request{id, std::move(outgoing.body)});
    if (!packet) {
        settle(id, fail(std::move(packet).error()));
        return;
    }
    m_sending = std::move(*packet);
    m_sendingId = id;
}

void ConnectionThread::send() {
    while (!m_sending.empty()) {
        int file = -1;
        if (const auto pending = m_pending.find(m_sendingId); pending != m_pending.end() && pending->second.file) {
            file = pending->second.file->descriptor();
        }
        const Result<bool> sent = m_socket.send(m_sending, file);
        if (!sent) {
            // The answer to an earlier request, or the reason, may be there still.
            receive();
            lose(sent.error());
            return;
        }
        if (!*sent) {
            return;
        }
        m_sending.clear();
        while (m_sending.empty() && takeNext()) {
        }
    }
}

void ConnectionThread::receive() {
    while (!m_lost) {
        Result<std::optional<Packet>> packet = m_socket.receive();
        if (!packet) {
            lose(packet.error());
            return;
        }
        if (!*packet) {
            return;
        }
        Result<Reply> reply = decodeReply((*packet)->bytes);
        if (!(*packet)->isWhole) {
            reply = fail(ErrorCode::InvalidArgument, "a packet that is too large");
        }
        if (!reply) {
            lose({ErrorCode::HostUnreachable, "the host: " + reply.error().detail, reply.error().native});
            return;
        }
        settle(reply->id, std::move(reply->body));
    }
}

void ConnectionThread::lose(const Error& why) {
    if (!m_lost) {
        m_lost = why;
        m_lost->code = ErrorCode::HostUnreachable;
    }
    m_sending.clear();
    while (!m_pending.empty()) {
        settle(m_pending.begin()->first, fail(*m_lost));
    }
}

void ConnectionThread::settle(std::uint64_t id, Result<reply::Body> outcome) {
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) {
        spdlog::warn("the host answers what nobody has asked: {}", id);
        return;
    }
    const Pending pending = std::move(found->second);
    m_pending.erase(found);
    if (pending.file) {
        pending.file->removeIfUnused();
    }
    pending.answered(std::move(outcome));
}

} // namespace tracedeck::etw::remote
