// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <linux/perf_event.h>
#include <poll.h>
#include <span>

namespace tracedeck::linux_source {

/// The system calls on perf events. Tests replace it.
///
/// Threading: stateless, any thread.
/// Errors: as the kernel's own convention: a negative errno instead of the result.
class PerfApi {
public:
    virtual ~PerfApi() = default;
    /// perf_event_open for every process on `cpu`; the file descriptor, closed on exec.
    virtual int open(const perf_event_attr& attributes, int cpu) = 0;
    /// Maps a ring: one page and `bytes - one page` of data. Null and a negative errno in `error` where refused.
    virtual void* map(int fd, std::size_t bytes, int& error) = 0;
    virtual void unmap(void* mapping, std::size_t bytes) = 0;
    virtual int control(int fd, unsigned long request, std::uint64_t argument) = 0;
    virtual std::int64_t read(int fd, std::span<std::byte> into) = 0;
    virtual int poll(std::span<pollfd> descriptors, std::chrono::nanoseconds timeout) = 0;
    virtual void close(int fd) = 0;
    /// Makes room for `more` descriptors, as far as the process's hard limit (RLIMIT_NOFILE) lets it. The raised limit
    /// stays: the program's other files need their room as before while the descriptors are open.
    virtual void allowDescriptors(std::size_t more) = 0;
};

/// The kernel of this machine.
PerfApi& systemPerf();

} // namespace tracedeck::linux_source
