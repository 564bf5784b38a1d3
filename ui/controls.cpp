// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls.h"

namespace tracedeck::ui {

Controls controlsFor(recorder::State state, bool isReady) noexcept {
    using enum recorder::State;
    Controls controls;
    controls.canRecord = state == Idle && isReady;
    controls.canStop = state == Recording;
    controls.canMark = state == Recording;
    controls.canEditForm = state == Idle;
    controls.canSave = state == Stopped;
    controls.canDiscard = state == Recording || state == Stopped;
    controls.canCancelSave = state == Saving || state == Verifying;
    controls.showsLive = state == Starting || state == Recording || state == Stopping || state == Stopped;
    controls.showsStopped = state == Stopped;
    controls.showsProgress = state == Stopping || state == Saving || state == Verifying;
    return controls;
}

} // namespace tracedeck::ui
