// SPDX-License-Identifier: GPL-3.0-or-later
//
// The end of a recorder, and the sessions that could not be stopped, which it must not take with it.
#include "core/platform/paths.h"
#include "core/recorder/recorder_worker.h"

#include <spdlog/spdlog.h>

#include <QThread>

#include <algorithm>
#include <utility>

namespace tracedeck::recorder {

void RecorderWorker::shutDown(std::shared_ptr<Remains> remains) {
    m_remains = std::move(remains);
    stopBecause(StopReason::User);
    cancelSave();
    endThreadIfDone();
}

void RecorderWorker::endThreadIfDone() {
    const bool isAtRest = m_state == State::Idle || m_state == State::Stopped;
    if (!m_remains || !isAtRest || m_repliesDue > 0 || m_saver.joinable()) {
        return;
    }
    if (hasKept()) {
        rescueKept();
    } else {
        m_remains->rawFiles = existingRawFiles();
        if (m_remains->rawFiles.empty()) {
            forgetRecording();
        } else {
            updateJournal();
            m_hold.reset(); // somebody else may have it now
        }
        thread()->quit();
    }
}

bool RecorderWorker::hasKept() const noexcept {
    return std::any_of(m_recording.sessions.begin(), m_recording.sessions.end(),
                       [](const Session& session) { return session.isKept; });
}

/// Gives up what the controller still holds.
void RecorderWorker::dropKept(std::size_t index, std::function<void()> whenDropped) {
    while (index < m_recording.sessions.size() && !m_recording.sessions[index].isKept) {
        ++index;
    }
    if (index == m_recording.sessions.size()) {
        whenDropped();
        return;
    }
    m_environment.controller->stop(
        m_recording.sessions[index].id, std::string(),
        posted<etw::SessionStats>([this, index, whenDropped = std::move(whenDropped)](Result<etw::SessionStats> stats) {
            Session& session = m_recording.sessions[index];
            session.isKept = false;
            if (!stats) {
                spdlog::warn("recorder: session {} stays behind: {}", session.planned.config.name,
                             stats.error().detail);
            }
            dropKept(index + 1, whenDropped);
        }));
}

/// Writes what the controller still holds into the newest folder of raw files; the first failure ends it.
void RecorderWorker::writeKept(std::size_t index, std::function<void(tracedeck::Status)> whenWritten) {
    while (index < m_recording.sessions.size() && !m_recording.sessions[index].isKept) {
        ++index;
    }
    if (index == m_recording.sessions.size()) {
        whenWritten({});
        return;
    }
    const Session& session = m_recording.sessions[index];
    m_environment.controller->stop(
        session.id, session.isRing() ? m_recording.raws.back().add(session.planned.kind) : std::string(),
        posted<etw::SessionStats>([this, index, whenWritten = std::move(whenWritten)](Result<etw::SessionStats> stats) {
            Session& kept = m_recording.sessions[index];
            if (!stats && kept.isRing() && stats.error().code != ErrorCode::SessionUnknown) {
                m_recording.keptError = stats.error();
                whenWritten(fail(stats.error()));
                return;
            }
            keptStopped(kept, std::move(stats));
            writeKept(index + 1, whenWritten);
        }));
}

void RecorderWorker::keptStopped(Session& session, Result<etw::SessionStats> stats) {
    session.isKept = false;
    if (!stats) { // a file is as it was left, a ring is gone
        m_recording.writeError = stats.error();
        if (m_remains && session.isRing()) {
            m_remains->lost.push_back(session.planned.config.name);
            m_remains->error = stats.error();
        }
        return;
    }
    static_cast<void>(session.monitor.update(*stats, elapsed(m_recording.end))); // too late for an event about loss
    for (const etw::Limitation& limitation : stats->limitations) {
        addLimitation(limitation);
    }
    if (stats->writeError && !m_recording.writeError) {
        m_recording.writeError = stats->writeError;
    }
}

/// Nobody is left to choose a folder: the one for temporary files, or none.
void RecorderWorker::rescueKept() {
    Result<RawFiles> raw = RawFiles::create(*m_environment.files, platform::temporaryFolder(), "rescued");
    if (!raw) {
        giveUpKept(raw.error());
        return;
    }
    m_recording.raws.push_back(std::move(*raw));
    writeKept(0, [this](const tracedeck::Status& written) {
        const std::string& folder = m_recording.raws.back().folder();
        if (written) {
            spdlog::warn("recorder: a recording in memory was written into {}", folder);
            endThreadIfDone();
            return;
        }
        if (m_recording.raws.back().existing().empty()) {
            static_cast<void>(m_recording.raws.back().remove()); // empty at the worst
        }
        giveUpKept(written.error());
    });
}

void RecorderWorker::giveUpKept(const Error& error) {
    spdlog::warn("recorder: a recording in memory is lost: {}", error.detail);
    m_remains->error = error;
    for (const Session& session : m_recording.sessions) {
        if (session.isKept && session.isRing()) {
            m_remains->lost.push_back(session.planned.config.name);
        }
    }
    dropKept(0, [this] { endThreadIfDone(); });
}

} // namespace tracedeck::recorder
