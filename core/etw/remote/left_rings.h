// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/guid.h"
#include "core/base/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etw::remote {

/// What a session in memory has left whose host was killed, crashed, or ended before the session was stopped.
struct LeftRing {
    Guid session; ///< as its client has chosen it: no proof of anything, and not unique among users
    std::string name;
    std::uint32_t owner = 0; ///< the user whose session it was, as the host has noted it
    Bytes size{0};           ///< of memory
    friend bool operator==(const LeftRing&, const LeftRing&) = default;
};

/// The rings that hosts have left on this machine.
///
/// Threading: any thread; every call may take seconds.
class LeftRings {
public:
    struct Kept {
        LeftRing ring;
        std::string place; ///< by which the calls below know it
    };
    virtual ~LeftRings() = default;
    /// Of all users, oldest first.
    [[nodiscard]] virtual std::vector<Kept> list() = 0;
    /// Writes it to `target` of `files` as a complete raw file without a rundown; the ring stays. After an error
    /// nothing is left of the file. FileNotFound where the ring is there no more, Cancelled after `stop`.
    [[nodiscard]] virtual Status save(const std::string& place, FileSystem& files, const std::string& target,
                                      const std::stop_token& stop) = 0;
    /// Frees the memory; one that is there no more is no error. WrongState while it is being saved.
    [[nodiscard]] virtual Status discard(const std::string& place) = 0;
};

} // namespace tracedeck::etw::remote
