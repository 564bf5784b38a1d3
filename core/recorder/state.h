// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"

#include <optional>

namespace tracedeck::recorder {

/// The transition table of a recording.
[[nodiscard]] bool mayChange(State from, State to) noexcept;

/// What a caller can ask for.
enum class Command : std::uint8_t { Start, Adopt, Detach, Stop, Mark, Save, CancelSave, Discard };
[[nodiscard]] std::string_view toString(Command command) noexcept;

/// Whether `command` means something in `state`; start() returns WrongState otherwise, and so do the others.
[[nodiscard]] bool isAllowed(Command command, State state) noexcept;

/// Why a recording that looks like `status` is to end by itself; nothing where it may go on. A session that can write
/// no more; the size limit, of one session's file or of all together; disks that are exhausted (status.disk). Of a
/// recording in memory the first one alone.
[[nodiscard]] std::optional<StopReason> reasonToStop(const LiveStatus& status,
                                                     const plan::RecordingPlan& plan) noexcept;

} // namespace tracedeck::recorder
