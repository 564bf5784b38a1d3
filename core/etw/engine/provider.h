// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/provider_registry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tracedeck::etw::engine {

/// Providers as those who log see them. Each writes an event where it is to lie: nothing is put together before.
/// `callback` may be empty.
/// `processId`: of another process, whose events reach this one; they carry its id, and that of its main thread.
[[nodiscard]] std::unique_ptr<EventWriter> makeSelfDescribing(ProviderRegistry& registry, std::string name,
                                                              EnableCallback callback,
                                                              std::optional<std::uint32_t> processId = std::nullopt);
[[nodiscard]] std::unique_ptr<ManifestWriter> makeManifest(ProviderRegistry& registry, const Guid& provider,
                                                           EnableCallback callback);
[[nodiscard]] std::unique_ptr<ClassicWriter> makeClassic(ProviderRegistry& registry, const Guid& control,
                                                         EnableCallback callback);

} // namespace tracedeck::etw::engine
