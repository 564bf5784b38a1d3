// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/kernel_fields.h"

#include "core/etl/kernel_layouts.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

namespace tracedeck::etl {
namespace {

std::string_view takeWord(std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    return word;
}

template <class Number>
bool toNumber(std::string_view text, Number& number, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

/// A layout with the lines that go on with it.
std::string_view takeLayout(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    std::size_t end = 0;
    do {
        end = std::min(text.find('\n', end + 1), text.size());
    } while (end + 1 < text.size() && text[end + 1] == ' ');
    const std::string_view layout = text.substr(0, end);
    text.remove_prefix(end);
    return layout;
}

std::size_t zeroAt(std::span<const std::byte> bytes, std::size_t width) noexcept {
    if (width == 1) {
        return static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), std::byte{0}) - bytes.begin());
    }
    std::size_t at = 0;
    while (at + 2 <= bytes.size() && loadAt<char16_t>(bytes.data(), at) != 0) {
        at += 2;
    }
    return at;
}

} // namespace

bool isNarrow(const EventView& event) noexcept {
    using etlformat::HeaderType;
    switch (static_cast<HeaderType>(event.data[2])) {
    case HeaderType::System32:
    case HeaderType::Compact32:
    case HeaderType::Full32:
    case HeaderType::Instance32:
    case HeaderType::Perfinfo32:
    case HeaderType::Event32:
        return true;
    case HeaderType::System64:
    case HeaderType::Compact64:
    case HeaderType::Perfinfo64:
    case HeaderType::Event64:
    case HeaderType::Full64:
    case HeaderType::Instance64:
        break;
    }
    return false;
}

std::size_t sidLength(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t kFixed = 8;
    constexpr unsigned kMostParts = 15;
    if (bytes.size() < kFixed || std::to_integer<unsigned>(bytes[1]) > kMostParts) {
        return 0;
    }
    const std::size_t length = kFixed + sizeof(std::uint32_t) * std::to_integer<std::size_t>(bytes[1]);
    return length <= bytes.size() ? length : 0;
}

std::size_t KernelFields::ClassHash::operator()(const ClassKey& key) const noexcept {
    const auto* const bytes = reinterpret_cast<const std::byte*>(key.eventClass.bytes.data());
    return static_cast<std::size_t>(loadAt<std::uint64_t>(bytes, 0) ^ (loadAt<std::uint64_t>(bytes, 8) * 31U)) +
           key.type;
}

const KernelFields& KernelFields::builtIn() {
    static const KernelFields table = [] {
        auto parsed = parse(kernelLayoutTexts(), classicLayoutText());
        assert(parsed);
        return parsed ? std::move(*parsed) : KernelFields();
    }();
    return table;
}

std::optional<KernelFields> KernelFields::parse(std::span<const std::string_view> kernel, std::string_view classic) {
    KernelFields table;
    table.m_hookSlots.resize(std::size_t{1} << 16U);
    for (const std::string_view text : kernel) {
        if (!table.parseText(text, false)) {
            return std::nullopt;
        }
    }
    if (!table.parseText(classic, true)) {
        return std::nullopt;
    }
    return table;
}

bool KernelFields::parseText(std::string_view text, bool isClassic) {
    while (text.find_first_not_of('\n') != std::string_view::npos) {
        if (!parseLayout(takeLayout(text), isClassic)) {
            return false;
        }
    }
    return true;
}

bool KernelFields::parseLayout(std::string_view line, bool isClassic) {
    std::string_view ids = takeWord(line);
    ClassKey key;
    if (isClassic) {
        const auto guid = parseGuid(ids);
        if (!guid || !toNumber(takeWord(line), key.type)) {
            return false;
        }
        key.eventClass = *guid;
    }
    Layout layout;
    if (!toNumber(takeWord(line), layout.version)) {
        return false;
    }
    layout.firstField = static_cast<std::uint32_t>(m_fields.size());
    for (std::string_view word = takeWord(line); !word.empty(); word = takeWord(line)) {
        if (!parseField(word, layout.firstField)) {
            return false;
        }
    }
    layout.fields = static_cast<std::uint32_t>(m_fields.size()) - layout.firstField;
    const auto add = [&](std::vector<Layout>& versions) {
        versions.push_back(layout);
        std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) { return a.version < b.version; });
    };
    if (isClassic) {
        add(m_byClass[key]);
        return true;
    }
    while (!ids.empty()) {
        std::uint16_t hook = 0;
        if (!toNumber(ids.substr(0, ids.find(',')), hook, 16)) {
            return false;
        }
        ids = ids.find(',') != std::string_view::npos ? ids.substr(ids.find(',') + 1) : std::string_view();
        if (m_hookSlots[hook] == 0) {
            m_byHook.emplace_back();
            m_hookSlots[hook] = static_cast<std::uint16_t>(m_byHook.size());
        }
        add(m_byHook[m_hookSlots[hook] - 1U]);
    }
    return true;
}

bool KernelFields::parseField(std::string_view word, std::size_t first) {
    struct Type {
        std::string_view name;
        FieldType type;
        Kind kind;
        std::uint16_t size;
    };
    constexpr std::array kTypes{
        Type{"i8", FieldType::Signed, Kind::Fixed, 1},
        Type{"u8", FieldType::Unsigned, Kind::Fixed, 1},
        Type{"i16", FieldType::Signed, Kind::Fixed, 2},
        Type{"u16", FieldType::Unsigned, Kind::Fixed, 2},
        Type{"i32", FieldType::Signed, Kind::Fixed, 4},
        Type{"u32", FieldType::Unsigned, Kind::Fixed, 4},
        Type{"i64", FieldType::Signed, Kind::Fixed, 8},
        Type{"u64", FieldType::Unsigned, Kind::Fixed, 8},
        Type{"ptr", FieldType::Hex, Kind::Pointer, 8},
        Type{"guid", FieldType::Guid, Kind::Fixed, 16},
        Type{"filetime", FieldType::FileTime, Kind::Fixed, 8},
        Type{"ipv4", FieldType::IpV4, Kind::Fixed, 4},
        Type{"ipv6", FieldType::IpV6, Kind::Fixed, 16},
        Type{"be16", FieldType::Port, Kind::Fixed, 2},
        Type{"wstrz", FieldType::WideText, Kind::WideZero, 2},
        Type{"astrz", FieldType::Text, Kind::NarrowZero, 1},
        Type{"wchars", FieldType::WideText, Kind::WideFixed, 2},
        Type{"bytes", FieldType::Binary, Kind::Bytes, 1},
        Type{"sid", FieldType::Sid, Kind::Sid, 0},
    };
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || colon == 0) {
        return false;
    }
    Field field;
    field.name = word.substr(0, colon);
    word.remove_prefix(colon + 1);
    field.isOptional = word.ends_with('?');
    word.remove_suffix(field.isOptional ? 1 : 0);
    if (const std::size_t open = word.find('['); open != std::string_view::npos) {
        if (!word.ends_with(']')) {
            return false;
        }
        const std::string_view count = word.substr(open + 1, word.size() - open - 2);
        word = word.substr(0, open);
        if (count == "*") {
            field.repeat = Repeat::ToEnd;
        } else if (toNumber(count, field.count)) {
            field.repeat = Repeat::Count;
        } else {
            const auto named = std::find_if(m_fields.begin() + static_cast<std::ptrdiff_t>(first), m_fields.end(),
                                            [&](const Field& one) { return one.name == count; });
            if (named == m_fields.end() || named->kind != Kind::Fixed || named->repeat != Repeat::Once) {
                return false;
            }
            field.repeat = Repeat::Field;
            field.count = static_cast<std::uint16_t>(named - m_fields.begin() - static_cast<std::ptrdiff_t>(first));
        }
    }
    const auto* const type =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& one) { return one.name == word; });
    const bool isBlock = type != kTypes.end() && (type->kind == Kind::WideFixed || type->kind == Kind::Bytes);
    if (type == kTypes.end() || (isBlock && field.repeat != Repeat::Count)) {
        return false;
    }
    field.type = type->type;
    field.kind = type->kind;
    field.size = type->size;
    m_fields.push_back(field);
    return true;
}

const KernelFields::Layout* KernelFields::find(const EventView& event) const {
    const std::vector<Layout>* versions = nullptr;
    std::uint32_t version = 0;
    if (event.hasHook()) {
        const std::uint16_t slot = m_hookSlots[event.hookId];
        versions = slot != 0 ? &m_byHook[slot - 1U] : nullptr;
        // The high byte counts hardware counters of PERFINFO headers.
        version = loadAt<std::uint16_t>(event.data, 0) & (event.kind == EventKind::Perfinfo ? 0xFFU : 0xFFFFU);
    } else if (event.kind == EventKind::Full || event.kind == EventKind::Instance) {
        const auto found = m_byClass.find({event.guid(), loadAt<std::uint8_t>(event.data, 4)});
        versions = found != m_byClass.end() ? &found->second : nullptr;
        version = loadAt<std::uint16_t>(event.data, 6);
    }
    const Layout* best = nullptr;
    if (versions != nullptr) {
        for (const Layout& layout : *versions) {
            if (layout.version <= version) {
                best = &layout;
            }
        }
    }
    return best;
}

/// One payload while its fields are visited.
class KernelFields::Reading {
public:
    Reading(std::span<const Field> fields, std::span<const std::byte> payload, std::size_t pointerSize, FieldSink& sink)
        : m_fields(fields), m_payload(payload), m_pointerSize(pointerSize), m_sink(sink) {}

    Visit run() {
        Visit visit;
        visit.isKnown = true;
        for (std::size_t i = 0; i < m_fields.size(); ++i) {
            if (m_fields[i].isOptional && m_at == m_payload.size()) {
                break;
            }
            if (!take(i)) {
                visit.payloadBytes = m_at;
                return visit;
            }
        }
        visit.isWhole = true;
        visit.payloadBytes = m_at;
        return visit;
    }

private:
    bool take(std::size_t index) {
        const Field& field = m_fields[index];
        if (index < kMostOffsets) {
            m_offsets[index] = m_at;
        }
        if (field.repeat == Repeat::Once || field.kind == Kind::WideFixed || field.kind == Kind::Bytes) {
            return takeOne(field, field.name);
        }
        const std::size_t count = countOf(field);
        m_sink.beginArray(field.name);
        bool isGood = true;
        for (std::size_t i = 0; i < count && isGood; ++i) {
            isGood = takeOne(field, {});
        }
        m_sink.endArray();
        return isGood;
    }
    [[nodiscard]] std::size_t countOf(const Field& field) const {
        if (field.repeat == Repeat::Count) {
            return field.count;
        }
        if (field.repeat == Repeat::ToEnd) {
            const std::size_t size = field.kind == Kind::Pointer ? m_pointerSize : field.size;
            return size == 0 ? 0 : (m_payload.size() - m_at) / size;
        }
        const Field& source = m_fields[field.count];
        const std::size_t at = field.count < kMostOffsets ? m_offsets[field.count] : m_payload.size();
        std::uint64_t count = 0;
        if (at + source.size <= m_payload.size()) {
            std::memcpy(&count, m_payload.data() + at, std::min<std::size_t>(source.size, sizeof count));
        }
        // An element has a byte at least, so that more elements than bytes end in front of the first one missing.
        return static_cast<std::size_t>(std::min<std::uint64_t>(count, m_payload.size() + 1));
    }
    bool takeOne(const Field& field, std::string_view name) {
        const std::span<const std::byte> rest = m_payload.subspan(m_at);
        std::size_t shown = field.size;
        std::size_t taken = field.size;
        switch (field.kind) {
        case Kind::Fixed:
            break;
        case Kind::Pointer:
            shown = taken = m_pointerSize;
            break;
        case Kind::WideZero:
        case Kind::NarrowZero:
            shown = zeroAt(rest, field.size);
            taken = shown + field.size;
            break;
        case Kind::WideFixed:
            taken = std::size_t{field.count} * 2;
            shown = std::min(taken, zeroAt(rest.first(std::min(rest.size(), taken)), 2));
            break;
        case Kind::Bytes:
            shown = taken = field.count;
            break;
        case Kind::Sid:
            return takeSid(field, name, rest);
        }
        if (taken > rest.size()) {
            return false;
        }
        const bool isRoom = field.kind == Kind::WideFixed;
        m_sink.value(
            {name, field.type, rest.first(shown), isRoom ? rest.subspan(shown, taken - shown) : rest.first(0)});
        m_at += taken;
        return true;
    }
    /// TOKEN_USER, a pointer and attributes, and the SID behind it; four zero bytes stand for none.
    bool takeSid(const Field& field, std::string_view name, std::span<const std::byte> rest) {
        if (rest.size() < sizeof(std::uint32_t)) {
            return false;
        }
        if (loadAt<std::uint32_t>(rest.data(), 0) == 0) {
            m_sink.value({name, field.type, {}});
            m_at += sizeof(std::uint32_t);
            return true;
        }
        const std::size_t skipped = 2 * m_pointerSize;
        const std::size_t length = rest.size() < skipped ? 0 : sidLength(rest.subspan(skipped));
        if (length == 0) {
            return false;
        }
        m_sink.value({name, field.type, rest.subspan(skipped, length)});
        m_at += skipped + length;
        return true;
    }

    static constexpr std::size_t kMostOffsets = 64; ///< fields of a layout that others may count by
    std::span<const Field> m_fields;
    std::span<const std::byte> m_payload;
    std::size_t m_pointerSize;
    FieldSink& m_sink;
    std::size_t m_at = 0;
    std::array<std::size_t, kMostOffsets> m_offsets{};
};

KernelFields::Visit KernelFields::visit(const EventView& event, FieldSink& sink) const {
    const Layout* const layout = find(event);
    if (layout == nullptr) {
        return {};
    }
    constexpr std::size_t kNarrow = 4;
    constexpr std::size_t kWide = 8;
    const auto fields = std::span(m_fields).subspan(layout->firstField, layout->fields);
    return Reading(fields, event.payload(), isNarrow(event) ? kNarrow : kWide, sink).run();
}

} // namespace tracedeck::etl
