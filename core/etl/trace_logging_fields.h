// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/field_value.h"

#include <cstddef>
#include <span>

namespace tracedeck::etl {

/// What a schema made of a payload.
struct TraceLoggingVisit {
    bool isWhole = false;         ///< every field was understood and there
    std::size_t payloadBytes = 0; ///< that the fields take
};

/// Visits the fields of a self-describing event: all types of TraceLoggingProvider.h, arrays of fixed and of counted
/// length, structures in structures. `schema` is the item's data, its own size included. Stops before a field of a
/// type that the header does not have (custom encodings among them), and where the payload ends.
///
/// Time: bounded by the sizes of both, whatever counts they hold.
TraceLoggingVisit visitTraceLogging(std::span<const std::byte> schema, std::span<const std::byte> payload,
                                    bool isNarrow, FieldSink& sink);

} // namespace tracedeck::etl
