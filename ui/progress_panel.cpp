// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/progress_panel.h"

#include "ui/format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {
namespace {

constexpr std::array kStages{recorder::State::Stopping, recorder::State::Saving, recorder::State::Verifying};

} // namespace

ProgressPanel::ProgressPanel(QWidget* parent)
    : QWidget(parent), m_stages{new QLabel(tr("1. Stopping"), this), new QLabel(tr("2. Writing one file"), this),
                                new QLabel(tr("3. Checking it"), this)},
      m_bar(new QProgressBar(this)), m_estimate(new QLabel(this)), m_cancel(new QPushButton(tr("Go &Back"), this)) {
    m_bar->setAccessibleName(tr("Progress of this step"));
    m_cancel->setToolTip(tr("Back to the stopped recording. Nothing is lost."));
    auto* stages = new QHBoxLayout;
    stages->setSpacing(24);
    for (QLabel* stage : m_stages) {
        stages->addWidget(stage);
    }
    stages->addStretch(1);
    stages->addWidget(m_estimate);
    auto* row = new QHBoxLayout;
    row->addWidget(m_bar, 1);
    row->addWidget(m_cancel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(stages);
    column->addLayout(row);
}

void ProgressPanel::setStage(recorder::State stage) {
    if (m_stage == stage) {
        return;
    }
    m_stage = stage;
    m_sinceStage.start();
    for (std::size_t i = 0; i < kStages.size(); ++i) {
        QFont font = this->font();
        font.setBold(kStages[i] == stage);
        m_stages[i]->setFont(font);
        m_stages[i]->setEnabled(kStages[i] == stage);
    }
    m_bar->setRange(0, 0);
    m_estimate->clear();
}

void ProgressPanel::showProgress(const recorder::Progress& progress) {
    if (progress.stage != m_stage) {
        return;
    }
    if (progress.fraction < 0) {
        m_bar->setRange(0, 0);
        m_estimate->clear();
        return;
    }
    m_bar->setRange(0, 1000);
    m_bar->setValue(static_cast<int>(progress.fraction * 1000.0));
    const double elapsed = static_cast<double>(m_sinceStage.elapsed()) / 1000.0;
    // Before that an estimate jumps about.
    if (progress.fraction > 0.05 && elapsed > 1.0) {
        m_estimate->setText(tr("about %1 left").arg(Format::span(elapsed / progress.fraction - elapsed)));
    }
}

} // namespace tracedeck::ui
