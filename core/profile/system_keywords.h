// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tracedeck::profile {

/// WPR's name of a kernel keyword and the groups it turns on (PERFINFO group ids, see etlformat::GroupMasks).
struct SystemKeyword {
    std::string_view name;
    std::span<const std::uint32_t> groups;
};
/// All keyword names that WPR accepts, sorted by name.
[[nodiscard]] std::span<const SystemKeyword> systemKeywords() noexcept;
[[nodiscard]] const SystemKeyword* findSystemKeyword(std::string_view name) noexcept;

/// WPR's name of a stack and the hook id of its event.
struct SystemStack {
    std::string_view name;
    std::uint16_t hookId;
};
[[nodiscard]] std::span<const SystemStack> systemStacks() noexcept;
[[nodiscard]] const SystemStack* findSystemStack(std::string_view name) noexcept;
/// The name of a hook id, empty where it has none.
[[nodiscard]] std::string_view stackName(std::uint16_t hookId) noexcept;

/// The word of `known` that is nearest to `word`, or empty where none is near (edit distance over a third).
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept;

} // namespace tracedeck::profile
