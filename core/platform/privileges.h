// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// Who this process is.
///
/// Threading: stateless, any thread.
namespace tracedeck::platform {

/// Whether the process has an administrator's rights: effective user 0, or an elevated token on Windows.
[[nodiscard]] bool isElevated() noexcept;

[[nodiscard]] std::uint32_t currentProcessId() noexcept;
/// The kernel's id of the calling thread, as events carry it.
[[nodiscard]] std::uint32_t currentThreadId() noexcept;

} // namespace tracedeck::platform
