// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace tracedeck::recorder {

/// "system", "events", "heap", "hypervisor"
[[nodiscard]] std::string kindName(plan::PlannedSession::Kind kind);

/// The files that a recording's sessions write, in a folder of their own: ".tracedeck-<label>-<pid>-<n>".
///
/// Threading: one thread.
/// Ownership: a name and nothing more; the files stay until remove().
class RawFiles {
public:
    RawFiles() = default;
    /// Creates the folder inside `workFolder`. FolderNotFound, AccessDenied or DiskFull where that cannot be.
    [[nodiscard]] static Result<RawFiles> create(FileSystem& files, const std::string& workFolder,
                                                 const std::string& label);

    /// Those of another process's recording: the folder is there, or was.
    [[nodiscard]] static RawFiles adopt(FileSystem& files, std::string folder, std::vector<std::string> paths);

    /// A new name: "system.etl", "events.etl", "events-2.etl", …
    [[nodiscard]] std::string add(plan::PlannedSession::Kind kind);
    /// Those that exist and can be read, in the order of add().
    [[nodiscard]] std::vector<std::string> existing() const;
    /// Removes the files, then the folder. The first failure is returned; the rest is removed all the same.
    [[nodiscard]] Status remove();
    [[nodiscard]] const std::string& folder() const noexcept { return m_folder; }
    [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return m_paths; }

private:
    FileSystem* m_files = nullptr;
    std::string m_folder;
    std::vector<std::string> m_paths;
};

} // namespace tracedeck::recorder
