// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history_chart.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <cmath>

namespace tracedeck::ui {
namespace {

/// The smallest 1, 2 or 5 times a power of ten that is not below `value`.
double roundedUp(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1.0))));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * power) {
            return step * power;
        }
    }
    return 10.0 * power;
}

QColor fillColor(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < 128 ? QColor(0x6f, 0xc1, 0xff) : QColor(0x14, 0x5f, 0xa8);
}

QColor rateColor(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < 128 ? QColor(0xff, 0xb2, 0x5c) : QColor(0xa8, 0x4b, 0x00);
}

} // namespace

HistoryChart::HistoryChart(QWidget* parent)
    : QWidget(parent), m_chart(new QChart), m_view(new QChartView(m_chart, this)), m_fill(new QLineSeries(m_chart)),
      m_rate(new QLineSeries(m_chart)), m_loss(new QScatterSeries(m_chart)), m_timeAxis(new QValueAxis(m_chart)),
      m_fillAxis(new QValueAxis(m_chart)), m_rateAxis(new QValueAxis(m_chart)) {
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setAccessibleName(tr("Buffer fill and event rate over the last two minutes"));
    m_chart->legend()->hide();
    m_chart->setMargins(QMargins(0, 0, 0, 0));
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setBackgroundRoundness(0);

    m_timeAxis->setRange(-120, 0);
    m_timeAxis->setTickCount(5);
    //: seconds on the time axis; %d is the number
    m_timeAxis->setLabelFormat(tr("%d s"));
    m_fillAxis->setRange(0, 100);
    m_fillAxis->setTickCount(3);
    //: percent on the axis of the buffer fill; %d is the number, %% the sign
    m_fillAxis->setLabelFormat(tr("%d %%"));
    m_rateAxis->setRange(0, 1000);
    m_rateAxis->setTickCount(3);
    //: events per second on the axis of the event rate; %d is the number
    m_rateAxis->setLabelFormat(tr("%d/s"));
    m_rateAxis->setGridLineVisible(false);
    m_chart->addAxis(m_timeAxis, Qt::AlignBottom);
    m_chart->addAxis(m_fillAxis, Qt::AlignLeft);
    m_chart->addAxis(m_rateAxis, Qt::AlignRight);
    for (QXYSeries* series :
         {static_cast<QXYSeries*>(m_fill), static_cast<QXYSeries*>(m_rate), static_cast<QXYSeries*>(m_loss)}) {
        m_chart->addSeries(series);
        series->attachAxis(m_timeAxis);
        series->attachAxis(series == m_rate ? m_rateAxis : m_fillAxis);
    }
    m_loss->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    m_loss->setMarkerSize(11);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    setMinimumHeight(110);
    applyPalette();
}

void HistoryChart::refresh(const History& history) {
    QList<QPointF> fill;
    QList<QPointF> rate;
    QList<QPointF> loss;
    const auto& samples = history.samples();
    for (const History::Sample& sample : samples) {
        const double seconds = std::chrono::duration<double>(sample.at - samples.back().at).count();
        fill.append({seconds, sample.bufferFill * 100.0});
        rate.append({seconds, sample.eventsPerSecond});
        if (sample.lost > 0) {
            loss.append({seconds, 4.0});
        }
    }
    // Young recordings fill the chart too.
    const double age =
        samples.empty() ? 0.0 : -std::chrono::duration<double>(samples.front().at - samples.back().at).count();
    for (const double span : {20.0, 40.0, 60.0, 120.0}) {
        if (age <= span || span == 120.0) {
            m_timeAxis->setMin(-span);
            break;
        }
    }
    m_rateAxis->setMax(roundedUp(std::max(10.0, history.peak().eventsPerSecond)));
    m_fill->replace(fill);
    m_rate->replace(rate);
    m_loss->replace(loss);
}

void HistoryChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
    }
}

void HistoryChart::applyPalette() {
    const QPalette colors = palette();
    const QColor text = colors.color(QPalette::WindowText);
    QColor grid = text;
    grid.setAlphaF(0.15F);
    m_view->setBackgroundBrush(colors.color(QPalette::Window));
    m_chart->setBackgroundBrush(colors.color(QPalette::Window));
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.85));
    for (QValueAxis* axis : {m_timeAxis, m_fillAxis, m_rateAxis}) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(text);
        axis->setGridLineColor(grid);
        axis->setLinePenColor(grid);
    }
    m_fillAxis->setLabelsColor(fillColor(colors));
    m_rateAxis->setLabelsColor(rateColor(colors));
    m_fill->setPen(QPen(fillColor(colors), 2));
    m_rate->setPen(QPen(rateColor(colors), 2, Qt::DashLine));
    m_loss->setColor(QColor(0xc6, 0x28, 0x28));
    m_loss->setBorderColor(text);
}

} // namespace tracedeck::ui
