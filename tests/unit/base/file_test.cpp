// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"

#include <array>

using namespace tracedeck;
using Existing = FileSystem::Existing;

TEST_CASE("A written file reads back", "[base][file]") {
    const test::TemporaryFolder folder;
    const std::array<std::byte, 4> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    {
        auto file = systemFiles().create(folder.file("a"), Existing::Refuse);
        REQUIRE(file);
        REQUIRE((*file)->writeAt(2, data));
        REQUIRE((*file)->sync());
        REQUIRE((*file)->close());
    }
    auto file = systemFiles().open(folder.file("a"));
    REQUIRE(file);
    CHECK((*file)->size() == 6);
    std::array<std::byte, 8> read{};
    CHECK((*file)->readAt(2, read) == 4U);
    CHECK(std::equal(data.begin(), data.end(), read.begin()));
}

TEST_CASE("Creating and renaming refuse what is there, unless told to replace it", "[base][file]") {
    const test::TemporaryFolder folder;
    REQUIRE(systemFiles().create(folder.file("a"), Existing::Refuse));
    REQUIRE(systemFiles().create(folder.file("b"), Existing::Refuse));
    CHECK(systemFiles().create(folder.file("a"), Existing::Refuse).error().code == ErrorCode::FileExists);
    CHECK(systemFiles().create(folder.file("a"), Existing::Replace));
    CHECK(systemFiles().rename(folder.file("a"), folder.file("b"), Existing::Refuse).error().code ==
          ErrorCode::FileExists);
    CHECK(systemFiles().rename(folder.file("a"), folder.file("b"), Existing::Replace));
    CHECK_FALSE(systemFiles().open(folder.file("a")));
}

TEST_CASE("Missing folders and files have codes of their own", "[base][file]") {
    const test::TemporaryFolder folder;
    CHECK(systemFiles().create(folder.file("no/a"), Existing::Refuse).error().code == ErrorCode::FolderNotFound);
    CHECK(systemFiles().open(folder.file("a")).error().code == ErrorCode::FileNotFound);
    CHECK_FALSE(systemFiles().open(folder.path()));
    CHECK(systemFiles().remove(folder.file("a")));
    CHECK(systemFiles().freeSpace(folder.path())->count > 0);
    REQUIRE(systemFiles().volumeOf(folder.path()));
    CHECK(*systemFiles().volumeOf(folder.path()) == *systemFiles().volumeOf(folder.path() + "/."));
    CHECK(*systemFiles().volumeOf(folder.path()) != *systemFiles().volumeOf("/proc"));
    CHECK(systemFiles().volumeOf(folder.file("a")).error().code == ErrorCode::FileNotFound);
}

TEST_CASE("The failing device of the tests holds what it says and no more", "[base][file]") {
    const test::TemporaryFolder folder;
    test::FailingDevice device(Bytes{6});
    auto file = device.create(folder.file("a"), Existing::Refuse);
    REQUIRE(file);
    const std::array<std::byte, 4> data{};
    CHECK((*file)->writeAt(0, data));
    CHECK((*file)->writeAt(0, data));
    CHECK((*file)->writeAt(4, data).error().code == ErrorCode::DiskFull);
}
