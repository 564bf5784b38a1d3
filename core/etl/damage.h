// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etl {

/// A stretch of the file that is left out.
struct DamagedRange {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::string reason; ///< English
};

/// Places where a file is not what it must be.
struct Damage {
    std::uint64_t count = 0;
    std::uint64_t firstOffset = 0;
    std::string firstDetail;
    std::vector<std::uint64_t> offsets; ///< of the first kMostOffsets places
    std::uint64_t bytes = 0;            ///< left out at all places together
    std::vector<DamagedRange> ranges;   ///< the first kMostRanges of those that bytes were left out at
    static constexpr std::size_t kMostOffsets = 32;
    static constexpr std::size_t kMostRanges = 1000;
    void note(std::uint64_t offset, std::string_view detail, std::uint64_t leftOut = 0);
    /// Takes the other's places too; the detail is that of the first in the file.
    void unite(const Damage& other);
};

} // namespace tracedeck::etl
