// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/ring_file.h"

#include <vector>

namespace tracedeck::etw::engine {

RingWritten writeRingTo(BufferPool& pool, LogFile& file) {
    std::vector<std::uint32_t> last; // by processor: what is full from here on comes too late
    for (std::uint32_t i = 0; i < pool.shape().processors; ++i) {
        last.push_back(pool.closeCurrent(i));
    }
    RingWritten result;
    std::vector<bool> hasBegun(last.size(), false);
    std::vector<std::byte> buffer(pool.shape().bufferSize);
    for (const BufferPool::FullBuffer& full : pool.fullBuffers()) {
        if (static_cast<std::int32_t>(full.sequence - last[full.processor]) > 0) {
            continue;
        }
        if (full.isBeforeHole) {
            result.eventsBeforeHole += full.events;
            continue;
        }
        const std::uint32_t end = pool.copy(full, buffer);
        if (end == 0) {
            if (hasBegun[full.processor]) {
                result.eventsMissed += full.events;
                ++result.buffersMissed;
            }
            continue;
        }
        hasBegun[full.processor] = true;
        result.status = file.append(buffer, {end, full.processor, full.events, full.first});
        if (!result.status) {
            break;
        }
        result.eventsWritten += full.events;
    }
    return result;
}

} // namespace tracedeck::etw::engine
