// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etw/rescue.h"

#include <string>

namespace tracedeck::app {

/// The rings that killed processes of this user have left in shared memory, and those that killed session hosts have,
/// which the present host hands out.
///
/// Threading: any thread, but useHost() before others. Ownership: `files`, `clock` and the host's must outlive it.
class RingRescue final : public etw::Rescue {
public:
    RingRescue(FileSystem& files, const Clock& clock, std::string folder)
        : m_files(files), m_clock(clock), m_folder(std::move(folder)) {}
    /// What is not found in the folder is asked of this as well.
    void useHost(etw::Rescue& host) noexcept { m_host = &host; }
    [[nodiscard]] Result<bool> save(const Guid& session, const std::string& target) override;
    [[nodiscard]] Status discard(const Guid& session) override;

private:
    FileSystem& m_files;
    const Clock& m_clock;
    std::string m_folder;
    etw::Rescue* m_host = nullptr;
};

} // namespace tracedeck::app
