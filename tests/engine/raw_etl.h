// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/etlformat/layout.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracedeck::test {

/// A plain reader of plain files, strict and independent of the one in core/etl: what a test of the writer looks with.
struct RawEvent {
    etlformat::HeaderType type{};
    std::uint16_t hookId = 0; ///< kernel events
    Guid provider;            ///< EventHeader events; the class of classic ones
    std::int64_t time = 0;
    std::vector<std::byte> payload; ///< behind the header; with the extended items where there are any
};
struct RawBuffer {
    etlformat::BufferHeader header;
    std::vector<RawEvent> events;
};
struct RawEtl {
    etlformat::LogfileHeader header;
    std::string loggerName;
    std::string logFileName;
    std::vector<RawBuffer> buffers; ///< the header buffer first, then by number
    std::vector<std::string> problems;

    [[nodiscard]] std::uint64_t dataEvents() const;
    /// Number of the first data buffer, 0 where there is none.
    [[nodiscard]] std::int64_t firstNumber() const { return buffers.size() > 1 ? buffers[1].header.sequenceNumber : 0; }
    [[nodiscard]] std::string problemText() const;
};

/// Reads every byte and notes as a problem: sizes that do not add up, states and flags that files do not have, sequence
/// numbers with gaps (circular files begin anywhere in them), times that decrease within a buffer or from one of a
/// processor's buffers to its next, tails that are not 0xFF.
[[nodiscard]] RawEtl readRawEtl(const std::string& path);

} // namespace tracedeck::test
