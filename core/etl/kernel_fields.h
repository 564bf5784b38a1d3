// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/event_view.h"
#include "core/etl/field_value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracedeck::etl {

/// The fields of NT kernel events, and of the classic events that merges add, by a table of layouts (kernel_layouts.h).
///
/// Threading: a constant once it is made, any thread.
class KernelFields {
public:
    /// The table of this program. Errors: none, it is checked by tests.
    static const KernelFields& builtIn();
    /// For tests: a table that is wrong is a null pointer's worth of use.
    [[nodiscard]] static std::optional<KernelFields> parse(std::span<const std::string_view> kernel,
                                                           std::string_view classic);

    /// What a layout made of a payload.
    struct Visit {
        bool isKnown = false;         ///< there is a layout; else nothing was visited
        bool isWhole = false;         ///< all of its fields were there
        std::size_t payloadBytes = 0; ///< that the fields take; what follows them is not understood
    };
    /// Events with a hook, Full and Instance; others are not known.
    Visit visit(const EventView& event, FieldSink& sink) const;

private:
    enum class Kind : std::uint8_t { Fixed, Pointer, WideZero, NarrowZero, WideFixed, Bytes, Sid };
    enum class Repeat : std::uint8_t { Once, Count, Field, ToEnd };
    struct Field {
        std::string_view name;
        FieldType type = FieldType::Binary;
        Kind kind = Kind::Fixed;
        Repeat repeat = Repeat::Once;
        bool isOptional = false;
        std::uint16_t size = 0;  ///< Fixed: bytes of one
        std::uint16_t count = 0; ///< Count: how many; Field: index of the field that holds it
    };
    struct Layout {
        std::uint32_t version = 0;
        std::uint32_t firstField = 0;
        std::uint32_t fields = 0;
    };
    struct ClassKey {
        Guid eventClass;
        std::uint8_t type = 0;
        friend bool operator==(const ClassKey&, const ClassKey&) = default;
    };
    struct ClassHash {
        std::size_t operator()(const ClassKey& key) const noexcept;
    };
    class Reading;

    bool parseText(std::string_view text, bool isClassic);
    bool parseLayout(std::string_view line, bool isClassic);
    bool parseField(std::string_view word, std::size_t first);
    [[nodiscard]] const Layout* find(const EventView& event) const;

    std::vector<Field> m_fields;
    std::vector<std::vector<Layout>> m_byHook; ///< index of m_hookSlots less 1, versions ascending
    std::vector<std::uint16_t> m_hookSlots;    ///< by hook id: 0 none
    std::unordered_map<ClassKey, std::vector<Layout>, ClassHash> m_byClass;
};

/// Whether the event was written by 32-bit code, so that its pointers have four bytes.
[[nodiscard]] bool isNarrow(const EventView& event) noexcept;

/// Length of the SID at the beginning of `bytes`; 0 where there is none, or not all of it.
[[nodiscard]] std::size_t sidLength(std::span<const std::byte> bytes) noexcept;

} // namespace tracedeck::etl
