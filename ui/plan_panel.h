// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plan_words.h"

#include <QGroupBox>

#include <cstdint>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tracedeck::ui {

/// What the plan or the machine leaves out, with reason and remedy.
class LimitationPanel final : public QGroupBox {
    Q_OBJECT
public:
    explicit LimitationPanel(QWidget* parent = nullptr);

    /// Empty: the panel hides.
    void showLimitations(const std::vector<LimitationText>& limitations);

private:
    QVBoxLayout* m_rows;
};

/// "What this records": the plan in words and its cost, or why there is no plan.
class PlanPanel final : public QGroupBox {
    Q_OBJECT
public:
    explicit PlanPanel(QWidget* parent = nullptr);

    /// How much of what the profiles ask for the plan holds.
    enum class Extent : std::uint8_t { Whole, Part };
    void showPlan(const QString& summary, const QString& cost, Extent extent = Extent::Whole);
    /// Instead of a plan: why there is none. Evidence that is long is cut; all of it is in the tool tip.
    void showMessage(const UserMessage& message);
    [[nodiscard]] QPushButton* detailsButton() const noexcept { return m_details; }
    [[nodiscard]] QPushButton* copyButton() const noexcept { return m_copy; }
    /// Hidden unless looking again may help.
    [[nodiscard]] QPushButton* lookAgainButton() const noexcept { return m_lookAgain; }

private:
    QLabel* m_errorIcon;
    QLabel* m_summary;
    QLabel* m_cost;
    QPushButton* m_details;
    QPushButton* m_copy;
    QPushButton* m_lookAgain;
};

} // namespace tracedeck::ui
