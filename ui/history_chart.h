// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history.h"

#include <QWidget>

class QChart;
class QChartView;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace tracedeck::ui {

/// Buffer fill (solid line, left scale) and event rate (dashed line, right scale) over the last two minutes; triangles
/// mark loss. Its numbers stand beside it as text (HistoryView).
class HistoryChart final : public QWidget {
    Q_OBJECT
public:
    explicit HistoryChart(QWidget* parent = nullptr);
    void refresh(const History& history);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyPalette();

    QChart* m_chart;
    QChartView* m_view;
    QLineSeries* m_fill;
    QLineSeries* m_rate;
    QScatterSeries* m_loss;
    QValueAxis* m_timeAxis;
    QValueAxis* m_fillAxis;
    QValueAxis* m_rateAxis;
};

} // namespace tracedeck::ui
