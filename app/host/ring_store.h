// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/remote/left_rings.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace tracedeck::host {

/// Where hosts of this process's user keep rings, unless told otherwise: of memory, and not of /run, whose size the
/// whole system shares.
[[nodiscard]] std::string usualRingFolder();

/// What becomes of a thing of somebody else's that has the folder's name.
enum class Foreign { IsRefused, IsMovedAside };

/// Creates the folder where it is missing, or finds it as it must be: this process's user's, for nobody else, and no
/// link. AccessDenied where it cannot be trusted: rings must not lie there then.
///
/// Threading: before there are others.
[[nodiscard]] Status prepareRingFolder(const std::string& folder, Foreign foreign);

/// The rings that hosts of this process's user have left in a folder of theirs (core/etw/engine/shared_ring.h). Not
/// power loss: the folder is memory.
///
/// Threading: as LeftRings. Ownership: `clock` must outlive it.
class RingStore final : public etw::remote::LeftRings {
public:
    RingStore(const Clock& clock, std::string folder) : m_clock(clock), m_folder(std::move(folder)) {}
    [[nodiscard]] std::vector<Kept> list() override;
    [[nodiscard]] Status save(const std::string& place, FileSystem& files, const std::string& target,
                              const std::stop_token& stop) override;
    [[nodiscard]] Status discard(const std::string& place) override;

private:
    const Clock& m_clock;
    const std::string m_folder;
    std::mutex m_looking; ///< a ring that is just looked at cannot be discarded
};

} // namespace tracedeck::host
