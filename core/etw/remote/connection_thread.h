// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/client_file.h"
#include "core/etw/remote/inbox.h"
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/wire.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::etw::remote {

/// The client's end of a connection: sends requests in the order they were given, and hands over each one's answer.
///
/// Threading: ask(), tell() and end() from any thread; a thread of its own opens files, sends, receives and calls back.
class ConnectionThread {
public:
    /// Exactly once, on the thread.
    using Answered = std::function<void(Result<reply::Body>)>;
    /// A file to be opened when the request's turn to be sent has come; empty path: none.
    struct Wish {
        std::string path;
        ClientFile::Existing existing = ClientFile::Existing::Refuse;
    };

    explicit ConnectionThread(Descriptor connection);
    ~ConnectionThread();
    ConnectionThread(const ConnectionThread&) = delete;
    ConnectionThread& operator=(const ConnectionThread&) = delete;

    void ask(request::Body body, Wish wish, Answered answered);
    /// A message that is not answered. False where it was dropped: too many wait to be sent.
    bool tell(const request::Body& body);

private:
    struct Outgoing {
        request::Body body;
        Wish wish;
        Answered answered;
        std::vector<std::byte> told; ///< of tell(): encoded already
    };
    struct Pending {
        Answered answered;
        std::optional<ClientFile> file;
    };

    void run();
    void waitForNews();
    [[nodiscard]] bool takeNext();
    void prepare(Outgoing outgoing);
    void send();
    void receive();
    void lose(const Error& why);
    void settle(std::uint64_t id, Result<reply::Body> outcome);
    [[nodiscard]] bool mayEnd() const;

    PacketSocket m_socket;
    Inbox m_inbox; ///< for its descriptor
    std::atomic<bool> m_isEnding{false};

    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    std::deque<Outgoing> m_queue;
    std::size_t m_toldBytes = 0;

    // The thread's own:
    std::optional<Error> m_lost;
    std::vector<std::byte> m_sending; ///< the packet whose turn it is; empty: none
    std::uint64_t m_sendingId = 0;    ///< of a request, 0: of tell()
    std::map<std::uint64_t, Pending> m_pending;
    std::uint64_t m_lastId = 0;
    std::optional<std::chrono::steady_clock::time_point> m_endsAt;

    std::thread m_thread; ///< last: it uses all of the above
};

} // namespace tracedeck::etw::remote
