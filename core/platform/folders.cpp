// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/folders.h"

#include <filesystem>
#include <system_error>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace tracedeck::platform {
namespace {

std::filesystem::path pathOf(const std::string& utf8) {
    return {std::u8string(utf8.begin(), utf8.end())};
}

std::string textOf(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

Error folderError(const std::error_code& error, const std::string& call, const std::string& path) {
    const std::string what = call + " " + path + ": " + error.message();
    const auto native = static_cast<std::uint32_t>(error.value());
    const std::error_condition condition = error.default_error_condition();
    if (condition == std::errc::no_such_file_or_directory || condition == std::errc::not_a_directory) {
        return {ErrorCode::FolderNotFound, what, native};
    }
    if (condition == std::errc::permission_denied || condition == std::errc::operation_not_permitted ||
        condition == std::errc::read_only_file_system) {
        return {ErrorCode::AccessDenied, what, native};
    }
    if (condition == std::errc::no_space_on_device) {
        return {ErrorCode::DiskFull, what, native};
    }
    if (condition == std::errc::file_exists) {
        return {ErrorCode::FileExists, what, native};
    }
    return {ErrorCode::WriteFailed, what, native};
}

} // namespace

std::string folderOf(const std::string& path) {
    const std::filesystem::path folder = pathOf(path).parent_path();
    return folder.empty() ? "." : textOf(folder);
}

std::string fileNameOf(const std::string& path) {
    return textOf(pathOf(path).filename());
}

std::string join(const std::string& folder, const std::string& name) {
    return textOf(pathOf(folder) / pathOf(name));
}

std::string absolute(const std::string& path) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(pathOf(path), unknown);
    return unknown ? path : textOf(whole);
}

bool isFolder(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(pathOf(path), ignored);
}

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(pathOf(path), ignored));
}

bool isSpecial(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_other(std::filesystem::status(pathOf(path), ignored));
}

Status checkFileName(const std::string& path) {
    const std::filesystem::path name = pathOf(path).filename();
#ifdef _WIN32
    constexpr std::size_t kLongest = 255; // UTF-16 units, of every file system of Windows
    const std::size_t longest = kLongest;
#else
    const long limit = ::pathconf(folderOf(path).c_str(), _PC_NAME_MAX);
    const std::size_t longest = limit > 0 ? static_cast<std::size_t>(limit) : std::size_t{255};
#endif
    if (name.native().size() > longest) {
        return fail(ErrorCode::InvalidArgument, fileNameOf(path) + ": a name of " +
                                                    std::to_string(name.native().size()) + " bytes; " +
                                                    std::to_string(longest) + " are allowed there");
    }
    return {};
}

Status createFolder(const std::string& path) {
    std::error_code error;
    const std::filesystem::path folder = pathOf(path);
    if (!std::filesystem::create_directory(folder, error)) {
        if (!error) {
            return fail(ErrorCode::FileExists, "mkdir " + path + ": it exists");
        }
        return fail(folderError(error, "mkdir", path));
    }
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    if (error) {
        return fail(folderError(error, "chmod", path));
    }
    return {};
}

Status createFolders(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(pathOf(path), error);
    if (error) {
        return fail(folderError(error, "mkdir", path));
    }
    return {};
}

Status removeFolder(const std::string& path) {
    std::error_code error;
    std::filesystem::remove(pathOf(path), error);
    if (error) {
        return fail(folderError(error, "rmdir", path));
    }
    return {};
}

} // namespace tracedeck::platform
