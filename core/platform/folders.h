// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

/// What base's FileSystem leaves out: folders.
///
/// Threading: stateless, any thread.
namespace tracedeck::platform {

/// The folder that `path` lies in, "." for a bare name.
[[nodiscard]] std::string folderOf(const std::string& path);
/// The last part of `path`.
[[nodiscard]] std::string fileNameOf(const std::string& path);
[[nodiscard]] std::string join(const std::string& folder, const std::string& name);
/// What means the same from every folder. `path` itself where the present folder is not known.
[[nodiscard]] std::string absolute(const std::string& path);

[[nodiscard]] bool isFolder(const std::string& path);
/// A file, folder or anything else of that name.
[[nodiscard]] bool exists(const std::string& path);

/// Something that is neither a file nor a folder, also at the end of a link: a device, a pipe, a socket. Such a name is
/// never written over.
[[nodiscard]] bool isSpecial(const std::string& path);

/// Whether the volume of `path` takes names that long; its folder must exist. InvalidArgument where it does not: asked
/// before a recording, it spares finding that out after it. Nothing else about the name is looked at.
[[nodiscard]] Status checkFileName(const std::string& path);

/// Creates one folder, for its owner alone. FolderNotFound where its parent is missing, FileExists where it is there
/// already.
[[nodiscard]] Status createFolder(const std::string& path);
/// Creates a folder and the missing ones above it; one that exists is no error.
[[nodiscard]] Status createFolders(const std::string& path);
/// Removes an empty folder; a missing one is no error.
[[nodiscard]] Status removeFolder(const std::string& path);

} // namespace tracedeck::platform
