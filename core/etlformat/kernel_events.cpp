// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/kernel_events.h"

#include "core/base/utf.h"
#include "core/etlformat/encode.h"

#include <algorithm>
#include <cassert>

namespace tracedeck::etlformat {
namespace {

/// Leaves room for every other part of an event, whose whole size is 16 bits.
constexpr std::size_t kLongestText = 24 * 1024;

std::string_view upToZero(std::string_view text) {
    return text.substr(0, std::min(text.find('\0'), kLongestText));
}

void putWide(ByteWriter& out, std::string_view utf8) {
    std::u16string text = toUtf16(utf8);
    text.resize(std::min({text.find(u'\0'), text.size(), kLongestText / 2}));
    if (!text.empty() && text.back() >= 0xD800 && text.back() <= 0xDBFF) {
        text.pop_back(); // half a surrogate pair
    }
    out.bytes(std::as_bytes(std::span(text)));
    out.put(char16_t{0});
}

/// A character array of fixed length, always zero-terminated.
void putWideArray(ByteWriter& out, std::string_view utf8, std::size_t units) {
    std::u16string text = toUtf16(utf8);
    text.resize(std::min({text.find(u'\0'), text.size(), units - 1}));
    if (!text.empty() && text.back() >= 0xD800 && text.back() <= 0xDBFF) {
        text.pop_back();
    }
    text.resize(units, u'\0');
    out.bytes(std::as_bytes(std::span(text)));
}

/// TOKEN_USER (16 bytes: a pointer that means nothing outside the kernel that wrote it but says by not being zero that
/// a SID follows, attributes, padding) and the SID; four zero bytes where there is none.
void putUser(ByteWriter& out, const Sid& sid) {
    if (sid.count == 0) {
        out.zeros(4);
        return;
    }
    out.put(std::uint64_t{1});
    out.put(std::uint64_t{0});
    out.bytes(encodeSid(sid));
}

} // namespace

Sid sidOfUnixUser(std::uint32_t uid) noexcept {
    if (uid == 0) {
        return {5, 1, {18}};
    }
    return {22, 2, {1, uid}};
}

std::vector<std::byte> encodeSid(const Sid& sid) {
    assert(sid.count <= std::size(sid.subAuthorities));
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(std::uint8_t{1}); // revision
    out.put(sid.count);
    for (int shift = 40; shift >= 0; shift -= 8) {
        out.put(static_cast<std::uint8_t>(sid.authority >> static_cast<unsigned>(shift)));
    }
    for (std::size_t i = 0; i < sid.count; ++i) {
        out.put(sid.subAuthorities[i]);
    }
    return bytes;
}

std::vector<std::byte> encodeProcess(std::uint16_t hookId, const ProcessFields& process) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(process.uniqueProcessKey);
    out.put(process.processId);
    out.put(process.parentId);
    out.put(process.sessionId);
    out.put(process.exitStatus);
    out.put(std::uint64_t{0}); // DirectoryTableBase
    out.put(process.flags);
    putUser(out, process.user);
    out.narrowString(upToZero(process.imageFileName));
    putWide(out, process.commandLine);
    putWide(out, {}); // PackageFullName
    putWide(out, {}); // ApplicationId
    if (hookId == hook::kProcessDefunct) {
        out.put(process.exitTime);
    }
    return bytes;
}

std::vector<std::byte> encodeThread(const ThreadFields& thread) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(thread.processId);
    out.put(thread.threadId);
    out.zeros(4 * 8); // StackBase, StackLimit, UserStackBase, UserStackLimit
    out.put(thread.affinity);
    out.put(thread.startAddress);
    out.zeros(8 + 4); // TebBase, SubProcessTag
    out.put(thread.basePriority);
    out.put(thread.pagePriority);
    out.put(thread.ioPriority);
    out.put(std::uint8_t{0}); // ThreadFlags
    putWide(out, thread.name);
    return bytes;
}

std::vector<std::byte> encodeThreadSetName(std::uint32_t processId, std::uint32_t threadId, std::string_view name) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(processId);
    out.put(threadId);
    putWide(out, name);
    return bytes;
}

std::vector<std::byte> encodeImage(const ImageFields& image) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(image.base);
    out.put(image.size);
    out.put(image.processId);
    out.put(image.checksum);
    out.put(image.timeDateStamp);
    out.zeros(4); // SignatureLevel, SignatureType, Reserved0
    out.put(image.defaultBase);
    out.zeros(4 * 4);
    putWide(out, image.fileName);
    return bytes;
}

std::vector<std::byte> encodeConfigCpu(const ConfigCpuFields& cpu) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(cpu.mhz);
    out.put(cpu.numberOfProcessors);
    out.put(cpu.memorySizeMib);
    out.put(cpu.pageSize);
    out.put(cpu.allocationGranularity);
    putWideArray(out, cpu.computerName, 256);
    putWideArray(out, cpu.domainName, 134);
    out.put(cpu.hyperThreadingFlag);
    out.put(cpu.highestUserAddress);
    out.put(cpu.processorArchitecture);
    out.put(cpu.processorLevel);
    out.put(cpu.processorRevision);
    out.put(std::uint8_t{1}); // PaeEnabled: 64-bit code always has it
    out.put(static_cast<std::uint8_t>(cpu.hasNx ? 1 : 0));
    out.put(std::uint32_t{0}); // MemorySpeed: not known
    return bytes;
}

std::vector<std::byte> encodeConfigIrq(const ConfigIrqFields& irq) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(irq.affinity);
    out.zeros(2 + 2); // IRQGroup, Reserved
    out.put(irq.number);
    std::vector<std::byte> text;
    ByteWriter description(text);
    putWide(description, irq.device);
    out.put(static_cast<std::uint32_t>(text.size() / 2)); // characters, the zero among them
    out.bytes(text);
    return bytes;
}

std::vector<std::byte> encodePhysicalDisk(const PhysicalDiskFields& disk) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(disk.diskNumber);
    out.put(disk.bytesPerSector);
    out.put(disk.sectorsPerTrack);
    out.put(disk.tracksPerCylinder);
    out.put(disk.cylinders);
    out.put(disk.scsiPort);
    out.put(disk.scsiPath);
    out.put(disk.scsiTarget);
    out.put(disk.scsiLun);
    putWideArray(out, disk.manufacturer, 256);
    out.put(disk.partitionCount);
    out.put(static_cast<std::uint8_t>(disk.isWriteCacheEnabled ? 1 : 0));
    out.zeros(1);
    putWideArray(out, disk.bootDriveLetter, 3);
    out.zeros(2 * 2);
    return bytes;
}

std::vector<std::byte> encodeLogicalDisk(const LogicalDiskFields& volume) {
    constexpr std::uint32_t kSize = 112;
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(volume.startOffset);
    out.put(volume.partitionSize);
    out.put(volume.diskNumber);
    out.put(kSize);
    out.put(volume.driveType);
    putWideArray(out, volume.driveLetter, 4);
    out.zeros(4);
    out.put(volume.partitionNumber);
    out.put(volume.sectorsPerCluster);
    out.put(volume.bytesPerSector);
    out.zeros(4);
    out.put(volume.freeClusters);
    out.put(volume.totalClusters);
    putWideArray(out, volume.fileSystem, 16);
    out.zeros(4 + 4); // VolumeExt
    return bytes;
}

std::vector<std::byte> encodeProfileInterval(std::uint32_t source, std::uint32_t newInterval, std::uint32_t oldInterval,
                                             std::string_view sourceName) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.put(source);
    out.put(newInterval);
    out.put(oldInterval);
    putWide(out, sourceName);
    return bytes;
}

std::vector<std::byte> encodeMark(std::string_view text) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.narrowString(upToZero(text));
    out.put(char16_t{0});
    return bytes;
}

} // namespace tracedeck::etlformat
