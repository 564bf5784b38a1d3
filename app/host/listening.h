// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/remote/descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Where a host listens, and who can reach that.
///
/// Threading: the main thread, before there are others.
namespace tracedeck::host {

/// The sockets that systemd has handed over (LISTEN_FDS); none where this is not its doing. InvalidArgument where one
/// of them is no listening AF_UNIX SOCK_SEQPACKET.
[[nodiscard]] Result<std::vector<etw::remote::Descriptor>> activatedSockets();

/// A socket in the file system, for as long as this lives.
class ListeningPlace {
public:
    /// In a folder that exists. Those of the folder's group may connect where `isForGroup`, else the owner alone.
    /// `owner`: a uid to give the socket to.
    /// WrongState where another host listens there; a socket that a host left which was killed is replaced.
    [[nodiscard]] static Result<ListeningPlace> open(const std::string& path, bool isForGroup,
                                                     std::optional<std::uint32_t> owner);
    ~ListeningPlace();
    ListeningPlace(ListeningPlace&&) noexcept = default;
    ListeningPlace& operator=(ListeningPlace&&) = delete;
    [[nodiscard]] etw::remote::Descriptor takeSocket() { return std::move(m_socket); }
    [[nodiscard]] const std::string& path() const noexcept { return m_path; }

private:
    ListeningPlace(std::string path, etw::remote::Descriptor folder, etw::remote::Descriptor socket)
        : m_path(std::move(path)), m_folder(std::move(folder)), m_socket(std::move(socket)) {}

    std::string m_path;
    etw::remote::Descriptor m_folder; ///< locked
    etw::remote::Descriptor m_socket;
};

/// Creates the folder of the usual place: root's, with the group that may record the machine, 0750. Without that group
/// nobody but root gets in.
[[nodiscard]] Status prepareUsualFolder(const std::string& folder);
/// Creates the folder of the host of one user, which everybody may enter: the socket in it is that user's alone.
[[nodiscard]] Status prepareUserFolder(const std::string& folder);

} // namespace tracedeck::host
