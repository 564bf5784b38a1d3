// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

namespace tracedeck::ui {

/// What can be done in a state: the one place that decides which controls are enabled and which panes are seen.
struct Controls {
    bool canRecord = false;
    bool canStop = false;
    bool canMark = false;
    bool canEditForm = false;
    bool canSave = false;
    bool canDiscard = false;
    bool canCancelSave = false;
    bool showsLive = false;
    bool showsStopped = false;
    bool showsProgress = false;

    friend bool operator==(const Controls&, const Controls&) = default;
};

/// `isReady`: the form and the machine allow a recording to be started.
[[nodiscard]] Controls controlsFor(recorder::State state, bool isReady) noexcept;

} // namespace tracedeck::ui
