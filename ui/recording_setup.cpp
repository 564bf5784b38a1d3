// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording_setup.h"

#include <utility>

namespace tracedeck::ui {

plan::WithGeneral selectionsOf(const std::vector<ProfileEntry>& profiles, const RecordingChoice& choice) {
    std::vector<plan::Selection> selections;
    for (const ProfileEntry& entry : profiles) {
        if (choice.profiles.contains(entry.name, Qt::CaseInsensitive)) {
            selections.push_back({entry.document, entry.name.toStdString(), std::nullopt});
        }
    }
    return plan::withGeneral(std::move(selections), builtInDocuments(profiles));
}

std::optional<Result<plan::RecordingPlan>> planOf(const plan::WithGeneral& selected, const RecordingChoice& choice,
                                                  const etw::Capabilities& machine) {
    if (selected.selections.empty()) {
        return std::nullopt;
    }
    plan::Overrides overrides;
    overrides.detail = choice.detail;
    overrides.mode = choice.mode;
    overrides.maximumFileSizeMib = choice.maximumFileSizeMib;
    overrides.minimumFreeDisk = kFreeDiskFloor;
    Result<plan::RecordingPlan> plan = plan::compose(selected.selections, overrides, machine);
    if (plan && selected.note) {
        plan->diagnostics.insert(plan->diagnostics.begin(), *selected.note);
    }
    return plan;
}

RecordingSetup::RecordingSetup(const Machine& machine, const FolderProbe& folder, QObject* parent)
    : QObject(parent), m_machine(machine), m_folder(folder) {
    connect(&machine, &Machine::changed, this, &RecordingSetup::update);
    connect(&folder, &FolderProbe::changed, this, &RecordingSetup::update);
}

void RecordingSetup::setProfiles(std::vector<ProfileEntry> profiles) {
    m_profiles = std::move(profiles);
    update();
}

void RecordingSetup::setChoice(const RecordingChoice& choice) {
    m_choice = choice;
    update();
}

void RecordingSetup::update() {
    m_selected = selectionsOf(m_profiles, m_choice);
    m_plan.reset();
    if (m_machine.capabilities()) {
        m_plan = planOf(m_selected, m_choice, *m_machine.capabilities());
    }
    m_obstacle = findObstacle();
    Q_EMIT changed();
}

RecordingSetup::Obstacle RecordingSetup::findObstacle() const {
    if (m_machine.error()) {
        return Obstacle::MachineFailed;
    }
    if (!m_machine.capabilities()) {
        return Obstacle::MachineUnknown;
    }
    if (!m_plan) {
        return Obstacle::NothingChosen;
    }
    if (!m_plan->has_value()) {
        return Obstacle::PlanFailed;
    }
    const FolderFacts& folder = m_folder.facts();
    if (folder.path != m_choice.folder ||
        (folder.state != FolderFacts::State::Usable && folder.state != FolderFacts::State::WillBeCreated)) {
        return Obstacle::FolderUnusable;
    }
    if (folder.free < kFreeDiskFloor) {
        return Obstacle::DiskTooFull;
    }
    return Obstacle::None;
}

} // namespace tracedeck::ui
