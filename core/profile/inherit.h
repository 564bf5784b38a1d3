// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/definitions.h"
#include "core/profile/document.h"

#include <optional>
#include <vector>

/// What Base and Operation do: Set replaces what was inherited (several Set lists of one object stand beside each
/// other), Add appends, Remove deletes; on numbers Set overwrites, Add adds, Remove subtracts.
namespace tracedeck::profile {

/// When two items of a list are the same one. Raw numbers (ListItem::isCustom) go by their value whatever the list.
enum class Values : std::uint8_t {
    Names,     ///< as written
    Keywords,  ///< of event providers: "0x10", "0X0010" and "10"
    EventIds,  ///< "16" and "0x10"
    Processes, ///< "4" and "04"
};

/// `from` behind `into`, each value once; strict where one of them is.
void unite(std::vector<ListItem>& into, const std::vector<ListItem>& from, Values values);
void applyLists(std::vector<ListItem>& inherited, const std::vector<ItemList>& own, Values values);
void applyQuantity(std::optional<Quantity>& inherited, const std::optional<Quantity>& own);
/// A percentage and a count cannot be added up: then the own value is taken as it is.
void applyBuffers(BufferSettings& inherited, const BufferSettings& own);

/// The categories of a profile, those of its bases applied first.
[[nodiscard]] std::vector<std::string> categoriesOf(const Profile& profile, const Definitions& definitions);

} // namespace tracedeck::profile
