// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/message_strip.h"

#include "ui/accessibility.h"
#include "ui/palette_icon.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

MessageStrip::MessageStrip(QAction* command, QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_what(new QLabel(this)), m_rest(new QLabel(this)),
      m_offered(new QPushButton(this)),
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
    row->addWidget(m_offered, 0, Qt::AlignTop);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);

    // Without the mnemonic, which belongs to the command's button in the form.
    m_offered->setText(command->text().remove(u'&'));
    m_offered->setToolTip(command->toolTip());
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_offered, &QPushButton::clicked, command, &QAction::trigger);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(plainText()); });
    hide();
}

void MessageStrip::showMessage(const UserMessage& message, Level level, Offer offer) {
    m_message = message;
    m_offer = offer;
    m_offered->setVisible(offer == Offer::Command);
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

void MessageStrip::showMessages(const std::vector<LimitationText>& messages, Level level) {
    if (messages.size() == 1) {
        showMessage(messages.front().message, level);
        return;
    }
    QStringList lines;
    QStringList codes;
    for (const LimitationText& text : messages) {
        const UserMessage& message = text.message;
        //: what is missing, and which things it concerns
        const QString what =
            message.evidence.isEmpty() ? message.what : tr("%1 (%2)").arg(message.what, message.evidence);
        lines << (message.action.isEmpty() ? what : what + u' ' + message.action);
        codes << text.message.code;
    }
    showMessage(
        {tr("Some of it is missing from the recording."), {}, lines.join(u'\n'), codes.join(QStringLiteral(", "))},
        level);
}

QList<QWidget*> MessageStrip::tabOrder() const {
    return {m_offered, m_copy, m_close};
}

QString MessageStrip::plainText() const {
    QStringList lines{m_message.what, m_message.evidence, m_message.action,
                      m_message.code.isEmpty() ? QString() : tr("Code: %1").arg(m_message.code)};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace tracedeck::ui
