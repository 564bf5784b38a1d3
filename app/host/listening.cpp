// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/listening.h"

#include "core/etw/remote/host_place.h"
#include "core/etw/remote/packet_socket.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tracedeck::host {
namespace {

using etw::remote::Descriptor;

/// The folder must be root's or ours, and nobody else's to write to: else the socket could be anybody's.
Status checkFolder(int folder, const std::string& path) {
    struct stat status {};
    if (::fstat(folder, &status) != 0) {
        return fail(errnoError(errno, "folder " + path));
    }
    const bool isOurs = status.st_uid == 0 || status.st_uid == ::geteuid();
    if (!isOurs || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(ErrorCode::AccessDenied, "folder " + path + ": others may write to it");
    }
    return {};
}

Status prepareFolder(const std::string& path, mode_t mode, gid_t group) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
        return fail(errnoError(errno, "create the folder " + path));
    }
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.isOpen()) {
        return fail(errnoError(errno, "folder " + path));
    }
    if (Status checked = checkFolder(folder.get(), path); !checked) {
        return checked;
    }
    if (::fchown(folder.get(), ::geteuid(), group) != 0 || ::fchmod(folder.get(), mode) != 0) {
        return fail(errnoError(errno, "rights of the folder " + path));
    }
    return {};
}

} // namespace

Result<std::vector<Descriptor>> activatedSockets() {
    const int number = ::sd_listen_fds(1);
    if (number < 0) {
        return fail(errnoError(-number, "sockets of systemd"));
    }
    std::vector<Descriptor> sockets;
    for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + number; ++fd) {
        sockets.emplace_back(fd);
        if (::sd_is_socket_unix(fd, SOCK_SEQPACKET, 1, nullptr, 0) <= 0) {
            return fail(ErrorCode::InvalidArgument, "sockets of systemd: descriptor " + std::to_string(fd) +
                                                        " is no listening ListenSequentialPacket= socket");
        }
        if (::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK) != 0) {
            return fail(errnoError(errno, "sockets of systemd"));
        }
    }
    return sockets;
}

Result<ListeningPlace> ListeningPlace::open(const std::string& path, bool isForGroup,
                                            std::optional<std::uint32_t> owner) {
    const std::size_t slash = path.rfind('/');
    const std::string folderPath = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    Descriptor folder(::open(folderPath.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen()) {
        return fail(errnoError(errno, "folder " + folderPath));
    }
    if (Status checked = checkFolder(folder.get(), folderPath); !checked) {
        return fail(std::move(checked).error());
    }
    // The lock goes with its process, however that ends: a socket without one is nobody's.
    if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
        return fail(errno == EWOULDBLOCK ? Error{ErrorCode::WrongState, folderPath + ": another host listens there", 0}
                                         : errnoError(errno, "lock of " + folderPath));
    }
    struct stat left {};
    if (::lstat(path.c_str(), &left) == 0 && S_ISSOCK(left.st_mode) && ::unlink(path.c_str()) != 0) {
        return fail(errnoError(errno, "remove the old socket " + path));
    }
    auto socket = etw::remote::listenAt(path, isForGroup ? 0660 : 0600);
    if (!socket) {
        return fail(std::move(socket).error());
    }
    struct stat folderStatus {};
    if (::fstat(folder.get(), &folderStatus) != 0 ||
        ((owner || isForGroup) &&
         ::lchown(path.c_str(), owner.value_or(::geteuid()), isForGroup ? folderStatus.st_gid : ::getegid()) != 0)) {
        Error error = errnoError(errno, "owner of " + path);
        ::unlink(path.c_str());
        return fail(std::move(error));
    }
    return ListeningPlace(path, std::move(folder), std::move(*socket));
}

ListeningPlace::~ListeningPlace() {
    if (m_folder.isOpen() && ::unlink(m_path.c_str()) != 0) {
        spdlog::warn("{}", errnoError(errno, "remove the socket " + m_path).detail);
    }
}

Status prepareUsualFolder(const std::string& folder) {
    const struct group* group = ::getgrnam(etw::remote::kHostGroup);
    if (group == nullptr) {
        spdlog::warn("there is no group \"{}\": nobody but root can connect", etw::remote::kHostGroup);
    }
    return prepareFolder(folder, 0750, group != nullptr ? group->gr_gid : ::getegid());
}

Status prepareUserFolder(const std::string& folder) {
    return prepareFolder(folder, 0755, ::getegid());
}

} // namespace tracedeck::host
