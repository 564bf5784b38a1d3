// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/xpress.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tracedeck::etl {
namespace {

/// The compressed bytes, read from front to back.
class Input {
public:
    explicit Input(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    template <class T>
    bool take(T& value) noexcept {
        if (m_bytes.size() - m_at < sizeof(T)) {
            return false;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return true;
    }
    /// Long lengths share one byte between two matches: the low half first, the high half at the next long match.
    bool takeHalfByte(std::uint32_t& value) noexcept {
        if (m_hasHalf) {
            m_hasHalf = false;
            value = m_half;
            return true;
        }
        std::uint8_t both = 0;
        if (!take(both)) {
            return false;
        }
        value = both & 0x0FU;
        m_half = static_cast<std::uint8_t>(both >> 4U);
        m_hasHalf = true;
        return true;
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    std::uint8_t m_half = 0;
    bool m_hasHalf = false;
};

/// The length of a match whose three bits are all set: half a byte, then a byte, then 16 and 32 bits as needed.
bool takeLongLength(Input& input, std::uint64_t& length) noexcept {
    std::uint32_t half = 0;
    if (!input.takeHalfByte(half)) {
        return false;
    }
    length = half + 7U;
    if (half != 15) {
        return true;
    }
    std::uint8_t byte = 0;
    if (!input.take(byte)) {
        return false;
    }
    length = byte + 15U + 7U;
    if (byte != 255) {
        return true;
    }
    std::uint16_t word = 0;
    if (!input.take(word)) {
        return false;
    }
    std::uint32_t whole = word;
    if (word == 0 && !input.take(whole)) {
        return false;
    }
    length = whole;
    return whole >= 15 + 7;
}

void repeat(std::byte* to, std::size_t distance, std::size_t length) noexcept {
    const std::byte* from = to - distance;
    if (distance >= length) {
        std::memcpy(to, from, length);
        return;
    }
    for (std::size_t i = 0; i < length; ++i) {
        to[i] = from[i];
    }
}

} // namespace

std::optional<std::size_t> decodeXpress(std::span<const std::byte> in, std::span<std::byte> out) noexcept {
    Input input(in);
    std::size_t made = 0;
    std::uint32_t flags = 0;
    unsigned flagsLeft = 0;
    while (made < out.size()) {
        if (flagsLeft == 0) {
            if (!input.take(flags)) {
                return made;
            }
            flagsLeft = 32;
        }
        --flagsLeft;
        if (((flags >> flagsLeft) & 1U) == 0) {
            if (!input.take(out[made])) {
                return made;
            }
            ++made;
            continue;
        }
        std::uint16_t match = 0;
        if (!input.take(match)) {
            return made; // a match flag without input is the end mark
        }
        std::uint64_t length = match & 7U;
        const std::size_t distance = static_cast<std::size_t>(match >> 3U) + 1;
        if (length == 7 && !takeLongLength(input, length)) {
            return std::nullopt;
        }
        length += 3;
        if (distance > made || length > out.size() - made) {
            return std::nullopt;
        }
        repeat(out.data() + made, distance, static_cast<std::size_t>(length));
        made += static_cast<std::size_t>(length);
    }
    return made;
}

} // namespace tracedeck::etl
