// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Symptoms and the choices that catch them: profiles/presets.json, built in. What it must say is checked when the
/// program is built (preset_table.cmake).
namespace tracedeck::profile {

/// What a recording lies across, from before to after.
enum class Transition : std::uint8_t { Boot };

/// Texts are English, to be translated by whoever shows them; all of them live as long as the program.
struct Preset {
    std::string_view id;      ///< lower-case letters; part of generated file names, never changes
    std::string_view label;   ///< on a button, at most 20 characters
    std::string_view symptom; ///< one sentence, as the person would say it
    std::span<const std::string_view> profiles;
    DetailLevel detail = DetailLevel::Verbose; ///< of all profiles
    LoggingMode mode = LoggingMode::Memory;
    std::optional<std::uint32_t> maximumFileSizeMib; ///< file mode: recording stops there
    std::optional<std::chrono::seconds> timeLimit;   ///< nothing: stopped by hand
    std::optional<Transition> transition;            ///< without support for it the preset cannot do what it says
    std::string_view meanwhile;                      ///< what to do while it records
    std::string_view howLong;
    std::string_view icon; ///< resources/icons/<icon>.svg
};

/// In the order in which they are offered.
[[nodiscard]] std::span<const Preset> presets() noexcept;
/// Null where there is none of this id.
[[nodiscard]] const Preset* findPreset(std::string_view id) noexcept;

} // namespace tracedeck::profile
