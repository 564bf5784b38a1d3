// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sources/linux/perf_session.h"

#include <array>
#include <cstdint>
#include <utility>

namespace tracedeck::linux_source {

/// A descriptor of the kernel's that is closed when this goes.
class KernelObject {
public:
    KernelObject() = default;
    explicit KernelObject(int fd) : m_fd(fd) {}
    KernelObject(KernelObject&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    KernelObject& operator=(KernelObject&& other) noexcept {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~KernelObject();
    [[nodiscard]] int fd() const noexcept { return m_fd; }

private:
    int m_fd = -1;
};

/// Tells the paths that system calls are given, of which their tracepoints have the address alone.
///
/// A program in the kernel (BPF) notes the address when the call begins and copies the text when it ends: the kernel
/// itself has read it then, so that its page is there, which it often is not before. The path comes as a sample of the
/// processor's output event, of the same thread as the sample of the call's end and before that one. What is told is
/// what the caller's memory holds at the end of the call: its own words, relative or not, any bytes but zero.
///
/// No path comes of a call that was under way when watching began, and where the caller has unmapped the text. Programs
/// of 32 bits are not seen, as with the tracepoints.
///
/// Threading: one thread at a time.
/// Ownership: what watches goes with the tracepoint events, the rest with this.
/// Errors: AccessDenied where this process may not load programs (CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN),
/// NotSupported where the kernel cannot; errno in `native`.
class PathProbe {
public:
    /// The longest path with its zero, in bytes.
    static constexpr std::size_t kMostBytes = 4096;

    /// `processors`: one more than the greatest number of a processor.
    [[nodiscard]] static Result<PathProbe> load(std::uint32_t processors);

    /// Of an event that takes paths; the raw data of its samples is a path and its zero, and padding.
    static perf_event_attr outputAttributes(const PerfFeatures& features);
    /// Paths of calls that end on `processor` go to `event`.
    [[nodiscard]] Status sendTo(std::uint32_t processor, int event);
    /// From now on and as long as both events are open: the paths of the call whose argument number `argument` (0 to 5)
    /// is one; of a call with two paths one can be watched. The events are of syscalls/sys_enter_* and sys_exit_*, each
    /// of any one processor: all are watched.
    [[nodiscard]] Status watch(int enterEvent, int exitEvent, std::size_t argument);

private:
    static constexpr std::size_t kMostArguments = 6;
    PathProbe() = default;

    KernelObject m_calls; ///< by thread: the address of the path
    KernelObject m_text;  ///< of each processor, to copy to
    KernelObject m_outputs;
    std::array<KernelObject, kMostArguments> m_enter;
    KernelObject m_exit;
};

} // namespace tracedeck::linux_source
