// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

#include <QElapsedTimer>
#include <QWidget>

#include <array>

class QLabel;
class QProgressBar;
class QPushButton;

namespace tracedeck::ui {

/// The stages after Stop, with the progress of the current one, an estimate, and a way back.
class ProgressPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProgressPanel(QWidget* parent = nullptr);

    /// Stopping, Saving or Verifying.
    void setStage(recorder::State stage);
    void showProgress(const recorder::Progress& progress);
    [[nodiscard]] QPushButton* cancelButton() const noexcept { return m_cancel; }

private:
    std::array<QLabel*, 3> m_stages;
    QProgressBar* m_bar;
    QLabel* m_estimate;
    QPushButton* m_cancel;
    QElapsedTimer m_sinceStage;
    recorder::State m_stage = recorder::State::Idle;
};

} // namespace tracedeck::ui
