// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a stopped recording to a saved one, on a thread of its own.
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/recorder/recorder_events.h"
#include "core/recorder/recorder_worker.h"

#include <spdlog/spdlog.h>

#include <system_error>
#include <utility>

namespace tracedeck::recorder {

void RecorderWorker::save(const SaveRequest& request) {
    if (!isAllowed(Command::Save, m_state)) {
        Q_EMIT failed({ErrorCode::WrongState, "save while " + std::string(toString(m_state)), 0});
        return;
    }
    m_isSaveCancelled = false;
    changeState(State::Saving);
    Q_EMIT progressChanged({State::Saving, 0});
    if (!hasKept()) {
        mergeAndVerify(request);
        return;
    }
    if (const tracedeck::Status possible = checkTarget(request); !possible) {
        saveFailed(possible.error());
        return;
    }
    Result<RawFiles> raw = RawFiles::create(*m_environment.files, platform::folderOf(request.path), "memory");
    if (!raw) {
        saveFailed(raw.error());
        return;
    }
    m_recording.raws.push_back(std::move(*raw));
    writeKept(0, [this, request](const tracedeck::Status& written) {
        if (m_recording.raws.back().existing().empty()) {
            if (const tracedeck::Status removed = m_recording.raws.back().remove(); !removed) {
                spdlog::warn("recorder: an empty folder stays behind: {}", removed.error().detail);
            }
            m_recording.raws.pop_back();
        }
        describeResult();
        updateJournal();
        if (!written) {
            saveFailed(written.error());
        } else if (m_isSaveCancelled) {
            saveFailed({ErrorCode::Cancelled, request.path, 0});
        } else {
            mergeAndVerify(request);
        }
    });
}

void RecorderWorker::saveFailed(const Error& error) {
    changeState(State::Stopped);
    Q_EMIT failed(error);
}

void RecorderWorker::mergeAndVerify(const SaveRequest& request) {
    SaveJob job;
    job.request = request;
    job.rawFiles = m_recording.result.rawFiles;
    for (const Session& session : m_recording.sessions) {
        job.eventsRecorded += session.monitor.status().stats.eventsRecorded;
        job.eventsLost += session.monitor.status().stats.eventsLost;
    }
    if (!request.problemDescription.empty()) {
        job.added.push_back(addedAt(m_recording.end, problemDescription(request.problemDescription)));
    }
    if (m_recording.reason == StopReason::RecorderEnded) {
        // Its own program could not say how it ended, and a full ring may have lost how it began.
        job.added.push_back(
            addedAt(m_recording.end,
                    recordingStopped(m_recording.request, m_recording.capabilities.platform,
                                     {m_recording.reason, m_recording.result.length, 0}, m_recording.limitations)));
    }
    auto run = [this, job = std::move(job), files = m_environment.files](const std::stop_token& stop) {
        const auto report = [this](const Progress& progress) {
            QMetaObject::invokeMethod(
                this,
                [this, progress] {
                    if (progress.stage != m_state) {
                        changeState(progress.stage);
                    }
                    Q_EMIT progressChanged(progress);
                },
                Qt::QueuedConnection);
        };
        Result<SavedFile> result = recorder::save(*files, job, report, stop);
        QMetaObject::invokeMethod(
            this,
            [this, path = job.request.path, result = std::move(result)]() mutable { saved(path, std::move(result)); },
            Qt::QueuedConnection);
    };
    try {
        m_saver = std::jthread(std::move(run));
    } catch (const std::system_error& error) {
        saveFailed({ErrorCode::OutOfMemory, std::string("a thread for saving: ") + error.what(),
                    static_cast<std::uint32_t>(error.code().value())});
    }
}

void RecorderWorker::saved(const std::string& path, Result<SavedFile> result) {
    m_saver.join(); // it has nothing left to do
    m_saver = std::jthread();
    if (!result) {
        saveFailed(result.error());
        return;
    }
    if (const tracedeck::Status removed = removeRawFiles(); !removed) {
        spdlog::warn("recorder: a raw file stays behind: {}", removed.error().detail);
    }
    forgetRecording();
    const Outcome outcome{path, result->merge, std::move(result->summary), m_recording.result};
    changeState(State::Idle);
    Q_EMIT finished(outcome);
}

void RecorderWorker::cancelSave() {
    m_isSaveCancelled = true;
    m_saver.request_stop();
}

} // namespace tracedeck::recorder
