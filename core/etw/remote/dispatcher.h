// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/inbox.h"
#include "core/etw/remote/ring_keeper.h"
#include "core/etw/remote/server.h"
#include "core/etw/remote/session_table.h"
#include "core/etw/remote/wire.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace tracedeck::etw::remote {

/// A client as far as its requests go.
struct Client {
    std::shared_ptr<const Peer> peer;
    std::map<std::uint32_t, std::unique_ptr<EventWriter>> writers; ///< by the client's own numbers
};

/// Carries out the requests of a host's clients: whose session it is, whether it may be, what is left of the user's
/// share, and then the user's controller.
///
/// Threading: one thread, which also carries out what is in the inbox.
class Dispatcher {
public:
    /// Called once, on that thread; not where the client went away before.
    using Answer = std::function<void(reply::Body)>;

    Dispatcher(Server::Setup setup, std::shared_ptr<Inbox> inbox);
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    [[nodiscard]] std::shared_ptr<Client> connected(Peer peer);
    /// Its providers go, its sessions stay.
    void disconnected(std::shared_ptr<Client> client);
    void handle(const std::shared_ptr<Client>& client, Request request, Descriptor file, Answer answer);

    [[nodiscard]] std::size_t connectionsOf(std::uint32_t user) const noexcept;
    [[nodiscard]] bool hasSessions() const noexcept { return !m_sessions.isEmpty(); }

private:
    struct User {
        std::unique_ptr<Backend> backend;
        std::size_t connections = 0;
        std::size_t pending = 0; ///< requests that the controller has not answered
    };
    using Clients = std::shared_ptr<Client>;

    void perform(const Clients& client, request::AskCapabilities&, Descriptor, Answer answer);
    void perform(const Clients& client, request::Start& start, Descriptor file, Answer answer);
    void perform(const Clients& client, request::Enable& enable, Descriptor, Answer answer);
    void perform(const Clients& client, request::Disable& disable, Descriptor, Answer answer);
    void perform(const Clients& client, request::CaptureState& capture, Descriptor, Answer answer);
    void perform(const Clients& client, request::Pause& pause, Descriptor, Answer answer);
    void perform(const Clients& client, request::Resume& resume, Descriptor, Answer answer);
    void perform(const Clients& client, request::Query& query, Descriptor, Answer answer);
    void perform(const Clients& client, request::List&, Descriptor, Answer answer);
    void perform(const Clients& client, request::Update& update, Descriptor, Answer answer);
    void perform(const Clients& client, request::Flush& flush, Descriptor file, Answer answer);
    void perform(const Clients& client, request::Stop& stop, Descriptor file, Answer answer);
    void perform(const Clients& client, request::Mark& mark, Descriptor, Answer answer);
    void perform(const Clients& client, request::RegisterProvider& provider, Descriptor, Answer answer);
    void perform(const Clients& client, request::UnregisterProvider& provider, Descriptor, Answer);
    void perform(const Clients& client, request::WriteEvent& event, Descriptor, Answer);
    void perform(const Clients& client, request::ListRings&, Descriptor, Answer answer);
    void perform(const Clients& client, request::SaveRing& save, Descriptor file, Answer answer);
    void perform(const Clients& client, request::DiscardRing& discard, Descriptor, Answer answer);

    /// When rings that hosts have left have made room, where they have to.
    void startNow(std::uint32_t owner, SessionConfig config, const OfferedFile& offered, Descriptor file,
                  Answer answer);
    [[nodiscard]] Result<DescriptorFiles::Offer> offer(User& user, std::uint32_t owner, const std::string& path,
                                                       const OfferedFile& offered, Descriptor file);
    /// `call(session, controller)` on a session that the client may control, else SessionUnknown.
    template <class Call>
    void onSession(const Clients& client, SessionId id, const Answer& answer, Call call);
    /// The completion that hands a controller's outcome to the thread and there to `then`.
    template <class T, class Then>
    [[nodiscard]] Completion<T> returning(std::uint32_t user, Then then);
    /// The same for an answer without more to be done.
    template <class T>
    [[nodiscard]] Completion<T> answering(std::uint32_t user, Answer answer);
    [[nodiscard]] User& userOf(std::uint32_t uid);
    void forgetIfTooMany(std::uint32_t uid);

    const Server::Setup m_setup;
    const std::shared_ptr<Inbox> m_inbox;
    std::optional<RingKeeper> m_rings; ///< as long as the dispatcher
    SessionTable m_sessions;
    std::map<std::uint32_t, User> m_users;
};

} // namespace tracedeck::etw::remote
