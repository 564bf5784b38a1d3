// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/elf_layout.h"
#include "core/sources/linux/mounts.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <vector>

namespace tracedeck::linux_source {
namespace {

/// As `ld.lld` lays out a small program by default: each segment begins in the page of the file that the one before
/// ends in, and one page further in memory.
ElfLayout lldLayout() {
    ElfLayout layout;
    layout.segments = {{0x0, 0x66C, 0x0, false},
                       {0x670, 0x1B0, 0x1670, true},
                       {0x820, 0x1E0, 0x2820, false},
                       {0xA00, 0x30, 0x3A00, false}};
    layout.high = 0x4000;
    return layout;
}

/// An ELF file with one load segment for its text, at 0x2000 in memory and 0x1000 in the file, and a build-id.
void writeElf(const std::string& path, const std::string& buildId) {
    std::vector<char> bytes(0x200);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_phoff = sizeof(header);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    Elf64_Phdr text{};
    text.p_type = PT_LOAD;
    text.p_flags = PF_R | PF_X;
    text.p_offset = 0x1000;
    text.p_vaddr = 0x2000;
    text.p_filesz = text.p_memsz = 0x800;
    Elf64_Phdr note{};
    note.p_type = PT_NOTE;
    note.p_offset = 0x180;
    note.p_filesz = sizeof(Elf64_Nhdr) + 4 + buildId.size();
    const Elf64_Nhdr noteHeader{4, static_cast<Elf64_Word>(buildId.size()), NT_GNU_BUILD_ID};
    std::memcpy(bytes.data(), &header, sizeof(header));
    std::memcpy(bytes.data() + sizeof(header), &text, sizeof(text));
    std::memcpy(bytes.data() + sizeof(header) + sizeof(text), &note, sizeof(note));
    std::memcpy(bytes.data() + 0x180, &noteHeader, sizeof(noteHeader));
    std::memcpy(bytes.data() + 0x180 + sizeof(noteHeader), "GNU", 4);
    std::memcpy(bytes.data() + 0x180 + sizeof(noteHeader) + 4, buildId.data(), buildId.size());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::uint64_t inodeOf(const std::string& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_ino;
}

const std::string kRootOfProcess = std::string("proc/7/") + "root/"; // as procfs calls it

/// A machine with a /proc of process 7, whose root is the folder "root", and a host.
class FileBench {
public:
    FileBench() {
        std::filesystem::create_directories(seen("lib"));
        std::filesystem::create_directories(folder.file("proc/self"));
        mount("proc/7/mountinfo", "/", "ext4");
        mount("proc/self/mountinfo", "/", "ext4");
    }
    void mount(const std::string& file, const std::string& point, const std::string& type) {
        std::ofstream(folder.file(file), std::ios::app)
            << "22 1 8:1 / " << point << " rw,relatime shared:1 - " << type << " dev rw\n";
    }
    /// A file as process 7 sees it: "lib/a.so".
    std::string seen(const std::string& name) const { return folder.file(kRootOfProcess + name); }
    const ElfLayout& find(const std::string& name, const std::string& buildId, std::uint64_t inode = 0) {
        return layouts.find({name, buildId, inode, 7});
    }

    test::TemporaryFolder folder;
    test::ManualClock clock;
    ProcFiles proc{folder.file("proc")};
    ElfLayouts layouts{proc, clock};
};

} // namespace

TEST_CASE("segments that share a page of the file are told apart", "[linux][elf]") {
    constexpr std::uint64_t kBase = 0x555555554000;
    const ElfLayout layout = lldLayout();
    // The kernel maps the text's page, which is page 0 of the file, one page behind the headers' segment.
    const ImagePlace place = placeImage(layout, kBase + 0x1000, 0x1000, 0);
    CHECK(place.base == kBase);
    CHECK(place.size == 0x4000);
    CHECK(place.defaultBase == 0);
}

TEST_CASE("a large program's text is found by where it begins or ends", "[linux][elf]") {
    constexpr std::uint64_t kBase = 0x555555554000;
    ElfLayout layout; // as /usr/bin/docker: 4 KiB pages, text begins in the last page of the read-only data
    layout.segments = {{0x0, 0x5B4C, 0x0, false}, {0x5B50, 0x10A7C, 0x6B50, true}, {0x165D0, 0x3000, 0x185D0, false}};
    layout.high = 0x1C000;
    CHECK(placeImage(layout, kBase + 0x6000, 0x12000, 0x5000).base == kBase);
    // The first page, and the last one, of a text whose rights were changed in parts.
    CHECK(placeImage(layout, kBase + 0x6000, 0x1000, 0x5000).base == kBase);
    CHECK(placeImage(layout, kBase + 0x17000, 0x1000, 0x16000).base == kBase);
    CHECK(placeImage(layout, kBase + 0xA000, 0x2000, 0x9000).base == kBase); // and one from the middle
    // A program whose data is executable, too (READ_IMPLIES_EXEC), is still one image.
    CHECK(placeImage(layout, kBase + 0x18000, 0x4000, 0x16000).base == kBase);
    CHECK(placeImage(layout, kBase, 0x6000, 0).base == kBase);
}

TEST_CASE("without a layout a file lies in memory as on disk", "[linux][elf]") {
    const ImagePlace place = placeImage({}, 0x7000'3000, 0x2000, 0x3000);
    CHECK(place.base == 0x7000'0000);
    CHECK(place.size == 0x5000);
}

TEST_CASE("an ELF file's segments and build-id are read", "[linux][elf]") {
    const test::TemporaryFolder folder;
    writeElf(folder.file("x"), "01234567890123456789");
    const auto layout = ElfLayout::read(folder.file("x"));
    REQUIRE(layout);
    REQUIRE(layout->segments.size() == 1);
    CHECK(layout->segments[0].isExecutable);
    CHECK(layout->segments[0].address == 0x2000);
    CHECK(layout->low == 0x2000);
    CHECK(layout->high == 0x3000);
    CHECK(layout->buildId == "01234567890123456789");
    CHECK(layout->inode == inodeOf(folder.file("x")));
    CHECK_FALSE(ElfLayout::read(folder.file("none")));
    std::ofstream(folder.file("text")) << "no ELF";
    REQUIRE(ElfLayout::read(folder.file("text")));
    CHECK(ElfLayout::read(folder.file("text"))->segments.empty());
}

TEST_CASE("a file that could not be read is asked for again after a second", "[linux][elf]") {
    FileBench bench;
    CHECK(bench.find("/lib/a.so", "AAAA").segments.empty());
    writeElf(bench.seen("lib/a.so"), "AAAA");
    bench.clock.advance(999'000'000);
    CHECK(bench.find("/lib/a.so", "AAAA").segments.empty());
    bench.clock.advance(1'000'000);
    CHECK(bench.find("/lib/a.so", "AAAA").segments.size() == 1);
    std::filesystem::remove(bench.seen("lib/a.so"));
    bench.clock.advance(3600'000'000'000);
    CHECK(bench.find("/lib/a.so", "AAAA").segments.size() == 1); // once is enough
}

TEST_CASE("another file at the path of the mapped one is not taken for it", "[linux][elf]") {
    FileBench bench;
    writeElf(bench.seen("lib/a.so"), "NEW!");
    CHECK(bench.find("/lib/a.so", "OLD!").segments.empty());
    CHECK(bench.find("/lib/a.so", "NEW!").segments.size() == 1);

    // The process is gone, and the host has a file of that name.
    const std::string host = bench.folder.file("host.so");
    writeElf(host, "HOST");
    CHECK(bench.find(host, "ELSE").segments.empty());
    CHECK(bench.find(host, "HOST").segments.size() == 1);
    CHECK(bench.find(host, "", inodeOf(host) + 1).segments.empty());
    CHECK(bench.find(host, "", inodeOf(host)).buildId == "HOST");
}

TEST_CASE("files that might make the reader wait are not touched, and counted", "[linux][elf]") {
    FileBench bench;
    bench.mount("proc/7/mountinfo", "/lib/net", GENERATE("nfs4", "fuse.sshfs", "cifs", "autofs"));
    std::filesystem::create_directories(bench.seen("lib/net"));
    std::filesystem::create_directories(bench.seen("lib/network"));
    writeElf(bench.seen("lib/net/a.so"), "AAAA");
    writeElf(bench.seen("lib/network/a.so"), "AAAA");
    for (int i = 0; i < 3; ++i) {
        CHECK(bench.find("/lib/net/a.so", "AAAA").segments.empty());
        bench.clock.advance(2'000'000'000);
    }
    CHECK(bench.layouts.untouchedFiles() == 1);
    CHECK(bench.find("/lib/network/a.so", "AAAA").segments.size() == 1);
    CHECK(bench.layouts.untouchedFiles() == 1);
}

TEST_CASE("a program with another root folder is read from there", "[linux][elf]") {
    FileBench bench;
    const std::string root = bench.folder.file("jail");
    std::filesystem::create_directories(root + "/net");
    std::filesystem::create_directories(bench.folder.file("proc/8"));
    std::filesystem::create_symlink(root, bench.folder.file("proc/8/root"));
    std::ofstream(bench.folder.file("proc/8/mountinfo")) << "30 22 0:40 / /proc rw - proc proc rw\n"; // and no "/"
    bench.mount("proc/self/mountinfo", root + "/net", "nfs");
    writeElf(root + "/a.so", "AAAA");
    writeElf(root + "/net/b.so", "BBBB");
    CHECK(bench.layouts.find({"/a.so", "AAAA", 0, 8}).segments.size() == 1);
    CHECK(bench.layouts.find({"/net/b.so", "BBBB", 0, 8}).segments.empty());
    CHECK(bench.layouts.untouchedFiles() == 1);
}

TEST_CASE("the file system of a path is that of the mount that holds it", "[linux][mounts]") {
    constexpr const char* kMounts = "21 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
                                    "22 21 0:30 / /home rw,relatime - autofs systemd-1 rw\n"
                                    "23 22 0:31 / /home rw shared:2 master:3 - nfs4 server:/home rw\n"
                                    "24 21 0:32 / /mnt/my\\040disk rw - fuseblk /dev/sdb1 rw\n"
                                    "25 21 0:33 /x /home2 rw - xfs /dev/sdc rw\n";
    CHECK(fileSystemOf(kMounts, "/usr/lib/libc.so.6") == "ext4");
    CHECK(fileSystemOf(kMounts, "/home/me/a.out") == "nfs4"); // over the autofs
    CHECK(fileSystemOf(kMounts, "/home2/a.out") == "xfs");
    CHECK(fileSystemOf(kMounts, "/mnt/my disk/x") == "fuseblk");
    CHECK(fileSystemOf(kMounts, "/mnt/my") == "ext4");
    CHECK(fileSystemOf("", "/x").empty());
    for (const char* local : {"ext4", "xfs", "btrfs", "overlay", "tmpfs", "squashfs", "virtiofs", "zfs"}) {
        CHECK_FALSE(mayWaitForOthers(local));
    }
    for (const char* remote : {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "fuse.sshfs", "ceph", "autofs"}) {
        CHECK(mayWaitForOthers(remote));
    }
    CHECK_FALSE(showsItsInodes("overlay"));
    CHECK(showsItsInodes("ext4"));
}

} // namespace tracedeck::linux_source
