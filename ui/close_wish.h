// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/recorder/recorder.h"
#endif

namespace tracedeck::ui {

/// How a window that is to be closed deals with its recording.
/// LetGoOnThenClose: a recording that ends by itself before that is kept.
enum class CloseWish : std::uint8_t { None, SaveThenClose, KeepThenClose, LetGoOnThenClose };

/// What brings a wish nearer.
enum class CloseStep : std::uint8_t { Wait, Stop, LetGoOn, AskWhereToSave, CancelSave, Close };

/// The one table of closing: what to do now for `wish` while the recorder is in `state`. Wait: a later state decides.
[[nodiscard]] CloseStep nextStep(CloseWish wish, recorder::State state) noexcept;

} // namespace tracedeck::ui
