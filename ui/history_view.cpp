// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history_view.h"

#include "ui/format.h"

#if TRACEDECK_WITH_CHARTS
#include "ui/history_chart.h"
#endif

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tracedeck::ui {

HistoryView::HistoryView(QWidget* parent)
    : QWidget(parent), m_fill(new QLabel(this)), m_rate(new QLabel(this)), m_loss(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
#if TRACEDECK_WITH_CHARTS
    m_chart = new HistoryChart(this);
    row->addWidget(m_chart, 1);
#endif
    auto* numbers = new QVBoxLayout;
    numbers->setSpacing(6);
    auto* title = new QLabel(tr("Last two minutes"), this);
    QFont bold = font();
    bold.setBold(true);
    title->setFont(bold);
    numbers->addWidget(title);
    for (QLabel* label : {m_fill, m_rate, m_loss}) {
        label->setTextFormat(Qt::PlainText);
        numbers->addWidget(label);
    }
    numbers->addStretch(1);
    row->addLayout(numbers);
    // Wide enough for the numbers to come: a text that grows must not push the chart about.
    m_rate->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    showNumbers();
}

void HistoryView::clear() {
    m_history.clear();
#if TRACEDECK_WITH_CHARTS
    m_chart->refresh(m_history);
#endif
    showNumbers();
}

void HistoryView::add(const recorder::LiveStatus& status) {
    m_history.add(status);
#if TRACEDECK_WITH_CHARTS
    m_chart->refresh(m_history);
#endif
    showNumbers();
}

void HistoryView::showNumbers() {
    const History::Sample now = m_history.samples().empty() ? History::Sample{} : m_history.samples().back();
    const History::Sample peak = m_history.peak();
    //: the line patterns say which line of the chart is meant
    m_fill->setText(tr("— Buffers in use: %1\n      highest %2")
                        .arg(Format::percent(now.bufferFill), Format::percent(peak.bufferFill)));
    m_rate->setText(tr("‐ ‐ Events per second: %1\n      highest %2")
                        .arg(Format::count(static_cast<std::uint64_t>(now.eventsPerSecond)),
                             Format::count(static_cast<std::uint64_t>(peak.eventsPerSecond))));
    m_loss->setText(tr("▲ Lost: %1").arg(Format::count(peak.lost)));
}

} // namespace tracedeck::ui
