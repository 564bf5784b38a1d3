// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

/// Names that a host and its clients have to agree on.
namespace tracedeck::etw::remote {

/// Whose members reach the host of the machine, and may record all of it.
constexpr const char* kHostGroup = "tracedeck";
constexpr const char* kHostFolder = "/run/tracedeck";
constexpr const char* kSocketName = "host.sock";
/// polkit's: recording other users' activity, too.
constexpr const char* kRecordSystemAction = "io.github.tracedeck.record-system";

/// The socket of the machine's host.
inline std::string machineSocket() {
    return std::string(kHostFolder) + "/" + kSocketName;
}
/// The folder of a host that one user has started through pkexec.
inline std::string userFolder(std::uint32_t uid) {
    return std::string(kHostFolder) + "-" + std::to_string(uid);
}
inline std::string userSocket(std::uint32_t uid) {
    return userFolder(uid) + "/" + kSocketName;
}

} // namespace tracedeck::etw::remote
