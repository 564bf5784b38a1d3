// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// What a closed .etl file's ends say, for a session that writes on in it (EVENT_TRACE_FILE_MODE_APPEND).
class ClosedFile {
public:
    /// The final numbers of a header.
    struct Totals {
        std::uint64_t buffers = 0; ///< in the file, header buffer included; 0 while open
        FileTime endTime = 0;      ///< 0 while open
        std::uint64_t eventsLost = 0;
        std::uint64_t buffersLost = 0;
    };

    /// NotAnEtl, EtlDamaged where it is no .etl file of uncompressed buffers of one size, or was never closed.
    [[nodiscard]] static Result<ClosedFile> read(FileSystem& files, const std::string& path);

    /// Whether a session like this can go on in it: the same buffer size, number of processors, kind of session and
    /// clock (`clock` stamps the session's events), and the clocks not set since. SessionBadParameters says what is in
    /// the way.
    [[nodiscard]] Status accepts(const etlformat::TraceIdentity& identity, const etlformat::LogfileSummary& summary,
                                 const Clock& clock) const;

    /// The header buffer as it was read.
    [[nodiscard]] std::span<const std::byte> header() const noexcept { return m_header; }
    /// The same with `more` added to its numbers, and a system logger's group masks united with `masks`.
    [[nodiscard]] std::vector<std::byte> header(const Totals& more, std::span<const std::uint32_t> masks) const;

    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
    /// Of the last buffer; of the header buffer where there is no other.
    [[nodiscard]] const etlformat::BufferHeader& last() const noexcept { return m_last; }

private:
    [[nodiscard]] std::optional<std::size_t> groupMasksOffset() const;
    [[nodiscard]] Status check() const;

    std::string m_path;
    std::vector<std::byte> m_header;
    etlformat::LogfileHeader m_logfile;
    Ticks m_startTicks = 0;
    etlformat::BufferHeader m_last;
    std::uint64_t m_size = 0;
};

} // namespace tracedeck::etw::engine
