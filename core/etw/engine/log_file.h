// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etlformat/encode.h"
#include "core/etw/engine/closed_file.h"
#include "core/etw/types.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// An .etl file that is being written: a header buffer, then data buffers, numbered on from `firstNumber`.
///
/// Sequential: each behind the last, up to the largest size. Circular: up to the largest size, or to where the volume
/// has no more room, then each over the oldest. Appended: behind what an earlier session left.
///
/// Readable at every moment up to the last buffer written: a header without an end comes first, a write that fails half
/// way is cut off again, and a buffer that is overwritten is emptied first and gets its size last, so that it is never
/// half the one and half the other, not even when the process is killed. After an error nothing is written but what
/// close() rewrites in place.
///
/// Threading: one thread at a time.
class LogFile {
public:
    struct Limits {
        std::uint32_t maximumSizeMib = 0; ///< 0: none; Circular has one
        /// Stop, or begin to overwrite, before the volume has less. The first 16 MiB of a circular file are exempt.
        Bytes minimumFreeDisk{0};
    };
    /// Whose file it is and what its header says.
    struct Description {
        etlformat::TraceIdentity identity;
        etlformat::LogfileSummary summary;     ///< the mode decides: kCircular; path, sizes and ends are set here
        std::vector<std::uint32_t> groupMasks; ///< of a system logger, else empty
        Limits limits;
        std::int64_t firstNumber = 1; ///< of the first data buffer
        const Clock* stamp = nullptr; ///< the clock of the events' times; null: the one that times pass by
    };
    /// What a buffer holds.
    struct Contents {
        std::uint32_t end = 0; ///< of the events, from the buffer's begin
        std::uint32_t processor = 0;
        std::uint64_t events = 0;
        Ticks first = 0; ///< time of the first event
    };
    struct Ending {
        Ticks now = 0;
        FileTime endTime = 0;
        std::uint64_t eventsLost = 0; ///< of this file, or of this session's part of it
        std::uint64_t buffersLost = 0;
    };

    /// Creates the file and writes its header buffer; leaves none behind where that fails.
    [[nodiscard]] static Result<std::unique_ptr<LogFile>> create(FileSystem& files, const Clock& clock,
                                                                 const std::string& path, Description description);
    /// Opens a closed file to write on (EVENT_TRACE_FILE_MODE_APPEND), or creates it where there is none. The file
    /// keeps its identity; it must have the same buffer size, number of processors, kind of session and clock, the
    /// clock not set anew since: SessionBadParameters. NotAnEtl, EtlDamaged where it is no such file.
    [[nodiscard]] static Result<std::unique_ptr<LogFile>> resume(FileSystem& files, const Clock& clock,
                                                                 const std::string& path, Description description);

    /// Completes `buffer` (its first 72 bytes and its tail are overwritten) and writes it.
    [[nodiscard]] Status append(std::span<std::byte> buffer, const Contents& contents);
    /// How many more buffers the largest size allows.
    [[nodiscard]] std::uint64_t room() const noexcept;

    /// Whether the volume still has its minimum, where that matters; asks at most once a second.
    [[nodiscard]] Status checkFreeDisk();

    /// Adds to what the header of a system logger's file will say when it is closed.
    void uniteGroupMasks(const GroupMasks& masks) noexcept;

    /// Marks the last buffer, completes the header, closes; then the file is on the device, and its header was not
    /// there before its events. The first error; everything is tried all the same. A
    /// second call does nothing.
    [[nodiscard]] Status close(const Ending& ending);
    /// As if this session had never been: a file that it created is removed, another one is as before.
    [[nodiscard]] Status abandon();

    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
    /// By this session, header buffer included; those that have been overwritten count too.
    [[nodiscard]] std::uint64_t buffersWritten() const noexcept { return m_written; }
    [[nodiscard]] std::int64_t nextNumber() const noexcept { return m_nextNumber; }
    /// Events that were in the file and have made room for younger ones.
    [[nodiscard]] std::uint64_t eventsOverwritten() const noexcept { return m_overwritten; }
    /// Circular: no event in the file is older; may lag behind.
    [[nodiscard]] Ticks oldest() const noexcept { return m_oldest; }
    [[nodiscard]] const std::string& path() const noexcept { return m_path; }

private:
    /// A data buffer's place in a circular file.
    struct Place {
        std::uint64_t events = 0;
        Ticks first = std::numeric_limits<Ticks>::max();
    };

    LogFile(FileSystem& files, const Clock& clock, std::string path, Description description);
    [[nodiscard]] Status checkRoom(std::uint64_t more);
    [[nodiscard]] Status writeHeader(const ClosedFile::Totals& totals);
    [[nodiscard]] bool isTooSmallToTurn() const noexcept;
    [[nodiscard]] bool isCircular() const noexcept;
    [[nodiscard]] Status grow(std::span<const std::byte> buffer);
    [[nodiscard]] Status overwrite(std::uint64_t offset, std::span<const std::byte> buffer);
    void settle(std::size_t place, const Contents& contents);

    FileSystem& m_files;
    const Clock& m_clock;
    const Clock& m_stamp;
    std::string m_path;
    Description m_description;
    std::unique_ptr<OutputFile> m_file;
    std::optional<ClosedFile> m_former; ///< an appended file as it was
    etlformat::BufferHeader m_last;
    std::uint64_t m_lastOffset = 0; ///< 0: no data buffer yet
    std::uint64_t m_size = 0;
    std::uint64_t m_written = 0;
    std::int64_t m_nextNumber = 1;
    std::vector<Place> m_places; ///< circular
    std::size_t m_nextPlace = 0; ///< circular: to be overwritten next, once the file grows no more
    bool m_hasItsSize = false;   ///< circular: it grows no more
    std::uint64_t m_overwritten = 0;
    Ticks m_oldest = 0;
    std::size_t m_sinceOldest = 0; ///< places settled since m_oldest was looked for
    Ticks m_freeAsked = 0;
    std::uint64_t m_freeKnown = 0; ///< free bytes when asked, less what was written since
};

} // namespace tracedeck::etw::engine
