// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls.h"

#include <QWidget>

#include <chrono>
#include <optional>

class QAction;
class QLabel;
class QPushButton;

namespace tracedeck::ui {

/// The big button, the time, the state in words, and Mark.
class RecordingBar final : public QWidget {
    Q_OBJECT
public:
    /// The buttons do what the actions do; the actions own text, shortcut and enabledness.
    RecordingBar(QAction* record, QAction* mark, QWidget* parent = nullptr);

    /// Empty: nobody knows.
    void setElapsed(std::optional<std::chrono::milliseconds> elapsed);
    void setState(const QString& words);
    /// Beside the state: why Record cannot be pressed, how many marks, what is left of the disk.
    void setNote(const QString& note);
    [[nodiscard]] QPushButton* recordButton() const noexcept { return m_record; }
    [[nodiscard]] QPushButton* markButton() const noexcept { return m_mark; }
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString noteText() const;

private:
    void follow(QPushButton* button, QAction* action);

    QPushButton* m_record;
    QPushButton* m_mark;
    QLabel* m_elapsed;
    QLabel* m_state;
    QLabel* m_note;
};

} // namespace tracedeck::ui
