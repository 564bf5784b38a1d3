// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/perf_api.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

class SystemPerf final : public PerfApi {
public:
    int open(const perf_event_attr& attributes, int cpu) override {
        const long fd = ::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        return fd < 0 ? -errno : static_cast<int>(fd);
    }
    void* map(int fd, std::size_t bytes, int& error) override {
        void* mapping = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        error = mapping == MAP_FAILED ? -errno : 0;
        return mapping == MAP_FAILED ? nullptr : mapping;
    }
    void unmap(void* mapping, std::size_t bytes) override { ::munmap(mapping, bytes); }
    int control(int fd, unsigned long request, std::uint64_t argument) override {
        return ::ioctl(fd, request, argument) < 0 ? -errno : 0;
    }
    std::int64_t read(int fd, std::span<std::byte> into) override {
        const ssize_t count = ::read(fd, into.data(), into.size());
        return count < 0 ? -errno : count;
    }
    int poll(std::span<pollfd> descriptors, std::chrono::nanoseconds timeout) override {
        constexpr std::int64_t kSecond = 1'000'000'000;
        const timespec wait{timeout.count() / kSecond, timeout.count() % kSecond};
        const int ready = ::ppoll(descriptors.data(), descriptors.size(), &wait, nullptr);
        return ready < 0 ? -errno : ready;
    }
    void close(int fd) override { ::close(fd); }
    void allowDescriptors(std::size_t more) override {
        rlimit limit{};
        std::error_code error;
        const auto open = std::filesystem::directory_iterator("/proc/self/fd", error);
        if (error || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
            return;
        }
        const auto used = static_cast<rlim_t>(std::distance(begin(open), end(open)));
        if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < used + more) {
            limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur + more, limit.rlim_max);
            ::setrlimit(RLIMIT_NOFILE, &limit);
        }
    }
};

} // namespace

PerfApi& systemPerf() {
    static SystemPerf api;
    return api;
}

} // namespace tracedeck::linux_source
