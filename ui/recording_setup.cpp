// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording_setup.h"

namespace tracedeck::ui {

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
    compose();
    m_obstacle = findObstacle();
    Q_EMIT changed();
}

void RecordingSetup::compose() {
    m_plan.reset();
    if (!m_machine.capabilities()) {
        return;
    }
    std::vector<plan::Selection> selections;
    for (const ProfileEntry& entry : m_profiles) {
        if (m_choice.profiles.contains(entry.name, Qt::CaseInsensitive)) {
            selections.push_back({entry.document, entry.name.toStdString(), std::nullopt});
        }
    }
    if (selections.empty()) {
        return;
    }
    plan::Overrides overrides;
    overrides.detail = m_choice.detail;
    overrides.mode = m_choice.mode;
    overrides.maximumFileSizeMib = m_choice.maximumFileSizeMib;
    overrides.minimumFreeDisk = kFreeDiskFloor;
    m_plan = plan::compose(selections, overrides, *m_machine.capabilities());
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
