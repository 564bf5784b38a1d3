// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::etl {

/// The fields of a TraceLogging event as text, in their order: strings as they are, numbers in decimal, booleans as
/// "true" and "false". `schema` is the item's data, its own size included. Stops before a field of a type that a
/// recorder's own events do not use (arrays, structures, addresses), or that runs past the payload.
std::vector<std::pair<std::string, std::string>> readTraceLoggingFields(std::span<const std::byte> schema,
                                                                        std::span<const std::byte> payload);

} // namespace tracedeck::etl
