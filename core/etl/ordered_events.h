// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/event_view.h"
#include "core/etl/file_header.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracedeck::etl {

struct OrderedEvent {
    EventView view; ///< valid until the next call
    std::uint16_t processor = 0;
    Ticks time = 0; ///< its own; that of the event before it where it has none
};

/// The events of a file in the order in which consumers see them: each processor's buffers by sequence number, the
/// processors merged by time. What cannot be read is left out, as summarize() tells it.
///
/// Memory: one buffer per processor, and 40 bytes per buffer of the file.
/// Threading: one thread at a time. Ownership: `files` must outlive it.
class OrderedEvents {
public:
    /// Errors: those of opening and reading, NotAnEtl, Cancelled by the watcher, which is called with offsets while the
    /// headers of all buffers are read.
    [[nodiscard]] static Result<OrderedEvents> open(FileSystem& files, const std::string& path,
                                                    const WalkWatcher& watcher = {});
    OrderedEvents(OrderedEvents&&) noexcept;
    OrderedEvents& operator=(OrderedEvents&&) noexcept;
    ~OrderedEvents();

    [[nodiscard]] const FileHeader& header() const noexcept { return *m_header; }
    [[nodiscard]] std::uint64_t fileBytes() const noexcept { return m_file->size(); }
    /// Of the buffers that have been read so far.
    [[nodiscard]] std::uint64_t bytesRead() const noexcept { return m_bytesRead; }
    /// Places that were left out, found so far.
    [[nodiscard]] std::uint64_t damaged() const noexcept { return m_damaged; }
    /// Goes to the next event; false at the end. Errors: ReadFailed.
    [[nodiscard]] Result<bool> next(OrderedEvent& event);
    /// Begins again.
    void rewind();

private:
    class Stream;
    OrderedEvents();
    [[nodiscard]] Result<bool> advance(Stream& stream);
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] bool isLater(std::size_t a, std::size_t b) const;

    std::unique_ptr<InputFile> m_file;
    std::unique_ptr<FileHeader> m_header;
    std::vector<Stream> m_streams;
    std::vector<std::size_t> m_heap; ///< streams with an event, but for the current one; earliest first
    std::size_t m_current = kNone;
    bool m_hasBegun = false;
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_damaged = 0;
    std::uint64_t m_damagedByWalk = 0;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

} // namespace tracedeck::etl
