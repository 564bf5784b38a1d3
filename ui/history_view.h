// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history.h"

#include <QWidget>

class QLabel;

namespace tracedeck::ui {

class HistoryChart;

/// The last two minutes: the numbers as text, and beside them the chart where it is built in.
class HistoryView final : public QWidget {
    Q_OBJECT
public:
    explicit HistoryView(QWidget* parent = nullptr);

    void clear();
    void add(const recorder::LiveStatus& status);
    [[nodiscard]] const History& history() const noexcept { return m_history; }

private:
    void showNumbers();

    History m_history;
    HistoryChart* m_chart = nullptr;
    QLabel* m_fill;
    QLabel* m_rate;
    QLabel* m_loss;
};

} // namespace tracedeck::ui
