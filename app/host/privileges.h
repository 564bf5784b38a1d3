// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace tracedeck::host {

/// Gives up, for good, what recording does not need. Left to root are:
/// - CAP_PERFMON: perf events of all processors and processes, tracepoints among them;
/// - CAP_SYS_PTRACE: which images other users' processes have loaded (/proc/<pid>/maps);
/// - CAP_SYSLOG: addresses of the kernel and its modules (kernel.kptr_restrict);
/// - CAP_DAC_READ_SEARCH: layouts of executables in folders of other users;
/// - CAP_IPC_LOCK: perf rings beyond kernel.perf_event_mlock_kb;
/// - CAP_CHOWN and CAP_FOWNER are gone after the sockets have been made, CAP_SYS_ADMIN where tracefs is mounted (else
///   it is needed for a mount of the source's own).
/// What is gone with the rest: changing files in spite of their rights, reserved blocks and quotas of disks
/// (CAP_SYS_RESOURCE), loading modules, the network. No program that it might run gets any of it back
/// (PR_SET_NO_NEW_PRIVS).
///
/// Before there are other threads. Who is not root has nothing to give up but new privileges.
[[nodiscard]] Status dropPrivileges();

/// As many open files as this process may have: perf events take one for each processor and kind.
void raiseDescriptorLimit();

} // namespace tracedeck::host
