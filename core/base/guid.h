// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracedeck {

/// A GUID in the 16 bytes that files and ETW structures hold (first three groups little endian).
struct Guid {
    std::array<std::uint8_t, 16> bytes{};

    friend auto operator<=>(const Guid&, const Guid&) = default;
    [[nodiscard]] constexpr bool isNull() const noexcept { return bytes == std::array<std::uint8_t, 16>{}; }

    /// From the four parts of the usual C initializer.
    static constexpr Guid of(std::uint32_t a, std::uint16_t b, std::uint16_t c,
                             std::array<std::uint8_t, 8> d) noexcept {
        Guid g;
        for (unsigned i = 0; i < 4; ++i) {
            g.bytes[i] = static_cast<std::uint8_t>(a >> (8U * i));
        }
        for (unsigned i = 0; i < 2; ++i) {
            g.bytes[4 + i] = static_cast<std::uint8_t>(b >> (8U * i));
            g.bytes[6 + i] = static_cast<std::uint8_t>(c >> (8U * i));
        }
        for (unsigned i = 0; i < 8; ++i) {
            g.bytes[8 + i] = d[i];
        }
        return g;
    }
};

/// "68fdd900-4a3e-11d1-84f4-0000f80464e3", lower case, no braces.
std::string toString(const Guid& guid);

/// Takes 8-4-4-4-12 hexadecimal digits, either case, with or without braces; nothing else.
std::optional<Guid> parseGuid(std::string_view text) noexcept;

/// The provider id that TraceLogging and EventSource derive from a provider name: SHA-1 of a fixed namespace and the
/// upper-cased name in UTF-16 big endian, marked as version 5 (published as "EtwProviderName hash"). `name` is UTF-8.
Guid guidFromProviderName(std::string_view name);

/// A random GUID (version 4).
Guid randomGuid();

} // namespace tracedeck
