// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "core/plan/plan.h"
#include "core/profile/catalog.h"

#include <string>
#include <vector>

namespace tracedeck::cli {

/// The profiles that come with the program and the user's own; what cannot be read is told on the console.
[[nodiscard]] profile::Catalog loadCatalog(Console& console);

/// "CPU", "CPU.Light", "file.wprp", "file.wprp!CPU.Light". Files are added to the catalog, which the selection points
/// into. ProfileUnknown with the nearest name or those there are, or the errors of the file.
[[nodiscard]] Result<plan::Selection> selectProfile(profile::Catalog& catalog, const std::string& word);

/// Several words, each one profile or several joined by "+": "CPU+my.wprp!Mine+DiskIO.Light". The names of files, and
/// of profiles of the catalog, may hold "+", too: what is a file is taken whole, the longest one first.
[[nodiscard]] Result<std::vector<plan::Selection>> selectProfiles(profile::Catalog& catalog,
                                                                  const std::vector<std::string>& words);

} // namespace tracedeck::cli
