// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace tracedeck {

/// SHA-1 (FIPS 180-4), for the name hash of provider ids; not for security.
std::array<std::uint8_t, 20> sha1(std::span<const std::uint8_t> data);

} // namespace tracedeck
