// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/trace_logging.h"

#include "core/base/utf.h"
#include "core/etlformat/layout.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstring>

using namespace tracedeck;
using namespace tracedeck::etlformat;

namespace {

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
    REQUIRE(offset + sizeof(T) <= bytes.size());
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string textAt(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t size) {
    REQUIRE(offset + size <= bytes.size());
    std::string text(size, '\0');
    std::memcpy(text.data(), bytes.data() + offset, size);
    return text;
}

/// Where the payload begins, read by walking the items as a consumer does.
std::size_t payloadOffset(const std::vector<std::byte>& bytes) {
    std::size_t offset = sizeof(EventHeader);
    while (true) {
        const auto item = at<ExtendedItem>(bytes, offset);
        CHECK(item.totalSize % 8 == 0);
        CHECK(item.totalSize >= sizeof item + item.dataSize);
        offset += item.totalSize;
        if ((item.linkage & 1U) == 0) {
            return offset;
        }
    }
}

const Guid kProvider = guidFromProviderName("Tracedeck-Recorder");

} // namespace

TEST_CASE("An event carries names, types and values", "[etlformat][tracelogging]") {
    const Guid guid = Guid::of(1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11});
    TraceLoggingEvent event{"Mark", 3, 1, 0x8000000000000002, {}};
    event.fields = {{"text", std::string("h\xC3\xA9llo")},
                    {"u64", std::uint64_t{1} << 40U},
                    {"i64", std::int64_t{-2}},
                    {"u32", std::uint32_t{7}},
                    {"ratio", 0.5},
                    {"flag", true},
                    {"id", guid},
                    {"when", TraceLoggingEvent::FileTimeValue{kUnixEpoch}}};
    const std::vector<std::byte> bytes = encode(event, kProvider, "Tracedeck-Recorder", 12345, 11, 22);

    const auto header = at<EventHeader>(bytes, 0);
    CHECK(header.size == bytes.size());
    CHECK(header.flags == kExtendedInfo);
    CHECK(header.processId == 11);
    CHECK(header.threadId == 22);
    CHECK(header.timeStamp == 12345);
    CHECK(header.providerId == kProvider);
    CHECK(header.descriptor.channel == 11);
    CHECK(header.descriptor.level == 3);
    CHECK(header.descriptor.opcode == 1);
    CHECK(header.descriptor.keyword == 0x8000000000000002);

    const auto traits = at<ExtendedItem>(bytes, sizeof header);
    CHECK(traits.type == static_cast<std::uint16_t>(ExtendedType::ProviderTraits));
    CHECK(at<std::uint16_t>(bytes, sizeof header + 8) == traits.dataSize);
    CHECK(textAt(bytes, sizeof header + 10, 19) == std::string("Tracedeck-Recorder\0", 19));

    const std::size_t schemaAt = sizeof header + traits.totalSize;
    const auto schema = at<ExtendedItem>(bytes, schemaAt);
    CHECK(schema.type == static_cast<std::uint16_t>(ExtendedType::SchemaTl));
    CHECK(at<std::uint16_t>(bytes, schemaAt + 8) == schema.dataSize);
    const std::string expected("\0Mark\0text\0\x97\x23u64\0\x0Ai64\0\x09u32\0\x08ratio\0\x0C"
                               "flag\0\x0Did\0\x0Fwhen\0\x11",
                               1 + 5 + 7 + 5 + 5 + 5 + 7 + 6 + 4 + 6);
    CHECK(textAt(bytes, schemaAt + 10, schema.dataSize - 2U) == expected);

    std::size_t offset = payloadOffset(bytes);
    CHECK(at<std::uint16_t>(bytes, offset) == 6);
    CHECK(textAt(bytes, offset + 2, 6) == "h\xC3\xA9llo");
    offset += 8;
    CHECK(at<std::uint64_t>(bytes, offset) == std::uint64_t{1} << 40U);
    CHECK(at<std::int64_t>(bytes, offset + 8) == -2);
    CHECK(at<std::uint32_t>(bytes, offset + 16) == 7);
    CHECK(at<double>(bytes, offset + 20) == 0.5);
    CHECK(at<std::uint32_t>(bytes, offset + 28) == 1);
    CHECK(at<Guid>(bytes, offset + 32) == guid);
    CHECK(at<FileTime>(bytes, offset + 48) == kUnixEpoch);
    CHECK(offset + 56 == bytes.size());
}

TEST_CASE("Text that is too long is cut at a character and says so", "[etlformat][tracelogging]") {
    std::string text;
    for (int i = 0; i < 30000; ++i) {
        text += "\xE2\x82\xAC"; // three bytes each
    }
    TraceLoggingEvent event{"Note", 4, 0, 0, {{"short", std::string("kept whole")}, {"long", text}}};
    const std::vector<std::byte> bytes = encode(event, kProvider, "P", 0, 1, 1);
    CHECK(bytes.size() <= 60 * 1024);
    CHECK(bytes.size() > 60 * 1024 - 8);
    const std::size_t offset = payloadOffset(bytes);
    REQUIRE(at<std::uint16_t>(bytes, offset) == 10);
    CHECK(textAt(bytes, offset + 2, 10) == "kept whole");
    const auto size = at<std::uint16_t>(bytes, offset + 12);
    const std::string cut = textAt(bytes, offset + 14, size);
    CHECK(cut.ends_with("\xE2\x82\xAC\xE2\x80\xA6"));
    CHECK(toUtf8(toUtf16(cut)) == cut);
    CHECK(offset + 14 + size == bytes.size());
}

TEST_CASE("Several long texts share the room", "[etlformat][tracelogging]") {
    TraceLoggingEvent event{"Note", 4, 0, 0, {}};
    for (int i = 0; i < 4; ++i) {
        event.fields.emplace_back("text", std::string(50000, 'x'));
    }
    const std::vector<std::byte> bytes = encode(event, kProvider, "P", 0, 1, 1);
    CHECK(bytes.size() <= 60 * 1024);
    CHECK(at<EventHeader>(bytes, 0).size == bytes.size());
    CHECK(bytes.size() > 40 * 1024);
}

TEST_CASE("Bytes that are no UTF-8 become replacement characters", "[etlformat][tracelogging]") {
    const TraceLoggingEvent event{"Note",
                                  4,
                                  0,
                                  0,
                                  {{"text", std::string("a\xFF"
                                                        "b")}}};
    const std::vector<std::byte> bytes = encode(event, kProvider, "P", 0, 1, 1);
    const std::size_t offset = payloadOffset(bytes);
    CHECK(at<std::uint16_t>(bytes, offset) == 5);
    CHECK(textAt(bytes, offset + 2, 5) == "a\xEF\xBF\xBD"
                                          "b");
}
