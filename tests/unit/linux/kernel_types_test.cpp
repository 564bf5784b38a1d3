// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/kernel_types.h"
#include "core/sources/linux/proc_files.h"
#include "tests/support/catch.h"

#include <cstddef>
#include <initializer_list>
#include <iostream>

namespace tracedeck::linux_source {
namespace {

void put(std::string& into, std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values) {
        into.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
}

constexpr std::uint32_t kIntKind = 1U << 24U;
constexpr std::uint32_t kStructKind = 4U << 24U;
constexpr std::uint32_t kUnionKind = 5U << 24U;
constexpr std::uint32_t kBitFields = 0x8000'0000;

/// An int; a union { a } without a name; struct "outer" { b at byte 4, that union at byte 8 }; struct "flags" with the
/// bit fields c at bit 0 (3 bits) and d at bit 3.
std::string types() {
    const std::string names("\0int\0a\0outer\0b\0flags\0c\0d\0", 25);
    std::string body;
    put(body, {1, kIntKind, 4, 0x20});
    put(body, {0, kUnionKind | 1U, 4, /* a */ 5, 1, 0});
    put(body, {7, kStructKind | 2U, 12, /* b */ 13, 1, 32, /* union */ 0, 2, 64});
    put(body, {15, kStructKind | kBitFields | 2U, 4, /* c */ 21, 1, 3U << 24U, /* d */ 23, 1, (5U << 24U) | 3U});
    std::string bytes("\x9F\xEB\x01\x00", 4);
    put(bytes, {24, 0, static_cast<std::uint32_t>(body.size()), static_cast<std::uint32_t>(body.size()),
                static_cast<std::uint32_t>(names.size())});
    return bytes + body + names;
}

} // namespace

TEST_CASE("the places of members are read from the kernel's description of its types", "[linux][types]") {
    const auto known = KernelTypes::parse(types());
    REQUIRE(known);
    CHECK(known->offsetOf("outer", "b").value() == 4);
    CHECK(known->offsetOf("outer", "a").value() == 8); // of the union without a name
    CHECK(known->offsetOf("flags", "c").value() == 0);
    CHECK(known->offsetOf("flags", "d").error().code == ErrorCode::InvalidArgument); // at no byte
    CHECK(known->offsetOf("outer", "c").error().code == ErrorCode::InvalidArgument);
    CHECK(known->offsetOf("outer", "").error().code == ErrorCode::InvalidArgument);
    CHECK(known->offsetOf("int", "b").error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("a broken description of types is refused wherever it ends", "[linux][types]") {
    const std::string whole = types();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK(KernelTypes::parse(whole.substr(0, size)).error().code == ErrorCode::NotSupported);
    }
    std::string unknownKind = whole;
    unknownKind[24 + 7] = 31;
    CHECK(KernelTypes::parse(unknownKind).error().code == ErrorCode::NotSupported);
    std::string manyMembers = whole;
    manyMembers[24 + 16 + 5] = '\x7F'; // more members than there are bytes
    CHECK(KernelTypes::parse(manyMembers).error().code == ErrorCode::NotSupported);
}

TEST_CASE("this kernel's own description tells where a file's inode is", "[linux][types]") {
    auto bytes = readWhole("/sys/kernel/btf/vmlinux");
    if (!bytes) {
        std::cerr << "SKIPPED: this kernel does not describe its types: " << bytes.error().detail << '\n';
        return;
    }
    const auto known = KernelTypes::parse(std::move(*bytes));
    REQUIRE(known);
    CHECK(known->offsetOf("list_head", "next").value() == 0);
    CHECK(known->offsetOf("list_head", "prev").value() == sizeof(void*));
    CHECK(known->offsetOf("task_struct", "files"));
    CHECK(known->offsetOf("file", "f_inode"));
    CHECK(known->offsetOf("inode", "i_ino").value() > known->offsetOf("inode", "i_mode").value());
}

} // namespace tracedeck::linux_source
