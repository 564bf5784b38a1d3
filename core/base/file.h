// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tracedeck {

/// An open file for writing. Paths are UTF-8 everywhere in core.
///
/// Threading: one thread at a time.
/// Ownership: closes the file when destroyed; close() says whether that went well.
class OutputFile {
public:
    virtual ~OutputFile() = default;
    /// Writes all of `data` at `offset` or fails; after a failure the range's content is not known. DiskFull where the
    /// volume or the quota is exhausted.
    [[nodiscard]] virtual Status writeAt(std::uint64_t offset, std::span<const std::byte> data) = 0;
    /// Cuts or extends the file.
    [[nodiscard]] virtual Status resize(std::uint64_t size) = 0;
    /// Lets the device begin with what was written there, so that sync() has less to wait for. A hint: where it is not
    /// understood nothing happens, and what goes wrong is told by sync().
    virtual void beginSync(std::uint64_t offset, std::uint64_t size) noexcept {
        static_cast<void>(offset);
        static_cast<void>(size);
    }
    /// Returns when the data is on the device.
    [[nodiscard]] virtual Status sync() = 0;
    [[nodiscard]] virtual Status close() = 0;
};

/// An open file for reading, of a size fixed when it was opened.
class InputFile {
public:
    virtual ~InputFile() = default;
    [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
    /// Reads up to `into.size()` bytes at `offset`; fewer only at the end of the file.
    [[nodiscard]] virtual Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) = 0;
    /// The first byte at or behind `offset` that may be another than zero, by what the file system knows of holes; the
    /// size where there is none. `offset` itself where nothing is known.
    [[nodiscard]] virtual std::uint64_t dataAt(std::uint64_t offset) const noexcept { return offset; }
};

/// The file operations that core needs. Tests replace it (FailingDevice).
///
/// Threading: stateless, any thread.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    /// Keep, for create() alone: what is there stays and is written on.
    enum class Existing { Refuse, Replace, Keep };
    /// Creates `path` for writing. FileExists with Refuse where it exists; FolderNotFound where its folder does not.
    [[nodiscard]] virtual Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<InputFile>> open(const std::string& path) = 0;
    /// Free bytes for this user on the volume of `path` (an existing file or folder).
    [[nodiscard]] virtual Result<Bytes> freeSpace(const std::string& path) = 0;
    /// Which volume that is: the same number for paths on the same one, while it is mounted. Parts of one volume that
    /// the system treats as volumes of their own (subvolumes) have different numbers.
    [[nodiscard]] virtual Result<std::uint64_t> volumeOf(const std::string& path) = 0;
    /// Moves `from` over `to`, atomically on one volume, and returns when the new name is on the device (where the
    /// folder can be opened for that). With Refuse: FileExists where `to` is already there, also when somebody else
    /// creates it at that moment. After an error `from` is where it was, but for a failing device.
    [[nodiscard]] virtual Status rename(const std::string& from, const std::string& to, Existing existing) = 0;
    /// Removes a file; a missing file is no error.
    [[nodiscard]] virtual Status remove(const std::string& path) = 0;
};

/// A new file that got a name of its own.
struct TemporaryFile {
    std::string path;
    std::unique_ptr<OutputFile> file;
};

/// Creates ".tracedeck-<process>-<number><suffix>" in `folder` (empty: the current one). The name is short whatever the
/// file is for; what has it already, be it a file, a link or another process's, is left alone and the next number
/// taken.
[[nodiscard]] Result<TemporaryFile> createTemporary(FileSystem& files, const std::string& folder,
                                                    std::string_view suffix);

/// The file system of this machine.
[[nodiscard]] FileSystem& systemFiles();

} // namespace tracedeck
