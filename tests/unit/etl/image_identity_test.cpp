// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/image_identity.h"

#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/stored_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <random>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::ImageIdentity;
using etl::readImageIdentity;
using Content = StoredFiles::Content;

namespace {

constexpr Ticks kStart = 1'000'000;
const Guid kPdb = Guid::of(0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8});

template <class T>
void put(Content& file, std::size_t at, T value) {
    file.resize(std::max(file.size(), at + sizeof value));
    std::memcpy(file.data() + at, &value, sizeof value);
}

/// As little of a PE file as has a CodeView entry.
Content peFile(bool is64) {
    Content file(0x600);
    put(file, 0, std::uint16_t{0x5A4D});
    put(file, 0x3C, std::uint32_t{0x80});
    put(file, 0x80, std::uint32_t{0x4550});
    put(file, 0x86, std::uint16_t{1});                             // sections
    put(file, 0x88, std::uint32_t{0x5F000001});                    // time stamp
    put(file, 0x94, static_cast<std::uint16_t>(is64 ? 240 : 224)); // size of the optional header
    const std::size_t optional = 0x98;
    put(file, optional, static_cast<std::uint16_t>(is64 ? 0x20B : 0x10B));
    put(file, optional + 56, std::uint32_t{0x12000});
    const std::size_t count = optional + (is64 ? 108 : 92);
    put(file, count, std::uint32_t{16});
    put(file, count + 4 + 48, std::uint32_t{0x2010}); // debug directory: address, size
    put(file, count + 4 + 52, std::uint32_t{56});
    const std::size_t section = optional + (is64 ? 240 : 224);
    put(file, section + 12, std::uint32_t{0x2000}); // address, bytes, offset
    put(file, section + 16, std::uint32_t{0x200});
    put(file, section + 20, std::uint32_t{0x400});
    put(file, 0x410 + 12, std::uint32_t{13}); // another kind of entry comes first
    put(file, 0x410 + 28 + 12, std::uint32_t{2});
    put(file, 0x410 + 28 + 16, std::uint32_t{24 + 8});
    put(file, 0x410 + 28 + 24, std::uint32_t{0x500});
    put(file, 0x500, std::uint32_t{0x53445352});
    put(file, 0x504, kPdb);
    put(file, 0x514, std::uint32_t{3});
    std::memcpy(file.data() + 0x518, "app.pdb", 8);
    return file;
}

/// An ELF file with two note segments, the build-id in the second.
Content elfFile(bool is64, std::size_t idSize = 20) {
    Content file(0x200);
    std::memcpy(file.data(), "\177ELF", 4);
    put(file, 4, static_cast<std::uint8_t>(is64 ? 2 : 1));
    put(file, 5, std::uint8_t{1});
    put(file, is64 ? 54 : 42, static_cast<std::uint16_t>(is64 ? 56 : 32));
    put(file, is64 ? 56 : 44, std::uint16_t{2});
    const std::size_t programs = 64;
    const auto program = [&](std::size_t index, std::uint32_t offset, std::uint32_t size) {
        const std::size_t at = programs + index * (is64 ? 56 : 32);
        put(file, at, std::uint32_t{4});
        if (is64) {
            put(file, at + 8, std::uint64_t{offset});
            put(file, at + 32, std::uint64_t{size});
        } else {
            put(file, at + 4, offset);
            put(file, at + 16, size);
        }
    };
    if (is64) {
        put(file, 32, std::uint64_t{programs});
    } else {
        put(file, 28, std::uint32_t{programs});
    }
    program(0, 0x100, 16);
    put(file, 0x100, std::uint32_t{4}); // a note of somebody else
    put(file, 0x108, std::uint32_t{3});
    std::memcpy(file.data() + 0x10C, "XYZ", 4);
    program(1, 0x120, static_cast<std::uint32_t>(16 + idSize));
    put(file, 0x120, std::uint32_t{4});
    put(file, 0x124, static_cast<std::uint32_t>(idSize));
    put(file, 0x128, std::uint32_t{3});
    std::memcpy(file.data() + 0x12C, "GNU", 4);
    for (std::size_t i = 0; i < idSize; ++i) {
        put(file, 0x130 + i, static_cast<std::uint8_t>(0xA0 + i));
    }
    return file;
}

std::optional<ImageIdentity> identityOf(const Content& bytes) {
    StoredFiles files;
    files.put("image", bytes);
    const auto file = files.open("image");
    auto identity = readImageIdentity(**file);
    REQUIRE(identity.has_value());
    return *identity;
}

EventBytes imageEvent(std::uint16_t hookId, Ticks time, const std::string& path) {
    etlformat::ImageFields fields;
    fields.base = 0x7F0000000000;
    fields.size = 0x5000;
    fields.processId = 42;
    fields.fileName = path;
    EventBytes event = systemEvent(hookId, 3, time, etlformat::encodeImage(fields));
    put(event, 8, std::uint32_t{43}); // thread and process
    put(event, 12, std::uint32_t{42});
    return event;
}

} // namespace

TEST_CASE("A PE file is known by its time stamp, size and PDB", "[etl][image]") {
    const auto identity = identityOf(peFile(GENERATE(true, false)));
    REQUIRE(identity);
    CHECK(identity->timeDateStamp == 0x5F000001);
    CHECK(identity->sizeOfImage == 0x12000);
    CHECK(identity->symbols == ImageIdentity::Symbols{kPdb, 3, "app.pdb"});
}

TEST_CASE("An ELF file is known by its build-id", "[etl][image]") {
    const auto identity = identityOf(elfFile(GENERATE(true, false)));
    REQUIRE(identity);
    REQUIRE(identity->symbols);
    CHECK(identity->symbols->guid.bytes[0] == 0xA0);
    CHECK(identity->symbols->guid.bytes[15] == 0xAF);
    CHECK(identity->symbols->age == 0);
    CHECK(identity->symbols->file == "/usr/lib/debug/.build-id/a0/a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3.debug");
    const auto shortId = identityOf(elfFile(true, 8));
    REQUIRE(shortId->symbols);
    CHECK(shortId->symbols->guid.bytes[8] == 0);
}

TEST_CASE("Files that are no images, or bad ones, have no identity and do no harm", "[etl][image]") {
    CHECK_FALSE(identityOf({}));
    CHECK_FALSE(identityOf(Content(3, std::byte{'M'})));
    CHECK_FALSE(identityOf(Content(100'000, std::byte{0xFF})));
    std::mt19937 random(5);
    for (const Content& whole : {peFile(true), peFile(false), elfFile(true), elfFile(false)}) {
        for (std::size_t size = 0; size < whole.size(); ++size) {
            identityOf(Content(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        }
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const unsigned value : {0U, 1U, 0x7FU, 0xFFU}) {
                Content bytes = whole;
                bytes[at] = static_cast<std::byte>(value);
                identityOf(bytes);
                // Sizes and offsets of four bytes that reach far.
                std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                            std::min<std::size_t>(4, bytes.size() - at), static_cast<std::byte>(value));
                identityOf(bytes);
            }
        }
        for (int i = 0; i < 2000; ++i) {
            Content bytes = whole;
            for (int change = 0; change < 6; ++change) {
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            }
            identityOf(bytes);
        }
    }
}

TEST_CASE("A merge puts the identity of an image before its event", "[etl][image]") {
    StoredFiles files;
    files.put("/usr/lib/libx.so", elfFile(true));
    files.put("/usr/lib/y.dll", peFile(true));
    files.put("/usr/share/font", Content(100));
    RawFile raw;
    const EventBytes start = imageEvent(etlformat::hook::kImageDcStart, kStart + 10, "/usr/lib/libx.so");
    const EventBytes load = imageEvent(etlformat::hook::kImageLoad, kStart + 20, "/usr/lib/y.dll");
    raw.add(0, start).add(0, stackWalk(kStart + 11, kStart + 10)).add(0, load);
    raw.add(0, imageEvent(etlformat::hook::kImageLoad, kStart + 30, "/gone"));
    raw.add(0, imageEvent(etlformat::hook::kImageLoad, kStart + 31, "/gone"));
    raw.add(0, imageEvent(etlformat::hook::kImageLoad, kStart + 32, "[vdso]"));
    raw.add(0, imageEvent(etlformat::hook::kImageLoad, kStart + 33, "/usr/share/font"));
    raw.add(0, imageEvent(etlformat::hook::kImageUnload, kStart + 40, "/usr/lib/libx.so"));
    files.put("raw", raw.bytes());
    etl::ImageIdentities images(files);
    etl::MergeRequest request;
    request.inputs = {"raw"};
    request.output = "merged";
    request.images = &images;
    request.eventsRecorded = 9; // one of them is in no file: what the merge adds does not make up for it
    const auto merged = etl::merge(files, request);
    REQUIRE(merged.has_value());
    CHECK(merged->imageEvents == 4);
    CHECK(merged->events == 8 + 4);
    CHECK(merged->eventsMissing == 1);
    CHECK(images.unread() == 1);

    const Content& file = files.content("merged");
    std::vector<etl::EventView> events;
    std::size_t at = 128 * 1024 + etlformat::kBufferHeaderSize;
    const auto end = 128 * 1024 + etl::loadAt<std::uint32_t>(file.data(), 128 * 1024 + 4);
    while (at < end) {
        etl::EventView event;
        REQUIRE(etl::parseEvent(std::span(file).subspan(at, end - at), event) == etl::ParseResult::Event);
        events.push_back(event);
        at += etlformat::alignEvent(event.size);
    }
    REQUIRE(events.size() == 12);
    const Guid imageId = *parseGuid("b3e675d7-2554-4f18-830b-2762732560de");
    const auto opcode = [](const etl::EventView& event) { return etl::loadAt<std::uint8_t>(event.data, 4); };
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{4}, std::size_t{5}}) {
        CAPTURE(i);
        REQUIRE(events[i].kind == etl::EventKind::Full);
        CHECK(events[i].guid() == imageId);
        CHECK(opcode(events[i]) == (i % 4 == 0 ? 0 : 36));
        CHECK(events[i].time == kStart + (i < 4 ? 10 : 20));
        CHECK(etl::loadAt<std::uint16_t>(events[i].data, 6) == 2);
        CHECK(etl::loadAt<std::uint32_t>(events[i].data, 8) == 43);
        CHECK(etl::loadAt<std::uint32_t>(events[i].data, 12) == 42);
        CHECK(etl::loadAt<std::uint64_t>(events[i].payload().data(), 0) == 0x7F0000000000);
    }
    // Info: size, process, time stamp, name.
    CHECK(etl::loadAt<std::uint64_t>(events[4].payload().data(), 8) == 0x5000);
    CHECK(etl::loadAt<std::uint32_t>(events[4].payload().data(), 16) == 42);
    CHECK(etl::loadAt<std::uint32_t>(events[4].payload().data(), 20) == 0x5F000001);
    CHECK(etl::loadAt<char16_t>(events[4].payload().data(), 24) == u'y');
    CHECK(events[4].payload().size() == 24 + 2 * 6);
    // DbgID_RSDS: process, GUID, age, name.
    CHECK(etl::loadAt<std::uint32_t>(events[5].payload().data(), 8) == 42);
    CHECK(etl::loadAt<Guid>(events[5].payload().data(), 12) == kPdb);
    CHECK(etl::loadAt<std::uint32_t>(events[5].payload().data(), 28) == 3);
    CHECK(std::memcmp(events[5].payload().data() + 32, "app.pdb", 8) == 0);
    CHECK(events[2].hookId == etlformat::hook::kImageDcStart);
    CHECK(events[3].hookId == etlformat::hook::kStackWalk);
    CHECK(events[6].hookId == etlformat::hook::kImageLoad);

    const TemporaryFolder folder;
    writeFile(folder.file("merged.etl"), file);
    const CheckerVerdict verdict = runCheckers(folder.file("merged.etl"));
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
}
