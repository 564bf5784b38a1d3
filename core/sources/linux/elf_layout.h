// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/sources/linux/proc_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracedeck::linux_source {

/// Where a file's load segments go, from its program headers.
struct ElfLayout {
    struct Segment {
        std::uint64_t offset = 0;
        std::uint64_t fileSize = 0;
        std::uint64_t address = 0;
        bool isExecutable = false; ///< PF_X
    };
    std::vector<Segment> segments; ///< PT_LOAD; empty: no ELF file
    std::uint64_t low = 0;         ///< lowest address, rounded down to a page
    std::uint64_t high = 0;        ///< end of the highest one, rounded up
    std::string buildId;           ///< bytes of the GNU build-id note; may be empty
    std::uint64_t inode = 0;

    /// Reads an ELF file's headers; nothing where there is no such file or it cannot be read. Never blocks on anything
    /// but a regular file's storage.
    static std::optional<ElfLayout> read(const std::string& path);
};

/// A loaded image, as Image events tell it.
struct ImagePlace {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint64_t defaultBase = 0; ///< the address that the file's own symbols take for `base`
};

/// The image that an executable mapping of `length` bytes of the file's `offset` at `address` belongs to: all of its
/// load segments. Segments may share a page of the file (lld lets the text begin in the page that the one before ends
/// in), so that the offset alone does not tell which one was mapped: it is the one that begins and ends as the mapping
/// does, an executable one before others, the last of equals.
/// Without a layout the file is taken to lie in memory as on disk.
ImagePlace placeImage(const ElfLayout& layout, std::uint64_t address, std::uint64_t length, std::uint64_t offset);

/// A mapped file, as a mapping names it.
struct MappedFile {
    std::string name;        ///< as the process sees it
    std::string buildId;     ///< bytes; empty: not told
    std::uint64_t inode = 0; ///< used where there is no build-id; 0: not told
    std::uint32_t process = 0;
};

/// Layouts by file and version of the file, read once. What could not be read is tried again after a second.
///
/// A path may by now name another file than the one that was mapped: a file whose build-id (or, without one, whose
/// inode) is another's is not taken. Files whose reading might wait for another machine or process are not touched.
///
/// Threading: one thread at a time.
class ElfLayouts {
public:
    /// `proc` and `clock` must outlive it.
    ElfLayouts(const ProcFiles& proc, const Clock& clock) : m_proc(proc), m_clock(clock) {}

    /// Without segments where the file is no ELF file or is not known. Valid until the next call.
    const ElfLayout& find(const MappedFile& file);
    /// Files that were not read because that might have waited for others.
    [[nodiscard]] std::uint64_t untouchedFiles() const noexcept { return m_untouched; }

private:
    struct Known {
        ElfLayout layout;
        std::optional<Ticks> failed; ///< when it was tried in vain
        bool isUntouched = false;
    };
    enum class Attempt { Done, Gone, Untouched };
    Attempt tryRead(const MappedFile& file, const std::string& path, const std::string& fileSystem, ElfLayout& layout);
    /// Of the file as the process sees it; empty where that cannot be said.
    std::string fileSystemIn(const MappedFile& file);
    const std::string& mounts(const std::string& mountInfo);

    const ProcFiles& m_proc;
    const Clock& m_clock;
    std::unordered_map<std::string, Known> m_known;
    std::uint64_t m_untouched = 0;
    struct Mounts {
        std::string path;
        std::string text; ///< empty: not readable
        Ticks readAt = 0;
    };
    Mounts m_mounts; ///< those read last: files come in bursts, and a machine full of containers has long lists
};

} // namespace tracedeck::linux_source
