// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tracedeck::etw::remote {

/// What a host gives a user at most, user 0 included. The host's command line sets them.
struct Limits {
    std::size_t sessions = 16;      ///< of a user; all users together have ETW's 64, 8 of them system loggers
    Bytes bufferMemory = mib(2048); ///< of a user's sessions together, as they may grow, and of his left rings
    // The rings that killed hosts have left of a user's sessions (left_rings.h) take from what his new sessions may
    // have, so that killing the host over and over fills no more than that. None goes without the user asking.
    Bytes disk = mib(std::size_t{262144}); ///< what a user's files that are being written have grown by, together
    std::size_t connections = 32;          ///< of a user
    std::size_t allConnections = 256;      ///< of all users
    std::size_t providers = 64;            ///< of a connection
    /// Requests of a connection that are being carried out, or whose answers wait to be read; more are not read before.
    std::size_t outstanding = 32;
    /// How long a client may leave an answer unread before it is disconnected.
    std::chrono::milliseconds patience{30'000};
};

/// A quarter of the machine's memory.
inline Bytes usualBufferMemory() noexcept {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? Bytes{static_cast<std::uint64_t>(pages) / 4 * static_cast<std::uint64_t>(size)}
                                 : mib(1024);
}

} // namespace tracedeck::etw::remote
