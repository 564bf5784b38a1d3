// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/platform/privileges.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tracedeck::platform {

#ifdef _WIN32

bool isElevated() noexcept {
    HANDLE token = nullptr;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) {
        return false;
    }
    TOKEN_ELEVATION elevation{};
    DWORD size = 0;
    const bool isKnown = GetTokenInformation(token, TokenElevation, &elevation, sizeof(elevation), &size) != 0;
    CloseHandle(token);
    return isKnown && elevation.TokenIsElevated != 0;
}

std::uint32_t currentProcessId() noexcept {
    return GetCurrentProcessId();
}

std::uint32_t currentThreadId() noexcept {
    return GetCurrentThreadId();
}

#else

bool isElevated() noexcept {
    return geteuid() == 0;
}

std::uint32_t currentProcessId() noexcept {
    return static_cast<std::uint32_t>(getpid());
}

std::uint32_t currentThreadId() noexcept {
    return static_cast<std::uint32_t>(syscall(SYS_gettid));
}

#endif

} // namespace tracedeck::platform
