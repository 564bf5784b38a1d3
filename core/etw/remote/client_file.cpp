// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/client_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <spdlog/spdlog.h>

#include <cerrno>
#include <utility>

namespace tracedeck::etw::remote {

Result<ClientFile> ClientFile::create(const std::string& path, Existing existing) {
    constexpr int kFlags = O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    constexpr mode_t kOwnerAlone = 0600;
    Descriptor file(::open(path.c_str(), kFlags | O_EXCL, kOwnerAlone));
    const bool isNew = file.isOpen();
    if (!isNew && errno == EEXIST && existing == Existing::Keep) {
        file.reset(::open(path.c_str(), kFlags, kOwnerAlone));
    }
    if (!file.isOpen()) {
        Error error = errnoError(errno, "create " + path, ErrorCode::WriteFailed);
        if (error.code == ErrorCode::FileNotFound) {
            error.code = ErrorCode::FolderNotFound;
        }
        return fail(std::move(error));
    }
    return ClientFile(path, std::move(file), isNew);
}

void ClientFile::removeIfUnused() const {
    struct stat ours {};
    struct stat named {};
    const bool isUnused = m_isNew && ::fstat(m_file.get(), &ours) == 0 && ours.st_size == 0;
    if (!isUnused || ::lstat(m_path.c_str(), &named) != 0 || named.st_ino != ours.st_ino ||
        named.st_dev != ours.st_dev) {
        return; // in use, or renamed or replaced meanwhile
    }
    if (::unlink(m_path.c_str()) != 0) {
        spdlog::warn("an empty file stays: {}", errnoError(errno, "remove " + m_path).detail);
    }
}

} // namespace tracedeck::etw::remote
