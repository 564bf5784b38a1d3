// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/kernel_types.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace tracedeck::linux_source {
namespace {

struct Header {
    std::uint16_t magic = 0;
    std::uint8_t version = 0;
    std::uint8_t flags = 0;
    std::uint32_t length = 0; ///< of the header; offsets begin behind it
    std::uint32_t typesOffset = 0;
    std::uint32_t typesLength = 0;
    std::uint32_t namesOffset = 0;
    std::uint32_t namesLength = 0;
};
static_assert(sizeof(Header) == 24);

struct Member {
    std::uint32_t name = 0;
    std::uint32_t type = 0;
    std::uint32_t offset = 0; ///< bits; where the structure has bit fields, their size in the upper eight
};

constexpr std::uint16_t kMagic = 0xEB9F;
constexpr std::uint32_t kStructure = 4;
constexpr std::uint32_t kUnion = 5;
constexpr std::uint32_t kHasBitFields = 0x8000'0000;
constexpr int kDeepest = 16; // structures without a name within one another
constexpr std::size_t kTypeBytes = 12;

/// What follows a type: bytes, and bytes for each of its members.
struct Tail {
    std::uint8_t fixed = 0;
    std::uint8_t each = 0;
};
constexpr std::array<Tail, 20> kTails{{
    {0, 0},  // void
    {4, 0},  // int
    {0, 0},  // pointer
    {12, 0}, // array
    {0, 12}, // structure
    {0, 12}, // union
    {0, 8},  // enumeration
    {0, 0},  // forward declaration
    {0, 0},  // typedef
    {0, 0},  // volatile
    {0, 0},  // const
    {0, 0},  // restrict
    {0, 0},  // function
    {0, 8},  // its parameters
    {4, 0},  // variable
    {0, 12}, // section
    {0, 0},  // floating point
    {4, 0},  // tag of a declaration
    {0, 0},  // tag of a type
    {0, 12}, // enumeration of 64 bits
}};

template <class T>
T at(const std::string& bytes, std::size_t offset) noexcept {
    T value{};
    if (offset <= bytes.size() && sizeof(T) <= bytes.size() - offset) {
        std::memcpy(&value, bytes.data() + offset, sizeof(T));
    }
    return value;
}

Error unknown(std::string why) {
    return {ErrorCode::NotSupported, "the kernel's types: " + std::move(why), 0};
}

} // namespace

bool KernelTypes::Type::isStructure() const noexcept {
    return kind() == kStructure || kind() == kUnion;
}

Result<KernelTypes> KernelTypes::parse(std::string bytes) {
    const auto header = at<Header>(bytes, 0);
    const std::size_t begin = std::size_t{header.length} + header.typesOffset;
    const std::size_t end = begin + header.typesLength;
    KernelTypes types;
    types.m_names = std::size_t{header.length} + header.namesOffset;
    types.m_namesEnd = types.m_names + header.namesLength;
    if (header.magic != kMagic || header.length < sizeof(Header) || end > bytes.size() ||
        types.m_namesEnd > bytes.size()) {
        return fail(unknown("no BTF, or a part of it"));
    }
    types.m_types.emplace_back();
    for (std::size_t place = begin; place < end;) {
        const Type type{at<std::uint32_t>(bytes, place), at<std::uint32_t>(bytes, place + 4), place + kTypeBytes};
        if (type.kind() == 0 || type.kind() >= kTails.size()) {
            return fail(unknown("kind " + std::to_string(type.kind())));
        }
        const Tail tail = kTails[type.kind()];
        place = type.members + tail.fixed + std::size_t{tail.each} * type.count();
        if (place > end) {
            return fail(unknown("a type beyond their end"));
        }
        types.m_types.push_back(type);
    }
    types.m_bytes = std::move(bytes);
    return types;
}

std::string_view KernelTypes::nameAt(std::uint32_t offset) const noexcept {
    const std::string_view names(m_bytes.data() + m_names, m_namesEnd - m_names);
    if (offset >= names.size()) {
        return {};
    }
    const std::string_view name = names.substr(offset);
    return name.substr(0, name.find('\0'));
}

Result<std::uint32_t> KernelTypes::offsetOf(std::string_view structure, std::string_view member) const {
    const auto found = std::find_if(m_types.begin(), m_types.end(), [&](const Type& type) {
        return type.isStructure() && nameAt(type.name) == structure;
    });
    const auto bits = found == m_types.end() ? std::nullopt : bitsTo(*found, member, 0);
    if (!bits || *bits % 8 != 0) {
        return fail(ErrorCode::InvalidArgument,
                    "the kernel's types: no " + std::string(structure) + '.' + std::string(member), 0);
    }
    return *bits / 8;
}

std::optional<std::uint32_t> KernelTypes::bitsTo(const Type& type, std::string_view member, int depth) const {
    const bool hasBitFields = (type.info & kHasBitFields) != 0;
    for (std::uint32_t i = 0; i < type.count(); ++i) {
        const auto one = at<Member>(m_bytes, type.members + sizeof(Member) * i);
        const std::uint32_t bits = hasBitFields ? one.offset & 0xFF'FFFFU : one.offset;
        const std::string_view name = nameAt(one.name);
        if (!name.empty() && name == member) {
            return bits;
        }
        if (name.empty() && one.type < m_types.size() && m_types[one.type].isStructure() && depth < kDeepest) {
            if (const auto within = bitsTo(m_types[one.type], member, depth + 1)) {
                return bits + *within;
            }
        }
    }
    return std::nullopt;
}

} // namespace tracedeck::linux_source
