// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracedeck::etl {

/// Decodes "plain LZ77" (MS-XCA 2.4, XPRESS), the compression of buffers in merged files of Windows. Returns how many
/// bytes of `out` were filled: all of it, or fewer where the input ends first. Empty where the input cannot be such a
/// stream, or would make more than fits.
std::optional<std::size_t> decodeXpress(std::span<const std::byte> in, std::span<std::byte> out) noexcept;

/// The most bytes that an encoded stream of `size` bytes has: all of them as they are, and a bit for each in words of
/// 32, of which the last may hold the end mark alone.
constexpr std::size_t xpressBound(std::size_t size) noexcept {
    return size + 4 * (size / 32 + 1);
}

/// Makes streams that decodeXpress() and Windows read. Greedy, with few candidates per place: it runs over gigabytes.
///
/// Threading: one thread at a time. Memory: 160 KiB, and the bound of the longest input.
class XpressEncoder {
public:
    XpressEncoder();
    /// The stream, at most xpressBound(in.size()) bytes; valid until the next call. `in`: less than 1 GiB.
    [[nodiscard]] std::span<const std::byte> encode(std::span<const std::byte> in);

private:
    struct Match {
        std::size_t distance = 0;
        std::size_t length = 0;
    };
    [[nodiscard]] Match find(std::span<const std::byte> in, std::size_t at) noexcept;
    void remember(const std::byte* place, std::size_t at) noexcept;

    std::vector<std::uint32_t> m_newest;   ///< by hash: m_base + the last place with it
    std::vector<std::uint32_t> m_previous; ///< by place: m_base + the one before it with the same hash
    std::uint32_t m_base = 0;              ///< places of earlier inputs are out of reach
    std::vector<std::byte> m_out;
};

} // namespace tracedeck::etl
