// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/dispatcher.h"

#include <spdlog/spdlog.h>

#include <cassert>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace tracedeck::etw::remote {
namespace {

constexpr std::uint32_t kNotSupported = 50; // ERROR_NOT_SUPPORTED
/// Who comes and goes finds his controller again: making one may take a tenth of a second, which all would wait for.
constexpr std::size_t kUsersKept = 32;

reply::Body failed(Error error) {
    return reply::Failed{std::move(error)};
}

reply::Body bodyOf(Capabilities capabilities) {
    return capabilities;
}

reply::Body bodyOf(std::vector<LeftRing> rings) {
    return reply::Rings{std::move(rings), 0};
}

reply::Body bodyOf(SessionStats stats) {
    return reply::Statistics{std::move(stats), 0, 0};
}

/// Before the answer: with it the client may offer a file of that name again.
void withdraw(std::optional<DescriptorFiles::Offer>& offering) {
    if (offering) {
        offering->withdraw();
    }
}

/// A client's text as a log may have it: on one line.
std::string printable(std::string text) {
    constexpr std::size_t kMost = 200;
    text.resize(std::min(text.size(), kMost));
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            c = '?';
        }
    }
    return text;
}

Limits resolved(Limits limits) {
    if (limits.bufferMemory.count == 0) {
        limits.bufferMemory = usualBufferMemory();
    }
    return limits;
}

} // namespace

Dispatcher::Dispatcher(Server::Setup setup, std::shared_ptr<Inbox> inbox)
    : m_setup(std::move(setup)), m_inbox(std::move(inbox)), m_rings(std::in_place, m_setup.rings, m_inbox),
      m_sessions(resolved(m_setup.limits), m_setup.processors,
                 [this](std::uint32_t user) { return m_rings->held(user); }) {
    assert(m_setup.backend && m_setup.authority != nullptr);
}

/// Each user's controller ends on a thread of its own: one whose files take for ever keeps nobody else's from being
/// closed.
Dispatcher::~Dispatcher() {
    m_rings->cancel();
    const auto end = [this](std::uint32_t uid, User& user) {
        m_rings->waitFor(uid); // it writes to the user's files
        user.backend.reset();
    };
    std::vector<std::thread> endings;
    for (auto& [uid, user] : m_users) {
        try {
            endings.emplace_back(end, uid, std::ref(user));
        } catch (const std::exception& error) {
            spdlog::warn("no thread to end the sessions of user {}: {}", uid, error.what());
            end(uid, user);
        }
    }
    for (std::thread& ending : endings) {
        ending.join();
    }
}

Dispatcher::User& Dispatcher::userOf(std::uint32_t uid) {
    User& user = m_users[uid];
    if (!user.backend) {
        user.backend = m_setup.backend(uid);
    }
    return user;
}

void Dispatcher::forgetIfTooMany(std::uint32_t uid) {
    const auto found = m_users.find(uid);
    if (m_users.size() > kUsersKept && found != m_users.end() && found->second.connections == 0 &&
        found->second.pending == 0 && !m_sessions.hasSessionsOf(uid)) {
        m_users.erase(found);
    }
}

std::size_t Dispatcher::connectionsOf(std::uint32_t user) const noexcept {
    const auto found = m_users.find(user);
    return found == m_users.end() ? 0 : found->second.connections;
}

std::shared_ptr<Client> Dispatcher::connected(Peer peer) {
    ++userOf(peer.uid).connections;
    auto client = std::make_shared<Client>();
    client->peer = std::make_shared<const Peer>(std::move(peer));
    return client;
}

void Dispatcher::disconnected(std::shared_ptr<Client> client) {
    const std::uint32_t uid = client->peer->uid;
    client->writers.clear(); // before their backend
    client.reset();
    --m_users[uid].connections;
    forgetIfTooMany(uid);
}

void Dispatcher::handle(const std::shared_ptr<Client>& client, Request request, Descriptor file, Answer answer) {
    std::visit([&](auto& body) { perform(client, body, std::move(file), std::move(answer)); }, request.body);
}

template <class T, class Then>
Completion<T> Dispatcher::returning(std::uint32_t user, Then then) {
    ++m_users[user].pending;
    return [this, user, inbox = m_inbox, then = std::move(then)](Result<T> outcome) {
        inbox->post([this, user, then, outcome = std::move(outcome)]() mutable {
            --m_users[user].pending;
            then(std::move(outcome));
            forgetIfTooMany(user);
        });
    };
}

template <class T>
Completion<T> Dispatcher::answering(std::uint32_t user, Answer answer) {
    return returning<T>(user, [answer = std::move(answer)](Result<T> outcome) {
        if (!outcome) {
            answer(failed(std::move(outcome).error()));
        } else if constexpr (std::is_void_v<T>) {
            answer(reply::Done{});
        } else {
            answer(bodyOf(std::move(*outcome)));
        }
    });
}

template <class Call>
void Dispatcher::onSession(const Clients& client, SessionId id, const Answer& answer, Call call) {
    SessionTable::Entry* session = m_sessions.find(id, client->peer->uid);
    if (session == nullptr) {
        answer(failed({ErrorCode::SessionUnknown, "session " + std::to_string(id.value) + " is not running",
                       win32::kInstanceNotFound}));
        return;
    }
    call(*session, userOf(session->owner).backend->controller());
}

Result<DescriptorFiles::Offer> Dispatcher::offer(User& user, std::uint32_t owner, const std::string& path,
                                                 const OfferedFile& offered, Descriptor file) {
    // What is wrong with the file is for the controller to say, after what is wrong with the rest.
    if (offered.error) {
        return user.backend->files().offer(path, *offered.error);
    }
    if (!file.isOpen()) {
        return user.backend->files().offer(
            path, Error{ErrorCode::AccessDenied, path + ": no file came with the request", win32::kAccessDenied});
    }
    if (Status checked = checkOffered(file.get(), owner); !checked) {
        spdlog::warn("user {} offers {}: {}", owner, printable(path), checked.error().detail);
        return user.backend->files().offer(path, std::move(checked).error());
    }
    return user.backend->files().offer(path, std::move(file));
}

void Dispatcher::perform(const Clients& client, request::AskCapabilities&, Descriptor, Answer answer) {
    const std::uint32_t uid = client->peer->uid;
    userOf(uid).backend->controller().capabilities(answering<Capabilities>(uid, std::move(answer)));
}

void Dispatcher::perform(const Clients& client, request::Start& start, Descriptor file, Answer answer) {
    const std::uint32_t owner = client->peer->uid;
    if ((start.config.logFileMode & etlformat::mode::kNewFile) != 0) {
        answer(failed({ErrorCode::NotSupported,
                       "session " + start.config.name + ": mode NEWFILE wants files that a host does not open",
                       kNotSupported}));
        return;
    }
    if ((start.config.logFileMode & etlformat::mode::kSystemLogger) == 0) {
        startNow(owner, std::move(start.config), start.file, std::move(file), std::move(answer));
        return;
    }
    // A completion is copied, a descriptor cannot be.
    auto kept = std::make_shared<Descriptor>(std::move(file));
    m_setup.authority->recordSystem(client->peer, [this, inbox = m_inbox, waiting = std::weak_ptr(client), owner,
                                                   start = std::move(start), kept,
                                                   answer = std::move(answer)](Result<void> may) mutable {
        inbox->post([this, waiting, owner, start = std::move(start), kept, answer = std::move(answer),
                     may = std::move(may)]() mutable {
            if (waiting.expired()) {
                return; // who asked is gone; nothing has begun
            }
            if (!may) {
                spdlog::warn("user {} may not record the system: {}", owner, may.error().detail);
                answer(failed(std::move(may).error()));
                return;
            }
            startNow(owner, std::move(start.config), start.file, std::move(*kept), std::move(answer));
        });
    });
}

void Dispatcher::startNow(std::uint32_t owner, SessionConfig config, const OfferedFile& offered, Descriptor file,
                          Answer answer) {
    const Result<SessionId> id = m_sessions.reserve(owner, config);
    if (!id) {
        answer(failed(id.error()));
        return;
    }
    User& user = userOf(owner);
    std::optional<DescriptorFiles::Offer> offering;
    if (!config.logFileName.empty()) {
        auto offerOutcome = offer(user, owner, config.logFileName, offered, std::move(file));
        if (!offerOutcome) {
            m_sessions.release(*id);
            answer(failed(std::move(offerOutcome).error()));
            return;
        }
        offering = std::move(*offerOutcome);
    }
    const std::string name = printable(config.name);
    user.backend->controller().start(
        std::move(config),
        returning<StartedSession>(owner, [this, id = *id, owner, name, offering,
                                          answer = std::move(answer)](Result<StartedSession> begun) mutable {
            withdraw(offering);
            if (!begun) {
                m_sessions.release(id);
                answer(failed(std::move(begun).error()));
                return;
            }
            m_sessions.confirm(id, begun->id, begun->stats);
            spdlog::info("session {} \"{}\" of user {} has started", id.value, name, owner);
            answer(reply::Started{id, {std::move(begun->stats), 0, 0}, std::move(begun->limitations), 0});
        }));
}

void Dispatcher::perform(const Clients& client, request::Enable& enable, Descriptor, Answer answer) {
    onSession(client, enable.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.enable(session.inBackend, std::move(enable.provider), answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::Disable& disable, Descriptor, Answer answer) {
    onSession(client, disable.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.disable(session.inBackend, disable.provider, answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::CaptureState& capture, Descriptor, Answer answer) {
    onSession(client, capture.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.captureStateWithin(session.inBackend, capture.provider, capture.state,
                                      answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::Pause& pause, Descriptor, Answer answer) {
    onSession(client, pause.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.pause(session.inBackend, answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::Resume& resume, Descriptor, Answer answer) {
    onSession(client, resume.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.resume(session.inBackend, answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::Query& query, Descriptor, Answer answer) {
    onSession(client, query.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.query(session.inBackend, answering<SessionStats>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::List&, Descriptor, Answer answer) {
    answer(reply::Sessions{m_sessions.list(client->peer->uid), 0});
}

void Dispatcher::perform(const Clients& client, request::Update& update, Descriptor, Answer answer) {
    onSession(client, update.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        m_sessions.holdToMemory(session, update.config);
        controller.update(
            session.inBackend, std::move(update.config),
            returning<SessionStats>(session.owner, [this, id = update.session, answer](Result<SessionStats> stats) {
                if (stats) {
                    m_sessions.updated(id, *stats);
                }
                answer(stats ? bodyOf(std::move(*stats)) : failed(std::move(stats).error()));
            }));
    });
}

void Dispatcher::perform(const Clients& client, request::Flush& flush, Descriptor file, Answer answer) {
    onSession(client, flush.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        std::optional<DescriptorFiles::Offer> offering;
        if (!flush.fileName.empty()) {
            auto outcome = offer(userOf(session.owner), client->peer->uid, flush.fileName, flush.file, std::move(file));
            if (!outcome) {
                answer(failed(std::move(outcome).error()));
                return;
            }
            offering = std::move(*outcome);
        }
        controller.flush(session.inBackend, std::move(flush.fileName),
                         returning<SessionStats>(session.owner, [offering, answer](Result<SessionStats> stats) mutable {
                             withdraw(offering);
                             answer(stats ? bodyOf(std::move(*stats)) : failed(std::move(stats).error()));
                         }));
    });
}

void Dispatcher::perform(const Clients& client, request::Stop& stop, Descriptor file, Answer answer) {
    onSession(client, stop.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        std::optional<DescriptorFiles::Offer> offering;
        if (!stop.fileName.empty()) {
            auto outcome = offer(userOf(session.owner), client->peer->uid, stop.fileName, stop.file, std::move(file));
            if (!outcome) {
                answer(failed(std::move(outcome).error()));
                return;
            }
            offering = std::move(*outcome);
        }
        controller.stop(session.inBackend, std::move(stop.fileName),
                        returning<SessionStats>(session.owner, [this, id = stop.session, offering,
                                                                answer](Result<SessionStats> stats) mutable {
                            withdraw(offering);
                            if (!stats) {
                                answer(failed(std::move(stats).error()));
                                return;
                            }
                            m_sessions.release(id);
                            spdlog::info("session {} has ended", id.value);
                            answer(bodyOf(std::move(*stats)));
                        }));
    });
}

void Dispatcher::perform(const Clients& client, request::Mark& mark, Descriptor, Answer answer) {
    onSession(client, mark.session, answer, [&](const SessionTable::Entry& session, Controller& controller) {
        controller.mark(session.inBackend, std::move(mark.text), answering<void>(session.owner, answer));
    });
}

void Dispatcher::perform(const Clients& client, request::RegisterProvider& provider, Descriptor, Answer answer) {
    if (client->writers.size() >= m_setup.limits.providers || client->writers.contains(provider.writer)) {
        answer(failed({ErrorCode::InvalidArgument, "provider " + provider.name + ": one too many of this connection",
                       win32::kNoSystemResources}));
        return;
    }
    const Peer& peer = *client->peer;
    client->writers.emplace(provider.writer,
                            userOf(peer.uid).backend->registerProvider(std::move(provider.name), peer.pid));
    answer(reply::Done{});
}

void Dispatcher::perform(const Clients& client, request::UnregisterProvider& provider, Descriptor, Answer) {
    client->writers.erase(provider.writer);
}

void Dispatcher::perform(const Clients& client, request::WriteEvent& event, Descriptor, Answer) {
    // Where its registration was refused, the client has been told.
    if (const auto writer = client->writers.find(event.writer); writer != client->writers.end()) {
        writer->second->write(event.event);
    }
}

void Dispatcher::perform(const Clients& client, request::ListRings&, Descriptor, Answer answer) {
    const std::uint32_t uid = client->peer->uid;
    m_rings->list(uid, answering<std::vector<LeftRing>>(uid, std::move(answer)));
}

void Dispatcher::perform(const Clients& client, request::SaveRing& save, Descriptor file, Answer answer) {
    const std::uint32_t uid = client->peer->uid;
    User& user = userOf(uid);
    auto offering = offer(user, uid, save.fileName, save.file, std::move(file));
    if (!offering) {
        answer(failed(std::move(offering).error()));
        return;
    }
    m_rings->save(uid, save.session, user.backend->files(), std::move(save.fileName),
                  returning<void>(uid, [offering = std::optional(std::move(*offering)), uid, session = save.session,
                                        answer](const Result<void>& saved) mutable {
                      withdraw(offering);
                      if (!saved) {
                          answer(failed(saved.error()));
                          return;
                      }
                      spdlog::info("the ring that session {} has left is saved for user {}", toString(session), uid);
                      answer(reply::Done{});
                  }));
}

void Dispatcher::perform(const Clients& client, request::DiscardRing& discard, Descriptor, Answer answer) {
    const std::uint32_t uid = client->peer->uid;
    m_rings->discard(uid, discard.session, answering<void>(uid, std::move(answer)));
}

} // namespace tracedeck::etw::remote
