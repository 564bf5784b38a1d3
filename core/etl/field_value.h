// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tracedeck::etl {

/// How the bytes of a field are to be understood; how many there are says the rest (a Signed of 1, 2, 4 or 8 bytes).
enum class FieldType : std::uint8_t {
    Signed,
    Unsigned,
    Hex, ///< addresses, flags, codes: a number that is read in hexadecimal
    Float,
    Boolean,
    Guid,
    FileTime,
    SystemTime,
    WideText,  ///< UTF-16, without a terminator
    Text,      ///< UTF-8 or the code page of who wrote it, without a terminator
    Character, ///< one character, of 1 or 2 bytes
    Sid,
    IpV4,
    IpV6,
    SocketAddress,
    Port, ///< big endian
    Binary,
};

/// A field where it lies in its event. `data` may be unaligned.
struct FieldValue {
    std::string_view name; ///< empty: an element of an array
    FieldType type = FieldType::Binary;
    std::span<const std::byte> data;
    std::span<const std::byte> slack{}; ///< behind `data`, of the field and without meaning: fixed room for a text
};

/// Takes the fields of an event in their order; begin and end come in pairs, whatever the event's bytes are.
class FieldSink {
public:
    virtual ~FieldSink() = default;
    virtual void value(const FieldValue& field) = 0;
    virtual void beginArray(std::string_view name) = 0;
    virtual void endArray() = 0;
    virtual void beginStruct(std::string_view name) = 0;
    virtual void endStruct() = 0;
};

} // namespace tracedeck::etl
