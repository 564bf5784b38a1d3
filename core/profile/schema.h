// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The profile schema as tables: the published WPRControlProfiles schema, and what newer versions of WPR read besides.
/// A new element is a new row here; the validator knows no names.
namespace tracedeck::profile::schema {

/// What the value of an attribute must be.
enum class Kind : std::uint8_t {
    Text,
    NonEmptyText,
    Id,      ///< no colon, no blank
    Boolean, ///< true, false, 1, 0
    Float,
    Byte,          ///< 0…255
    Count,         ///< decimal, up to 2^32 - 1
    PositiveCount, ///< 1…65535
    Seconds,       ///< 1…3600
    Decimal,       ///< digits with an optional fraction
    EventId,       ///< 0…65535, also hexadecimal with 0x
    Hex32,         ///< 0x and 1 to 8 digits
    EventKeyword,  ///< 1 to 16 hexadecimal digits, 0x usual
    PoolTag,       ///< 1 to 4 characters
    TransitionTag, ///< part of a file name
    Enumeration,   ///< one of Attribute::words
    SystemKeyword, ///< a name of systemKeywords()
    SystemStack,   ///< a name of systemStacks()
};

struct Attribute {
    std::string_view name;
    Kind kind = Kind::Text;
    bool isRequired = false;
    std::span<const std::string_view> words{}; ///< of an Enumeration
};

struct Element;

constexpr std::uint16_t kMany = 0xFFFF;

struct Child {
    const Element* element;
    std::uint16_t minimum = 0;
    std::uint16_t maximum = kMany;
    /// Children stand in the order of the table, but a floating one may stand anywhere among them.
    bool isFloating = false;
};

/// What holds for an element as a whole.
enum class Rule : std::uint8_t {
    None,
    OneChildAtLeast,
    /// As OneChildAtLeast, and the children's Value attributes differ from each other.
    DistinctValues,
    /// Not internal: Id is Name.DetailLevel.LoggingMode.
    ProfileId,
};

struct Element {
    std::string_view name;
    std::span<const Attribute> attributes;
    std::span<const Child> children;
    Rule rule = Rule::None;
};

/// WindowsPerformanceRecorder.
[[nodiscard]] const Element& root() noexcept;

} // namespace tracedeck::profile::schema
