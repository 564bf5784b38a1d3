// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/unfinished_bar.h"

#include "ui/accessibility.h"
#include "ui/palette_icon.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

UnfinishedBar::UnfinishedBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_what(new QLabel(this)), m_why(new QLabel(this)),
      m_note(new QLabel(this)), m_number(new QLabel(this)), m_takeUp(new QPushButton(tr("&Save…"), this)),
      m_discard(new QPushButton(paletteIcon(QStringLiteral("discard")), tr("Discard…"), this)),
      m_later(new QPushButton(tr("&Later"), this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QFont bold = font();
    bold.setBold(true);
    m_what->setFont(bold);
    for (QLabel* label : {m_what, m_why, m_note}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_later->setToolTip(tr("Asks again the next time Tracedeck is started."));

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    for (QLabel* label : {m_what, m_why, m_note}) {
        texts->addWidget(label);
    }
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_number), static_cast<QWidget*>(m_takeUp),
                            static_cast<QWidget*>(m_discard), static_cast<QWidget*>(m_later)}) {
        row->addWidget(widget, 0, Qt::AlignVCenter);
    }
    hide();
}

void UnfinishedBar::showOffer(const Offer& offer) {
    m_icon->setPixmap(
        paletteIcon(offer.isRunning ? QStringLiteral("record") : QStringLiteral("information")).pixmap(22, 22));
    m_why->setText(offer.isRunning
                       ? tr("It is still recording. It was begun on %1.").arg(offer.begun)
                       : tr("The program was ended before it was saved. It was begun on %1.").arg(offer.begun));
    m_note->setText(offer.note);
    m_note->setVisible(!offer.note.isEmpty());
    //: which of several recordings this is
    m_number->setText(tr("%1 of %2").arg(offer.number).arg(offer.count));
    m_number->setVisible(offer.count > 1);
    m_takeUp->setText(offer.isRunning ? tr("&Go On") : tr("&Save…"));
    m_takeUp->setIcon(paletteIcon(offer.isRunning ? QStringLiteral("record") : QStringLiteral("save")));
    m_takeUp->setToolTip(offer.isRunning ? tr("Takes the recording over into this window.")
                                         : tr("Saves what was recorded until then."));
    //: %1 are names of profiles
    announce(m_what, offer.isRunning ? tr("A recording from earlier still runs: %1").arg(offer.profiles)
                                     : tr("A recording from earlier is not saved: %1").arg(offer.profiles));
}

QList<QWidget*> UnfinishedBar::tabOrder() const {
    return {m_takeUp, m_discard, m_later};
}

} // namespace tracedeck::ui
