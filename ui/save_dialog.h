// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace tracedeck::ui {

/// Where to save, under which name, and what was happening. accepted() comes only with a usable path: an existing file
/// is asked about first.
class SaveDialog final : public QDialog {
    Q_OBJECT
public:
    struct Answer {
        QString path;
        bool replace = false;
        QString description;
        bool opensFolder = false;
    };
    SaveDialog(const QString& folder, const QString& fileName, QWidget* parent = nullptr);

    [[nodiscard]] Answer answer() const;
    /// What was typed before, when the dialog comes again.
    void setDescription(const QString& description);

    void accept() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    QWidget* buildPrivacyList();
    void browse();
    void check();
    [[nodiscard]] QString path() const;
    void askToReplace();

    QLineEdit* m_folder;
    QPushButton* m_browse;
    QLineEdit* m_name;
    QPlainTextEdit* m_description;
    QCheckBox* m_openFolder;
    QLabel* m_problem;
    QPushButton* m_save;
    QPushButton* m_back;
    bool m_replace = false;
};

} // namespace tracedeck::ui
