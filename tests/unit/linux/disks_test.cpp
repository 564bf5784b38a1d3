// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/disks.h"
#include "core/sources/linux/mounts.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/fake_machine.h"

namespace tracedeck::linux_source {
namespace {

/// A disk with a request queue; `gib` of it.
void addDisk(test::FakeMachine& machine, const std::string& name, const std::string& device, std::uint64_t gib) {
    const std::string folder = "sys/block/" + name + "/";
    machine.write(folder + "dev", device + "\n");
    machine.write(folder + "size", std::to_string(gib * 2 * 1024 * 1024) + "\n");
    machine.write(folder + "queue/logical_block_size", "4096\n");
    machine.write(folder + "queue/write_cache", "write back\n");
    machine.write(folder + "mq/0/nr_tags", "64\n");
}

} // namespace

TEST_CASE("Disks are what has a queue of its own, devices before loops, with the volumes on them", "[linux][disk]") {
    test::FakeMachine machine;
    addDisk(machine, "loop0", "7:0", 1);
    addDisk(machine, "sda", "8:0", 100);
    machine.write("sys/devices/pci/2:0:1:3/vendor", "ATA     \n");
    machine.write("sys/devices/pci/2:0:1:3/model", "Fast Disk 100   \n");
    machine.link("sys/block/sda/device", "../../devices/pci/2:0:1:3");
    machine.write("sys/block/sda/sda1/partition", "1\n");
    machine.write("sys/block/sda/sda1/dev", "8:1\n");
    machine.write("sys/block/sda/sda1/start", "2048\n");
    machine.write("sys/block/sda/sda1/size", "4096\n");
    addDisk(machine, "nvme0n1", "259:0", 50);
    machine.write("sys/block/nvme0n1/device/model", "Tiny NVMe\n");
    machine.write("sys/block/nvme0n1/queue/write_cache", "write through\n");
    addDisk(machine, "sdb", "8:16", 0); // a card reader without a card
    machine.write("sys/block/sdb/device/model", "Reader\n");
    addDisk(machine, "dm-0", "253:0", 10);
    machine.remove("sys/block/dm-0/mq"); // made of others
    machine.write("proc/self/mountinfo", "22 1 259:0 / / rw - ext4 /dev/nvme0n1 rw\n"
                                         "23 22 8:1 / /boot/efi rw shared:1 - vfat /dev/sda1 rw\n"
                                         "24 22 0:40 / /proc rw - proc proc rw\n");
    const Disks found = Disks::read(machine.roots());
    REQUIRE(found.disks.size() == 3);
    CHECK(found.disks[0].device == kernelDevice(8, 0));
    CHECK(found.disks[1].device == kernelDevice(259, 0));
    CHECK(found.disks[2].device == kernelDevice(7, 0));
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(found.disks[i].fields.diskNumber == i);
    }
    const etlformat::PhysicalDiskFields& sda = found.disks[0].fields;
    CHECK(sda.manufacturer == "ATA Fast Disk 100");
    CHECK(sda.bytesPerSector == 4096);
    CHECK(sda.cylinders == 100ULL * 1024 * 1024 * 1024 / (4096ULL * 63 * 255));
    CHECK(sda.partitionCount == 1);
    CHECK(sda.isWriteCacheEnabled);
    CHECK(sda.scsiPort == 2);
    CHECK(sda.scsiPath == 0);
    CHECK(sda.scsiTarget == 1);
    CHECK(sda.scsiLun == 3);
    CHECK(found.disks[1].fields.manufacturer == "Tiny NVMe");
    CHECK_FALSE(found.disks[1].fields.isWriteCacheEnabled);
    CHECK(found.disks[2].fields.manufacturer == "loop0");

    REQUIRE(found.volumes.size() == 2);
    CHECK(found.volumes[0].diskNumber == 0);
    CHECK(found.volumes[0].startOffset == 2048 * 512);
    CHECK(found.volumes[0].partitionSize == 4096 * 512);
    CHECK(found.volumes[0].partitionNumber == 1);
    CHECK(found.volumes[0].driveLetter.empty());
    CHECK(found.volumes[0].fileSystem == "vfat");
    CHECK(found.volumes[1].diskNumber == 1);
    CHECK(found.volumes[1].partitionNumber == 0);
    CHECK(found.volumes[1].driveLetter == "/");
    CHECK(found.volumes[1].totalClusters > 0); // of this machine's own root
}

TEST_CASE("A volume that another file system lies on top of is not asked for", "[linux][disk]") {
    test::FakeMachine machine;
    addDisk(machine, "sda", "8:0", 100);
    const char* const more =
        GENERATE("23 1 0:50 / /data rw - nfs4 server:/x rw\n", "23 1 0:50 / / rw - nfs4 server:/x rw\n");
    const bool isAgainElsewhere = GENERATE(false, true);
    machine.write("proc/self/mountinfo", "22 1 8:0 / /data rw - ext4 /dev/sda rw\n" + std::string(more) +
                                             (isAgainElsewhere ? "24 1 8:0 /sub /else rw - ext4 /dev/sda rw\n" : ""));
    const Disks found = Disks::read(machine.roots());
    REQUIRE(found.disks.size() == 1);
    REQUIRE(found.volumes.size() == (isAgainElsewhere ? 1U : 0U));
    const auto mounts = parseMounts("1 1 8:0 / /a rw - ext4 x rw\n2 1 8:1 / /ab rw - ext4 x rw\n");
    CHECK(isReachable(mounts, 0)); // /ab is another folder
    CHECK(isReachable(mounts, 1));
}

TEST_CASE("A machine without disks has none", "[linux][disk]") {
    const test::FakeMachine machine;
    const Disks found = Disks::read(machine.roots());
    CHECK(found.disks.empty());
    CHECK(found.volumes.empty());
}

TEST_CASE("A disk and a volume are as long as Windows writes them", "[linux][disk]") {
    CHECK(etlformat::encodePhysicalDisk({}).size() == 568);
    CHECK(etlformat::encodeLogicalDisk({}).size() == 112);
}

TEST_CASE("Device numbers are those that tracepoints give", "[linux][disk]") {
    CHECK(parseDevice("254:3") == ((254U << 20U) | 3U));
    for (const char* other : {"", "254", "254:", ":1", "a:b"}) {
        CHECK_FALSE(parseDevice(other));
    }
}

} // namespace tracedeck::linux_source
