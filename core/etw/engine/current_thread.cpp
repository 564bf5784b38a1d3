// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/current_thread.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tracedeck::etw::engine {

#ifdef _WIN32

std::uint32_t currentProcessor() noexcept {
    return GetCurrentProcessorNumber();
}

std::uint32_t currentProcessId() noexcept {
    return GetCurrentProcessId();
}

std::uint32_t currentThreadId() noexcept {
    return GetCurrentThreadId();
}

std::uint32_t currentUserId() noexcept {
    return 0;
}

#else

std::uint32_t currentProcessor() noexcept {
    const int processor = sched_getcpu();
    return processor < 0 ? 0 : static_cast<std::uint32_t>(processor);
}

std::uint32_t currentProcessId() noexcept {
    // Kept, as the C library asks the kernel each time. A process that forks does not trace in the child.
    static const auto id = static_cast<std::uint32_t>(getpid());
    return id;
}

std::uint32_t currentThreadId() noexcept {
    static thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
    return id;
}

std::uint32_t currentUserId() noexcept {
    return geteuid();
}

#endif

} // namespace tracedeck::etw::engine
