// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/remote_controller.h"

#include "core/base/utf.h"
#include "core/etw/remote/connection_thread.h"
#include "core/etw/wait.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace tracedeck::etw::remote {
namespace {

void tellLeftOff(std::uint64_t number, const char* what) {
    if (number != 0) {
        spdlog::warn("the host leaves off {} {}: they have no room in a message", number, what);
    }
}

SessionStats statsOf(reply::Statistics statistics) {
    tellLeftOff(statistics.filesLeftOff, "files");
    tellLeftOff(statistics.limitationsLeftOff, "limitations");
    return std::move(statistics.stats);
}

// What an answer holds for who has asked for T.

std::optional<Capabilities> valueOf(reply::Body& body, const Capabilities*) {
    auto* found = std::get_if<Capabilities>(&body);
    return found != nullptr ? std::optional(std::move(*found)) : std::nullopt;
}

std::optional<SessionStats> valueOf(reply::Body& body, const SessionStats*) {
    auto* found = std::get_if<reply::Statistics>(&body);
    return found != nullptr ? std::optional(statsOf(std::move(*found))) : std::nullopt;
}

std::optional<StartedSession> valueOf(reply::Body& body, const StartedSession*) {
    auto* found = std::get_if<reply::Started>(&body);
    if (found == nullptr) {
        return std::nullopt;
    }
    tellLeftOff(found->limitationsLeftOff, "limitations");
    return StartedSession{found->id, statsOf(std::move(found->statistics)), std::move(found->limitations)};
}

std::optional<std::vector<SessionInfo>> valueOf(reply::Body& body, const std::vector<SessionInfo>*) {
    auto* found = std::get_if<reply::Sessions>(&body);
    if (found == nullptr) {
        return std::nullopt;
    }
    tellLeftOff(found->leftOff, "sessions");
    return std::move(found->list);
}

std::optional<std::vector<LeftRing>> valueOf(reply::Body& body, const std::vector<LeftRing>*) {
    auto* found = std::get_if<reply::Rings>(&body);
    if (found == nullptr) {
        return std::nullopt;
    }
    tellLeftOff(found->leftOff, "rings");
    return std::move(found->list);
}

template <class T>
Result<T> outcomeOf(Result<reply::Body> answer) {
    if (!answer) {
        return fail(std::move(answer).error());
    }
    if (auto* failed = std::get_if<reply::Failed>(&*answer)) {
        return fail(std::move(failed->error));
    }
    if constexpr (std::is_void_v<T>) {
        if (std::holds_alternative<reply::Done>(*answer)) {
            return {};
        }
    } else if (auto value = valueOf(*answer, static_cast<const T*>(nullptr))) {
        return std::move(*value);
    }
    return fail(ErrorCode::Internal, "the host answers something else than what was asked");
}

/// Cuts texts so that the event fits into a packet; the session cuts what is longer than an event can be anyway.
void shorten(etlformat::TraceLoggingEvent& event) {
    const std::size_t share = limit::kEventText / std::max<std::size_t>(event.fields.size(), 1);
    for (auto& [name, value] : event.fields) {
        if (auto* text = std::get_if<std::string>(&value); text != nullptr && text->size() > share) {
            std::string cut(share, '\0');
            cut.resize(copyUtf8(*text, share, cut.data()));
            *text = std::move(cut);
        }
    }
}

std::size_t textOf(const etlformat::TraceLoggingEvent& event) {
    std::size_t size = 0;
    for (const auto& [name, value] : event.fields) {
        const auto* text = std::get_if<std::string>(&value);
        size += name.size() + (text != nullptr ? text->size() : 0);
    }
    return size;
}

} // namespace

class RemoteController::Impl {
public:
    explicit Impl(Descriptor connection) : m_connection(std::move(connection)) {}

    template <class T>
    void ask(request::Body body, Completion<T> done, ConnectionThread::Wish wish = {}) {
        m_connection.ask(std::move(body), std::move(wish), [done = std::move(done)](Result<reply::Body> answer) {
            done(outcomeOf<T>(std::move(answer)));
        });
    }
    void writeEvent(std::uint32_t writer, const etlformat::TraceLoggingEvent& event) {
        request::WriteEvent message{writer, event};
        if (textOf(event) > limit::kEventText) {
            shorten(message.event);
        }
        if (!m_connection.tell(std::move(message)) && !m_hasDropped.exchange(true)) {
            spdlog::warn("events of this program are dropped: the host does not read them");
        }
    }
    void unregister(std::uint32_t writer) {
        if (!m_connection.tell(request::UnregisterProvider{writer})) {
            spdlog::warn("the host does not learn that a provider has gone; it will when the connection ends");
        }
    }
    std::uint32_t nextWriter() noexcept { return ++m_lastWriter; }

private:
    std::atomic<std::uint32_t> m_lastWriter{0};
    std::atomic<bool> m_hasDropped{false};
    ConnectionThread m_connection; ///< last: its completions use all of the above
};

class RemoteController::Writer final : public EventWriter {
public:
    Writer(Impl& impl, std::uint32_t number, Guid id) : m_impl(impl), m_number(number), m_id(id) {}
    ~Writer() override {
        try {
            m_impl.unregister(m_number);
        } catch (const std::exception& error) { // memory is short
            spdlog::warn("the host does not learn that a provider has gone: {}", error.what());
        }
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void write(const etlformat::TraceLoggingEvent& event) noexcept override {
        try {
            m_impl.writeEvent(m_number, event);
        } catch (const std::exception& error) { // memory is short
            spdlog::warn("an event of this program is dropped: {}", error.what());
        }
    }
    [[nodiscard]] const Guid& providerId() const noexcept override { return m_id; }

private:
    Impl& m_impl;
    const std::uint32_t m_number;
    const Guid m_id;
};

RemoteController::RemoteController(Descriptor connection) : m_impl(std::make_unique<Impl>(std::move(connection))) {}

RemoteController::~RemoteController() = default;

void RemoteController::capabilities(Completion<Capabilities> done) {
    m_impl->ask<Capabilities>(request::AskCapabilities{}, std::move(done));
}

void RemoteController::start(SessionConfig config, Completion<StartedSession> done) {
    using Existing = ClientFile::Existing;
    const bool isAppending = (config.logFileMode & etlformat::mode::kAppend) != 0;
    const bool hasOneFile = (config.logFileMode & (etlformat::mode::kNewFile | etlformat::mode::kBuffering)) == 0;
    ConnectionThread::Wish wish;
    if (hasOneFile) {
        wish = {config.logFileName, isAppending ? Existing::Keep : Existing::Refuse};
    }
    m_impl->ask<StartedSession>(request::Start{std::move(config), {}}, std::move(done), std::move(wish));
}

void RemoteController::enable(SessionId session, ProviderConfig provider, Completion<void> done) {
    m_impl->ask<void>(request::Enable{session, std::move(provider)}, std::move(done));
}

void RemoteController::disable(SessionId session, Guid provider, Completion<void> done) {
    m_impl->ask<void>(request::Disable{session, provider}, std::move(done));
}

void RemoteController::captureState(SessionId session, Guid provider, std::uint64_t keywords, Completion<void> done) {
    captureStateWithin(session, provider, {keywords, {}}, std::move(done));
}

void RemoteController::captureStateWithin(SessionId session, Guid provider, CaptureState state, Completion<void> done) {
    m_impl->ask<void>(request::CaptureState{session, provider, state}, std::move(done));
}

void RemoteController::pause(SessionId session, Completion<void> done) {
    m_impl->ask<void>(request::Pause{session}, std::move(done));
}

void RemoteController::resume(SessionId session, Completion<void> done) {
    m_impl->ask<void>(request::Resume{session}, std::move(done));
}

void RemoteController::query(SessionId session, Completion<SessionStats> done) {
    m_impl->ask<SessionStats>(request::Query{session}, std::move(done));
}

void RemoteController::list(Completion<std::vector<SessionInfo>> done) {
    m_impl->ask<std::vector<SessionInfo>>(request::List{}, std::move(done));
}

void RemoteController::update(SessionId session, SessionConfig config, Completion<SessionStats> done) {
    m_impl->ask<SessionStats>(request::Update{session, std::move(config)}, std::move(done));
}

void RemoteController::flush(SessionId session, std::string fileName, Completion<SessionStats> done) {
    ConnectionThread::Wish wish{fileName, ClientFile::Existing::Refuse};
    m_impl->ask<SessionStats>(request::Flush{session, std::move(fileName), {}}, std::move(done), std::move(wish));
}

void RemoteController::stop(SessionId session, std::string fileName, Completion<SessionStats> done) {
    ConnectionThread::Wish wish{fileName, ClientFile::Existing::Refuse};
    m_impl->ask<SessionStats>(request::Stop{session, std::move(fileName), {}}, std::move(done), std::move(wish));
}

void RemoteController::mark(SessionId session, std::string text, Completion<void> done) {
    m_impl->ask<void>(request::Mark{session, std::move(text)}, std::move(done));
}

void RemoteController::leftRings(Completion<std::vector<LeftRing>> done) {
    m_impl->ask<std::vector<LeftRing>>(request::ListRings{}, std::move(done));
}

Result<bool> RemoteController::save(const Guid& session, const std::string& target) {
    const ConnectionThread::Wish wish{target, ClientFile::Existing::Refuse};
    const Result<void> saved = await<void>([&](Completion<void> done) {
        m_impl->ask<void>(request::SaveRing{session, target, {}}, std::move(done), wish);
    });
    if (!saved && saved.error().code == ErrorCode::SessionUnknown) {
        return false;
    }
    return saved ? Result<bool>(true) : fail(saved.error());
}

Status RemoteController::discard(const Guid& session) {
    return await<void>(
        [&](Completion<void> done) { m_impl->ask<void>(request::DiscardRing{session}, std::move(done)); });
}

std::unique_ptr<EventWriter> RemoteController::registerProvider(std::string name) {
    const std::uint32_t number = m_impl->nextWriter();
    const Guid id = guidFromProviderName(name);
    m_impl->ask<void>(request::RegisterProvider{number, name}, [name](Result<void> registered) {
        if (!registered) {
            spdlog::warn("events of {} are not recorded: {}", name, registered.error().detail);
        }
    });
    return std::make_unique<Writer>(*m_impl, number, id);
}

} // namespace tracedeck::etw::remote
