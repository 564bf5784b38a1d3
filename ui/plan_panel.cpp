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

QString paragraph(const UserMessage& message) {
    QStringList parts{message.what, message.evidence, message.action};
    parts.removeAll(QString());
    return parts.join(u'\n');
}

/// The beginning of what is long: cut behind a word, with a sign that it is.
QString shortened(const QString& text) {
    constexpr qsizetype kLongest = 120;
    if (text.size() <= kLongest) {
        return text;
    }
    const qsizetype end = text.lastIndexOf(u' ', kLongest);
    return text.left(end > 0 ? end : kLongest) + u'…';
}

} // namespace

LimitationPanel::LimitationPanel(QWidget* parent)
    : QGroupBox(tr("Not recorded on this machine"), parent), m_rows(new QVBoxLayout(this)) {
    m_rows->setSpacing(8);
    hide();
}

void LimitationPanel::showLimitations(const std::vector<LimitationText>& limitations) {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const LimitationText& limitation : limitations) {
        auto* row = new QWidget(this);
        auto* picture = new QLabel(row);
        picture->setPixmap(
            paletteIcon(limitation.isExpected ? QStringLiteral("information") : QStringLiteral("warning"))
                .pixmap(16, 16));
        picture->setAccessibleName(limitation.isExpected ? tr("Note") : tr("Warning"));
        auto* text = wrappedLabel(row);
        text->setText(paragraph(limitation.message));
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(picture, 0, Qt::AlignTop);
        layout->addWidget(text, 1);
        m_rows->addWidget(row);
    }
    setVisible(!limitations.empty());
}

PlanPanel::PlanPanel(QWidget* parent)
    : QGroupBox(tr("What this records"), parent), m_errorIcon(new QLabel(this)), m_summary(wrappedLabel(this)),
      m_cost(wrappedLabel(this)),
      m_details(new QPushButton(paletteIcon(QStringLiteral("details")), tr("De&tails…"), this)),
      m_copy(new QPushButton(paletteIcon(QStringLiteral("copy")), tr("&Copy as Command"), this)),
      m_lookAgain(new QPushButton(tr("Look &Again"), this)) {
    m_errorIcon->setPixmap(paletteIcon(QStringLiteral("error")).pixmap(16, 16));
    m_errorIcon->setAccessibleName(tr("Error"));
    m_errorIcon->hide();
    m_details->setToolTip(tr("Sessions, buffers, keywords, stacks and providers."));
    m_lookAgain->setToolTip(tr("Asks again what this machine lets you record (F5)."));
    m_lookAgain->hide();
    m_copy->setToolTip(tr("The same recording as a command line (Ctrl+Shift+C)."));

    auto* text = new QHBoxLayout;
    text->addWidget(m_errorIcon, 0, Qt::AlignTop);
    text->addWidget(m_summary, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_details);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_lookAgain);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(text);
    column->addWidget(m_cost);
    column->addLayout(buttons);
}

void PlanPanel::showPlan(const QString& summary, const QString& cost, Extent extent) {
    setTitle(extent == Extent::Part ? tr("What this records (on this machine only in part)") : tr("What this records"));
    m_errorIcon->hide();
    m_summary->setText(summary);
    m_summary->setToolTip({});
    m_summary->setAccessibleDescription({});
    m_cost->setText(cost);
    m_cost->setVisible(!cost.isEmpty());
}

void PlanPanel::showMessage(const UserMessage& message) {
    setTitle(tr("What this records"));
    m_errorIcon->show();
    UserMessage brief = message;
    brief.evidence = shortened(message.evidence);
    m_summary->setText(paragraph(brief));
    const bool isWhole = brief.evidence == message.evidence;
    m_summary->setToolTip(isWhole ? QString() : message.evidence);
    m_summary->setAccessibleDescription(m_summary->toolTip());
    m_cost->hide();
}

} // namespace tracedeck::ui
