// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etw/rescue.h"

#include <string>

namespace tracedeck::app {

/// The rings that killed processes of this user have left in shared memory.
///
/// Threading: any thread. Ownership: `files` and `clock` must outlive it.
class RingRescue final : public etw::Rescue {
public:
    RingRescue(FileSystem& files, const Clock& clock, std::string folder)
        : m_files(files), m_clock(clock), m_folder(std::move(folder)) {}
    [[nodiscard]] Result<bool> save(const Guid& session, const std::string& target) override;
    [[nodiscard]] Status discard(const Guid& session) override;

private:
    FileSystem& m_files;
    const Clock& m_clock;
    std::string m_folder;
};

} // namespace tracedeck::app
