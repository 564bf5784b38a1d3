// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The calls that have led to where a thread is, told by frame pointers.
namespace tracedeck::etw::engine {

/// ETW's limit; what lies deeper (the outermost callers) is cut.
constexpr std::size_t kMostFrames = 192;

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
constexpr bool kCanWalkStacks = true;
#else
constexpr bool kCanWalkStacks = false;
#endif

/// Return addresses, innermost first, beginning with that of the function whose frame `frame` is
/// (__builtin_frame_address(0) there). How many: 0 where stacks cannot be walked.
///
/// Each step stays within the thread's own stack and goes up, so that nothing is read that might not be there. A
/// function that was compiled without frame pointers, which most systems' libraries are, is passed over or ends the
/// walk. On another stack than the thread's own, of a coroutine or of a signal handler, there is one address: others
/// may take such a stack away.
///
/// Threading: any thread, signal handlers included. No locks and no allocation; a thread's first walk asks the system
/// where its stack lies (/proc/self/maps), later ones only copy.
[[nodiscard]] std::size_t walkStack(const void* frame, std::span<std::uint64_t, kMostFrames> into) noexcept;

} // namespace tracedeck::etw::engine
