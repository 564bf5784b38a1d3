// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etlformat/encode.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// A sequential .etl file that is being written: a header buffer, then data buffers with the numbers 1, 2, …
///
/// Readable at every moment up to the last buffer written: a header without an end comes first, and a write that fails
/// half way is cut off again. After an error nothing is written but what close() rewrites in place.
///
/// Threading: one thread at a time.
class LogFile {
public:
    struct Limits {
        std::uint32_t maximumSizeMib = 0; ///< 0: none
        Bytes minimumFreeDisk{0};         ///< stop before the volume has less
    };
    struct Ending {
        Ticks now = 0;
        FileTime endTime = 0;
        std::uint64_t eventsLost = 0;
        std::uint64_t buffersLost = 0;
    };

    /// Creates the file and writes its header buffer; leaves none behind where that fails.
    [[nodiscard]] static Result<std::unique_ptr<LogFile>>
    create(FileSystem& files, const Clock& clock, const std::string& path, const etlformat::TraceIdentity& identity,
           etlformat::LogfileSummary summary, std::span<const std::uint32_t> groupMasks, Limits limits);

    /// Completes `buffer` (events up to `end`, its first 72 bytes and its tail are overwritten) and writes it.
    [[nodiscard]] Status append(std::span<std::byte> buffer, std::uint32_t end, std::uint32_t processor);

    /// Whether the volume still has its minimum; asks at most once a second.
    [[nodiscard]] Status checkFreeDisk();

    /// Marks the last buffer, completes the header, closes. The first error; everything is tried all the same.
    [[nodiscard]] Status close(const Ending& ending);

    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
    /// Header buffer included.
    [[nodiscard]] std::uint64_t buffersWritten() const noexcept { return m_buffers; }
    [[nodiscard]] const std::string& path() const noexcept { return m_path; }

private:
    LogFile(FileSystem& files, const Clock& clock, std::string path, Limits limits);
    [[nodiscard]] Status checkRoom(std::uint64_t more);
    [[nodiscard]] Status writeHeader();

    FileSystem& m_files;
    const Clock& m_clock;
    std::string m_path;
    Limits m_limits;
    std::unique_ptr<OutputFile> m_file;
    etlformat::TraceIdentity m_identity;
    etlformat::LogfileSummary m_summary;
    std::vector<std::uint32_t> m_groupMasks;
    etlformat::BufferHeader m_last;
    std::uint64_t m_size = 0;
    std::uint64_t m_buffers = 0;
    Ticks m_freeAsked = 0;
    std::uint64_t m_freeKnown = 0; ///< free bytes when asked, less what was written since
};

} // namespace tracedeck::etw::engine
