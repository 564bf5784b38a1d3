// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/activity.h"

#include "core/sources/linux/disk_activity.h"
#include "core/sources/linux/interrupt_activity.h"

#include <algorithm>

namespace tracedeck::linux_source {

bool ActivityWish::hasStack(std::uint16_t hookId) const noexcept {
    return std::find(stackHooks.begin(), stackHooks.end(), hookId) != stackHooks.end();
}

const std::vector<ActivityKind>& activityKinds() {
    static const std::vector<ActivityKind> kKinds{diskActivityKind(), interruptActivityKind(), dpcActivityKind()};
    return kKinds;
}

} // namespace tracedeck::linux_source
