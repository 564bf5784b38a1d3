// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/folder_probe.h"
#include "ui/machine.h"
#include "ui/profile_list.h"
#include "ui/recording_choice.h"

#ifndef Q_MOC_RUN
#include "core/plan/selection.h"
#endif

#include <QObject>

#include <optional>

namespace tracedeck::ui {

/// Brings the form, the profiles and the machine together: the plan that Record would carry out, and whether it can.
///
/// Threading: UI thread. Ownership: `machine` and `folder` must outlive it.
class RecordingSetup final : public QObject {
    Q_OBJECT
public:
    RecordingSetup(const Machine& machine, const FolderProbe& folder, QObject* parent = nullptr);

    /// Why Record cannot be pressed.
    enum class Obstacle { None, MachineUnknown, MachineFailed, NothingChosen, PlanFailed, FolderUnusable, DiskTooFull };

    void setProfiles(std::vector<ProfileEntry> profiles);
    [[nodiscard]] const std::vector<ProfileEntry>& profiles() const noexcept { return m_profiles; }
    void setChoice(const RecordingChoice& choice);
    [[nodiscard]] const RecordingChoice& choice() const noexcept { return m_choice; }

    [[nodiscard]] bool isReady() const noexcept { return m_obstacle == Obstacle::None; }
    [[nodiscard]] Obstacle obstacle() const noexcept { return m_obstacle; }
    /// What is recorded of the choice.
    [[nodiscard]] const plan::WithGeneral& selected() const noexcept { return m_selected; }
    /// Empty until the machine is known and a profile is chosen; else the plan or why there is none.
    [[nodiscard]] const std::optional<Result<plan::RecordingPlan>>& plan() const noexcept { return m_plan; }

    /// Composes again; to be called when machine or folder have changed.
    void update();

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] Obstacle findObstacle() const;

    const Machine& m_machine;
    const FolderProbe& m_folder;
    std::vector<ProfileEntry> m_profiles;
    RecordingChoice m_choice;
    plan::WithGeneral m_selected;
    std::optional<Result<plan::RecordingPlan>> m_plan;
    Obstacle m_obstacle = Obstacle::MachineUnknown;
};

/// The profiles of a choice, and the general one where plan::withGeneral() adds it. Names that are not in `profiles`
/// are passed over.
[[nodiscard]] plan::WithGeneral selectionsOf(const std::vector<ProfileEntry>& profiles, const RecordingChoice& choice);

/// The plan of a choice, with the note of what was added; or why there is none. Empty where nothing is selected.
[[nodiscard]] std::optional<Result<plan::RecordingPlan>>
planOf(const plan::WithGeneral& selected, const RecordingChoice& choice, const etw::Capabilities& machine);

/// In file mode the recording keeps this much of the disk free.
constexpr Bytes kFreeDiskFloor = mib(200);

} // namespace tracedeck::ui
