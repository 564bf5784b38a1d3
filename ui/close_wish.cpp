// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/close_wish.h"

namespace tracedeck::ui {

CloseStep nextStep(CloseWish wish, recorder::State state) noexcept {
    using enum recorder::State;
    if (wish == CloseWish::None) {
        return CloseStep::Wait;
    }
    const bool isKept = wish != CloseWish::SaveThenClose;
    switch (state) {
    case Idle:
        return CloseStep::Close;
    case Starting:
    case Stopping:
        return CloseStep::Wait;
    case Recording:
        return wish == CloseWish::LetGoOnThenClose ? CloseStep::LetGoOn : CloseStep::Stop;
    case Stopped:
        return isKept ? CloseStep::Close : CloseStep::AskWhereToSave;
    case Saving:
    case Verifying:
        return isKept ? CloseStep::CancelSave : CloseStep::Wait;
    }
    return CloseStep::Wait;
}

} // namespace tracedeck::ui
