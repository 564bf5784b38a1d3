// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etlformat/encode.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tracedeck::etl {

/// Buffers of a merged file; any event fits.
constexpr std::uint32_t kMergedBufferSize = 128 * 1024;

/// Cuts one sorted stream per processor into buffers and writes each when it is full: sequence numbers are in file
/// order.
class MergedWriter {
public:
    explicit MergedWriter(OutputFile& file) : m_file(file) {}
    /// `event` is one event, not padded; per processor in time order.
    [[nodiscard]] Status append(std::uint16_t processor, Ticks time, std::span<const std::byte> event);
    /// Writes what is left, in the order of the last events.
    [[nodiscard]] Status finish();
    [[nodiscard]] Status writeHeaderBuffer(std::span<const std::byte> buffer);
    /// Written so far, the header buffer counted from the start.
    [[nodiscard]] std::uint64_t buffers() const noexcept { return m_buffers; }

private:
    struct Buffer {
        std::vector<std::byte> bytes; ///< empty until the processor's first event
        std::size_t filled = 0;
        Ticks last = 0;
    };
    [[nodiscard]] Status write(std::uint16_t processor, std::uint16_t flags);

    OutputFile& m_file;
    std::vector<Buffer> m_open;
    std::uint64_t m_buffers = 1;
};

} // namespace tracedeck::etl
