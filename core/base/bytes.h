// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace tracedeck {

/// A number of bytes, so that no KiB or MiB passes for one.
struct Bytes {
    std::uint64_t count = 0;

    friend constexpr auto operator<=>(Bytes, Bytes) = default;
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
    friend constexpr Bytes operator*(Bytes a, std::uint64_t n) { return {a.count * n}; }
};

constexpr Bytes kib(std::uint64_t n) {
    return {n * 1024};
}
constexpr Bytes mib(std::uint64_t n) {
    return {n * 1024 * 1024};
}

} // namespace tracedeck
