// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session_gauges.h"

#include "ui/accessibility.h"
#include "ui/format.h"
#include "ui/palette_icon.h"
#include "ui/plan_words.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>

#include <algorithm>

namespace tracedeck::ui {

LossLevel lossLevel(std::uint64_t lost, std::uint64_t produced) noexcept {
    if (lost == 0) {
        return LossLevel::None;
    }
    return static_cast<double>(lost) > 0.01 * static_cast<double>(produced) ? LossLevel::Severe : LossLevel::Some;
}

SessionGauges::SessionGauges(const MessageCatalog& messages, const Clock& clock, QWidget* parent)
    : QWidget(parent), m_messages(messages), m_clock(clock), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(5, 1);
}

void SessionGauges::clear() {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_rows.clear();
}

SessionGauges::Row& SessionGauges::addRow() {
    const int line = static_cast<int>(m_rows.size()) * 2;
    Row row{new QLabel(this), new QProgressBar(this), new QLabel(this), new QLabel(this),
            new QLabel(this), new QLabel(this),       new QLabel(this)};
    row.fill->setRange(0, 1000);
    row.fill->setTextVisible(false);
    row.fill->setMinimumWidth(120);
    row.fillText->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.rate->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // Numbers that change four times a second keep their places.
    row.fillText->setMinimumWidth(fontMetrics().horizontalAdvance(Format::percent(1.0)));
    row.rate->setMinimumWidth(fontMetrics().horizontalAdvance(Format::bytesPerSecond(1022.9 * 1024)));
    row.note->setWordWrap(true);
    row.note->hide();
    int column = 0;
    for (QWidget* widget :
         {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.fill), static_cast<QWidget*>(row.fillText),
          static_cast<QWidget*>(row.rate), static_cast<QWidget*>(row.lossIcon), static_cast<QWidget*>(row.loss)}) {
        m_grid->addWidget(widget, line, column++);
    }
    m_grid->addWidget(row.note, line + 1, 1, 1, 5);
    m_rows.push_back(row);
    return m_rows.back();
}

void SessionGauges::showStatus(const recorder::LiveStatus& status, plan::LoggingMode mode) {
    for (std::size_t i = 0; i < status.sessions.size(); ++i) {
        fillRow(i < m_rows.size() ? m_rows[i] : addRow(), status.sessions[i], status, mode);
    }
}

void SessionGauges::fillRow(Row& row, const recorder::SessionStatus& session, const recorder::LiveStatus& status,
                            plan::LoggingMode mode) {
    const etw::SessionStats& stats = session.stats;
    const QString name = Words::sessionName(session.kind);
    row.name->setText(name);
    row.name->setToolTip(fromUtf8(session.name));
    row.fill->setAccessibleName(tr("%1: buffers in use").arg(name));
    row.fill->setValue(static_cast<int>(std::clamp(stats.bufferFill(), 0.0, 1.0) * 1000.0));
    row.fillText->setText(Format::percent(stats.bufferFill()));
    row.rate->setText(Format::bytesPerSecond(session.bytesPerSecond));

    QString loss = tr("lost %1 of %2").arg(Format::count(stats.eventsLost), Format::count(stats.eventsProduced));
    const LossLevel level = lossLevel(stats.eventsLost, stats.eventsProduced);
    if (level != LossLevel::None) {
        loss = tr("%1 (%2)").arg(
            loss, Format::percent(static_cast<double>(stats.eventsLost) /
                                      static_cast<double>(std::max<std::uint64_t>(1, stats.eventsProduced)),
                                  2));
    }
    if (mode == plan::LoggingMode::Memory && stats.eventsOverwritten > 0) {
        const double held =
            static_cast<double>(m_clock.ticks() - stats.oldest) / static_cast<double>(m_clock.frequency());
        loss = tr("%1, holds the last %2").arg(loss, Format::span(std::max(0.0, held)));
    }
    row.loss->setText(loss);
    const QString icon = level == LossLevel::None   ? QStringLiteral("good")
                         : level == LossLevel::Some ? QStringLiteral("warning")
                                                    : QStringLiteral("error");
    row.lossIcon->setPixmap(paletteIcon(icon).pixmap(16, 16));
    row.lossIcon->setAccessibleName(level == LossLevel::None   ? tr("Nothing lost")
                                    : level == LossLevel::Some ? tr("Warning: events lost")
                                                               : tr("Serious: more than 1 % lost"));
    row.lossIcon->setToolTip(row.lossIcon->accessibleName());
    // The first loss is told once and stays as it was told.
    if (row.note->isHidden()) {
        if (const QString note = lossNote(session, status); !note.isEmpty()) {
            row.note->show();
            announce(row.note, tr("Events are being lost. %1").arg(note));
        }
    }
}

QString SessionGauges::lossNote(const recorder::SessionStatus& session, const recorder::LiveStatus& status) const {
    const auto& losses = session.stats.losses;
    const auto first =
        std::min_element(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (first == losses.end()) {
        return {};
    }
    const UserMessage message = m_messages.forLoss(first->cause);
    const double secondsAgo =
        static_cast<double>(m_clock.ticks() - first->first) / static_cast<double>(m_clock.frequency());
    const auto ago = std::chrono::milliseconds(static_cast<std::int64_t>(secondsAgo * 1000.0));
    const auto at = std::clamp(status.elapsed - ago, std::chrono::milliseconds(0), status.elapsed);
    return tr("First loss at %1. %2 %3").arg(Format::clock(at), message.what, message.action);
}

} // namespace tracedeck::ui
