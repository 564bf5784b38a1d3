// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <optional>
#include <vector>

/// What Base and Operation do: Set replaces what was inherited (several Set lists of one object stand beside each
/// other), Add appends, Remove deletes; on numbers Set overwrites, Add adds, Remove subtracts.
namespace tracedeck::profile {

/// `from` behind `into`, each value once; strict where one of them is.
void unite(std::vector<ListItem>& into, const std::vector<ListItem>& from);
void applyLists(std::vector<ListItem>& inherited, const std::vector<ItemList>& own);
void applyQuantity(std::optional<Quantity>& inherited, const std::optional<Quantity>& own);
/// A percentage and a count cannot be added up: then the own value is taken as it is.
void applyBuffers(BufferSettings& inherited, const BufferSettings& own);

/// The categories of a profile of `document`, those of its bases in the same file applied first.
[[nodiscard]] std::vector<std::string> categoriesOf(const Profile& profile, const Document& document);

} // namespace tracedeck::profile
