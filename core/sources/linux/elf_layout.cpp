// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/elf_layout.h"

#include "core/sources/linux/mounts.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

/// What could not be read is asked for again after this: processes map files in bursts.
constexpr Ticks kRetryAfter = 1'000'000'000;
constexpr std::size_t kMostHeaders = 256;
constexpr std::size_t kLongestNotes = 4096;
constexpr std::size_t kMostLayouts = 8192;

std::uint64_t pageBegin(std::uint64_t address) {
    static const auto kPage = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return address & ~(kPage - 1);
}

std::uint64_t pageEnd(std::uint64_t address) {
    static const auto kPage = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return pageBegin(address + kPage - 1);
}

bool readAt(int fd, void* into, std::size_t size, std::uint64_t offset) {
    return ::pread(fd, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::string buildIdIn(const std::vector<char>& notes) {
    std::size_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= notes.size()) { // the same in both classes
        Elf64_Nhdr note;
        std::memcpy(&note, notes.data() + at, sizeof(note));
        const std::size_t name = at + sizeof(note);
        const std::size_t data = name + ((std::size_t{note.n_namesz} + 3) & ~std::size_t{3});
        if (data + note.n_descsz > notes.size()) {
            break;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0) {
            return {notes.data() + data, note.n_descsz};
        }
        at = data + ((std::size_t{note.n_descsz} + 3) & ~std::size_t{3});
    }
    return {};
}

template <class Header, class Program>
ElfLayout readLayout(int fd) {
    ElfLayout layout;
    Header header;
    if (!readAt(fd, &header, sizeof(header), 0) || header.e_phentsize != sizeof(Program) ||
        header.e_phnum > kMostHeaders) {
        return layout;
    }
    std::vector<Program> programs(header.e_phnum);
    if (!readAt(fd, programs.data(), programs.size() * sizeof(Program), header.e_phoff)) {
        return layout;
    }
    std::uint64_t low = ~std::uint64_t{0};
    for (const Program& program : programs) {
        if (program.p_type == PT_LOAD) {
            layout.segments.push_back(
                {program.p_offset, program.p_filesz, program.p_vaddr, (program.p_flags & PF_X) != 0});
            low = std::min<std::uint64_t>(low, program.p_vaddr);
            layout.high = std::max<std::uint64_t>(layout.high, std::uint64_t{program.p_vaddr} + program.p_memsz);
        } else if (program.p_type == PT_NOTE && layout.buildId.empty() && program.p_filesz <= kLongestNotes) {
            std::vector<char> notes(program.p_filesz);
            if (readAt(fd, notes.data(), notes.size(), program.p_offset)) {
                layout.buildId = buildIdIn(notes);
            }
        }
    }
    layout.low = layout.segments.empty() ? 0 : pageBegin(low);
    layout.high = pageEnd(layout.high);
    return layout;
}

} // namespace

std::optional<ElfLayout> ElfLayout::read(const std::string& path) {
    // A path may by now name something else than what was mapped: a FIFO must not hold us up.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return std::nullopt;
    }
    std::optional<ElfLayout> layout;
    unsigned char ident[EI_NIDENT];
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        layout.emplace();
        if (readAt(fd, ident, sizeof(ident), 0) && std::memcmp(ident, ELFMAG, SELFMAG) == 0 &&
            ident[EI_DATA] == ELFDATA2LSB) {
            layout = ident[EI_CLASS] == ELFCLASS64 ? readLayout<Elf64_Ehdr, Elf64_Phdr>(fd)
                                                   : readLayout<Elf32_Ehdr, Elf32_Phdr>(fd);
        }
        layout->inode = status.st_ino;
    }
    ::close(fd);
    return layout;
}

ImagePlace placeImage(const ElfLayout& layout, std::uint64_t address, std::uint64_t length, std::uint64_t offset) {
    const ElfLayout::Segment* best = nullptr;
    int bestMatch = -1;
    for (const ElfLayout::Segment& segment : layout.segments) {
        const std::uint64_t begin = pageBegin(segment.offset);
        const std::uint64_t end = pageEnd(segment.offset + segment.fileSize);
        if (offset < begin || offset >= end) {
            continue;
        }
        const int match = (offset == begin ? 2 : 0) + (offset + length == end ? 2 : 0) + (segment.isExecutable ? 1 : 0);
        if (match >= bestMatch) {
            best = &segment;
            bestMatch = match;
        }
    }
    if (best == nullptr) {
        return {address - offset, offset + length, 0};
    }
    const std::uint64_t bias = address - (offset - best->offset + best->address);
    return {bias + layout.low, layout.high - layout.low, layout.low};
}

const std::string& ElfLayouts::mounts(const std::string& mountInfo) {
    const Ticks now = m_clock.ticks();
    if (m_mounts.path != mountInfo || now - m_mounts.readAt >= kRetryAfter) {
        m_mounts = {mountInfo, readWhole(mountInfo).value_or(std::string()), now};
    }
    return m_mounts.text;
}

std::string ElfLayouts::fileSystemIn(const MappedFile& file) {
    std::string fileSystem = fileSystemOf(mounts(m_proc.path(file.process, "mountinfo")), file.name);
    if (fileSystem.empty()) {
        // With another root folder it is not told the mounts above that; we are.
        std::error_code error;
        const auto root = std::filesystem::read_symlink(m_proc.path(file.process, "root"), error);
        fileSystem =
            error ? std::string() : fileSystemOf(mounts(m_proc.path("self/mountinfo")), root.native() + file.name);
    }
    return fileSystem;
}

ElfLayouts::Attempt ElfLayouts::tryRead(const MappedFile& file, const std::string& path, const std::string& fileSystem,
                                        ElfLayout& layout) {
    if (fileSystem.empty()) {
        return Attempt::Gone;
    }
    if (mayWaitForOthers(fileSystem)) {
        return Attempt::Untouched;
    }
    auto found = ElfLayout::read(path);
    if (!found) {
        return Attempt::Gone;
    }
    const bool isSame = !file.buildId.empty()
                            ? found->buildId == file.buildId
                            : file.inode == 0 || found->inode == file.inode || !showsItsInodes(fileSystem);
    if (!isSame) {
        return Attempt::Gone; // replaced since it was mapped
    }
    layout = std::move(*found);
    return Attempt::Done;
}

const ElfLayout& ElfLayouts::find(const MappedFile& file) {
    const std::string key = file.name + '\0' + (file.buildId.empty() ? std::to_string(file.inode) : file.buildId);
    const Ticks now = m_clock.ticks();
    const auto known = m_known.find(key);
    if (known != m_known.end() && (!known->second.failed || now - *known->second.failed < kRetryAfter)) {
        return known->second.layout;
    }
    if (m_known.size() >= kMostLayouts) {
        m_known.clear();
    }
    Known& entry = m_known[key];
    Attempt attempt = tryRead(file, m_proc.path(file.process, "root" + file.name), fileSystemIn(file), entry.layout);
    if (attempt == Attempt::Gone) { // the process is, perhaps
        attempt =
            tryRead(file, file.name, fileSystemOf(mounts(m_proc.path("self/mountinfo")), file.name), entry.layout);
    }
    entry.failed = attempt == Attempt::Done ? std::nullopt : std::optional(now);
    if (attempt == Attempt::Untouched && !entry.isUntouched) {
        entry.isUntouched = true;
        ++m_untouched;
    }
    return entry.layout;
}

} // namespace tracedeck::linux_source
