// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/provider_registry.h"

#include <memory>
#include <string>

namespace tracedeck::etw::engine {

/// Providers as those who log see them. Each writes an event where it is to lie: nothing is put together before.
/// `callback` may be empty.
[[nodiscard]] std::unique_ptr<EventWriter> makeSelfDescribing(ProviderRegistry& registry, std::string name,
                                                              EnableCallback callback);
[[nodiscard]] std::unique_ptr<ManifestWriter> makeManifest(ProviderRegistry& registry, const Guid& provider,
                                                           EnableCallback callback);
[[nodiscard]] std::unique_ptr<ClassicWriter> makeClassic(ProviderRegistry& registry, const Guid& control,
                                                         EnableCallback callback);

} // namespace tracedeck::etw::engine
