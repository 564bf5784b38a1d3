// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/presets.h"

#include <QWidget>

class QLabel;

namespace tracedeck::ui {

/// What to do while it records and for how long: the preset's words, or those for any recording.
class GuidancePanel final : public QWidget {
    Q_OBJECT
public:
    explicit GuidancePanel(QWidget* parent = nullptr);

    /// `preset`: null for a choice that is none; `isModified`: its limits may be others, so that how long it takes is
    /// not told.
    void showPreset(const Preset* preset, bool isModified);

private:
    QLabel* m_general;
    QLabel* m_meanwhileCaption;
    QLabel* m_meanwhile;
    QLabel* m_howLongCaption;
    QLabel* m_howLong;
};

} // namespace tracedeck::ui
