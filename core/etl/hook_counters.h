// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace tracedeck::etl {

/// Two numbers for each hook id, by group: a file has events of a few groups only.
class HookCounters {
public:
    struct Counts {
        std::uint64_t events = 0;
        std::uint64_t withStack = 0;
    };

    Counts& operator[](std::uint16_t hookId) {
        std::unique_ptr<Group>& group = m_groups[hookId >> 8U];
        if (group == nullptr) {
            group = std::make_unique<Group>();
        }
        return (*group)[hookId & 0xFFU];
    }
    /// Calls `visit(hookId, counts)` in the order of ids, where one of the numbers is not 0.
    template <class Visit>
    void forEach(Visit visit) const {
        for (std::uint32_t hookId = 0; hookId <= 0xFFFF; ++hookId) {
            const std::unique_ptr<Group>& group = m_groups[hookId >> 8U];
            if (group == nullptr) {
                hookId |= 0xFFU;
            } else if (const Counts& counts = (*group)[hookId & 0xFFU]; counts.events != 0 || counts.withStack != 0) {
                visit(static_cast<std::uint16_t>(hookId), counts);
            }
        }
    }

private:
    using Group = std::array<Counts, 256>;
    std::array<std::unique_ptr<Group>, 256> m_groups;
};

} // namespace tracedeck::etl
