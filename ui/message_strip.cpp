// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/message_strip.h"

#include "ui/accessibility.h"
#include "ui/palette_icon.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

MessageStrip::MessageStrip(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_what(new QLabel(this)), m_rest(new QLabel(this)),
      m_copy(new QPushButton(paletteIcon(QStringLiteral("copy")), tr("Copy Messa&ge"), this)),
      m_close(new QToolButton(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QFont bold = font();
    bold.setBold(true);
    m_what->setFont(bold);
    for (QLabel* label : {m_what, m_rest}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(m_close->accessibleName());

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_what);
    texts->addWidget(m_rest);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);

    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(plainText()); });
    hide();
}

void MessageStrip::showMessage(const UserMessage& message, Level level) {
    m_message = message;
    const QString icon = level == Level::Error     ? QStringLiteral("error")
                         : level == Level::Warning ? QStringLiteral("warning")
                                                   : QStringLiteral("information");
    m_icon->setPixmap(paletteIcon(icon).pixmap(22, 22));
    QStringList rest{message.evidence, message.action};
    rest.removeAll(QString());
    m_rest->setText(rest.join(u'\n'));
    m_rest->setVisible(!rest.isEmpty());
    m_copy->setToolTip(tr("Copies the message with its code, %1, for a report.").arg(message.code));
    m_copy->setVisible(!message.code.isEmpty());
    show();
    announce(m_what, message.what);
}

QList<QWidget*> MessageStrip::tabOrder() const {
    return {m_copy, m_close};
}

QString MessageStrip::plainText() const {
    QStringList lines{m_message.what, m_message.evidence, m_message.action,
                      m_message.code.isEmpty() ? QString() : tr("Code: %1").arg(m_message.code)};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace tracedeck::ui
