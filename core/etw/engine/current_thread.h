// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#if defined(__linux__) && defined(__x86_64__) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define TRACEDECK_HAS_RSEQ
#endif

/// Who is writing, asked without a system call.
namespace tracedeck::etw::engine {

namespace detail {
/// Zero until the thread has asked the system.
extern constinit thread_local std::uint32_t knownThreadId;
extern const std::uint32_t kProcessId;
[[nodiscard]] std::uint32_t askThreadId() noexcept;
[[nodiscard]] std::uint32_t askProcessor() noexcept;
} // namespace detail

/// The processor that runs this thread now; it may be another one by the time of the return. Linux: the kernel keeps it
/// in the thread's own memory (rseq), which the C library has registered.
[[nodiscard]] inline std::uint32_t currentProcessor() noexcept {
#ifdef TRACEDECK_HAS_RSEQ
    const char* thread = nullptr;
    asm("mov %%fs:0, %0" : "=r"(thread));
    const auto processor =
        static_cast<const volatile struct rseq*>(static_cast<const void*>(thread + __rseq_offset))->cpu_id;
    if (static_cast<std::int32_t>(processor) >= 0) [[likely]] { // negative: not registered
        return processor;
    }
#endif
    return detail::askProcessor();
}

/// Asked once: a process that forks does not trace in the child.
[[nodiscard]] inline std::uint32_t currentProcessId() noexcept {
    return detail::kProcessId;
}

[[nodiscard]] inline std::uint32_t currentThreadId() noexcept {
    const std::uint32_t known = detail::knownThreadId;
    return known != 0 ? known : detail::askThreadId();
}

/// Effective; 0 on Windows. A system call.
[[nodiscard]] std::uint32_t currentUserId() noexcept;

/// File name of this process's program, UTF-8; empty where it cannot be told. Not for the path of events.
[[nodiscard]] std::string currentProgram();
#ifdef __linux__
/// The same of another process; empty also where this one may not know.
[[nodiscard]] std::string programOf(std::uint32_t processId);
#endif

} // namespace tracedeck::etw::engine
