// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guidance_panel.h"

#include <QGridLayout>
#include <QLabel>

namespace tracedeck::ui {

GuidancePanel::GuidancePanel(QWidget* parent)
    : QWidget(parent),
      m_general(new QLabel(tr("Press Record, do what is slow, press Stop. You can look at everything before you save."),
                           this)),
      m_meanwhileCaption(new QLabel(tr("Meanwhile:"), this)), m_meanwhile(new QLabel(this)),
      m_howLongCaption(new QLabel(tr("How long:"), this)), m_howLong(new QLabel(this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    for (QLabel* caption : {m_meanwhileCaption, m_howLongCaption}) {
        QFont bold = caption->font();
        bold.setBold(true);
        caption->setFont(bold);
    }
    for (QLabel* text : {m_general, m_meanwhile, m_howLong}) {
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
    }
    grid->addWidget(m_general, 0, 0, 1, 2);
    grid->addWidget(m_meanwhileCaption, 1, 0, Qt::AlignTop);
    grid->addWidget(m_meanwhile, 1, 1);
    grid->addWidget(m_howLongCaption, 2, 0, Qt::AlignTop);
    grid->addWidget(m_howLong, 2, 1);
    showPreset(nullptr, false);
}

void GuidancePanel::showPreset(const Preset* preset, bool isModified) {
    const bool hasPreset = preset != nullptr;
    m_general->setVisible(!hasPreset);
    m_meanwhile->setText(hasPreset ? preset->meanwhile : QString());
    m_meanwhile->setVisible(hasPreset);
    m_meanwhileCaption->setVisible(hasPreset);
    const bool isTimed = hasPreset && !isModified;
    m_howLong->setText(isTimed ? preset->howLong : QString());
    m_howLong->setVisible(isTimed);
    m_howLongCaption->setVisible(isTimed);
}

} // namespace tracedeck::ui
