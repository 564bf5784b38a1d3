// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/file_header.h"
#include "core/etl/merge.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// One event of a loaded buffer.
struct EventRef {
    Ticks time = 0; ///< its own, or that of the event before it
    std::uint32_t offset = 0;
    std::uint16_t size = 0;
    bool isStack = false;
    bool ownsTime = false; ///< stacks may refer to its time
    Ticks stackTime = 0;   ///< of the event that a stack belongs to
};

/// A raw file that is merged: its header, and where the sound buffers of each processor lie.
struct MergeInput {
    std::string path;
    std::unique_ptr<InputFile> file;
    FileHeader header;
    std::vector<BufferPlace> places; ///< by processor, then sequence number; the header buffer apart
    BufferPlace headerPlace;
    std::uint64_t damagedBuffers = 0;
    std::uint64_t bytes = 0; ///< of all places
};
/// Reads headers alone. Errors: NotAnEtl with `path`, those of opening and reading.
[[nodiscard]] Result<MergeInput> openMergeInput(FileSystem& files, const std::string& path);

/// The events of one processor in one input, in time order; holds one buffer at a time.
///
/// Ownership: the input must outlive it.
class MergeStream {
public:
    MergeStream(MergeInput& input, std::uint16_t processor, std::span<const BufferPlace> places);
    /// Of added events, which lie in memory; sorted by time.
    MergeStream(std::uint16_t processor, std::vector<const AddedEvent*> added);

    [[nodiscard]] std::uint16_t processor() const noexcept { return m_processor; }
    /// Goes to the first event of the next buffer. False at the end. Errors: ReadFailed.
    [[nodiscard]] Result<bool> load();
    [[nodiscard]] bool isEmpty() const noexcept { return m_at == m_events.size(); }
    [[nodiscard]] const EventRef& event() const noexcept { return m_events[m_at]; }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {m_storage.data() + event().offset, event().size};
    }
    void advance() noexcept { ++m_at; }
    /// Buffers that ended in bytes that are no event, or could not be decompressed.
    [[nodiscard]] std::uint64_t damagedBuffers() const noexcept { return m_damaged; }
    /// Bytes of the file that were read.
    [[nodiscard]] std::uint64_t bytesRead() const noexcept { return m_bytesRead; }

private:
    /// False where some of the buffer cannot be understood.
    [[nodiscard]] Result<bool> readBuffer(const BufferPlace& place);
    /// False where the buffer holds bytes that are no event.
    [[nodiscard]] bool index(std::size_t end, bool isHeaderBuffer);

    MergeInput* m_input = nullptr;
    std::uint16_t m_processor;
    std::vector<BufferPlace> m_places;
    std::size_t m_nextPlace = 0;
    std::vector<std::byte> m_storage;
    std::vector<std::byte> m_compressed;
    std::vector<EventRef> m_events;
    std::size_t m_at = 0;
    Ticks m_last = 0;
    std::uint64_t m_damaged = 0;
    std::uint64_t m_bytesRead = 0;
};

/// One stream per processor that the input has events of.
[[nodiscard]] std::vector<MergeStream> streamsOf(MergeInput& input);
/// InvalidArgument where an added event is not exactly one event with the time that is said.
[[nodiscard]] Result<std::vector<MergeStream>> streamsOf(const std::vector<AddedEvent>& added);

} // namespace tracedeck::etl
