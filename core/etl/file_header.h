// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/summary.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tracedeck::etl {

/// No session has larger buffers (ETW refuses them); a larger size in a file is damage.
constexpr std::uint32_t kLargestBuffer = 16U * 1024 * 1024;
constexpr std::uint32_t kSmallestFirstBuffer = 512;

/// All that the first buffer of a file says.
struct FileHeader {
    HeaderSummary summary;
    etlformat::TraceIdentity identity;
    etlformat::LogfileHeader logfile; ///< as it is in the file, in the 64-bit form
    std::uint32_t maximumFileSizeMib = 0;
    std::uint32_t processId = 0; ///< of the controller
    std::uint32_t threadId = 0;
    std::uint32_t firstBufferSize = 0;
    std::uint32_t firstBufferFilled = 0;             ///< end of its events, within the buffer and the file
    std::optional<etlformat::GroupMasks> groupMasks; ///< of a system logger
};

/// Ticks per second of the clock that stamps the events; 0 or less where the header says no possible one.
[[nodiscard]] std::int64_t tickFrequency(const FileHeader& header) noexcept;
/// The frequency of a clock that can be; more would not fit the arithmetic on times.
constexpr std::int64_t kHighestFrequency = 100'000'000'000;

/// The modes of a plain, closed file with the events of one of that header.
[[nodiscard]] std::uint32_t plainMode(const HeaderSummary& header) noexcept;

/// Reads the first buffer, 32-bit and 64-bit layout. Errors: NotAnEtl with `path`, ReadFailed.
[[nodiscard]] Result<FileHeader> readFileHeader(InputFile& file, const std::string& path);

} // namespace tracedeck::etl
