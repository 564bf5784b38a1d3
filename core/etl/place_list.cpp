// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/place_list.h"

namespace tracedeck::etl {
namespace {

constexpr std::uint64_t kMore = 0x80;
constexpr unsigned kBits = 7;

/// Small numbers for small steps of either direction.
std::uint64_t foldSign(std::int64_t step) noexcept {
    return (static_cast<std::uint64_t>(step) << 1U) ^ static_cast<std::uint64_t>(step >> 63);
}

std::int64_t unfoldSign(std::uint64_t folded) noexcept {
    return static_cast<std::int64_t>(folded >> 1U) ^ -static_cast<std::int64_t>(folded & 1U);
}

} // namespace

void PlaceList::add(std::uint64_t offset) {
    const auto step = static_cast<std::int64_t>(offset - m_last);
    const auto unit = static_cast<std::int64_t>(m_unit);
    // The lowest bit says what it counts: units or bytes.
    const bool isWhole = step % unit == 0;
    std::uint64_t value = (foldSign(isWhole ? step / unit : step) << 1U) | (isWhole ? 0U : 1U);
    for (; value >= kMore; value >>= kBits) {
        m_steps.push_back(static_cast<std::uint8_t>(value | kMore));
    }
    m_steps.push_back(static_cast<std::uint8_t>(value));
    m_last = offset;
    ++m_count;
}

std::vector<std::uint64_t> PlaceList::offsets() const {
    std::vector<std::uint64_t> all;
    all.reserve(static_cast<std::size_t>(m_count));
    Reader reader(*this);
    while (const auto offset = reader.next()) {
        all.push_back(*offset);
    }
    return all;
}

void PlaceList::clear() {
    m_steps = {};
    m_last = 0;
    m_count = 0;
}

std::optional<std::uint64_t> PlaceList::Reader::next() {
    if (m_at == m_list->m_steps.size()) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint64_t byte = kMore;
    while ((byte & kMore) != 0) {
        byte = m_list->m_steps[m_at++];
        value |= (byte & (kMore - 1)) << shift;
        shift += kBits;
    }
    const std::int64_t step = unfoldSign(value >> 1U);
    const bool isWhole = (value & 1U) == 0;
    m_offset += static_cast<std::uint64_t>(isWhole ? step * static_cast<std::int64_t>(m_list->m_unit) : step);
    return m_offset;
}

} // namespace tracedeck::etl
