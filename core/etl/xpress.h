// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tracedeck::etl {

/// Decodes "plain LZ77" (MS-XCA 2.4, XPRESS), the compression of buffers in merged files of Windows. Returns how many
/// bytes of `out` were filled: all of it, or fewer where the input ends first. Empty where the input cannot be such a
/// stream, or would make more than fits.
std::optional<std::size_t> decodeXpress(std::span<const std::byte> in, std::span<std::byte> out) noexcept;

} // namespace tracedeck::etl
