// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup_view.h"

#include "ui/format.h"
#include "ui/plan_panel.h"
#include "ui/plan_words.h"
#include "ui/recording_form.h"

#include <QPushButton>

namespace tracedeck::ui {

void SetupView::show() {
    PlanPanel* panel = m_form->planPanel();
    m_limitations.clear();
    std::vector<etw::Limitation> liftable;
    if (m_model.machine.capabilities()) {
        m_limitations = m_model.machine.capabilities()->limitations;
        liftable = liftableLimitations(*m_model.machine.capabilities());
    }
    panel->lookAgainButton()->setVisible(m_model.machine.error() || !liftable.empty());
    const auto& plan = m_model.setup.plan();
    if (m_model.machine.error()) {
        panel->showMessage(m_model.messages.forError(*m_model.machine.error()));
    } else if (!plan) {
        panel->showPlan(m_model.machine.capabilities() ? tr("Nothing yet: tick a profile.")
                                                       : tr("Looking at what this machine can record…"),
                        {});
    } else if (!plan->has_value()) {
        panel->showMessage(m_model.messages.forError(plan->error()));
        // No plan says it: why the keywords were refused, and what would help.
        const std::vector<etw::Limitation> reasons = untold(liftable, m_limitations);
        m_limitations.insert(m_limitations.end(), reasons.begin(), reasons.end());
    } else {
        m_limitations = limitationsOf(**plan, *m_model.machine.capabilities());
        panel->showPlan(Words::whatIsRecorded(**plan), costText(**plan));
    }
    m_form->limitationPanel()->showLimitations(limitationTexts(m_limitations, m_model.messages));
}

QString SetupView::costText(const plan::RecordingPlan& plan) const {
    QString memory = Words::memory(plan, m_model.machine.capabilities()->physicalMemory);
    if (plan.mode == plan::LoggingMode::File || m_lastBytesPerSecond <= 0) {
        return memory;
    }
    const double seconds = static_cast<double>(plan.bufferMemory().count) / m_lastBytesPerSecond;
    return tr("%1 At the last recording's %2 they hold about %3.")
        .arg(memory, Format::bytesPerSecond(m_lastBytesPerSecond), Format::span(seconds));
}

QString SetupView::obstacleText() const {
    using enum RecordingSetup::Obstacle;
    switch (m_model.setup.obstacle()) {
    case None:
        return {};
    case MachineUnknown:
        return tr("Looking at what this machine can record…");
    case MachineFailed:
    case PlanFailed:
        return tr("This cannot be recorded: see above.");
    case NothingChosen:
        return tr("Tick a profile first.");
    case FolderUnusable:
        return m_model.folder.facts().state == FolderFacts::State::Unknown ? tr("Looking at the folder…")
                                                                           : tr("Choose another folder first.");
    case DiskTooFull:
        return tr("The disk of the folder is too full.");
    }
    return {};
}

} // namespace tracedeck::ui
