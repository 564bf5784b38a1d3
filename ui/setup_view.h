// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/folder_probe.h"
#include "ui/machine.h"
#include "ui/recording_setup.h"
#include "ui/user_message.h"

#ifndef Q_MOC_RUN
#include "core/plan/cost.h"
#endif

#include <QCoreApplication>

#include <utility>
#include <vector>

namespace tracedeck::ui {

class RecordingForm;

/// Shows on the form what the choice comes to on this machine: the plan and its cost, what is left out, and why Record
/// cannot be pressed.
///
/// Threading: UI thread. Ownership: everything that it is given must outlive it.
class SetupView {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::SetupView)
public:
    struct Model {
        const Machine& machine;
        const FolderProbe& folder;
        const RecordingSetup& setup;
        const MessageCatalog& messages;
    };
    SetupView(const Model& model, RecordingForm* form) : m_model(model), m_form(form) {}

    void show();
    /// What becomes of each preset on this machine; to be called when the machine has answered.
    void showPresets();
    /// What past recordings of this machine cost; shown by the next show().
    void setCosts(plan::CostHistory costs) { m_costs = std::move(costs); }
    /// What was shown as not recorded.
    [[nodiscard]] const std::vector<etw::Limitation>& limitations() const noexcept { return m_limitations; }
    /// Empty where Record can be pressed.
    [[nodiscard]] QString obstacleText() const;

private:
    [[nodiscard]] QString summaryText(const plan::RecordingPlan& plan) const;
    [[nodiscard]] QString costText(const plan::RecordingPlan& plan) const;

    Model m_model;
    RecordingForm* m_form;
    std::vector<etw::Limitation> m_limitations;
    plan::CostHistory m_costs;
};

} // namespace tracedeck::ui
