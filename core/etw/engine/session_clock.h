// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/types.h"

#include <memory>
#include <optional>

namespace tracedeck::etw::engine {

/// The clock that stamps a session's events, where that is not the trace clock itself (ClockType::Qpc: null).
///
/// SystemTime: FILETIME, as `base` tells it. Readers demand that a processor's times do not decrease. So while the
/// machine's time is set back, and until it has caught up, every event gets the last time of before; the session's
/// times never decrease, and they jump where the machine's time is set forward.
///
/// CpuCycle: the time stamp counter of x86, where it runs at one rate in every state of the processor (CPUID) and Linux
/// has found the processors' counters to agree (it offers "tsc" as a clock source). Otherwise NotSupported, 50
/// ERROR_NOT_SUPPORTED. frequency() is in whole MHz, as that is what a file's header has room for: times that a reader
/// computes may be off by half a MHz, at 2.5 GHz 0.2 ms for each second since the start.
///
/// Ownership: `base` must outlive it. Threading: as Clock.
[[nodiscard]] Result<std::unique_ptr<const Clock>> makeSessionClock(ClockType type, const Clock& base);

/// Rate of the time stamp counter in MHz, measured once against the system's clock, to 20 in a million; nothing where
/// it is no clock.
[[nodiscard]] std::optional<std::uint32_t> cycleCounterMhz();

} // namespace tracedeck::etw::engine
