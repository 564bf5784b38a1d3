// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tracedeck::bench {

/// Writes a merged recording of at least `bytes` with what a busy machine of four processors gives: of 100 events 36
/// context switches, 28 stacks of 16 frames, 22 readied threads, 8 samples and 6 self-describing events. The same call
/// writes the same bytes. False where the file cannot be written.
bool writeMixedFile(const std::string& path, std::uint64_t bytes);

} // namespace tracedeck::bench
