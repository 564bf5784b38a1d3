// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/plan/plan.h"
#endif

#include <QDialog>

class QTreeWidget;

namespace tracedeck::ui {

/// What will run, in ETW's words: sessions, buffers, keywords, stacks, providers, and what was left out.
class DetailsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit DetailsDialog(plan::RecordingPlan plan, QWidget* parent = nullptr);

private:
    void fill();

    plan::RecordingPlan m_plan;
    QTreeWidget* m_tree;
};

} // namespace tracedeck::ui
