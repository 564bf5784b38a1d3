// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace tracedeck::recorder {

enum class StopReason : std::uint8_t {
    User,
    TimeLimit,
    DiskFull, ///< no space left, the plan's floor of free space was reached, or the saved file would not fit; never
              ///< of a recording in memory
    /// The plan's maximum file size was reached, by one session's file (exactly) or by all together (as looked at four
    /// times a second). A normal end: nothing counts as lost and there is no writeError.
    SizeLimit,
    WriteFailed,   ///< the device failed
    SourceFailed,  ///< a session ended by itself, or the kernel's events did
    RecorderEnded, ///< the program that recorded was killed, or crashed: adopted afterwards
};

/// "TimeLimit": for logs, events and what is kept.
[[nodiscard]] std::string_view toString(StopReason reason) noexcept;

} // namespace tracedeck::recorder
