// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plan_words.h"

#ifndef Q_MOC_RUN
#include "core/etl/health.h"
#endif

#include <QFrame>

class QFormLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tracedeck::ui {

/// What was saved, and whether it is worth sending to somebody.
class HealthCard final : public QFrame {
    Q_OBJECT
public:
    explicit HealthCard(const MessageCatalog& messages, QWidget* parent = nullptr);

    /// `told`: what was known to be missing before the start, and is not told again.
    void showOutcome(const recorder::Outcome& outcome, const std::vector<etw::Limitation>& told);
    [[nodiscard]] QPushButton* openFolderButton() const noexcept { return m_openFolder; }
    [[nodiscard]] QList<QWidget*> tabOrder() const;
    [[nodiscard]] const QString& path() const noexcept { return m_path; }
    /// All that is on the card, line by line.
    [[nodiscard]] QString plainText() const;

private:
    [[nodiscard]] QStringList problemsOf(const recorder::Outcome& outcome, const etl::HealthReport& report) const;
    void showFacts(const recorder::Outcome& outcome, const etl::HealthReport& report,
                   const std::vector<etw::Limitation>& told);
    [[nodiscard]] QString missingText(const std::vector<etw::Limitation>& limitations) const;

    const MessageCatalog& m_messages;
    QLabel* m_icon;
    QLabel* m_verdict;
    QLabel* m_file;
    QLabel* m_problems;
    QFormLayout* m_facts;
    QPushButton* m_openFolder;
    QPushButton* m_copyPath;
    QString m_path;
};

} // namespace tracedeck::ui
