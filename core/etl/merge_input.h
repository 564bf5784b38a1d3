// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/file_header.h"
#include "core/etl/merge.h"
#include "core/etl/place_list.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// One event of a loaded block.
struct EventRef {
    Ticks time = 0; ///< its own, or that of the event before it
    std::uint32_t offset = 0;
    std::uint16_t size = 0;
    std::uint8_t stackTimeAt = 0; ///< 0: no stack; else where in it the time of the stack's event is
    bool ownsTime : 1 = false;    ///< stacks may refer to its time
    bool isImage : 1 = false;     ///< Image/Load or Image/DCStart
};
static_assert(sizeof(EventRef) == 16, "one for every event of the blocks that are loaded");

/// A raw file that is merged: its header, and where the sound buffers of each processor lie.
struct MergeInput {
    std::string path;
    std::unique_ptr<InputFile> file;
    FileHeader header;
    std::map<std::uint16_t, PlaceList> places; ///< by processor, in the order of their numbers; without the first
    Damage damaged;                            ///< buffers that are left out
    Damage truncated;
    std::uint64_t bytes = 0;          ///< of all sound buffers
    std::uint64_t buffersMissing = 0; ///< numbers between the first and the last that no buffer has
};
/// Reads headers alone. Errors: NotAnEtl with `path`, those of opening and reading.
[[nodiscard]] Result<MergeInput> openMergeInput(FileSystem& files, const std::string& path);

/// The events of one processor in one input, in time order; holds one block of one buffer at a time.
///
/// Memory: a block and 16 bytes for each event in it, at most twice the block; more for a while where one event is
/// longer than a block, and the whole buffer where it is compressed.
/// Ownership: the input must outlive it.
class MergeStream {
public:
    /// Of the file's first buffer.
    MergeStream(MergeInput& input, std::size_t blockSize);
    MergeStream(MergeInput& input, std::uint16_t processor, const PlaceList& places, std::size_t blockSize);
    /// Of added events, which lie in memory; sorted by time.
    MergeStream(std::uint16_t processor, std::vector<const AddedEvent*> added);

    [[nodiscard]] std::uint16_t processor() const noexcept { return m_processor; }
    /// Null for added events.
    [[nodiscard]] const MergeInput* input() const noexcept { return m_input; }
    /// Goes to the first event of the next block. False at the end. Errors: ReadFailed.
    [[nodiscard]] Result<bool> load();
    [[nodiscard]] bool isEmpty() const noexcept { return m_at == m_events.size(); }
    [[nodiscard]] const EventRef& event() const noexcept { return m_events[m_at]; }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {m_storage.data() + event().offset, event().size};
    }
    void advance() noexcept { ++m_at; }
    /// Buffers that ended in bytes that are no event, or could not be decompressed.
    [[nodiscard]] const Damage& damaged() const noexcept { return m_damaged; }
    /// Bytes of the file that are done with.
    [[nodiscard]] std::uint64_t bytesRead() const noexcept { return m_bytesRead; }
    /// Bytes that it holds now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return m_storage.capacity() + m_compressed.capacity() + m_events.capacity() * sizeof(EventRef);
    }

private:
    /// A buffer that is being read.
    struct Buffer {
        std::uint64_t offset = 0; ///< in the file
        std::uint32_t size = 0;
        std::uint32_t filled = 0; ///< end of its events
        std::uint32_t at = 0;     ///< up to where it has been read; = filled: done with
        bool isHeader = false;
        bool isCompressed = false;
    };
    [[nodiscard]] Result<bool> nextBuffer();
    [[nodiscard]] Status readBlock();
    [[nodiscard]] Status decompress();
    /// Finds the events of m_storage from `at` on; `offset` is where m_storage begins in the buffer.
    void index(std::size_t at, std::size_t end, std::uint32_t offset);

    MergeInput* m_input = nullptr;
    std::uint16_t m_processor;
    std::size_t m_blockSize = 0;
    std::optional<PlaceList::Reader> m_places;
    bool m_hasFirst = false; ///< the first buffer is still to be read
    Buffer m_buffer;
    std::vector<std::byte> m_storage;
    std::vector<std::byte> m_compressed;
    std::vector<EventRef> m_events;
    std::size_t m_at = 0;
    Ticks m_last = 0;
    Damage m_damaged;
    std::uint64_t m_bytesRead = 0;
};

/// How long the blocks of so many streams are, so that all of them together hold no more than 32 MiB: a few KiB where
/// there are thousands, whole buffers where there are few.
[[nodiscard]] std::size_t mergeBlockSize(std::size_t streams) noexcept;

/// One stream per processor that the inputs have events of.
[[nodiscard]] std::vector<MergeStream> streamsOf(std::vector<MergeInput>& inputs);
/// InvalidArgument where an added event is not exactly one event with the time that is said.
[[nodiscard]] Result<std::vector<MergeStream>> streamsOf(const std::vector<AddedEvent>& added);

} // namespace tracedeck::etl
