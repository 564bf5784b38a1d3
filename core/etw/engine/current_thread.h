// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Who is writing, asked without a system call where nothing else is said.
namespace tracedeck::etw::engine {

/// The processor that runs this thread now; it may be another one by the time of the return.
[[nodiscard]] std::uint32_t currentProcessor() noexcept;
[[nodiscard]] std::uint32_t currentProcessId() noexcept;
[[nodiscard]] std::uint32_t currentThreadId() noexcept;
/// Effective; 0 on Windows. A system call.
[[nodiscard]] std::uint32_t currentUserId() noexcept;

} // namespace tracedeck::etw::engine
