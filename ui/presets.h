// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/recording_choice.h"

#ifndef Q_MOC_RUN
#include "core/profile/presets.h"
#endif

#include <vector>

namespace tracedeck::ui {

/// A symptom and the choices that catch it, in the language of the program.
struct Preset {
    QString id;    ///< part of generated file names
    QString label; ///< what the user feels, for a button
    QString symptom;
    QString meanwhile; ///< what to do while it records
    QString howLong;
    QString icon;
    QStringList profiles;
    plan::DetailLevel detail = plan::DetailLevel::Verbose;
    plan::LoggingMode mode = plan::LoggingMode::Memory;
    std::optional<std::uint32_t> maximumFileSizeMib;
    std::chrono::seconds timeLimit{0}; ///< 0: by hand
    std::optional<profile::Transition> transition;

    /// Puts the preset's choices into `choice`; its folder stays.
    [[nodiscard]] RecordingChoice applyTo(RecordingChoice choice) const;
    /// The order of the profiles does not count.
    [[nodiscard]] bool matches(const RecordingChoice& choice) const;
    [[nodiscard]] bool hasProfiles(const QStringList& names) const;
};

/// Those of profile::presets(), in that order.
[[nodiscard]] std::vector<Preset> translatedPresets();

} // namespace tracedeck::ui
