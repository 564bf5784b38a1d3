// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup_view.h"

#include "core/recorder/disk_guard.h"
#include "ui/cost_words.h"
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
        panel->showPlan(summaryText(**plan), costText(**plan),
                        leftOut(**plan).empty() ? PlanPanel::Extent::Whole : PlanPanel::Extent::Part);
    }
    m_form->limitationPanel()->showLimitations(limitationTexts(m_limitations, m_model.messages));
}

QString SetupView::summaryText(const plan::RecordingPlan& plan) const {
    QString text = Words::whatIsRecorded(plan);
    if (const std::optional<plan::Diagnostic>& note = m_model.setup.selected().note) {
        //: %1 is the name of a profile, in a line of its own
        text += u'\n' +
                tr("%1 is recorded too, as always together with profiles of your own.").arg(fromUtf8(note->profile));
    }
    return text;
}

void SetupView::showPresets() {
    const std::optional<etw::Capabilities>& machine = m_model.machine.capabilities();
    std::vector<PresetOutlook> outlooks;
    for (const Preset& preset : m_form->presets()) {
        outlooks.push_back(
            outlookOf(preset, m_model.setup.profiles(), machine ? &*machine : nullptr, m_model.messages));
    }
    m_form->showOutlooks(std::move(outlooks));
}

QString SetupView::costText(const plan::RecordingPlan& plan) const {
    const etw::Capabilities& machine = *m_model.machine.capabilities();
    const RecordingChoice& choice = m_model.setup.choice();
    const FolderFacts& folder = m_model.folder.facts();
    const plan::Cost cost = plan::estimate(plan, machine, m_costs);
    CostWords::Ends ends;
    if (folder.isUsable() && folder.path == choice.folder) {
        ends.disk = recorder::roomAtStart({folder.free, folder.free}, kFreeDiskFloor).value_or(Bytes{0});
    }
    if (choice.maximumFileSizeMib) {
        ends.file = mib(*choice.maximumFileSizeMib);
    }
    ends.time = choice.timeLimit;
    QStringList sentences{Words::memory(plan, machine.physicalMemory), CostWords::rate(cost),
                          CostWords::reach(cost, ends)};
    sentences.removeAll(QString());
    return sentences.join(u' ');
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
