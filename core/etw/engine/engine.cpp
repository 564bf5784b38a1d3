// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/engine.h"

#include "core/etw/engine/control_thread.h"
#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/provider.h"
#include "core/etw/engine/session.h"
#include "core/etw/engine/session_clock.h"
#include "core/etw/engine/session_rules.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <exception>
#include <new>
#include <optional>
#include <spdlog/spdlog.h>
#include <system_error>
#include <thread>
#include <utility>

namespace tracedeck::etw::engine {
namespace {

etlformat::TraceIdentity identityWithoutKernel() {
    etlformat::TraceIdentity identity;
    identity.numberOfProcessors = std::max(1U, std::thread::hardware_concurrency());
    return identity;
}

tl::unexpected<Error> unknown(SessionId id) {
    return fail(ErrorCode::SessionUnknown, "session " + std::to_string(id.value) + " is not running",
                win32::kInstanceNotFound);
}

} // namespace

/// Everything but write() of the providers happens on the control thread.
class Engine::Impl {
public:
    explicit Impl(Environment environment)
        : m_environment(environment),
          m_identity(environment.kernel != nullptr ? environment.kernel->identity() : identityWithoutKernel()),
          m_registry(m_identity.numberOfProcessors) {
        if (m_environment.kernel != nullptr) {
            m_kernelCapabilities = m_environment.kernel->capabilities();
        }
        try {
            m_registry.startTelling();
            m_control.emplace();
        } catch (const std::system_error& error) {
            spdlog::warn("tracing engine: no thread to work on: {}", error.what());
        }
    }

    ~Impl() {
        if (!m_control) {
            return;
        }
        m_control->post([this] {
            for (std::size_t slot = 0; slot < m_sessions.size(); ++slot) {
                if (m_sessions[slot]) {
                    m_registry.close(slot);
                    if (m_environment.ringsAtEnd == Environment::Rings::Left) {
                        m_sessions[slot]->leaveRing();
                    }
                    m_sessions[slot].reset();
                }
            }
        });
        m_control.reset();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// Runs `call` on the control thread and hands its outcome to `done`.
    template <class T, class Call>
    void request(Completion<T> done, Call call) {
        if (!m_control) {
            done(fail(ErrorCode::OutOfMemory, "tracing engine: there is no thread for it", win32::kNoSystemResources));
            return;
        }
        m_control->post([done = std::move(done), call = std::move(call)]() mutable {
            Result<T> outcome = [&]() -> Result<T> {
                try {
                    return call();
                } catch (const std::bad_alloc&) {
                    return fail(ErrorCode::OutOfMemory, "tracing engine: out of memory", win32::kNoSystemResources);
                } catch (const std::system_error& error) { // a thread that a source wanted
                    return fail(ErrorCode::OutOfMemory, std::string("tracing engine: ") + error.what(),
                                win32::kNoSystemResources);
                } catch (const std::exception& error) {
                    return fail(ErrorCode::Internal, std::string("tracing engine: ") + error.what());
                }
            }();
            done(std::move(outcome));
        });
    }
    /// The same for a call on a running session: `call(slot, session)`.
    template <class T, class Call>
    void requestOf(SessionId id, Completion<T> done, Call call) {
        request<T>(std::move(done), [this, id, call = std::move(call)]() mutable -> Result<T> {
            for (std::size_t slot = 0; slot < m_sessions.size(); ++slot) {
                if (m_sessions[slot] && m_sessions[slot]->id() == id) {
                    return call(slot, *m_sessions[slot]);
                }
            }
            return unknown(id);
        });
    }

    Result<Capabilities> capabilities();
    Result<StartedSession> start(SessionConfig config);
    Result<SessionStats> flush(Session& session, const std::string& fileName);
    Result<SessionStats> stop(std::size_t slot, Session& session, const std::string& fileName);
    Status enable(std::size_t slot, Session& session, const ProviderConfig& provider);
    Status captureState(std::size_t slot, Session& session, const Guid& provider, const CaptureState& state);
    std::vector<SessionInfo> list();
    Result<SessionStats> update(Session& session, const SessionConfig& config) {
        Machine all = machine(); // what the session has counts as available to it
        if (all.availableMemory.count != 0) {
            all.availableMemory = all.availableMemory + session.bufferMemory();
        }
        return session.update(config, mostBuffers(session.config(), all));
    }
    ProviderRegistry& registry() { return m_registry; }

private:
    [[nodiscard]] Machine machine() const {
        return {m_identity.numberOfProcessors, m_kernelCapabilities.physicalMemory, m_environment.availableMemory()};
    }
    [[nodiscard]] static Status checkTakesProviders(const Session& session);
    [[nodiscard]] Status checkAgainstRunning(const SessionConfig& config) const;

    const Environment m_environment;
    const etlformat::TraceIdentity m_identity;
    Capabilities m_kernelCapabilities;
    ProviderRegistry m_registry;
    std::array<std::unique_ptr<Session>, kMaximumSessions> m_sessions;
    std::uint64_t m_lastId = 0;
    std::optional<ControlThread> m_control; ///< last: it uses all of the above
};

Result<Capabilities> Engine::Impl::capabilities() {
    // Asked anew: what the kernel grants may have been changed meanwhile.
    Capabilities all = m_environment.kernel != nullptr ? m_environment.kernel->capabilities() : Capabilities{};
    if (m_environment.kernel == nullptr) {
        all.numberOfProcessors = m_identity.numberOfProcessors;
    }
    for (const Feature served : {Feature::CircularFiles, Feature::EventFilters, Feature::ProcessFilters,
                                 Feature::CaptureState, Feature::EnableProperties, Feature::RealTimeSessions}) {
        all.features.push_back(served);
    }
    for (const Guid& provider : m_registry.providers()) {
        if (std::find(all.providers.begin(), all.providers.end(), provider) == all.providers.end()) {
            all.providers.push_back(provider);
        }
    }
    return all;
}

Status Engine::Impl::checkAgainstRunning(const SessionConfig& config) const {
    std::size_t sessions = 0;
    std::size_t systemSessions = 0;
    for (const auto& session : m_sessions) {
        if (!session) {
            continue;
        }
        ++sessions;
        systemSessions += session->isSystemLogger() ? 1U : 0U;
        const SessionConfig& running = session->config();
        if (isSameName(running.name, config.name) || running.guid == config.guid) {
            return fail(ErrorCode::SessionNameTaken, "session " + config.name + " is running already",
                        win32::kAlreadyExists);
        }
        if (!config.logFileName.empty() && running.logFileName == config.logFileName) {
            return fail(ErrorCode::SessionNameTaken,
                        config.logFileName + " is the file of the running session " + running.name,
                        win32::kBadPathname);
        }
    }
    const bool isSystemLogger = (config.logFileMode & etlformat::mode::kSystemLogger) != 0;
    if (sessions == kMaximumSessions || (isSystemLogger && systemSessions == kMaximumSystemSessions)) {
        return fail(ErrorCode::SessionLimit,
                    std::to_string(sessions) + " sessions, " + std::to_string(systemSessions) +
                        " system loggers are running",
                    win32::kNoSystemResources);
    }
    return {};
}

Result<StartedSession> Engine::Impl::start(SessionConfig asked) {
    const std::uint32_t askedMinimumBuffers = asked.minimumBuffers;
    const std::uint32_t askedMaximumBuffers = asked.maximumBuffers;
    Result<SessionConfig> config = checkedConfig(std::move(asked), machine());
    if (!config) {
        return fail(config.error());
    }
    if (config->guid.isNull()) {
        config->guid = randomGuid();
    }
    if (const Status free = checkAgainstRunning(*config); !free) {
        return fail(free.error());
    }
    const bool isSystemLogger = (config->logFileMode & etlformat::mode::kSystemLogger) != 0;
    if (isSystemLogger && m_environment.kernel == nullptr) {
        return fail(ErrorCode::KernelEventsRefused,
                    "session " + config->name + ": there is no source of kernel events");
    }
    const auto slot =
        static_cast<std::size_t>(std::find(m_sessions.begin(), m_sessions.end(), nullptr) - m_sessions.begin());
    const std::uint32_t ringOwner = m_environment.ownerOf ? m_environment.ownerOf(*config) : currentUserId();
    auto stampClock = makeSessionClock(config->clock, *m_environment.clock);
    if (!stampClock) {
        return fail(stampClock.error());
    }
    auto session = Session::create({SessionId{++m_lastId}, static_cast<std::uint16_t>(slot + 1), std::move(*config),
                                    askedMinimumBuffers, askedMaximumBuffers, m_environment.clock,
                                    std::move(*stampClock), m_environment.files, m_environment.availableMemory,
                                    m_identity, m_environment.ringFolder, ringOwner});
    if (!session) {
        return fail(session.error());
    }
    if (isSystemLogger) {
        if (const Status started =
                (*session)->startKernel(*m_environment.kernel, m_environment.sourceTimeout, m_environment.kernelOwner);
            !started) {
            Error error = started.error();
            if (const Status discarded = (*session)->discard(); !discarded) {
                error.detail += "; the empty file stays: " + discarded.error().detail;
            }
            return fail(std::move(error));
        }
    }
    m_sessions[slot] = std::move(*session);
    return StartedSession{m_sessions[slot]->id(), m_sessions[slot]->stats(), m_sessions[slot]->limitations()};
}

Status Engine::Impl::checkTakesProviders(const Session& session) {
    if (session.isSystemLogger()) {
        return fail(ErrorCode::SessionBadParameters,
                    "session " + session.config().name + ": a system logger records no providers",
                    win32::kInvalidParameter);
    }
    if (session.hasEnded()) {
        return fail(ErrorCode::WrongState, "session " + session.config().name + ": it has stopped",
                    win32::kInvalidParameter);
    }
    return {};
}

Status Engine::Impl::captureState(std::size_t slot, Session& session, const Guid& provider, const CaptureState& state) {
    const Status taken = checkTakesProviders(session);
    const std::chrono::seconds timeout = state.timeout.count() > 0 ? state.timeout : kProviderTimeout;
    return taken ? m_registry.captureState(slot, provider, state.keywords, timeout) : taken;
}

Status Engine::Impl::enable(std::size_t slot, Session& session, const ProviderConfig& provider) {
    if (Status taken = checkTakesProviders(session); !taken) {
        return taken;
    }
    Status enabled = m_registry.enable(slot, session, provider);
    if (enabled || enabled.error().code == ErrorCode::TimedOut) {
        for (Limitation& limitation : m_registry.limitationsOf(provider)) {
            session.noteLimitation(std::move(limitation));
        }
    }
    return enabled;
}

Result<SessionStats> Engine::Impl::flush(Session& session, const std::string& fileName) {
    if (session.isRing() && fileName.empty()) {
        return fail(ErrorCode::SessionBadParameters, "session " + session.config().name + ": flush: no file name",
                    win32::kBadPathname);
    }
    return session.flush(fileName);
}

Result<SessionStats> Engine::Impl::stop(std::size_t slot, Session& session, const std::string& fileName) {
    m_registry.close(slot);
    session.end();
    Result<SessionStats> last = session.stop(fileName);
    if (last) {
        m_sessions[slot].reset();
    }
    return last;
}

std::vector<SessionInfo> Engine::Impl::list() {
    std::vector<SessionInfo> infos;
    for (const auto& session : m_sessions) {
        if (session) {
            const SessionConfig& config = session->config();
            infos.push_back({session->id(), config.name, config.logFileMode, config.logFileName, config.guid});
        }
    }
    std::sort(infos.begin(), infos.end(), [](const SessionInfo& a, const SessionInfo& b) { return a.id < b.id; });
    return infos;
}

Engine::Engine(Environment environment) : m_impl(std::make_unique<Impl>(environment)) {}

Engine::~Engine() = default;

void Engine::capabilities(Completion<Capabilities> done) {
    m_impl->request<Capabilities>(std::move(done), [this] { return m_impl->capabilities(); });
}

void Engine::start(SessionConfig config, Completion<StartedSession> done) {
    m_impl->request<StartedSession>(
        std::move(done), [this, config = std::move(config)]() mutable { return m_impl->start(std::move(config)); });
}

void Engine::enable(SessionId session, ProviderConfig provider, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done),
                            [this, provider = std::move(provider)](std::size_t slot, Session& running) {
                                return m_impl->enable(slot, running, provider);
                            });
}

void Engine::disable(SessionId session, Guid provider, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done), [this, provider](std::size_t slot, Session&) {
        return m_impl->registry().disable(slot, provider);
    });
}

void Engine::captureState(SessionId session, Guid provider, std::uint64_t keywords, Completion<void> done) {
    captureStateWithin(session, provider, {keywords, {}}, std::move(done));
}

void Engine::captureStateWithin(SessionId session, Guid provider, CaptureState state, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done), [this, provider, state](std::size_t slot, Session& running) {
        return m_impl->captureState(slot, running, provider, state);
    });
}

void Engine::pause(SessionId session, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done), [this](std::size_t slot, Session& running) {
        Status paused = running.pause();
        if (paused) {
            m_impl->registry().waitForWriters(slot);
        }
        return paused;
    });
}

void Engine::resume(SessionId session, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done), [](std::size_t, Session& running) { return running.resume(); });
}

void Engine::query(SessionId session, Completion<SessionStats> done) {
    m_impl->requestOf<SessionStats>(
        session, std::move(done),
        [](std::size_t, Session& running) -> Result<SessionStats> { return running.stats(); });
}

void Engine::list(Completion<std::vector<SessionInfo>> done) {
    m_impl->request<std::vector<SessionInfo>>(std::move(done),
                                              [this]() -> Result<std::vector<SessionInfo>> { return m_impl->list(); });
}

void Engine::update(SessionId session, SessionConfig config, Completion<SessionStats> done) {
    m_impl->requestOf<SessionStats>(
        session, std::move(done),
        [this, config = std::move(config)](std::size_t, Session& running) { return m_impl->update(running, config); });
}

void Engine::flush(SessionId session, std::string fileName, Completion<SessionStats> done) {
    m_impl->requestOf<SessionStats>(session, std::move(done),
                                    [this, fileName = std::move(fileName)](std::size_t, Session& running) {
                                        return m_impl->flush(running, fileName);
                                    });
}

void Engine::stop(SessionId session, std::string fileName, Completion<SessionStats> done) {
    m_impl->requestOf<SessionStats>(session, std::move(done),
                                    [this, fileName = std::move(fileName)](std::size_t slot, Session& running) {
                                        return m_impl->stop(slot, running, fileName);
                                    });
}

void Engine::mark(SessionId session, std::string text, Completion<void> done) {
    m_impl->requestOf<void>(session, std::move(done),
                            [text = std::move(text)](std::size_t, Session& running) { return running.mark(text); });
}

void Engine::openRealTime(SessionId session, Completion<std::shared_ptr<RealTimeConsumer>> done) {
    m_impl->requestOf<std::shared_ptr<RealTimeConsumer>>(
        session, std::move(done), [](std::size_t, Session& running) { return running.openRealTime(); });
}

std::unique_ptr<EventWriter> Engine::registerProvider(std::string name) {
    return makeSelfDescribing(m_impl->registry(), std::move(name), nullptr);
}

std::unique_ptr<EventWriter> Engine::registerProviderOf(std::uint32_t processId, std::string name) {
    return makeSelfDescribing(m_impl->registry(), std::move(name), nullptr, processId);
}

std::unique_ptr<EventWriter> Engine::registerSelfDescribing(std::string name, EnableCallback callback) {
    return makeSelfDescribing(m_impl->registry(), std::move(name), std::move(callback));
}

std::unique_ptr<ManifestWriter> Engine::registerManifest(const Guid& provider, EnableCallback callback) {
    return makeManifest(m_impl->registry(), provider, std::move(callback));
}

std::unique_ptr<ClassicWriter> Engine::registerClassic(const Guid& control, EnableCallback callback) {
    return makeClassic(m_impl->registry(), control, std::move(callback));
}

} // namespace tracedeck::etw::engine
