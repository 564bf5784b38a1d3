// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/ring_rescue.h"

#include "core/etw/engine/shared_ring.h"

namespace tracedeck::app {

Result<bool> RingRescue::save(const Guid& session, const std::string& target) {
    for (const etw::engine::LeftRing& ring : etw::engine::leftRings(m_folder)) {
        if (ring.description.session == session) {
            const auto saved = etw::engine::saveLeftRing(m_files, m_clock, ring.path, target);
            return saved ? Result<bool>(true) : fail(saved.error());
        }
    }
    return m_host != nullptr ? m_host->save(session, target) : false;
}

Status RingRescue::discard(const Guid& session) {
    for (const etw::engine::LeftRing& ring : etw::engine::leftRings(m_folder)) {
        if (ring.description.session == session) {
            return etw::engine::discardLeftRing(ring.path);
        }
    }
    return m_host != nullptr ? m_host->discard(session) : Status();
}

} // namespace tracedeck::app
