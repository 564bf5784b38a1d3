// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/recording_choice.h"

#include <vector>

namespace tracedeck::ui {

/// A symptom and the choices that catch it.
struct Preset {
    QString id;    ///< part of generated file names
    QString title; ///< what the user feels
    QString description;
    QString icon;
    QStringList profiles;
    plan::DetailLevel detail = plan::DetailLevel::Verbose;
    plan::LoggingMode mode = plan::LoggingMode::Memory;
    std::optional<std::uint32_t> maximumFileSizeMib;

    /// Puts the preset's choices into `choice`; its time limit and folder stay.
    [[nodiscard]] RecordingChoice applyTo(RecordingChoice choice) const;
    [[nodiscard]] bool matches(const RecordingChoice& choice) const { return applyTo(choice) == choice; }
};

/// The presets whose profiles all exist in `profileNames`.
[[nodiscard]] std::vector<Preset> presetsFor(const QStringList& profileNames);

} // namespace tracedeck::ui
