// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/presets.h"
#include "ui/recording_choice.h"

#include <QWidget>

class QButtonGroup;
class QLabel;

namespace tracedeck::ui {

class LimitationPanel;
class OptionsPanel;
class PlanPanel;
class ProfileModel;
class ProfilePanel;

/// Everything that is chosen before a recording: presets, profiles, options; and beside them what that means.
class RecordingForm final : public QWidget {
    Q_OBJECT
public:
    explicit RecordingForm(ProfileModel* model, QWidget* parent = nullptr);

    [[nodiscard]] RecordingChoice choice() const;
    void setChoice(const RecordingChoice& choice);
    /// While false, nothing can be changed; the plan can still be read.
    void setEditable(bool isEditable);
    /// The preset that the choice is, or was before it was modified; for names of files.
    [[nodiscard]] QString label() const;

    /// What the keyboard reaches, as it is seen.
    [[nodiscard]] QList<QWidget*> tabOrder() const;
    [[nodiscard]] PlanPanel* planPanel() const noexcept { return m_plan; }
    [[nodiscard]] LimitationPanel* limitationPanel() const noexcept { return m_limitations; }
    [[nodiscard]] OptionsPanel* options() const noexcept { return m_options; }
    [[nodiscard]] ProfilePanel* profilePanel() const noexcept { return m_profiles; }

Q_SIGNALS:
    void choiceChanged();

private:
    QWidget* buildPresetRow();
    void choosePreset(int index);
    void readBack();

    ProfileModel* m_model;
    std::vector<Preset> m_presets;
    QButtonGroup* m_presetButtons;
    QLabel* m_modified;
    QWidget* m_presetRow = nullptr;
    ProfilePanel* m_profiles;
    PlanPanel* m_plan;
    LimitationPanel* m_limitations;
    OptionsPanel* m_options;
    int m_lastPreset = -1;
    bool m_isSetting = false;
};

} // namespace tracedeck::ui
