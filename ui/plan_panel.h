// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plan_words.h"

#include <QGroupBox>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tracedeck::ui {

/// "What this records": the plan in words, its cost, and what cannot be recorded here, with reason and remedy.
class PlanPanel final : public QGroupBox {
    Q_OBJECT
public:
    explicit PlanPanel(QWidget* parent = nullptr);

    void showPlan(const QString& summary, const QString& cost, const std::vector<LimitationText>& limitations);
    /// Instead of a plan: why there is none.
    void showMessage(const UserMessage& message);
    [[nodiscard]] QPushButton* detailsButton() const noexcept { return m_details; }
    [[nodiscard]] QPushButton* copyButton() const noexcept { return m_copy; }

private:
    void clearRows();
    void addRow(const QString& icon, const QString& iconName, const UserMessage& message);

    QLabel* m_summary;
    QLabel* m_cost;
    QLabel* m_missingTitle;
    QWidget* m_rows;
    QVBoxLayout* m_rowsLayout;
    QPushButton* m_details;
    QPushButton* m_copy;
};

} // namespace tracedeck::ui
