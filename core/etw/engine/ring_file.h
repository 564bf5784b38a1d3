// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/log_file.h"

#include <cstdint>

namespace tracedeck::etw::engine {

struct RingWritten {
    Status status; ///< the first failed write ends it
    std::uint64_t eventsWritten = 0;
    /// Events and buffers that the ring overwrote behind older ones that are in the file: a hole in it. The ring has to
    /// be faster than the disk for that.
    std::uint64_t eventsMissed = 0;
    std::uint64_t buffersMissed = 0;
    /// Events that are older than what the ring has overwritten meanwhile: left out, so that the file has no hole.
    std::uint64_t eventsBeforeHole = 0;
};

/// Copies everything that a ring holds now into `file`, oldest first, while recording goes on: a copy of one buffer at
/// a time, so neither writers wait nor the ring gets smaller. What the ring overwrites before it is reached is not in
/// the file.
[[nodiscard]] RingWritten writeRingTo(BufferPool& pool, LogFile& file);

} // namespace tracedeck::etw::engine
