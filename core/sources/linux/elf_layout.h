// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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
    };
    std::vector<Segment> segments; ///< PT_LOAD; empty: not readable or no ELF file
    std::uint64_t low = 0;         ///< lowest address, rounded down to a page
    std::uint64_t high = 0;        ///< end of the highest one, rounded up
    std::string buildId;           ///< bytes of the GNU build-id note; may be empty

    /// Reads an ELF file's headers. Never blocks on anything but a regular file's storage.
    static ElfLayout read(const std::string& path);
};

/// A loaded image, as Image events tell it.
struct ImagePlace {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint64_t defaultBase = 0; ///< the address that the file's own symbols take for `base`
};

/// The image that a mapping of `length` bytes of the file's `offset` at `address` belongs to: all of its load segments.
/// Without a layout the file is taken to lie in memory as on disk.
ImagePlace placeImage(const ElfLayout& layout, std::uint64_t address, std::uint64_t length, std::uint64_t offset);

/// Layouts by file, read once.
class ElfLayouts {
public:
    /// `identity` tells versions of a file apart (inode, build-id). The layout is valid until the next call.
    const ElfLayout& find(const std::string& file, const std::string& identity, const std::string& openAs);

private:
    std::unordered_map<std::string, ElfLayout> m_known;
};

} // namespace tracedeck::linux_source
