// SPDX-License-Identifier: GPL-3.0-or-later
//
// Renames on file systems that lack this or that: the program's own versions of the system calls stand before those of
// the C library and refuse what a test says.
#include "core/base/file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

struct Refusals {
    int renameat2 = 0; ///< errno, 0: none
    int link = 0;
    int unlink = 0;
    int rename = 0;
    int syncFolder = 0;
    int syncedFolders = 0;
};
Refusals s_refusals;

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool refuses(int errnoValue) {
    errno = errnoValue;
    return errnoValue != 0;
}

} // namespace

extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept {
    return refuses(s_refusals.renameat2) ? -1
                                         : next<int(int, const char*, int, const char*, unsigned)>("renameat2")(
                                               fromFolder, from, toFolder, to, flags);
}
extern "C" int link(const char* from, const char* to) noexcept {
    return refuses(s_refusals.link) ? -1 : next<int(const char*, const char*)>("link")(from, to);
}
extern "C" int unlink(const char* path) noexcept {
    return refuses(s_refusals.unlink) ? -1 : next<int(const char*)>("unlink")(path);
}
extern "C" int rename(const char* from, const char* to) noexcept {
    return refuses(s_refusals.rename) ? -1 : next<int(const char*, const char*)>("rename")(from, to);
}
extern "C" int fsync(int fd) {
    struct stat status {};
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        ++s_refusals.syncedFolders;
        if (refuses(s_refusals.syncFolder)) {
            return -1;
        }
    }
    return next<int(int)>("fsync")(fd);
}

namespace tracedeck {
namespace {

using Existing = FileSystem::Existing;

/// Two names in a folder; only the first is a file.
struct Stage {
    Stage() {
        s_refusals = {};
        std::ofstream(from) << "new";
    }
    ~Stage() { s_refusals = {}; }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    [[nodiscard]] static std::string contentOf(const std::string& path) {
        std::ostringstream content;
        content << std::ifstream(path).rdbuf();
        return content.str();
    }
    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            count += entry.is_regular_file() ? 1U : 0U;
        }
        return count;
    }

    test::TemporaryFolder folder;
    std::string from = folder.file("from");
    std::string to = folder.file("to");
};

} // namespace

TEST_CASE("A rename refuses an existing name by whatever the file system has", "[base][file][rename]") {
    Stage stage;
    const int errors[] = {EINVAL, ENOSYS, EOPNOTSUPP, EPERM};
    const int without = GENERATE(range(0, 4));
    const bool hasLinks = GENERATE(true, false);
    s_refusals.renameat2 = errors[without];
    s_refusals.link = hasLinks ? 0 : EPERM;
    CAPTURE(without, hasLinks);
    REQUIRE(systemFiles().rename(stage.from, stage.to, Existing::Refuse));
    CHECK(Stage::contentOf(stage.to) == "new");
    CHECK(stage.files() == 1);

    std::ofstream(stage.from) << "newer";
    const Status refused = systemFiles().rename(stage.from, stage.to, Existing::Refuse);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::FileExists);
    CHECK(Stage::contentOf(stage.to) == "new");
    CHECK(Stage::contentOf(stage.from) == "newer");
}

TEST_CASE("A rename that fails half way leaves everything as it was", "[base][file][rename]") {
    Stage stage;
    s_refusals.renameat2 = EINVAL;
    SECTION("the file that holds the name cannot be replaced") {
        s_refusals.link = EPERM;
        s_refusals.rename = EIO;
        const Status failed = systemFiles().rename(stage.from, stage.to, Existing::Refuse);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().code == ErrorCode::WriteFailed);
        CHECK(stage.files() == 1);
    }
    SECTION("nor removed: what is left is named") {
        s_refusals.link = EPERM;
        s_refusals.rename = EIO;
        s_refusals.unlink = EIO;
        const Status failed = systemFiles().rename(stage.from, stage.to, Existing::Refuse);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().detail.find("an empty file stays: " + stage.to) != std::string::npos);
        CHECK(stage.files() == 2);
    }
    SECTION("the old name of a linked file stays: what is left is named") {
        s_refusals.unlink = EIO;
        const Status failed = systemFiles().rename(stage.from, stage.to, Existing::Refuse);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().detail.find("it stays as " + stage.to + " too") != std::string::npos);
    }
    CHECK(Stage::contentOf(stage.from) == "new");
}

TEST_CASE("A new name reaches the device with its folder", "[base][file][rename]") {
    Stage stage;
    const Existing existing = GENERATE(Existing::Refuse, Existing::Replace);
    SECTION("it does") {
        REQUIRE(systemFiles().rename(stage.from, stage.to, existing));
        CHECK(s_refusals.syncedFolders == 1);
    }
    SECTION("the file system knows no such thing") {
        s_refusals.syncFolder = EINVAL;
        CHECK(systemFiles().rename(stage.from, stage.to, existing));
    }
    SECTION("the device fails") {
        s_refusals.syncFolder = EIO;
        const Status failed = systemFiles().rename(stage.from, stage.to, existing);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().code == ErrorCode::WriteFailed);
    }
}

TEST_CASE("Temporary files have short names of their own and touch nothing", "[base][file]") {
    const test::TemporaryFolder folder;
    auto first = createTemporary(systemFiles(), folder.path(), ".x");
    REQUIRE(first);
    const std::filesystem::path name(first->path);
    CHECK(name.parent_path() == folder.path());
    CHECK(name.filename().string() == ".tracedeck-" + std::to_string(getpid()) + "-1.x");
    // A link in the way is not followed.
    const std::string target = folder.file("target");
    std::filesystem::create_symlink(target, folder.file(".tracedeck-" + std::to_string(getpid()) + "-2.x"));
    const auto second = createTemporary(systemFiles(), folder.path(), ".x");
    REQUIRE(second);
    CHECK(second->path.ends_with("-3.x"));
    CHECK_FALSE(std::filesystem::exists(target));
    CHECK(createTemporary(systemFiles(), folder.file("missing"), ".x").error().code == ErrorCode::FolderNotFound);
}

TEST_CASE("A link is not written through where a file is to be replaced", "[base][file]") {
    const test::TemporaryFolder folder;
    const std::string target = folder.file("target");
    std::ofstream(target) << "precious";
    std::filesystem::create_symlink(target, folder.file("link"));
    CHECK_FALSE(systemFiles().create(folder.file("link"), Existing::Replace));
    CHECK(Stage::contentOf(target) == "precious");
}

} // namespace tracedeck
