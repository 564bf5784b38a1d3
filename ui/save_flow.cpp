// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/save_flow.h"

#include "ui/questions.h"

#include <QFileInfo>

#include <utility>

namespace tracedeck::ui {

SaveFlow::SaveFlow(const recorder::Recorder& recorder, FolderAccess folders,
                   std::function<QString(const QString& label)> newFileName, QWidget* window)
    : QObject(window), m_recorder(recorder), m_folders(std::move(folders)), m_newFileName(std::move(newFileName)),
      m_window(window) {}

void SaveFlow::begin(const QString& folder, const QString& label) {
    m_folder = folder;
    m_label = label;
    m_draft.reset();
}

void SaveFlow::open() {
    if (m_dialog || m_recorder.state() != recorder::State::Stopped) {
        return;
    }
    if (!m_draft) {
        m_draft = SaveDialog::Draft{m_folder, m_newFileName(m_label), {}, false};
    }
    m_dialog = new SaveDialog(*m_draft, m_folders, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::finished, this, &SaveFlow::closed);
    m_dialog->open();
}

void SaveFlow::closed(int result) {
    SaveDialog::Answer answer = m_dialog->answer();
    m_draft = m_dialog->draft();
    m_dialog.clear();
    if (result == QDialog::Accepted) {
        request(std::move(answer));
    } else {
        Q_EMIT left();
    }
}

void SaveFlow::request(SaveDialog::Answer answer) {
    m_answer = std::move(answer);
    Q_EMIT requested(m_answer);
}

void SaveFlow::leave() {
    if (m_dialog) {
        m_dialog->reject();
    }
}

void SaveFlow::askToReplace() {
    ui::askToReplace(
        QFileInfo(m_answer.path).fileName(),
        [this] {
            SaveDialog::Answer answer = m_answer;
            answer.replace = true;
            request(std::move(answer));
        },
        [this] { open(); }, m_window);
}

} // namespace tracedeck::ui
