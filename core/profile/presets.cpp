// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/presets.h"

#include <algorithm>

namespace tracedeck::profile {

namespace {

using std::chrono::seconds;

#include "preset_table.inc"

} // namespace

std::span<const Preset> presets() noexcept {
    return kPresets;
}

const Preset* findPreset(std::string_view id) noexcept {
    const auto* preset =
        std::find_if(std::begin(kPresets), std::end(kPresets), [&](const Preset& known) { return known.id == id; });
    return preset == std::end(kPresets) ? nullptr : preset;
}

} // namespace tracedeck::profile
