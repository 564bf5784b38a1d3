// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tracedeck::profile {

/// WPR's name of a kernel keyword and the groups it turns on (PERFINFO group ids, see etlformat::GroupMasks).
struct SystemKeyword {
    std::string_view name;
    std::span<const std::uint32_t> groups;
};
/// All keyword names that WPR accepts, sorted by name.
[[nodiscard]] std::span<const SystemKeyword> systemKeywords() noexcept;
[[nodiscard]] const SystemKeyword* findSystemKeyword(std::string_view name) noexcept;

/// WPR's name of a stack, the hook id of its event (0: not published), and the group that turns the event on (0:
/// several do, or none of the system session's).
struct SystemStack {
    std::string_view name;
    std::uint16_t hookId;
    std::uint32_t group;
};
[[nodiscard]] std::span<const SystemStack> systemStacks() noexcept;
[[nodiscard]] const SystemStack* findSystemStack(std::string_view name) noexcept;
/// The name of a hook id, empty where it has none; the newer one of two.
[[nodiscard]] std::string_view stackName(std::uint16_t hookId) noexcept;

/// The word of `known` that is nearest to `word`, or empty where none is near (edit distance over a third of the longer
/// one; case does not count).
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept;
/// The `count` words of `known` that are nearest to `word`, however far; the nearest first.
[[nodiscard]] std::vector<std::string_view> nearestOnes(std::string_view word, std::span<const std::string_view> known,
                                                        std::size_t count);

} // namespace tracedeck::profile
