// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/user_message.h"

#ifndef Q_MOC_RUN
#include "core/base/clock.h"
#include "core/recorder/recorder.h"
#endif

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QProgressBar;

namespace tracedeck::ui {

enum class LossLevel { None, Some, Severe };
/// Amber above 0, red above 1 % of what was produced.
[[nodiscard]] LossLevel lossLevel(std::uint64_t lost, std::uint64_t produced) noexcept;

/// One row per session: buffers in use, rate, lost events; below a session that lost events, since when, why, and what
/// helps.
class SessionGauges final : public QWidget {
    Q_OBJECT
public:
    SessionGauges(const MessageCatalog& messages, const Clock& clock, QWidget* parent = nullptr);

    void clear();
    void showStatus(const recorder::LiveStatus& status, plan::LoggingMode mode);

private:
    struct Row {
        QLabel* name;
        QProgressBar* fill;
        QLabel* fillText;
        QLabel* rate;
        QLabel* lossIcon;
        QLabel* loss;
        QLabel* note;
    };
    Row& addRow();
    void fillRow(Row& row, const recorder::SessionStatus& session, const recorder::LiveStatus& status,
                 plan::LoggingMode mode);
    [[nodiscard]] QString lossNote(const recorder::SessionStatus& session, const recorder::LiveStatus& status) const;

    const MessageCatalog& m_messages;
    const Clock& m_clock;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
};

} // namespace tracedeck::ui
