// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/plan/cost.h"
#include "core/recorder/recorder.h"

#include <string>

namespace tracedeck::app {

/// What past recordings of this machine cost, in a file of the user's data folder that nobody else gets.
///
/// Threading: one thread at a time. Errors: a file that cannot be read is no history; one that cannot be written is
/// told in the log, since no recording depends on it.
class CostStore {
public:
    /// Reads `path`; the usual one is usualPath().
    CostStore(FileSystem& files, std::string path);
    [[nodiscard]] static std::string usualPath();

    [[nodiscard]] const plan::CostHistory& history() const noexcept { return m_history; }
    /// Notes a recording of `plan` that has ended. Those of less than two seconds say too little and are left out.
    void note(const plan::RecordingPlan& plan, const etw::Capabilities& capabilities,
              const recorder::Stopped& recording);

private:
    FileSystem& m_files;
    std::string m_path;
    plan::CostHistory m_history;
};

} // namespace tracedeck::app
