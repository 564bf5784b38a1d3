// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/memory.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#endif

namespace tracedeck::etw::engine {

#ifdef _WIN32

std::byte* allocateBufferMemory(std::size_t size) noexcept {
    return static_cast<std::byte*>(VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void freeBufferMemory(std::byte* memory, std::size_t) noexcept {
    VirtualFree(memory, 0, MEM_RELEASE);
}

bool populate(std::byte*, std::size_t) noexcept {
    return true; // committed memory is there
}

Bytes availableMemory() noexcept {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return Bytes{GlobalMemoryStatusEx(&status) != 0 ? status.ullAvailPhys : 0};
}

#else

std::byte* allocateBufferMemory(std::size_t size) noexcept {
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    if (!populate(static_cast<std::byte*>(memory), size)) {
        ::munmap(memory, size);
        return nullptr;
    }
    return static_cast<std::byte*>(memory);
}

bool populate(std::byte* memory, std::size_t size) noexcept {
    if (::madvise(memory, size, MADV_POPULATE_WRITE) == 0) {
        return true;
    }
    if (errno != EINVAL) {
        return false;
    }
    std::memset(memory, 0, size);
    return true;
}

void freeBufferMemory(std::byte* memory, std::size_t size) noexcept {
    ::munmap(memory, size);
}

Bytes availableMemory() noexcept {
    const int fd = ::open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return Bytes{0};
    }
    std::array<char, 512> text{}; // the line is the third
    const ssize_t size = ::read(fd, text.data(), text.size());
    ::close(fd);
    constexpr std::string_view kName = "MemAvailable:";
    const std::string_view lines(text.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
    const std::size_t name = lines.find(kName);
    const std::size_t digits = lines.find_first_of("0123456789", std::min(name, lines.size()));
    std::uint64_t kibibytes = 0;
    if (digits != std::string_view::npos) {
        std::from_chars(lines.data() + digits, lines.data() + lines.size(), kibibytes);
    }
    return Bytes{kibibytes * 1024};
}

#endif

} // namespace tracedeck::etw::engine
