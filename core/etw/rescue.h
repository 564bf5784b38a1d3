// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/base/result.h"

#include <string>

namespace tracedeck::etw {

/// What sessions have left in memory whose controller ended without stopping them: was killed, or crashed.
///
/// Threading: any thread; every call may take seconds.
class Rescue {
public:
    virtual ~Rescue() = default;
    /// Writes what the session has left to `target`, as a complete raw file without a rundown. False where it has left
    /// nothing. What is left stays until discard(). Errors: those of creating and writing the file.
    [[nodiscard]] virtual Result<bool> save(const Guid& session, const std::string& target) = 0;
    /// Frees the memory; nothing there is no error.
    [[nodiscard]] virtual Status discard(const Guid& session) = 0;
};

} // namespace tracedeck::etw
