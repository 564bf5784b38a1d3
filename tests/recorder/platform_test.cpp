// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/platform/privileges.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace tracedeck::platform {
namespace {

/// Sets an environment variable for as long as it lives.
class Variable {
public:
    Variable(const char* name, const std::string& value) : m_name(name) {
        if (const char* former = std::getenv(name)) {
            m_former = former;
        }
        setenv(name, value.c_str(), 1);
    }
    ~Variable() {
        if (m_former) {
            setenv(m_name, m_former->c_str(), 1);
        } else {
            unsetenv(m_name);
        }
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_former;
};

} // namespace

TEST_CASE("Recordings go to the user's documents, or to the home folder", "[platform][paths]") {
    const test::TemporaryFolder home;
    const Variable homeVariable("HOME", home.path());
    const Variable config("XDG_CONFIG_HOME", home.file("config"));
    CHECK(recordingsFolder() == home.file("Tracedeck"));
    std::filesystem::create_directories(home.file("config"));
    std::ofstream(home.file("config/user-dirs.dirs"))
        << "# comment\nXDG_MUSIC_DIR=\"$HOME/Music\"\nXDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\n";
    CHECK(recordingsFolder() == home.file("Tracedeck")); // the folder does not exist
    std::filesystem::create_directory(home.file("Dokumente"));
    CHECK(recordingsFolder() == home.file("Dokumente/Tracedeck"));
    std::ofstream(home.file("config/user-dirs.dirs")) << "XDG_DOCUMENTS_DIR=\"$HOME/\"\n";
    CHECK(recordingsFolder() == home.file("Tracedeck"));
}

TEST_CASE("Data goes where XDG says", "[platform][paths]") {
    const Variable home("HOME", "/home/somebody");
    {
        const Variable data("XDG_DATA_HOME", "/data");
        CHECK(dataFolder() == "/data/tracedeck");
    }
    const Variable relative("XDG_DATA_HOME", "relative is to be ignored");
    CHECK(dataFolder() == "/home/somebody/.local/share/tracedeck");
}

TEST_CASE("Profiles of the source tree and of the user are found", "[platform][paths]") {
    const test::TemporaryFolder data;
    std::filesystem::create_directories(data.file("tracedeck/profiles"));
    const Variable variable("XDG_DATA_HOME", data.path());
    const std::vector<std::string> folders = profileFolders();
    REQUIRE_FALSE(folders.empty());
    CHECK(folders.back() == std::filesystem::canonical(data.file("tracedeck/profiles")).string());
    for (const std::string& folder : folders) {
        CHECK(isFolder(folder));
    }
}

TEST_CASE("File names are safe everywhere", "[platform][names]") {
    const auto [text, expected] = GENERATE(table<std::string, std::string>({
        {"CPU", "CPU"},
        {"First level triage", "First-level-triage"},
        {"a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"},
        {"..", "recording"},
        {"", "recording"},
        {" .x. ", "x"},
        {"con", "con-recording"},
        {"NUL.txt", "NUL.txt-recording"},
        {"COM1", "COM1-recording"},
        {"COMPUTER", "COMPUTER"},
        {"Überlast", "Überlast"},
        {"line\nbreak", "line-break"},
        {std::string(100, 'x'), std::string(64, 'x')},
        {std::string(63, 'x') + "ü", std::string(63, 'x')},
    }));
    CHECK(safeFileName(text) == expected);
}

TEST_CASE("A generated name holds machine, preset and local time", "[platform][names]") {
    const Variable zone("TZ", "UTC");
    tzset();
    const FileTime when = kUnixEpoch + 1'796'047'509LL * 10'000'000;
    CHECK(recordingFileName("host", "CPU", when) == "host_CPU_2026-11-30_14-05-09.etl");
}

TEST_CASE("The process knows itself", "[platform][privileges]") {
    CHECK(isElevated() == (geteuid() == 0));
    CHECK(currentProcessId() == static_cast<std::uint32_t>(getpid()));
    CHECK(currentThreadId() == currentProcessId());
    CHECK_FALSE(hostName().empty());
    CHECK(isFolder(executableFolder()));
}

TEST_CASE("Folders fail with the reason", "[platform][folders]") {
    const test::TemporaryFolder folder;
    CHECK(createFolder(folder.file("new")));
    CHECK(isFolder(folder.file("new")));
    CHECK(createFolder(folder.file("new")).error().code == ErrorCode::FileExists);
    CHECK(createFolder(folder.file("no/such")).error().code == ErrorCode::FolderNotFound);
    CHECK(createFolders(folder.file("deep/er")));
    CHECK(createFolders(folder.file("deep/er")));
    CHECK_FALSE(removeFolder(folder.file("deep")));
    CHECK(removeFolder(folder.file("deep/er")));
    CHECK(removeFolder(folder.file("deep/er")));
    CHECK(folderOf("name.etl") == ".");
    CHECK(folderOf("/a/b.etl") == "/a");
    CHECK(fileNameOf("/a/b.etl") == "b.etl");
    CHECK(exists(folder.path()));
    CHECK_FALSE(exists(folder.file("nothing")));
}

} // namespace tracedeck::platform
