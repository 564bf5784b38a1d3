// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tracedeck::etl {

/// Where the buffers of one processor lie in a file, in the order in which they are to be read: steps of variable
/// length, one or two bytes for each buffer of a plain file. A file of 1 TB costs 17 to 34 MB in buffers of 64 KiB, 1
/// to 2 MB in buffers of 1 MiB.
class PlaceList {
public:
    /// `unit`: most steps are multiples of it, such as the size of the buffers; not 0.
    explicit PlaceList(std::uint64_t unit) : m_unit(unit) {}
    void add(std::uint64_t offset);
    /// In their order; as many as add() was given. For what has to be put into another order.
    [[nodiscard]] std::vector<std::uint64_t> offsets() const;
    void clear();
    [[nodiscard]] std::uint64_t size() const noexcept { return m_count; }
    /// What it holds in memory, but for what every list has.
    [[nodiscard]] std::size_t memory() const noexcept { return m_steps.size(); }

    /// Goes through a list, which must outlive it and stay as it is.
    class Reader {
    public:
        explicit Reader(const PlaceList& list) : m_list(&list) {}
        /// Empty at the end.
        [[nodiscard]] std::optional<std::uint64_t> next();

    private:
        const PlaceList* m_list;
        std::size_t m_at = 0;
        std::uint64_t m_offset = 0;
    };

private:
    std::uint64_t m_unit;
    std::uint64_t m_last = 0;
    std::uint64_t m_count = 0;
    std::deque<std::uint8_t> m_steps; ///< grows without moving what is there
};

} // namespace tracedeck::etl
