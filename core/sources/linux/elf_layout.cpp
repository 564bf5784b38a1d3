// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/elf_layout.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

constexpr std::uint64_t kPage = 4096; // also right where pages are larger: segments are aligned to those
constexpr std::size_t kMostHeaders = 256;
constexpr std::size_t kLongestNotes = 4096;
constexpr std::size_t kMostLayouts = 8192;

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
            layout.segments.push_back({program.p_offset, program.p_filesz, program.p_vaddr});
            low = std::min<std::uint64_t>(low, program.p_vaddr);
            layout.high = std::max<std::uint64_t>(layout.high, std::uint64_t{program.p_vaddr} + program.p_memsz);
        } else if (program.p_type == PT_NOTE && layout.buildId.empty() && program.p_filesz <= kLongestNotes) {
            std::vector<char> notes(program.p_filesz);
            if (readAt(fd, notes.data(), notes.size(), program.p_offset)) {
                layout.buildId = buildIdIn(notes);
            }
        }
    }
    layout.low = layout.segments.empty() ? 0 : low & ~(kPage - 1);
    layout.high = (layout.high + kPage - 1) & ~(kPage - 1);
    return layout;
}

} // namespace

ElfLayout ElfLayout::read(const std::string& path) {
    // A path may by now name something else than what was mapped: a FIFO must not hold us up.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return {};
    }
    ElfLayout layout;
    unsigned char ident[EI_NIDENT];
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && readAt(fd, ident, sizeof(ident), 0) &&
        std::memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_DATA] == ELFDATA2LSB) {
        layout = ident[EI_CLASS] == ELFCLASS64 ? readLayout<Elf64_Ehdr, Elf64_Phdr>(fd)
                                               : readLayout<Elf32_Ehdr, Elf32_Phdr>(fd);
    }
    ::close(fd);
    return layout;
}

ImagePlace placeImage(const ElfLayout& layout, std::uint64_t address, std::uint64_t length, std::uint64_t offset) {
    for (const ElfLayout::Segment& segment : layout.segments) {
        const std::uint64_t begin = segment.offset & ~(kPage - 1);
        if (offset < begin || offset >= segment.offset + segment.fileSize) {
            continue;
        }
        const std::uint64_t bias = address - (offset - segment.offset + segment.address);
        return {bias + layout.low, layout.high - layout.low, layout.low};
    }
    return {address - offset, offset + length, 0};
}

const ElfLayout& ElfLayouts::find(const std::string& file, const std::string& identity, const std::string& openAs) {
    const std::string key = file + '\0' + identity;
    const auto known = m_known.find(key);
    if (known != m_known.end()) {
        return known->second;
    }
    if (m_known.size() >= kMostLayouts) {
        m_known.clear();
    }
    ElfLayout layout = ElfLayout::read(openAs);
    if (layout.segments.empty()) {
        layout = ElfLayout::read(file);
    }
    return m_known.emplace(key, std::move(layout)).first->second;
}

} // namespace tracedeck::linux_source
