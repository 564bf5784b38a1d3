// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/xpress.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kFarthest = 8192; ///< 13 bits
/// Three would do for the format; of three equal bytes few are worth a match.
constexpr std::size_t kLeastLength = 4;
constexpr unsigned kHashBits = 15;
constexpr int kCandidates = 4;
constexpr std::size_t kGoodLength = 64; ///< no better one is looked for
/// So many places without a match before every second one, every third one, … is tried alone.
constexpr unsigned kPatienceBits = 6;
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::uint32_t kLargestBase = 0x80000000U;

template <class T>
T load(const std::byte* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

std::uint32_t hashOf(const std::byte* place) noexcept {
    constexpr std::uint32_t kGolden = 2654435761U;
    return (load<std::uint32_t>(place) * kGolden) >> (32U - kHashBits);
}

/// How many bytes are equal, at most `most`.
std::size_t commonLength(const std::byte* a, const std::byte* b, std::size_t most) noexcept {
    std::size_t length = 0;
    for (; length + kWord <= most; length += kWord) {
        const auto difference = load<std::uint64_t>(a + length) ^ load<std::uint64_t>(b + length);
        if (difference != 0) {
            return length + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
        }
    }
    while (length < most && a[length] == b[length]) {
        ++length;
    }
    return length;
}

/// Literals and matches behind words of 32 flags; the buffer holds xpressBound().
class Stream {
public:
    explicit Stream(std::byte* begin) noexcept : m_flagsAt(begin), m_at(begin + sizeof m_flags) {}

    void literal(std::byte value) noexcept {
        *m_at++ = value;
        flag(0);
    }
    void match(std::size_t distance, std::size_t length) noexcept {
        constexpr std::size_t kShort = 7;
        constexpr std::size_t kHalf = 15;
        constexpr std::size_t kByte = 255;
        length -= 3;
        const auto offset = static_cast<std::uint16_t>((distance - 1) << 3U);
        put(static_cast<std::uint16_t>(offset | std::min(length, kShort)));
        if (length >= kShort) {
            halfByte(std::min(length - kShort, kHalf));
            if (length >= kShort + kHalf) {
                const std::size_t rest = length - kShort - kHalf;
                put(static_cast<std::uint8_t>(std::min(rest, kByte)));
                if (rest >= kByte) {
                    putLong(length);
                }
            }
        }
        flag(1);
    }
    /// The flags that are left are set: a match without input is the end mark.
    [[nodiscard]] const std::byte* finish() noexcept {
        const unsigned left = 32 - m_count;
        const std::uint32_t ones = left == 32 ? ~0U : (1U << left) - 1;
        const std::uint32_t flags = (left == 32 ? 0 : m_flags << left) | ones;
        std::memcpy(m_flagsAt, &flags, sizeof flags);
        return m_at;
    }

private:
    template <class T>
    void put(T value) noexcept {
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void putLong(std::size_t length) noexcept {
        if (length <= 0xFFFF) {
            put(static_cast<std::uint16_t>(length));
        } else {
            put(std::uint16_t{0});
            put(static_cast<std::uint32_t>(length));
        }
    }
    void halfByte(std::size_t value) noexcept {
        if (m_half == nullptr) {
            m_half = m_at;
            put(static_cast<std::uint8_t>(value));
        } else {
            *m_half |= static_cast<std::byte>(value << 4U);
            m_half = nullptr;
        }
    }
    void flag(std::uint32_t bit) noexcept {
        m_flags = (m_flags << 1U) | bit;
        if (++m_count == 32) {
            std::memcpy(m_flagsAt, &m_flags, sizeof m_flags);
            m_flagsAt = m_at;
            m_at += sizeof m_flags;
            m_count = 0;
        }
    }

    std::byte* m_flagsAt;
    std::byte* m_at;
    std::byte* m_half = nullptr; ///< its high half is free
    std::uint32_t m_flags = 0;
    unsigned m_count = 0;
};

} // namespace

XpressEncoder::XpressEncoder() : m_newest(std::size_t{1} << kHashBits), m_previous(kFarthest) {}

void XpressEncoder::remember(const std::byte* place, std::size_t at) noexcept {
    std::uint32_t& newest = m_newest[hashOf(place)];
    m_previous[at % kFarthest] = newest;
    newest = m_base + static_cast<std::uint32_t>(at);
}

XpressEncoder::Match XpressEncoder::find(std::span<const std::byte> in, std::size_t at) noexcept {
    const std::byte* const here = in.data() + at;
    const std::uint32_t now = m_base + static_cast<std::uint32_t>(at);
    const std::size_t most = in.size() - at;
    std::uint32_t candidate = m_newest[hashOf(here)];
    Match best;
    for (int i = 0; i < kCandidates; ++i) {
        // Of an earlier input, never seen, or overwritten in the ring: all are farther away.
        const std::uint32_t distance = now - candidate;
        if (distance > kFarthest || distance <= best.distance) {
            break;
        }
        const std::byte* const there = here - distance;
        if (best.length < most && there[best.length] == here[best.length] &&
            load<std::uint32_t>(there) == load<std::uint32_t>(here)) {
            const std::size_t length = commonLength(there, here, most);
            if (length > best.length) {
                best = {distance, length};
                if (length >= kGoodLength) {
                    break;
                }
            }
        }
        candidate = m_previous[candidate % kFarthest];
    }
    return best;
}

std::span<const std::byte> XpressEncoder::encode(std::span<const std::byte> in) {
    assert(in.size() < (std::size_t{1} << 30U));
    m_out.resize(std::max(m_out.size(), xpressBound(in.size())));
    if (m_base >= kLargestBase) {
        std::fill(m_newest.begin(), m_newest.end(), 0);
        m_base = 0;
    }
    // A multiple of the ring's size, so that places keep their slots; 0 stays "never seen".
    m_base += static_cast<std::uint32_t>(2 * kFarthest);
    Stream stream(m_out.data());
    std::size_t at = 0;
    std::size_t misses = 0;
    const std::size_t searched = in.size() < kWord ? 0 : in.size() - kWord;
    while (at < searched) {
        const Match match = find(in, at);
        remember(in.data() + at, at);
        if (match.length >= kLeastLength) {
            stream.match(match.distance, match.length);
            const std::size_t end = at + match.length;
            // A few places of the match are enough to be found again.
            for (std::size_t inside = at + 2; inside < std::min(end, searched); inside += 4) {
                remember(in.data() + inside, inside);
            }
            at = end;
            misses = 0;
            continue;
        }
        for (std::size_t step = 1 + (misses++ >> kPatienceBits); step != 0 && at < searched; --step) {
            stream.literal(in[at++]);
        }
    }
    for (; at < in.size(); ++at) {
        stream.literal(in[at]);
    }
    m_base += static_cast<std::uint32_t>((in.size() + kFarthest - 1) / kFarthest * kFarthest);
    return {m_out.data(), static_cast<std::size_t>(stream.finish() - m_out.data())};
}

} // namespace tracedeck::etl
