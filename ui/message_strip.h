// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plan_words.h"

#include <QFrame>

class QAction;
class QLabel;
class QPushButton;
class QToolButton;

namespace tracedeck::ui {

/// A message inside the window: one sentence, one line of evidence, one action, the code to copy. It stays until it is
/// closed or replaced, and never stands in the way.
class MessageStrip final : public QFrame {
    Q_OBJECT
public:
    enum class Level { Information, Warning, Error };
    enum class Offer { Nothing, Command };
    /// `command`: what a message may offer as a button.
    explicit MessageStrip(QAction* command, QWidget* parent = nullptr);

    void showMessage(const UserMessage& message, Level level, Offer offer = Offer::Nothing);
    /// Several things of one kind in one strip.
    void showMessages(const std::vector<LimitationText>& messages, Level level);
    [[nodiscard]] QPushButton* offeredButton() const noexcept { return m_offered; }
    [[nodiscard]] bool isOffering() const noexcept { return m_offer == Offer::Command; }
    [[nodiscard]] QList<QWidget*> tabOrder() const;
    /// What was shown last, as it is copied.
    [[nodiscard]] QString plainText() const;

private:
    QLabel* m_icon;
    QLabel* m_what;
    QLabel* m_rest;
    QPushButton* m_offered;
    QPushButton* m_copy;
    QToolButton* m_close;
    Offer m_offer = Offer::Nothing;
    UserMessage m_message;
};

} // namespace tracedeck::ui
