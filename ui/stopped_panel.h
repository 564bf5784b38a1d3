// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

#include <QFrame>

class QAction;
class QLabel;
class QPushButton;

namespace tracedeck::ui {

/// A recording that has stopped and waits to be saved or discarded.
class StoppedPanel final : public QFrame {
    Q_OBJECT
public:
    StoppedPanel(QAction* save, QAction* discard, QWidget* parent = nullptr);

    void showRecording(const recorder::Stopped& recording);
    [[nodiscard]] QPushButton* saveButton() const noexcept { return m_save; }
    [[nodiscard]] QPushButton* discardButton() const noexcept { return m_discard; }

private:
    QLabel* m_text;
    QLabel* m_files;
    QPushButton* m_save;
    QPushButton* m_discard;
};

} // namespace tracedeck::ui
