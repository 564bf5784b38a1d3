// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/folder_probe.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace tracedeck::ui {

class FolderLine;

/// Where to save, under which name, and what was happening. A folder that cannot be used is said below its name.
/// accepted() comes only with a usable path: a missing folder has been created, an existing file was asked about.
class SaveDialog final : public QDialog {
    Q_OBJECT
public:
    /// What the fields hold.
    struct Draft {
        QString folder;
        QString fileName;
        QString description;
        bool opensFolder = false;
    };
    struct Answer {
        QString path;
        bool replace = false;
        QString description;
        bool opensFolder = false;
    };
    SaveDialog(const Draft& draft, const FolderAccess& access, QWidget* parent = nullptr);

    [[nodiscard]] Answer answer() const;
    /// For the dialog to come again as it was left.
    [[nodiscard]] Draft draft() const;

    void accept() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    QWidget* buildPrivacyList();
    void browse();
    void edited();
    void folderKnown();
    void lookAtFile();
    void refuse(const QString& problem);
    /// The one place that decides whether Save can be pressed.
    void check();
    [[nodiscard]] QString problemOfText() const;
    [[nodiscard]] QString folder() const;
    [[nodiscard]] QString path() const;
    void askToReplace();

    FolderProbe m_probe;
    QTimer m_timer; ///< lets the folder's name be typed to its end before it is looked at
    QLineEdit* m_folder;
    FolderLine* m_folderLine;
    QPushButton* m_browse;
    QLineEdit* m_name;
    QPlainTextEdit* m_description;
    QCheckBox* m_openFolder;
    QLabel* m_problem;
    QPushButton* m_save;
    QPushButton* m_back;
    QString m_refusal;          ///< what Save found, until something is typed
    bool m_isAccepting = false; ///< Save was pressed, folder and file are looked at
    bool m_replace = false;
};

} // namespace tracedeck::ui
