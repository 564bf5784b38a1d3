// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/damage.h"
#include "core/etl/file_header.h"
#include "core/etl/summary.h"
#include "core/etlformat/layout.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// A file seen through one block that moves over it, so that memory does not grow with the file.
///
/// Threading: one thread at a time. Ownership: the file must outlive it.
class FileWindow {
public:
    FileWindow(InputFile& file, std::size_t blockSize) : m_file(file), m_blockSize(blockSize) {}
    [[nodiscard]] std::uint64_t size() const noexcept { return m_file.size(); }
    /// `size` bytes at `offset`, fewer at the end of the file. Valid until the next call.
    [[nodiscard]] Result<std::span<const std::byte>> view(std::uint64_t offset, std::size_t size);
    /// As InputFile::dataAt().
    [[nodiscard]] std::uint64_t dataAt(std::uint64_t offset) const noexcept { return m_file.dataAt(offset); }

private:
    InputFile& m_file;
    std::size_t m_blockSize;
    std::vector<std::byte> m_block;
    std::uint64_t m_offset = 0;
    std::size_t m_filled = 0;
};

/// One sound buffer of a file.
struct BufferPlace {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;   ///< in the file
    std::uint32_t filled = 0; ///< end of its events, its header included, once decompressed
    std::uint16_t processor = 0;
    std::uint16_t flags = 0;
    etlformat::BufferType type = etlformat::BufferType::Generic;
    std::int64_t sequenceNumber = 0;

    [[nodiscard]] bool isCompressed() const noexcept { return (flags & etlformat::buffer_flag::kCompressed) != 0; }
};

/// Called while a walk goes on, with the offset that it has come to; false ends it.
using WalkWatcher = std::function<bool(std::uint64_t offset)>;

/// Goes from buffer to buffer of a file; steps over what cannot be a buffer to the next that can, and keeps count.
///
/// Time: linear in the size of the file, whatever its bytes are; holes cost nothing, zeros no more than their reading.
/// Threading: one thread at a time. Ownership: the window must outlive it; next() moves the window.
class BufferWalk {
public:
    BufferWalk(FileWindow& window, const FileHeader& header, WalkWatcher watcher = {});
    /// The next buffer; the header buffer comes first. Empty at the end. Errors: ReadFailed, Cancelled by the watcher.
    [[nodiscard]] Result<std::optional<BufferPlace>> next();
    [[nodiscard]] const Damage& damaged() const noexcept { return m_damaged; }
    /// The file ends within a buffer, or in zeros that were reserved and never written.
    [[nodiscard]] const Damage& truncated() const noexcept { return m_truncated; }

private:
    enum class Verdict { Sound, Damaged, PastEnd };
    [[nodiscard]] Result<Verdict> judge(std::uint64_t offset, BufferPlace& place, std::string& why);
    [[nodiscard]] Result<bool> looksLikeBuffer(std::uint64_t offset);
    /// Offset of the next buffer behind a damaged one at `offset`; the file's size where there is none.
    /// No buffer begins before `earliest`.
    [[nodiscard]] Result<std::uint64_t> nextSound(std::uint64_t offset, std::uint64_t earliest);
    /// Steps over what cannot be a buffer, from `offset` on.
    [[nodiscard]] Result<void> stepOver(std::uint64_t offset, Verdict verdict, const std::string& why);
    /// Offset of the first byte at or behind `offset` that is not zero; the file's size where there is none.
    [[nodiscard]] Result<std::uint64_t> firstNonZero(std::uint64_t offset);
    [[nodiscard]] Result<void> watch(std::uint64_t offset);

    FileWindow& m_window;
    const FileHeader& m_header;
    WalkWatcher m_watcher;
    std::uint64_t m_watched = 0; ///< offset of the last call
    std::uint64_t m_at = 0;
    bool m_sizesDiffer;        ///< merged files: every buffer has its own size, at any offset
    bool m_strideWorks = true; ///< damaged buffers still left the others at their multiples
    Damage m_damaged;
    Damage m_truncated;
};

/// The bytes of a buffer from its header to the end of its events: in the window, or decompressed into `scratch`.
/// Empty where it cannot be decompressed. Errors: ReadFailed.
[[nodiscard]] Result<std::optional<std::span<const std::byte>>>
bufferBytes(FileWindow& window, const BufferPlace& place, std::vector<std::byte>& scratch);

/// Walks to the end of the file: `take(place, bytes)` gets each buffer with what bufferBytes() has of it, and returns a
/// Status, whose error ends the walk. Errors: those of BufferWalk::next(), bufferBytes() and `take`.
template <class Take>
[[nodiscard]] Status eachBuffer(FileWindow& window, BufferWalk& walk, Take take) {
    std::vector<std::byte> scratch;
    while (true) {
        const auto place = walk.next();
        if (!place) {
            return fail(place.error());
        }
        if (!place->has_value()) {
            return {};
        }
        const auto bytes = bufferBytes(window, **place, scratch);
        if (!bytes) {
            return fail(bytes.error());
        }
        if (Status taken = take(**place, *bytes); !taken) {
            return taken;
        }
    }
}

} // namespace tracedeck::etl
