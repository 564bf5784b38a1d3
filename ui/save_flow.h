// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/save_dialog.h"

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

#include <QObject>
#include <QPointer>

#include <functional>
#include <optional>

namespace tracedeck::ui {

/// From a stopped recording to where it is saved: the save dialog, what was typed into it, and the question about a
/// file that is there already.
///
/// Threading: UI thread. Ownership: dialogs are the window's children; `recorder` must outlive it.
class SaveFlow final : public QObject {
    Q_OBJECT
public:
    SaveFlow(const recorder::Recorder& recorder, FolderAccess folders,
             std::function<QString(const QString& label)> newFileName, QWidget* window);

    /// A new recording, which lies in `folder`; nothing has been typed for it yet.
    void begin(const QString& folder, const QString& label);
    /// Opens the dialog, as it was left; requested() or left() follows. Nothing where no stopped recording waits.
    void open();
    [[nodiscard]] bool isOpen() const noexcept { return m_dialog != nullptr; }
    /// As if Escape had been pressed; nothing where no dialog is open.
    void leave();
    /// The file of the last answer turned out to be there: asks, then asks for saving again or opens the dialog.
    void askToReplace();
    [[nodiscard]] const SaveDialog::Answer& lastAnswer() const noexcept { return m_answer; }

Q_SIGNALS:
    void requested(const tracedeck::ui::SaveDialog::Answer& answer);
    /// The dialog was left without saving.
    void left();

private:
    void closed(int result);
    void request(SaveDialog::Answer answer);

    const recorder::Recorder& m_recorder;
    FolderAccess m_folders;
    std::function<QString(const QString&)> m_newFileName;
    QWidget* m_window;
    QPointer<SaveDialog> m_dialog;
    QString m_folder;
    QString m_label;
    std::optional<SaveDialog::Draft> m_draft; ///< typed for this recording
    SaveDialog::Answer m_answer;
};

} // namespace tracedeck::ui
