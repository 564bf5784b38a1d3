// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/current_thread.h"

#include "core/base/utf.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <array>
#include <sched.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tracedeck::etw::engine {

constinit thread_local std::uint32_t detail::knownThreadId = 0;

#ifdef _WIN32

namespace detail {

const std::uint32_t kProcessId = GetCurrentProcessId();

std::uint32_t askProcessor() noexcept {
    return GetCurrentProcessorNumber();
}

std::uint32_t askThreadId() noexcept {
    return knownThreadId = GetCurrentThreadId();
}

} // namespace detail

std::uint32_t currentUserId() noexcept {
    return 0;
}

std::string currentProgram() {
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    path.erase(0, path.find_last_of(L'\\') + 1);
    return toUtf8(std::u16string(path.begin(), path.end()));
}

#else

namespace detail {

const std::uint32_t kProcessId = static_cast<std::uint32_t>(getpid());

std::uint32_t askProcessor() noexcept {
    const int processor = sched_getcpu();
    return processor < 0 ? 0 : static_cast<std::uint32_t>(processor);
}

std::uint32_t askThreadId() noexcept {
    return knownThreadId = static_cast<std::uint32_t>(syscall(SYS_gettid));
}

} // namespace detail

std::uint32_t currentUserId() noexcept {
    return geteuid();
}

namespace {

std::string programBehind(const std::string& link) {
    std::array<char, 4096> path{};
    const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
    const std::string_view whole(path.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
    return std::string(whole.substr(whole.find_last_of('/') + 1));
}

} // namespace

std::string currentProgram() {
    return programBehind("/proc/self/exe");
}

std::string programOf(std::uint32_t processId) {
    return programBehind("/proc/" + std::to_string(processId) + "/exe");
}

#endif

} // namespace tracedeck::etw::engine
