// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Well-known event providers: resources/providers.json, which names its sources, built in.
namespace tracedeck::profile {

struct KnownKeyword {
    std::string_view name;
    std::uint64_t value = 0;
};

struct KnownProvider {
    std::string_view name;
    Guid guid;
    std::span<const KnownKeyword> keywords; ///< by value; empty where none is known
};

/// By name.
[[nodiscard]] std::span<const KnownProvider> knownProviders();
/// The case of letters does not count; null where the name is not known.
[[nodiscard]] const KnownProvider* findProvider(std::string_view name);
/// The first of those that share the id.
[[nodiscard]] const KnownProvider* findProvider(const Guid& guid);

/// A provider for people, given as a profile writes it ("{8C416C79-…}", "*Name", "Name"): by name wherever one is
/// known, so that only an unknown GUID is left as it is.
[[nodiscard]] std::string providerName(std::string_view text);

} // namespace tracedeck::profile
