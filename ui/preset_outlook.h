// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine.h"
#include "ui/presets.h"
#include "ui/profile_list.h"
#include "ui/user_message.h"

namespace tracedeck::ui {

/// What a preset comes to on this machine.
struct PresetOutlook {
    enum class Kind {
        Unknown, ///< the machine has not answered yet
        Whole,
        Partial,     ///< some of it is left out
        Impossible,  ///< nothing of it can be recorded, which a remedy may change
        Unavailable, ///< this program cannot do it
    };
    Kind kind = Kind::Unknown;
    QStringList reasons; ///< whole sentences for people: what is missing, why, and what helps
};

/// `profiles`: those at hand; `machine`: its answer, null where there is none yet.
[[nodiscard]] PresetOutlook outlookOf(const Preset& preset, const std::vector<ProfileEntry>& profiles,
                                      const etw::Capabilities* machine, const MessageCatalog& messages);

} // namespace tracedeck::ui
