// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/paths.h"

#include "core/platform/folders.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#ifdef _WIN32
#include <windows.h>
#else
#include <pwd.h>
#include <unistd.h>
#endif

namespace tracedeck::platform {
namespace {

constexpr std::size_t kLongestName = 64;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

#ifndef _WIN32
std::string homeFolder() {
    std::string home = environment("HOME");
    if (home.empty()) {
        passwd entry{};
        passwd* found = nullptr;
        std::array<char, 4096> buffer{};
        if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
            home = found->pw_dir;
        }
    }
    return home.empty() ? "/" : home;
}

/// The value of XDG_DOCUMENTS_DIR in ~/.config/user-dirs.dirs: `XDG_DOCUMENTS_DIR="$HOME/Documents"`.
std::string documentsFolder() {
    const std::string home = homeFolder();
    std::string config = environment("XDG_CONFIG_HOME");
    if (config.empty()) {
        config = home + "/.config";
    }
    std::ifstream file(config + "/user-dirs.dirs");
    const std::string key = "XDG_DOCUMENTS_DIR=\"";
    const std::string homeVariable = "$HOME";
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find(key);
        if (at != line.find_first_not_of(" \t") || at == std::string::npos) {
            continue;
        }
        std::string value = line.substr(at + key.size());
        value = value.substr(0, value.find('"'));
        if (value.starts_with(homeVariable)) {
            value.replace(0, homeVariable.size(), home);
        }
        // A user without such a folder has it set to the home folder itself.
        while (value.size() > 1 && value.back() == '/') {
            value.pop_back();
        }
        return value == home ? "" : value;
    }
    return {};
}
#endif

void appendFolder(std::vector<std::string>& folders, std::set<std::string>& seen, const std::string& folder) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(folder, error);
    if (!error && std::filesystem::is_directory(canonical, error) && seen.insert(canonical.string()).second) {
        folders.push_back(canonical.string());
    }
}

bool isReservedOnWindows(const std::string& name) {
    std::string stem = name.substr(0, name.find('.'));
    std::transform(stem.begin(), stem.end(), stem.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (stem == "CON" || stem == "PRN" || stem == "AUX" || stem == "NUL") {
        return true;
    }
    return stem.size() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")) && stem[3] >= '0' && stem[3] <= '9';
}

bool isBadInFileName(unsigned char c) {
    return c < 0x20 || c == 0x7F ||
           std::string_view("<>:\"/\\|?*'`$&;!(){}[]#~% ").find(static_cast<char>(c)) != std::string_view::npos;
}

} // namespace

std::string recordingsFolder() {
#ifdef _WIN32
    return join(join(environment("USERPROFILE"), "Documents"), "Tracedeck");
#else
    const std::string documents = documentsFolder();
    return isFolder(documents) ? join(documents, "Tracedeck") : join(homeFolder(), "Tracedeck");
#endif
}

std::string dataFolder() {
#ifdef _WIN32
    return join(environment("LOCALAPPDATA"), "Tracedeck");
#else
    const std::string data = environment("XDG_DATA_HOME");
    return data.starts_with('/') ? join(data, "tracedeck") : join(homeFolder(), ".local/share/tracedeck");
#endif
}

std::string temporaryFolder() {
    std::error_code error;
    const std::u8string folder = std::filesystem::temp_directory_path(error).u8string();
    return error ? "/tmp" : std::string(folder.begin(), folder.end());
}

std::string executableFolder() {
#ifdef _WIN32
    std::array<wchar_t, 32768> name{};
    const DWORD length = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    if (length == 0) {
        return {};
    }
    const std::u8string text = std::filesystem::path(std::wstring(name.data(), length)).parent_path().u8string();
    return {text.begin(), text.end()};
#else
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string() : program.parent_path().string();
#endif
}

std::vector<std::string> profileFolders() {
    std::vector<std::string> folders;
    std::set<std::string> seen;
    if (const std::string program = executableFolder(); !program.empty()) {
        appendFolder(folders, seen, join(program, "../profiles"));
        appendFolder(folders, seen, join(program, "../share/tracedeck/profiles"));
    }
    appendFolder(folders, seen, TRACEDECK_PROFILES_FOLDER);
#ifndef _WIN32
    std::string shared = environment("XDG_DATA_DIRS");
    if (shared.empty()) {
        shared = "/usr/local/share:/usr/share";
    }
    for (std::size_t begin = 0; begin <= shared.size();) {
        const std::size_t end = std::min(shared.find(':', begin), shared.size());
        if (const std::string folder = shared.substr(begin, end - begin); folder.starts_with('/')) {
            appendFolder(folders, seen, join(folder, "tracedeck/profiles"));
        }
        begin = end + 1;
    }
#endif
    appendFolder(folders, seen, join(dataFolder(), "profiles"));
    return folders;
}

std::string sharedMemoryFolder() {
#ifdef _WIN32
    return {};
#else
    constexpr const char* kFolder = "/dev/shm";
    return ::access(kFolder, W_OK | X_OK) == 0 ? kFolder : "";
#endif
}

std::string bootId() {
    std::string id;
#ifndef _WIN32
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
#endif
    return id;
}

std::string hostName() {
#ifdef _WIN32
    std::string name = environment("COMPUTERNAME");
#else
    std::array<char, 256> buffer{};
    std::string name = gethostname(buffer.data(), buffer.size() - 1) == 0 ? buffer.data() : "";
    name = name.substr(0, name.find('.'));
#endif
    return name.empty() ? "machine" : name;
}

std::string safeFileName(std::string_view text) {
    std::string name;
    for (const char c : text) {
        if (isBadInFileName(static_cast<unsigned char>(c))) {
            if (!name.empty() && name.back() != '-') {
                name += '-';
            }
        } else {
            name += c;
        }
    }
    if (name.size() > kLongestName) {
        std::size_t end = kLongestName;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        name.resize(end);
    }
    const std::size_t first = name.find_first_not_of(".-");
    const std::size_t last = name.find_last_not_of(".-");
    name = first == std::string::npos ? "recording" : name.substr(first, last - first + 1);
    return isReservedOnWindows(name) ? name + "-recording" : name;
}

std::string recordingFileName(std::string_view machine, std::string_view preset, FileTime when) {
    const auto seconds = static_cast<std::time_t>((when - kUnixEpoch) / 10'000'000);
    std::tm local{};
#ifdef _WIN32
    localtime_s(&local, &seconds);
#else
    localtime_r(&seconds, &local);
#endif
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y-%m-%d_%H-%M-%S", &local);
    return safeFileName(machine) + "_" + safeFileName(preset) + "_" + stamp.data() + ".etl";
}

} // namespace tracedeck::platform
