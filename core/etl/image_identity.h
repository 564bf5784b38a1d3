// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/guid.h"
#include "core/base/result.h"
#include "core/etl/event_view.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// What an image file says of itself, by which its symbols are found.
struct ImageIdentity {
    std::uint32_t timeDateStamp = 0; ///< PE
    std::uint32_t sizeOfImage = 0;   ///< PE
    struct Symbols {
        Guid guid;
        std::uint32_t age = 0;
        std::string file; ///< UTF-8
        friend bool operator==(const Symbols&, const Symbols&) = default;
    };
    /// PE: the CodeView entry (RSDS) of its debug directory. ELF: the first 16 bytes of the GNU build-id, age 0, and
    /// the name of the separate debug file as distributions lay it down, which has the whole build-id:
    /// "/usr/lib/debug/.build-id/ab/cdef….debug".
    std::optional<Symbols> symbols;
};

/// Reads a few headers, never more than 64 KiB. Empty: neither PE nor ELF (little endian), or cut off before its
/// headers end. Any bytes are taken. Errors: ReadFailed.
/// Sources: the PE format's and the ELF specification; the layout of build-id notes is binutils'.
[[nodiscard]] Result<std::optional<ImageIdentity>> readImageIdentity(InputFile& file);

/// The ImageID events that merged traces of Windows carry before each Image/Load and Image/DCStart event, made from the
/// files that the events name, as they are now. Each file is read once.
///
/// Threading: one thread. Ownership: the file system must outlive it. Memory: 65,536 files are remembered at most.
class ImageIdentities {
public:
    explicit ImageIdentities(FileSystem& files) : m_files(files) {}
    /// Info (time stamp, size, name) and DbgID_RSDS of the image that a Load or DCStart event tells, each complete with
    /// its header, which has the event's time, process and thread. Empty for other events, for images without a file
    /// of an absolute path, and where the file says nothing.
    [[nodiscard]] std::vector<std::vector<std::byte>> eventsBefore(const EventView& image);
    /// Files that could not be read: gone, or not allowed.
    [[nodiscard]] std::uint64_t unread() const noexcept { return m_unread; }

private:
    [[nodiscard]] const std::optional<ImageIdentity>& identityOf(const std::string& path);

    FileSystem& m_files;
    std::map<std::string, std::optional<ImageIdentity>> m_known;
    std::optional<ImageIdentity> m_none;
    std::uint64_t m_unread = 0;
};

} // namespace tracedeck::etl
