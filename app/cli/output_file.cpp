// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_file.h"

#include "core/platform/folders.h"

#include <filesystem>
#include <system_error>

namespace tracedeck::cli {

Status checkOutput(const std::string& output, bool replace) {
    const std::string folder = platform::folderOf(output);
    if (platform::isFolder(output) || platform::fileNameOf(output).empty()) {
        return fail(ErrorCode::InvalidArgument, output + " is a folder; give a file name");
    }
    if (!platform::isFolder(folder)) {
        return fail(ErrorCode::FolderNotFound, folder);
    }
    if (platform::isSpecial(output)) {
        return fail(ErrorCode::InvalidArgument, output + " is a device, a pipe or the like; give the name of a file");
    }
    if (!replace && platform::exists(output)) {
        return fail(ErrorCode::FileExists, output + " (--force replaces it)");
    }
    return platform::checkFileName(output);
}

Status checkOutput(const std::string& output, bool replace, const std::string& input) {
    std::error_code ignored; // a file that is not there is no other's equal
    if (std::filesystem::equivalent(std::filesystem::path(output), std::filesystem::path(input), ignored)) {
        return fail(ErrorCode::InvalidArgument, output + " is the recording itself; give another name");
    }
    return checkOutput(output, replace);
}

} // namespace tracedeck::cli
