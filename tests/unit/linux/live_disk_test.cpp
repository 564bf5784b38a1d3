// SPDX-License-Identifier: GPL-3.0-or-later
// What disks do, recorded for real. Skipped, loudly, where the kernel refuses or the folder lies on no disk.
#include "core/sources/linux/disks.h"
#include "core/sources/linux/mounts.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/live_recording.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

using test::SinkEvent;
namespace group = etlformat::group;
namespace hook = etlformat::hook;

constexpr std::size_t kBlock = 4096;

/// What the kernel itself counts of a disk, /proc/diskstats.
struct DiskStats {
    std::uint64_t reads = 0;
    std::uint64_t sectorsRead = 0;
    std::uint64_t writes = 0;
    std::uint64_t sectorsWritten = 0;
    std::uint64_t flushes = 0;

    static DiskStats of(std::uint32_t device) {
        DiskStats stats;
        const auto text = readWhole("/proc/diskstats");
        REQUIRE(text);
        forEachLine(*text, [&](std::string_view line) {
            std::istringstream words{std::string(line)};
            std::uint32_t major = 0;
            std::uint32_t minor = 0;
            std::string name;
            words >> major >> minor >> name;
            if (kernelDevice(major, minor) == device) {
                std::vector<std::uint64_t> fields(17);
                for (std::uint64_t& field : fields) {
                    words >> field;
                }
                stats = {fields[0], fields[2], fields[4], fields[6], fields[15]};
            }
        });
        return stats;
    }
};

/// The disk below a folder; nothing where it is none of Disks.
std::optional<Disks::Disk> diskOf(const std::string& folder) {
    struct stat status {};
    REQUIRE(::stat(folder.c_str(), &status) == 0);
    const std::uint32_t device = kernelDevice(major(status.st_dev), minor(status.st_dev));
    const Disks disks = Disks::read({});
    for (const Disks::Disk& disk : disks.disks) {
        if (disk.device == device) {
            return disk;
        }
    }
    return std::nullopt;
}

struct Counted {
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
};

Counted count(const Recording& recording, std::uint16_t hookId, std::uint32_t disk, Ticks begin, Ticks end) {
    Counted counted;
    for (const SinkEvent& event : recording.sink.ofHook(hookId)) {
        if (event.at<std::uint32_t>(0) == disk && event.time >= begin && event.time <= end) {
            ++counted.events;
            counted.bytes += hookId == hook::kDiskFlush ? 0 : event.at<std::uint32_t>(8);
        }
    }
    return counted;
}

/// Others use the disk, too, and what is under way when the kernel's count is read may be counted on either side.
bool isNear(std::uint64_t events, std::uint64_t counted) {
    const std::uint64_t difference = events > counted ? events - counted : counted - events;
    return difference <= std::max<std::uint64_t>(4, counted / 200);
}

} // namespace

TEST_CASE("every transfer of a disk is there, with who asked for it and how long it took", "[linux][live][disk]") {
    if (!isServed({group::kDiskIo, group::kDiskIoInit}, "transfers of a disk")) {
        return;
    }
    const test::TemporaryFolder folder;
    const auto disk = diskOf(folder.path());
    if (!disk) {
        std::cerr << "SKIPPED: the temporary folder lies on no disk of its own; its transfers are not checked\n";
        return;
    }
    constexpr int kWrites = 500;
    constexpr int kFlushes = 20;
    const auto thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    void* block = nullptr;
    REQUIRE(::posix_memalign(&block, kBlock, kBlock) == 0);
    std::memset(block, 0x5A, kBlock);
    DiskStats before;
    DiskStats after;
    Ticks begin = 0;
    Ticks end = 0;
    Ticks waited = 0;
    const Recording recording = record(
        {group::kDiskIo, group::kDiskIoInit}, {hook::kDiskReadInit, hook::kDiskWriteInit}, false,
        [&](etw::engine::KernelRun&) {
            const int file = ::open(folder.file("data").c_str(), O_RDWR | O_CREAT | O_DIRECT, 0600);
            REQUIRE(file >= 0);
            REQUIRE(::fallocate(file, 0, 0, kWrites * static_cast<off_t>(kBlock)) == 0);
            REQUIRE(::fsync(file) == 0);
            before = DiskStats::of(disk->device);
            begin = systemClock().ticks();
            for (int i = 0; i < kWrites; ++i) {
                const Ticks asked = systemClock().ticks();
                REQUIRE(::pwrite(file, block, kBlock, (i * 7 % kWrites) * static_cast<off_t>(kBlock)) ==
                        static_cast<ssize_t>(kBlock));
                waited += systemClock().ticks() - asked;
            }
            for (int i = 0; i < kWrites; ++i) {
                REQUIRE(::pread(file, block, kBlock, (i * 11 % kWrites) * static_cast<off_t>(kBlock)) ==
                        static_cast<ssize_t>(kBlock));
            }
            for (int i = 0; i < kFlushes; ++i) {
                REQUIRE(::pwrite(file, block, kBlock, i * static_cast<off_t>(kBlock)) == static_cast<ssize_t>(kBlock));
                REQUIRE(::fsync(file) == 0);
            }
            end = systemClock().ticks();
            after = DiskStats::of(disk->device);
            ::close(file);
        });
    std::free(block);
    const std::uint32_t number = disk->fields.diskNumber;
    const Counted reads = count(recording, hook::kDiskRead, number, begin, end);
    const Counted writes = count(recording, hook::kDiskWrite, number, begin, end);
    const Counted flushes = count(recording, hook::kDiskFlush, number, begin, end);
    std::printf("disk %u: reads %" PRIu64 " of %" PRIu64 ", writes %" PRIu64 " of %" PRIu64 ", flushes %" PRIu64
                " of %" PRIu64 "\n",
                number, reads.events, after.reads - before.reads, writes.events, after.writes - before.writes,
                flushes.events, after.flushes - before.flushes);
    CHECK(recording.sink.lostEvents() == 0);
    CHECK(isNear(reads.events, after.reads - before.reads));
    // A flush that a thread waits for is a write of nothing to the kernel's count.
    CHECK(isNear(writes.events + flushes.events, after.writes - before.writes));
    CHECK(isNear(reads.bytes / 512, after.sectorsRead - before.sectorsRead));
    CHECK(isNear(writes.bytes / 512, after.sectorsWritten - before.sectorsWritten));
    CHECK(isNear(flushes.events, after.flushes - before.flushes));

    // Those of this thread are known exactly.
    std::set<std::uint64_t> places;
    std::set<std::uint64_t> asked;
    std::uint64_t ours = 0;
    Ticks took = 0;
    for (const SinkEvent& event : recording.sink.ofHook(hook::kDiskWriteInit)) {
        if (event.threadId == thread) {
            CHECK(event.processId == static_cast<std::uint32_t>(::getpid()));
            asked.insert(event.at<std::uint64_t>(0));
        }
    }
    for (const SinkEvent& event : recording.sink.ofHook(hook::kDiskRead)) {
        if (event.at<std::uint32_t>(48) == thread && event.at<std::uint32_t>(8) == kBlock) {
            ++ours;
            places.insert(event.at<std::uint64_t>(16));
        }
    }
    CHECK(ours >= kWrites);
    CHECK(places.size() >= kWrites);
    ours = 0;
    for (const SinkEvent& event : recording.sink.ofHook(hook::kDiskWrite)) {
        if (event.at<std::uint32_t>(48) == thread && event.time >= begin && ours < kWrites) {
            ++ours;
            took += static_cast<Ticks>(event.at<std::uint64_t>(40));
            CHECK(asked.count(event.at<std::uint64_t>(32)) == 1);
        }
    }
    CHECK(ours == kWrites);
    std::printf("a write took %.1f us by the events, %.1f us by the thread that waited\n",
                static_cast<double>(took) / kWrites / 1e3, static_cast<double>(waited) / kWrites / 1e3);
    CHECK(took > 0);
    CHECK(took <= waited); // the system call takes its time, too
    CHECK(recording.sink.ofHook(hook::kStackWalk).size() >= 2 * kWrites);
}

} // namespace tracedeck::linux_source
