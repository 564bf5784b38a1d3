// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sources/linux/proc_files.h"
#include "core/sources/linux/tracepoint_format.h"

#include <string>

namespace tracedeck::linux_source {

/// Reads the descriptions of tracepoints from tracefs: where it is mounted, else from a mount of our own that is
/// attached to no folder, so that the machine is left as it was.
///
/// Ownership: keeps the mount open while it lives.
class TraceFs {
public:
    /// AccessDenied or NotSupported with errno where tracefs cannot be reached.
    static Result<TraceFs> open(const Roots& roots);
    TraceFs(TraceFs&& other) noexcept;
    TraceFs& operator=(TraceFs&& other) noexcept;
    ~TraceFs();

    /// `event` is "sched/sched_switch".
    [[nodiscard]] Result<TracepointFormat> format(const std::string& event) const;

private:
    explicit TraceFs(int folder) : m_folder(folder) {}
    int m_folder = -1;
};

} // namespace tracedeck::linux_source
