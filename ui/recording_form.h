// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/preset_outlook.h"
#include "ui/presets.h"
#include "ui/recording_choice.h"

#include <QWidget>

class QLabel;

namespace tracedeck::ui {

class LimitationPanel;
class OptionsPanel;
class PlanPanel;
class PresetRow;
class ProfileModel;
class ProfilePanel;

/// Everything that is chosen before a recording: presets, profiles, options; and beside them what that means.
class RecordingForm final : public QWidget {
    Q_OBJECT
public:
    explicit RecordingForm(ProfileModel* model, QWidget* parent = nullptr);

    [[nodiscard]] RecordingChoice choice() const;
    void setChoice(const RecordingChoice& choice);
    /// False where there is none of this id, or it cannot be chosen.
    bool choosePreset(const QString& id);
    /// The first that can be chosen, if there is one.
    void chooseFirstPreset();
    /// One for each of presets(), in that order.
    void showOutlooks(std::vector<PresetOutlook> outlooks);
    [[nodiscard]] const std::vector<Preset>& presets() const noexcept { return m_presets; }
    /// The preset that the choice is, or was before something but its profiles was modified; null: none.
    [[nodiscard]] const Preset* preset() const noexcept;
    /// The choice is no longer all that the preset says.
    [[nodiscard]] bool isModified() const noexcept { return !m_current; }
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
    [[nodiscard]] PresetRow* presetRow() const noexcept { return m_presetRow; }

Q_SIGNALS:
    void choiceChanged();

private:
    [[nodiscard]] QWidget* buildPresets();
    void choose(std::size_t preset);
    void readBack();
    [[nodiscard]] std::optional<std::size_t> matching(const RecordingChoice& choice) const;
    void showAnswer();

    ProfileModel* m_model;
    std::vector<Preset> m_presets;
    std::vector<PresetOutlook> m_outlooks; ///< one per preset
    PresetRow* m_presetRow;
    QLabel* m_answer;
    ProfilePanel* m_profiles;
    PlanPanel* m_plan;
    LimitationPanel* m_limitations;
    OptionsPanel* m_options;
    std::optional<std::size_t> m_current; ///< the preset that the choice is
    std::optional<std::size_t> m_last;    ///< that it was
    bool m_isSetting = false;
};

} // namespace tracedeck::ui
