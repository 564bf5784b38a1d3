// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace tracedeck::ui {

/// Offers a recording that an earlier run has left, above everything else: calm, and in nobody's way.
///
/// Threading: UI thread. Hidden at first; who shows it knows when an offer makes sense.
class UnfinishedBar final : public QFrame {
    Q_OBJECT
public:
    struct Offer {
        QString profiles; ///< in words
        QString begun;    ///< when, as the locale writes it
        QString note;     ///< may be empty
        bool isRunning = false;
        int number = 1; ///< of `count`, from 1
        int count = 1;
    };
    explicit UnfinishedBar(QWidget* parent = nullptr);

    /// Says it, to screen readers too.
    void showOffer(const Offer& offer);
    /// "Go On" where it still runs, else "Save…".
    [[nodiscard]] QPushButton* takeUpButton() const noexcept { return m_takeUp; }
    [[nodiscard]] QPushButton* discardButton() const noexcept { return m_discard; }
    [[nodiscard]] QPushButton* laterButton() const noexcept { return m_later; }
    [[nodiscard]] QList<QWidget*> tabOrder() const;

private:
    QLabel* m_icon;
    QLabel* m_what;
    QLabel* m_why;
    QLabel* m_note;
    QLabel* m_number;
    QPushButton* m_takeUp;
    QPushButton* m_discard;
    QPushButton* m_later;
};

} // namespace tracedeck::ui
