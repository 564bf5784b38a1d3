// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"

namespace tracedeck::recorder {

/// The transition table of a recording.
[[nodiscard]] bool mayChange(State from, State to) noexcept;

/// What a caller can ask for.
enum class Command : std::uint8_t { Start, Stop, Mark, Save, CancelSave, Discard };
[[nodiscard]] std::string_view toString(Command command) noexcept;

/// Whether `command` means something in `state`; start() returns WrongState otherwise, and so do the others.
[[nodiscard]] bool isAllowed(Command command, State state) noexcept;

} // namespace tracedeck::recorder
