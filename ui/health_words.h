// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/etl/health.h"
#endif

#include <QCoreApplication>
#include <QString>

namespace tracedeck::ui {

/// What a saved recording holds for analysis, in words for people.
///
/// Threading: UI thread.
class HealthWords {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::HealthWords)
public:
    /// One sentence; empty for what other parts of the card tell (damage, loss, what the machine does not give).
    [[nodiscard]] static QString issue(const etl::HealthIssue& issue);
    /// "97 % of the samples and 80 % of the context switches have one"; empty where there is neither.
    [[nodiscard]] static QString stacks(const etl::HealthReport& report);
    /// What was turned on and said nothing: "12 of 30 sources: A, B and 10 more"; empty where all said something.
    [[nodiscard]] static QString silent(const etl::HealthReport& report);
};

} // namespace tracedeck::ui
