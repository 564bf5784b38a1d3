// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/recorder.h"

#include "core/recorder/raw_files.h"
#include "core/recorder/recorder_worker.h"
#include "core/recorder/state.h"

#include <QCoreApplication>
#include <QThread>

#include <algorithm>
#include <cassert>
#include <utility>

namespace tracedeck::recorder {
namespace {

void registerMetatypes() {
    qRegisterMetaType<State>();
    qRegisterMetaType<LiveStatus>();
    qRegisterMetaType<Progress>();
    qRegisterMetaType<std::vector<etw::Limitation>>();
    qRegisterMetaType<etw::LossCount>();
    qRegisterMetaType<Stopped>();
    qRegisterMetaType<Outcome>();
    qRegisterMetaType<Error>();
    qRegisterMetaType<std::vector<Unfinished>>();
}

tracedeck::Status checkRequest(const Request& request) {
    using Kind = plan::PlannedSession::Kind;
    const auto& sessions = request.plan.sessions;
    if (std::none_of(sessions.begin(), sessions.end(), [](const auto& s) { return s.kind == Kind::Event; })) {
        return fail(ErrorCode::InvalidArgument, "the plan has no event session");
    }
    for (const plan::PlannedSession& session : sessions) {
        if (session.kind != Kind::System && session.kind != Kind::Event) {
            return fail(ErrorCode::NotSupported,
                        session.config.name + ": sessions of the " + kindName(session.kind) + " are not recorded");
        }
        const bool isSystem = (session.config.logFileMode & etlformat::mode::kSystemLogger) != 0;
        if (isSystem != (session.kind == Kind::System)) {
            return fail(ErrorCode::InvalidArgument, session.config.name + ": its kind is not its logging mode's");
        }
        if (session.kind == Kind::Event && session.providers.empty()) {
            return fail(ErrorCode::InvalidArgument, session.config.name + ": no provider goes into this session");
        }
    }
    if (request.timeLimit.count() < 0) {
        return fail(ErrorCode::InvalidArgument, "the time limit is negative");
    }
    return {};
}

} // namespace

Recorder::Recorder(Environment environment, QObject* parent)
    : QObject(parent), m_thread(std::make_unique<QThread>()), m_canDetach(environment.sessionsOutliveClient),
      m_worker(new RecorderWorker(environment)) {
    assert(environment.controller != nullptr && environment.writers != nullptr && environment.files != nullptr &&
           environment.clock != nullptr);
    registerMetatypes();
    m_thread->setObjectName(QStringLiteral("recorder"));
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    connectWorker();
    m_thread->start();
}

Recorder::~Recorder() {
    static_cast<void>(close()); // the worker has logged what is left
}

Remains Recorder::close() {
    assert(QThread::currentThread() == thread());
    if (std::exchange(m_isClosed, true)) {
        return {};
    }
    const auto remains = std::make_shared<Remains>();
    post([remains](RecorderWorker& worker) { worker.shutDown(remains); });
    m_thread->wait();
    m_worker = nullptr; // its thread has deleted it
    QCoreApplication::removePostedEvents(this, QEvent::MetaCall);
    m_state = State::Idle;
    return std::move(*remains);
}

void Recorder::connectWorker() {
    connect(
        m_worker, &RecorderWorker::stateChanged, this,
        [this](State state) {
            m_state = state;
            Q_EMIT stateChanged(state);
        },
        Qt::QueuedConnection);
    connect(
        m_worker, &RecorderWorker::discardEnded, this, [this] { m_isDiscarding = false; }, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::statusChanged, this, &Recorder::statusChanged, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::progressChanged, this, &Recorder::progressChanged, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::started, this, &Recorder::started, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::eventsLost, this, &Recorder::eventsLost, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::stopped, this, &Recorder::stopped, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::finished, this, &Recorder::finished, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::failed, this, &Recorder::failed, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::discarded, this, &Recorder::discarded, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::detached, this, &Recorder::detached, Qt::QueuedConnection);
    connect(m_worker, &RecorderWorker::unfinishedListed, this, &Recorder::unfinishedListed, Qt::QueuedConnection);
}

template <class Call>
void Recorder::post(Call call) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, call = std::move(call)]() mutable { call(*worker); }, Qt::QueuedConnection);
}

tracedeck::Status Recorder::checkAllowed(Command command) const {
    assert(QThread::currentThread() == thread());
    if (m_isClosed || m_isDiscarding || !isAllowed(command, m_state)) {
        const std::string_view what = m_isClosed ? "closed" : m_isDiscarding ? "discarding" : toString(m_state);
        return fail(ErrorCode::WrongState, std::string(toString(command)) + " while " + std::string(what));
    }
    return {};
}

State Recorder::state() const noexcept {
    assert(QThread::currentThread() == thread());
    return m_state;
}

tracedeck::Status Recorder::listUnfinished() {
    assert(QThread::currentThread() == thread());
    if (m_isClosed) {
        return fail(ErrorCode::WrongState, "listUnfinished while closed");
    }
    post([](RecorderWorker& worker) { worker.listUnfinished(); });
    return {};
}

tracedeck::Status Recorder::start(Request request) {
    if (tracedeck::Status allowed = checkAllowed(Command::Start); !allowed) {
        return allowed;
    }
    if (tracedeck::Status checked = checkRequest(request); !checked) {
        return checked;
    }
    m_state = State::Starting;
    post([request = std::move(request)](RecorderWorker& worker) mutable { worker.start(std::move(request)); });
    return {};
}

tracedeck::Status Recorder::adopt(std::string journalId) {
    if (tracedeck::Status allowed = checkAllowed(Command::Adopt); !allowed) {
        return allowed;
    }
    m_state = State::Starting;
    post([id = std::move(journalId)](RecorderWorker& worker) { worker.adopt(id); });
    return {};
}

tracedeck::Status Recorder::detach() {
    if (tracedeck::Status allowed = checkAllowed(Command::Detach); !allowed) {
        return allowed;
    }
    if (!m_canDetach) {
        return fail(ErrorCode::NotSupported, "the sessions end with this program");
    }
    post([](RecorderWorker& worker) { worker.detach(); });
    return {};
}

tracedeck::Status Recorder::stop() {
    if (tracedeck::Status allowed = checkAllowed(Command::Stop); !allowed) {
        return allowed;
    }
    m_state = State::Stopping;
    post([](RecorderWorker& worker) { worker.stop(); });
    return {};
}

tracedeck::Status Recorder::mark(std::string text) {
    if (tracedeck::Status allowed = checkAllowed(Command::Mark); !allowed) {
        return allowed;
    }
    post([text = std::move(text)](RecorderWorker& worker) { worker.mark(text); });
    return {};
}

tracedeck::Status Recorder::save(SaveRequest request) {
    if (tracedeck::Status allowed = checkAllowed(Command::Save); !allowed) {
        return allowed;
    }
    m_state = State::Saving;
    post([request = std::move(request)](RecorderWorker& worker) { worker.save(request); });
    return {};
}

tracedeck::Status Recorder::cancelSave() {
    if (tracedeck::Status allowed = checkAllowed(Command::CancelSave); !allowed) {
        return allowed;
    }
    post([](RecorderWorker& worker) { worker.cancelSave(); });
    return {};
}

tracedeck::Status Recorder::discard() {
    if (tracedeck::Status allowed = checkAllowed(Command::Discard); !allowed) {
        return allowed;
    }
    m_isDiscarding = true;
    post([](RecorderWorker& worker) { worker.discard(); });
    return {};
}

} // namespace tracedeck::recorder
