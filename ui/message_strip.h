// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/user_message.h"

#include <QFrame>

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
    explicit MessageStrip(QWidget* parent = nullptr);

    void showMessage(const UserMessage& message, Level level);
    [[nodiscard]] QList<QWidget*> tabOrder() const;
    /// What was shown last, as it is copied.
    [[nodiscard]] QString plainText() const;

private:
    QLabel* m_icon;
    QLabel* m_what;
    QLabel* m_rest;
    QPushButton* m_copy;
    QToolButton* m_close;
    UserMessage m_message;
};

} // namespace tracedeck::ui
