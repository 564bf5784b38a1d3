// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/controller.h"
#include "core/etw/event_writer.h"
#include "core/etw/remote/descriptor.h"
#include "core/etw/remote/left_rings.h"
#include "core/etw/rescue.h"

#include <memory>
#include <string>
#include <vector>

namespace tracedeck::etw::remote {

/// A controller whose sessions live in a host at the other end of a connection (server.h), and go on there when this
/// process ends.
///
/// The files of sessions are opened here, with this process's rights; the host gets their descriptors. What the host
/// does not open it refuses (server.h). Events of providers are stamped when they reach the host.
///
/// Rings of sessions whose host was killed are rescued through the next host, as files are written: opened here.
///
/// Threading: one thread of its own sends, receives and calls completions; no call waits for anything, but for
/// Rescue's. Requests reach the host in the order of their calls, events of providers among them. Ownership: the
/// destructor sends what is waiting to be sent, for a second at most, fails what has not been answered, and joins the
/// thread. Errors: those of Controller; HostUnreachable for every request that is outstanding when the connection is
/// lost and for all that follow. What happened to those is not known.
class RemoteController final : public Controller, public EventWriterFactory, public Rescue {
public:
    /// `connection`: a connected socket (packet_socket.h). Throws std::system_error where the system has no thread or
    /// descriptor for it.
    explicit RemoteController(Descriptor connection);
    ~RemoteController() override;
    RemoteController(const RemoteController&) = delete;
    RemoteController& operator=(const RemoteController&) = delete;

    void capabilities(Completion<Capabilities> done) override;
    void start(SessionConfig config, Completion<StartedSession> done) override;
    void enable(SessionId session, ProviderConfig provider, Completion<void> done) override;
    void disable(SessionId session, Guid provider, Completion<void> done) override;
    void captureState(SessionId session, Guid provider, std::uint64_t keywords, Completion<void> done) override;
    void captureStateWithin(SessionId session, Guid provider, CaptureState state, Completion<void> done) override;
    void pause(SessionId session, Completion<void> done) override;
    void resume(SessionId session, Completion<void> done) override;
    void query(SessionId session, Completion<SessionStats> done) override;
    void list(Completion<std::vector<SessionInfo>> done) override;
    void update(SessionId session, SessionConfig config, Completion<SessionStats> done) override;
    void flush(SessionId session, std::string fileName, Completion<SessionStats> done) override;
    void stop(SessionId session, std::string fileName, Completion<SessionStats> done) override;
    void mark(SessionId session, std::string text, Completion<void> done) override;

    /// A provider that the host refuses (too many, or the connection is lost) is told in the log; its events go
    /// nowhere.
    [[nodiscard]] std::unique_ptr<EventWriter> registerProvider(std::string name) override;

    /// What sessions of earlier hosts have left: this user's, for user 0 all.
    void leftRings(Completion<std::vector<LeftRing>> done);
    // Rescue; these wait for the host, and are not for the thread that calls completions.
    [[nodiscard]] Result<bool> save(const Guid& session, const std::string& target) override;
    [[nodiscard]] Status discard(const Guid& session) override;

private:
    class Impl;
    class Writer;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tracedeck::etw::remote
