// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstddef>

/// Memory of buffers, asked for so that a shortage is an answer and not the end of some process.
///
/// Threading: any thread.
namespace tracedeck::etw::engine {

/// Whole pages that are there already: no event waits for one, and none is promised that does not exist. Null where the
/// system has no more (kernels before 5.14 cannot say so and may run out of memory instead).
[[nodiscard]] std::byte* allocateBufferMemory(std::size_t size) noexcept;
void freeBufferMemory(std::byte* memory, std::size_t size) noexcept;

/// Has the pages of mapped memory there. False where the system has no more, as above.
[[nodiscard]] bool populate(std::byte* memory, std::size_t size) noexcept;

/// What the system can give without taking it from others (MemAvailable of /proc/meminfo; a limit of a container is not
/// looked at). 0: not known.
[[nodiscard]] Bytes availableMemory() noexcept;

} // namespace tracedeck::etw::engine
