// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

#include <QString>

#include <optional>
#include <vector>

namespace tracedeck::ui {

/// The recording that runs, or that waits to be saved.
struct RecordingAtHand {
    plan::RecordingPlan plan;
    etw::Capabilities machine;         ///< that it was planned for
    QString label;                     ///< for its file's name
    QString workFolder;                ///< its raw files are in a folder of it
    std::vector<etw::Limitation> told; ///< before its start
    std::optional<recorder::Stopped> stopped;
    bool isDiscarding = false; ///< until discarded() or failed()
    /// Begun by an earlier run, and taken over from it.
    enum class Adoption : std::uint8_t { None, ToGoOn, ToDiscard };
    Adoption adoption = Adoption::None;
    bool isArriving = false; ///< adopted, and the recorder has not come to it yet

    [[nodiscard]] bool isAdopted() const noexcept { return adoption != Adoption::None; }
    /// It has ended with its program; when, and what was counted, is not known.
    [[nodiscard]] bool isCutOff() const noexcept {
        return stopped && stopped->reason == recorder::StopReason::RecorderEnded;
    }
    /// Nobody wants to see it: it is taken over only to be discarded.
    [[nodiscard]] bool isUnseen() const noexcept { return adoption == Adoption::ToDiscard && isDiscarding; }
};

} // namespace tracedeck::ui
