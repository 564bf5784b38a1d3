// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/folder_probe.h"
#include "ui/recording_choice.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace tracedeck::ui {

class FolderLine;

/// Detail, where the recording is kept, when it stops, and the folder.
class OptionsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit OptionsPanel(QWidget* parent = nullptr);

    /// Everything but the profiles, which are left as they are.
    void readInto(RecordingChoice& choice) const;
    void setChoice(const RecordingChoice& choice);
    [[nodiscard]] QList<QWidget*> tabOrder() const;
    void showFolder(const FolderFacts& facts);

Q_SIGNALS:
    void edited();

private:
    void build();
    void connectAll();
    void enableParts();
    void browse();

    QRadioButton* m_verbose;
    QRadioButton* m_light;
    QRadioButton* m_memory;
    QRadioButton* m_file;
    QRadioButton* m_limitedFile;
    QSpinBox* m_fileSize; // MB
    QCheckBox* m_keepsNewest;
    QComboBox* m_stop;
    QSpinBox* m_seconds;
    QLineEdit* m_folder;
    QPushButton* m_browse;
    FolderLine* m_folderLine;
    QString m_canBrowseFrom; ///< the folder, once it has answered
};

} // namespace tracedeck::ui
