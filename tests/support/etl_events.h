// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::test {

/// One event of a file, as little of it as tests ask for.
struct EtlEvent {
    std::uint32_t processor = 0;
    Ticks time = 0;
    std::uint16_t hook = 0;      ///< kernel events
    bool isKernel = false;       ///< SYSTEM or PERFINFO header
    std::uint32_t processId = 0; ///< SYSTEM and EVENT headers
    std::uint32_t threadId = 0;
    Guid provider; ///< EVENT headers
    std::span<const std::byte> whole;
    std::span<const std::byte> payload; ///< kernel events: what follows the header

    template <class T>
    [[nodiscard]] T at(std::size_t offset) const {
        T value{};
        if (offset + sizeof(T) <= payload.size()) {
            std::memcpy(&value, payload.data() + offset, sizeof(T));
        }
        return value;
    }
    /// Zero-terminated UTF-16 at an offset of the payload, as UTF-8.
    [[nodiscard]] std::string wideString(std::size_t offset) const;
};

/// Every event of an uncompressed 64-bit .etl file in the order of the file, the header buffer's included. A reader of
/// the tests' own, so that what the product wrote is not judged by the product's reader. Throws std::runtime_error
/// where the structure is broken.
class EtlEvents {
public:
    explicit EtlEvents(const std::string& path);
    [[nodiscard]] const std::vector<EtlEvent>& all() const noexcept { return m_events; }
    [[nodiscard]] std::vector<EtlEvent> ofHook(std::uint16_t hook) const;

private:
    std::vector<std::byte> m_bytes;
    std::vector<EtlEvent> m_events;
};

} // namespace tracedeck::test
