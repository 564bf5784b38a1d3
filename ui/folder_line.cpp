// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_line.h"

#include "ui/accessibility.h"
#include "ui/format.h"
#include "ui/palette_icon.h"
#include "ui/recording_setup.h"

#include <QHBoxLayout>
#include <QLabel>

namespace tracedeck::ui {

FolderLine::FolderLine(Purpose purpose, QWidget* parent)
    : QWidget(parent), m_purpose(purpose), m_icon(new QLabel(this)), m_text(new QLabel(this)) {
    m_text->setTextFormat(Qt::PlainText);
    m_icon->hide();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
}

void FolderLine::showFacts(const FolderFacts& facts) {
    QString text;
    QString icon;
    switch (facts.state) {
    case FolderFacts::State::Unknown:
        text = tr("Looking at the folder…");
        break;
    case FolderFacts::State::Usable:
        text = tr("%1 free").arg(Format::bytes(facts.free));
        break;
    case FolderFacts::State::WillBeCreated:
        text = tr("%1 free; the folder will be created").arg(Format::bytes(facts.free));
        break;
    case FolderFacts::State::Missing:
        text = tr("This folder does not exist.");
        icon = QStringLiteral("error");
        break;
    case FolderFacts::State::ReadOnly:
        text = tr("You cannot write to this folder.");
        icon = QStringLiteral("error");
        break;
    case FolderFacts::State::NoAnswer:
        text = tr("This folder does not answer.");
        icon = QStringLiteral("error");
        break;
    }
    if (m_purpose == Purpose::Record && facts.isUsable() && facts.free < kFreeDiskFloor) {
        icon = QStringLiteral("warning");
        text = tr("Only %1 free: too little to record.").arg(Format::bytes(facts.free));
    }
    m_icon->setVisible(!icon.isEmpty());
    if (icon.isEmpty()) {
        m_text->setText(text);
        m_text->setAccessibleName(text);
        return;
    }
    m_icon->setPixmap(paletteIcon(icon).pixmap(16, 16));
    if (m_text->text() != text) {
        announce(m_text, text);
    }
}

QString FolderLine::text() const {
    return m_text->text();
}

} // namespace tracedeck::ui
