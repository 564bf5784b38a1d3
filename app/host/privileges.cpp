// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace tracedeck::host {
namespace {

constexpr std::array kNeeded{CAP_PERFMON, CAP_SYS_PTRACE, CAP_SYSLOG, CAP_DAC_READ_SEARCH, CAP_IPC_LOCK};
constexpr int kMostCapabilities = 64;

constexpr std::uint64_t bit(int capability) {
    return std::uint64_t{1} << static_cast<unsigned>(capability);
}

std::uint64_t needed() {
    std::uint64_t all = 0;
    for (const int capability : kNeeded) {
        all |= bit(capability);
    }
    // The folder exists without the mount; its `events` does not.
    if (::access("/sys/kernel/tracing/events", X_OK) != 0) {
        all |= bit(CAP_SYS_ADMIN);
    }
    return all;
}

Result<std::uint64_t> permitted() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (::syscall(SYS_capget, &header, data.data()) != 0) {
        return fail(errnoError(errno, "capget"));
    }
    return data[0].permitted | (std::uint64_t{data[1].permitted} << 32U);
}

Status keep(std::uint64_t capabilities) {
    // First, as long as CAP_SETPCAP is there. What the process does not have is not in its reach anyway.
    for (int each = 0; each < kMostCapabilities; ++each) {
        if ((capabilities & bit(each)) == 0 && ::prctl(PR_CAPBSET_READ, each, 0, 0, 0) == 1 &&
            ::prctl(PR_CAPBSET_DROP, each, 0, 0, 0) != 0 && errno != EPERM) {
            return fail(errnoError(errno, "drop a capability"));
        }
    }
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i].permitted = static_cast<std::uint32_t>(capabilities >> (32U * i));
        data[i].effective = data[i].permitted;
    }
    return ::syscall(SYS_capset, &header, data.data()) == 0 ? Status() : Status(fail(errnoError(errno, "capset")));
}

} // namespace

Status dropPrivileges() {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return fail(errnoError(errno, "no new privileges"));
    }
    const Result<std::uint64_t> have = permitted();
    if (!have) {
        return fail(have.error());
    }
    return *have == 0 ? Status() : keep(*have & needed());
}

void raiseDescriptorLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        spdlog::warn("{}", errnoError(errno, "getrlimit").detail);
        return;
    }
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        spdlog::warn("{}", errnoError(errno, "setrlimit").detail);
    }
}

} // namespace tracedeck::host
