// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/file_events.h"
#include "tests/support/catch.h"

#include <cstring>

namespace tracedeck::etlformat {
namespace {

/// The value that lies at an offset of a payload.
template <class T, class Payload>
T at(const Payload& payload, std::size_t offset) {
    T value{};
    REQUIRE(offset + sizeof(T) <= sizeof(Payload));
    std::memcpy(&value, reinterpret_cast<const char*>(&payload) + offset, sizeof(T));
    return value;
}
template <class Payload>
std::uint64_t wide(const Payload& payload, std::size_t offset) {
    return at<std::uint64_t>(payload, offset);
}
template <class Payload>
std::uint32_t narrow(const Payload& payload, std::size_t offset) {
    return at<std::uint32_t>(payload, offset);
}

} // namespace

// The offsets are those of the classes FileIo_*, version 3.
TEST_CASE("an opening and its end lie as the kernel's classes say", "[etlformat][file]") {
    const FileCreatePayload create{1, 2, 3, 4, 5, 6};
    CHECK(wide(create, 0) == 1);    // IrpPtr
    CHECK(wide(create, 8) == 2);    // FileObject
    CHECK(narrow(create, 16) == 3); // TTID
    CHECK(narrow(create, 20) == 4); // CreateOptions
    CHECK(narrow(create, 24) == 5); // FileAttributes
    CHECK(narrow(create, 28) == 6); // ShareAccess
    const FileOperationEndPayload end{1, 2, 3};
    CHECK(wide(end, 0) == 1);    // IrpPtr
    CHECK(wide(end, 8) == 2);    // ExtraInfo
    CHECK(narrow(end, 16) == 3); // NtStatus
}

TEST_CASE("a transfer of a file lies as the kernel's class says", "[etlformat][file]") {
    const FileTransferPayload transfer{1, 2, 3, 4, 5, 6, 7};
    CHECK(wide(transfer, 0) == 1);    // Offset
    CHECK(wide(transfer, 8) == 2);    // IrpPtr
    CHECK(wide(transfer, 16) == 3);   // FileObject
    CHECK(wide(transfer, 24) == 4);   // FileKey
    CHECK(narrow(transfer, 32) == 5); // TTID
    CHECK(narrow(transfer, 36) == 6); // IoSize
    CHECK(narrow(transfer, 40) == 7); // IoFlags
}

TEST_CASE("other operations on files lie as the kernel's classes say", "[etlformat][file]") {
    const FileSimplePayload simple{1, 2, 3, 4};
    CHECK(wide(simple, 0) == 1);    // IrpPtr
    CHECK(wide(simple, 8) == 2);    // FileObject
    CHECK(wide(simple, 16) == 3);   // FileKey
    CHECK(narrow(simple, 24) == 4); // TTID
    const FileInfoPayload info{1, 2, 3, 4, 5, 6};
    CHECK(wide(info, 16) == 3);   // FileKey
    CHECK(wide(info, 24) == 4);   // ExtraInfo
    CHECK(narrow(info, 32) == 5); // TTID
    CHECK(narrow(info, 36) == 6); // InfoClass
    const FileDirEnumPayload list{1, 2, 3, 4, 5, 6, 7};
    CHECK(wide(list, 16) == 3);   // FileKey
    CHECK(narrow(list, 24) == 4); // TTID
    CHECK(narrow(list, 28) == 5); // Length
    CHECK(narrow(list, 32) == 6); // InfoClass
    CHECK(narrow(list, 36) == 7); // FileIndex
}

} // namespace tracedeck::etlformat
