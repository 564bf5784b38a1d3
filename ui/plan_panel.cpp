// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan_panel.h"

#include "ui/palette_icon.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {
namespace {

QLabel* wrappedLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

PlanPanel::PlanPanel(QWidget* parent)
    : QGroupBox(tr("What this records"), parent), m_summary(wrappedLabel(this)), m_cost(wrappedLabel(this)),
      m_missingTitle(wrappedLabel(this)), m_rows(new QWidget(this)), m_rowsLayout(new QVBoxLayout(m_rows)),
      m_details(new QPushButton(paletteIcon(QStringLiteral("details")), tr("De&tails…"), this)),
      m_copy(new QPushButton(paletteIcon(QStringLiteral("copy")), tr("&Copy as Command"), this)) {
    QFont bold = font();
    bold.setBold(true);
    m_missingTitle->setFont(bold);
    m_missingTitle->setText(tr("Not recorded on this machine:"));
    m_rowsLayout->setContentsMargins(0, 0, 0, 0);
    m_details->setToolTip(tr("Sessions, buffers, keywords, stacks and providers."));
    m_copy->setToolTip(tr("The same recording as a command line (Ctrl+Shift+C)."));

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_details);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);

    auto* column = new QVBoxLayout(this);
    column->addWidget(m_summary);
    column->addWidget(m_cost);
    column->addLayout(buttons);
    column->addWidget(m_missingTitle);
    column->addWidget(m_rows);
    column->addStretch(1);
}

void PlanPanel::clearRows() {
    while (QLayoutItem* item = m_rowsLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void PlanPanel::addRow(const QString& icon, const QString& iconName, const UserMessage& message) {
    auto* row = new QWidget(m_rows);
    auto* picture = new QLabel(row);
    picture->setPixmap(paletteIcon(icon).pixmap(16, 16));
    picture->setAccessibleName(iconName);
    auto* text = wrappedLabel(row);
    QStringList parts{message.what};
    if (!message.evidence.isEmpty()) {
        parts[0] += QStringLiteral(" (%1)").arg(message.evidence);
    }
    parts << message.action;
    parts.removeAll(QString());
    text->setText(parts.join(u'\n'));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(picture, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    m_rowsLayout->addWidget(row);
}

void PlanPanel::showPlan(const QString& summary, const QString& cost, const std::vector<LimitationText>& limitations) {
    m_summary->setText(summary);
    m_cost->setText(cost);
    m_cost->setVisible(!cost.isEmpty());
    m_missingTitle->setVisible(!limitations.empty());
    clearRows();
    for (const LimitationText& limitation : limitations) {
        if (limitation.isExpected) {
            addRow(QStringLiteral("information"), tr("Note"), limitation.message);
        } else {
            addRow(QStringLiteral("warning"), tr("Warning"), limitation.message);
        }
    }
}

void PlanPanel::showMessage(const UserMessage& message) {
    m_summary->setText({});
    m_cost->hide();
    m_missingTitle->hide();
    clearRows();
    addRow(QStringLiteral("error"), tr("Error"), message);
}

} // namespace tracedeck::ui
