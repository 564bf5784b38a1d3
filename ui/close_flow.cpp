// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/close_flow.h"

#include "ui/plan_words.h"
#include "ui/questions.h"

#include <QMessageBox>

#include <utility>

namespace tracedeck::ui {

CloseFlow::CloseFlow(const recorder::Recorder& recorder, const RecordingAtHand& recording, QWidget* window)
    : QObject(window), m_recorder(recorder), m_recording(recording), m_window(window) {}

bool CloseFlow::holdsRecording() const {
    return m_recorder.state() != recorder::State::Idle;
}

QString CloseFlow::rawFilesText() const {
    return m_recording.stopped ? Words::rawFiles(*m_recording.stopped) : QString();
}

void CloseFlow::ask() {
    if (m_question) {
        return;
    }
    const recorder::State state = m_recorder.state();
    const std::optional<recorder::Stopped>& stopped = m_recording.stopped;
    CloseQuestion question;
    question.isRunning = state == recorder::State::Recording || state == recorder::State::Starting;
    question.rawFiles = rawFilesText();
    question.isInMemory = stopped && !stopped->inMemory.empty();
    question.workFolder = m_recording.workFolder;
    question.save = [this] { wishFor(CloseWish::SaveThenClose); };
    question.keep = [this, isTold = stopped.has_value()] {
        m_hasToldRawFiles = isTold;
        wishFor(CloseWish::KeepThenClose);
    };
    if (question.isRunning && m_recorder.canDetach() && !m_recording.isDiscarding) {
        question.letGoOn = [this] { wishFor(CloseWish::LetGoOnThenClose); };
    }
    m_question = askBeforeClosing(std::move(question), m_window);
}

void CloseFlow::keepRawFiles() {
    m_isEnding = true;
    wishFor(CloseWish::KeepThenClose);
}

void CloseFlow::wishFor(CloseWish wish) {
    m_wish = wish;
    follow();
}

void CloseFlow::follow() {
    const recorder::State state = m_recorder.state();
    if (m_recording.isDiscarding || (state == recorder::State::Stopped && !m_recording.stopped)) {
        return; // the signal that ends this comes back here
    }
    switch (nextStep(m_wish, state)) {
    case CloseStep::Wait:
        break;
    case CloseStep::Stop:
        Q_EMIT stopWished();
        break;
    case CloseStep::LetGoOn:
        Q_EMIT letGoOnWished();
        break;
    case CloseStep::AskWhereToSave:
        Q_EMIT saveWished();
        break;
    case CloseStep::CancelSave:
        Q_EMIT cancelSaveWished();
        break;
    case CloseStep::Close:
        if (m_recording.stopped && !m_isEnding && !std::exchange(m_hasToldRawFiles, true)) {
            tellRawFiles(
                rawFilesText(), [this] { close(); }, m_window);
        } else {
            close();
        }
        break;
    }
}

void CloseFlow::close() {
    m_mayClose = true;
    Q_EMIT closeWished();
}

} // namespace tracedeck::ui
