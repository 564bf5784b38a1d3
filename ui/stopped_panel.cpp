// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stopped_panel.h"

#include "ui/format.h"
#include "ui/plan_words.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

StoppedPanel::StoppedPanel(QAction* save, QAction* discard, QWidget* parent)
    : QFrame(parent), m_text(new QLabel(this)), m_files(new QLabel(this)), m_save(new QPushButton(this)),
      m_discard(new QPushButton(this)) {
    m_text->setWordWrap(true);
    m_files->setWordWrap(true);
    m_files->setTextFormat(Qt::PlainText);
    m_files->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    texts->addWidget(m_text);
    texts->addWidget(m_files);
    row->addLayout(texts, 1);
    for (const auto& [button, action] : {std::pair{m_save, save}, std::pair{m_discard, discard}}) {
        button->setText(action->text());
        button->setIcon(action->icon());
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
    }
}

void StoppedPanel::showRecording(const recorder::Stopped& recording) {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    for (const recorder::SessionStatus& session : recording.last.sessions) {
        events += session.stats.eventsRecorded;
        lost += session.stats.eventsLost;
    }
    const QString reason = Words::stopReason(recording.reason);
    if (recording.reason == recorder::StopReason::RecorderEnded) {
        //: why the recording has ended; nobody knows its length or how much it holds
        m_text->setText(tr("%1 What it recorded until then waits to be saved.").arg(reason));
    } else {
        m_text->setText(tr("%1 %2 events of %3 wait to be saved, %4 were lost.")
                            .arg(reason, Format::count(events),
                                 Format::span(std::chrono::duration<double>(recording.length).count()),
                                 Format::count(lost)));
    }
    m_files->setText(tr("Until then its raw files are %1.").arg(Words::rawFiles(recording)));
}

} // namespace tracedeck::ui
