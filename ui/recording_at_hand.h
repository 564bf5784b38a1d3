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
};

} // namespace tracedeck::ui
