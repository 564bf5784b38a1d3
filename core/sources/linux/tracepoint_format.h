// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::linux_source {

/// Where a value lies in a tracepoint's raw data.
struct TracepointField {
    std::uint16_t offset = 0;
    std::uint16_t size = 0;
    bool isSigned = false;

    /// The number of 1, 2, 4 or 8 bytes, sign-extended where the field is signed; 0 where `raw` is too short.
    [[nodiscard]] std::int64_t read(std::span<const std::byte> raw) const noexcept {
        if (std::size_t{offset} + size > raw.size()) {
            return 0;
        }
        const std::byte* const at = raw.data() + offset;
        switch (size) {
        case 1:
            return isSigned ? as<std::int8_t>(at) : as<std::uint8_t>(at);
        case 2:
            return isSigned ? as<std::int16_t>(at) : as<std::uint16_t>(at);
        case 4:
            return isSigned ? as<std::int32_t>(at) : static_cast<std::int64_t>(as<std::uint32_t>(at));
        case 8:
            return as<std::int64_t>(at);
        default: // integer() gives no others
            return 0;
        }
    }
    /// The characters of an array before its first zero; empty where `raw` is too short.
    [[nodiscard]] std::string_view text(std::span<const std::byte> raw) const noexcept;

private:
    template <class T>
    [[nodiscard]] static T as(const std::byte* at) noexcept {
        T value;
        std::memcpy(&value, at, sizeof(value));
        return value;
    }
};

/// A tracepoint's `format` file: its id and the places of its fields, which differ between kernels.
struct TracepointFormat {
    struct NamedField {
        std::string name;
        TracepointField field;
    };
    std::uint64_t id = 0;
    std::vector<NamedField> fields;
    std::string printFormat;

    [[nodiscard]] static Result<TracepointFormat> parse(std::string_view text);
    /// InvalidArgument where there is no such field, or it is no integer of 1, 2, 4 or 8 bytes.
    [[nodiscard]] Result<TracepointField> integer(std::string_view name) const;
    /// InvalidArgument where there is no such field; of any size.
    [[nodiscard]] Result<TracepointField> field(std::string_view name) const;
};

} // namespace tracedeck::linux_source
