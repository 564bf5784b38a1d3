// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording_bar.h"

#include "ui/accessibility.h"
#include "ui/format.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

RecordingBar::RecordingBar(QAction* record, QAction* mark, QWidget* parent)
    : QWidget(parent), m_record(new QPushButton(this)), m_mark(new QPushButton(this)), m_elapsed(new QLabel(this)),
      m_state(new QLabel(this)), m_note(new QLabel(this)) {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    large.setBold(true);
    m_record->setFont(large);
    m_record->setIconSize({24, 24});
    m_record->setMinimumSize(150, 46);
    m_record->setDefault(true);
    follow(m_record, record);
    follow(m_mark, mark);
    m_mark->setMinimumHeight(34);

    QFont digits = font();
    digits.setPointSizeF(digits.pointSizeF() * 1.7);
    m_elapsed->setFont(digits);
    m_elapsed->setAccessibleDescription(tr("Time since the start of the recording"));
    m_elapsed->setMinimumWidth(QFontMetrics(digits).horizontalAdvance(QStringLiteral("00:00:00")) + 8);
    QFont bold = font();
    bold.setBold(true);
    m_state->setFont(bold);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);

    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addStretch(1);
    words->addWidget(m_state);
    words->addWidget(m_note);
    words->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    row->addWidget(m_record);
    row->addWidget(m_elapsed);
    row->addLayout(words, 1);
    row->addWidget(m_mark);
    setElapsed(std::chrono::milliseconds(0));
}

void RecordingBar::follow(QPushButton* button, QAction* action) {
    const auto copy = [button, action] {
        button->setText(action->text());
        button->setIcon(action->icon());
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
    };
    connect(action, &QAction::changed, button, copy);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    copy();
}

void RecordingBar::setElapsed(std::optional<std::chrono::milliseconds> elapsed) {
    m_elapsed->setText(elapsed ? Format::clock(*elapsed) : QString());
}

void RecordingBar::setState(const QString& words) {
    if (m_state->text() != words) {
        announce(m_state, words);
    }
}

void RecordingBar::setNote(const QString& note) {
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

QString RecordingBar::stateText() const {
    return m_state->text();
}

QString RecordingBar::noteText() const {
    return m_note->text();
}

} // namespace tracedeck::ui
