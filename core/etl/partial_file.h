// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// A file that exists under a temporary name beside its own until commit(); without commit() nothing is left of it.
///
/// Threading: one thread at a time. Ownership: the file system must outlive it.
class PartialFile {
public:
    PartialFile(FileSystem& files, std::string path);
    ~PartialFile();
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    [[nodiscard]] Status create();
    [[nodiscard]] OutputFile& file() noexcept { return *m_file; }
    /// Where it is until commit().
    [[nodiscard]] const std::string& temporaryPath() const noexcept { return m_temporaryPath; }
    /// Syncs, closes and gives the file its name.
    [[nodiscard]] Status commit(FileSystem::Existing existing);

private:
    FileSystem& m_files;
    std::string m_path;
    std::string m_temporaryPath;
    std::unique_ptr<OutputFile> m_file;
};

/// FileExists where there is something at `path`, also what may not be read. For refusing before any work is done;
/// PartialFile::commit() refuses what comes meanwhile.
[[nodiscard]] Status refuseExisting(FileSystem& files, const std::string& path);

/// Collects what is written one behind the other into blocks of 1 MiB.
///
/// Ownership: the file must outlive it.
class BlockWriter {
public:
    explicit BlockWriter(OutputFile& file) : m_file(file) {}
    [[nodiscard]] Status append(std::span<const std::byte> bytes);
    [[nodiscard]] Status append(std::size_t count, std::byte value);
    /// Writes what is left.
    [[nodiscard]] Status flush();
    /// Where the next byte goes.
    [[nodiscard]] std::uint64_t size() const noexcept { return m_written + m_block.size(); }

private:
    OutputFile& m_file;
    std::vector<std::byte> m_block;
    std::uint64_t m_written = 0;
};

} // namespace tracedeck::etl
