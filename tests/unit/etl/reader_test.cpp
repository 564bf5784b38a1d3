// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/event_view.h"
#include "core/etl/names.h"
#include "core/etl/time_window.h"
#include "core/etl/trace_logging_reader.h"
#include "core/etl/xpress.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/unit/etl/raw_file.h"

using namespace tracedeck;
using namespace tracedeck::etl;
using namespace tracedeck::test;

namespace {

std::vector<std::byte> bytesOf(std::initializer_list<unsigned> values) {
    std::vector<std::byte> bytes;
    for (const unsigned value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

std::string decoded(const std::vector<std::byte>& in, std::size_t room) {
    std::vector<std::byte> out(room);
    const auto made = decodeXpress(in, out);
    REQUIRE(made.has_value());
    return {reinterpret_cast<const char*>(out.data()), *made};
}

/// An event of `size` bytes whose header says `type`, the size at `sizeAt` and the time 42 at `timeAt`.
std::vector<std::byte> headerOf(std::uint8_t type, std::size_t size, std::size_t sizeAt, std::size_t timeAt) {
    std::vector<std::byte> bytes(size);
    bytes[2] = static_cast<std::byte>(type);
    bytes[3] = std::byte{0xC0};
    const auto size16 = static_cast<std::uint16_t>(size);
    const Ticks time = 42;
    std::memcpy(bytes.data() + sizeAt, &size16, sizeof size16);
    std::memcpy(bytes.data() + timeAt, &time, sizeof time);
    return bytes;
}

} // namespace

TEST_CASE("Plain LZ77 decodes the examples of its specification", "[etl][xpress]") {
    // MS-XCA 2.4, "Examples": 26 literals, and 300 characters from one match of three.
    std::vector<std::byte> alphabet = bytesOf({0x3f, 0x00, 0x00, 0x00});
    for (unsigned c = 'a'; c <= 'z'; ++c) {
        alphabet.push_back(static_cast<std::byte>(c));
    }
    CHECK(decoded(alphabet, 26) == "abcdefghijklmnopqrstuvwxyz");
    const auto repeated = bytesOf({0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01});
    std::string expected;
    for (int i = 0; i < 100; ++i) {
        expected += "abc";
    }
    CHECK(decoded(repeated, 300) == expected);
}

TEST_CASE("Plain LZ77 refuses what reaches outside", "[etl][xpress]") {
    std::vector<std::byte> out(100);
    SECTION("a match before the first byte") {
        CHECK_FALSE(decodeXpress(bytesOf({0, 0, 0, 0x80, 0x00, 0x00}), out));
    }
    SECTION("a match longer than the room") {
        CHECK_FALSE(
            decodeXpress(bytesOf({0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01}),
                         std::span(out).first(50)));
    }
    SECTION("a length that ends with the input") {
        CHECK_FALSE(decodeXpress(bytesOf({0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff}), out));
    }
    SECTION("no input") {
        CHECK(decodeXpress({}, out) == 0U);
    }
}

TEST_CASE("Every header kind is understood", "[etl][event]") {
    struct Row {
        std::uint8_t type;
        std::size_t header, sizeAt, timeAt;
        EventKind kind;
    };
    const auto row =
        GENERATE(Row{0x01, 0x20, 4, 0x10, EventKind::System}, Row{0x02, 0x20, 4, 0x10, EventKind::System},
                 Row{0x03, 0x18, 4, 0x10, EventKind::Compact}, Row{0x04, 0x18, 4, 0x10, EventKind::Compact},
                 Row{0x0A, 0x30, 0, 0x10, EventKind::Full}, Row{0x14, 0x30, 0, 0x10, EventKind::Full},
                 Row{0x0B, 0x48, 0, 0x10, EventKind::Instance}, Row{0x15, 0x48, 0, 0x10, EventKind::Instance},
                 Row{0x10, 0x10, 4, 8, EventKind::Perfinfo}, Row{0x11, 0x10, 4, 8, EventKind::Perfinfo},
                 Row{0x12, 0x50, 0, 0x10, EventKind::Event}, Row{0x13, 0x50, 0, 0x10, EventKind::Event});
    CAPTURE(row.type);
    EventView event;
    const auto whole = headerOf(row.type, row.header + 5, row.sizeAt, row.timeAt);
    REQUIRE(parseEvent(whole, event) == ParseResult::Event);
    CHECK(event.kind == row.kind);
    CHECK(event.size == row.header + 5);
    CHECK(event.payload().size() == 5);
    CHECK(event.hasTime);
    CHECK(event.time == 42);
    for (std::size_t length = 8; length < whole.size(); ++length) {
        CHECK(parseEvent(std::span(whole).first(length), event) == ParseResult::Damaged);
    }
    auto tooSmall = whole;
    tooSmall[row.sizeAt] = static_cast<std::byte>(row.header - 1);
    CHECK(parseEvent(tooSmall, event) == ParseResult::Damaged);
}

TEST_CASE("What is no event is not taken for one", "[etl][event]") {
    EventView event;
    CHECK(parseEvent({}, event) == ParseResult::End);
    CHECK(parseEvent(bytesOf({1, 2, 3, 4, 5, 6, 7}), event) == ParseResult::End);
    CHECK(parseEvent(bytesOf({0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}), event) == ParseResult::End);
    CHECK(parseEvent(bytesOf({0, 0, 0, 0, 0, 0, 0, 0}), event) == ParseResult::Damaged);
    CHECK(parseEvent(headerOf(0x22, 0x50, 0, 0x10), event) == ParseResult::Damaged);
}

TEST_CASE("Performance counters belong to the header of a kernel event", "[etl][event]") {
    auto bytes = headerOf(0x11, 0x10 + 2 * 8 + 8 + 4, 4, 8);
    bytes[1] = std::byte{0x82};
    EventView event;
    REQUIRE(parseEvent(bytes, event) == ParseResult::Event);
    CHECK(event.payload().size() == 4);
}

TEST_CASE("A WPP message has a time only with its flag", "[etl][event]") {
    EventView event;
    REQUIRE(parseEvent(wppMessage(3), event) == ParseResult::Event);
    CHECK(event.kind == EventKind::Message);
    CHECK_FALSE(event.hasTime);
    // Flags GUID, time stamp, system information: 8 + 16 + 8 + 8 bytes of header.
    std::vector<std::byte> message(44);
    const std::uint16_t head[4] = {44, 0x9000, 5, 0x2A};
    std::memcpy(message.data(), head, sizeof head);
    message[24] = std::byte{77};
    REQUIRE(parseEvent(message, event) == ParseResult::Event);
    CHECK(event.time == 77);
    CHECK(event.payload().size() == 4);
    CHECK(parseEvent(std::span(message).first(30), event) == ParseResult::Damaged);
}

TEST_CASE("A self-describing event gives back what was encoded", "[etl][tracelogging]") {
    etlformat::TraceLoggingEvent source;
    source.name = "Loss";
    source.fields = {{"Text", std::string("zwölf")},
                     {"Empty", std::string()},
                     {"Count", std::uint64_t{1} << 40U},
                     {"Offset", std::int64_t{-5}},
                     {"Small", std::uint32_t{9}},
                     {"IsGood", true},
                     {"When", etlformat::TraceLoggingEvent::FileTimeValue{123}}};
    const Guid id = guidFromProviderName("Test-Provider");
    const auto bytes = etlformat::encode(source, id, "Test-Provider", 55, 1, 2);
    EventView event;
    REQUIRE(parseEvent(bytes, event) == ParseResult::Event);
    CHECK(event.time == 55);
    CHECK(event.guid() == id);
    const ExtendedData extended = extendedData(event);
    CHECK(extended.isSound);
    CHECK(extended.eventName == "Loss");
    CHECK(extended.providerName == "Test-Provider");
    const std::span<const std::byte> payload(event.data + extended.payloadOffset, event.size - extended.payloadOffset);
    const auto fields = readTraceLoggingFields(extended.schema, payload);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"Text", "zwölf"},  {"Empty", ""},  {"Count", "1099511627776"}, {"Offset", "-5"}, {"Small", "9"},
        {"IsGood", "true"}, {"When", "123"}};
    CHECK(fields == expected);
    // Cut anywhere, it gives no more fields than are there and reads nothing else.
    for (std::size_t length = 0; length < payload.size(); ++length) {
        CHECK(readTraceLoggingFields(extended.schema, payload.first(length)).size() < fields.size());
    }
    for (std::size_t length = 0; length < extended.schema.size(); ++length) {
        CHECK(readTraceLoggingFields(extended.schema.first(length), payload).size() <= fields.size());
    }
}

TEST_CASE("Extended data that runs past its event is seen", "[etl][event]") {
    auto bytes = manifestEvent(Guid{}, 1, 5, 16);
    bytes[4] = std::byte{etlformat::kExtendedInfo};
    etlformat::ExtendedItem item;
    item.totalSize = 64;
    item.type = 1;
    item.dataSize = 56;
    std::memcpy(bytes.data() + 0x50, &item, sizeof item);
    EventView event;
    REQUIRE(parseEvent(bytes, event) == ParseResult::Event);
    CHECK_FALSE(extendedData(event).isSound);
    item.totalSize = 16;
    item.dataSize = 8;
    std::memcpy(bytes.data() + 0x50, &item, sizeof item);
    CHECK(extendedData(event).isSound);
    CHECK(extendedData(event).payloadOffset == 0x60);
    item.linkage = 1;
    std::memcpy(bytes.data() + 0x50, &item, sizeof item);
    CHECK_FALSE(extendedData(event).isSound);
}

TEST_CASE("Kernel events have the names of their classes", "[etl][names]") {
    CHECK(hookName(0x0524) == "Thread/CSwitch");
    CHECK(hookName(0x0F2E) == "PerfInfo/SampledProfile");
    CHECK(hookName(0x0303) == "Process/DCStart");
    CHECK(hookName(0x140A) == "Image/Load");
    CHECK(hookName(0x1820) == "StackWalk/Stack");
    CHECK(hookName(0x0000) == "EventTrace/Header");
    CHECK(hookName(0x054D) == "Thread/0x4D");
    CHECK(hookName(0x2F01) == "0x2F/0x01");
    CHECK(hookName(0xFFFF) == "0xFF/0xFF");
}

TEST_CASE("The window of times forgets the oldest first", "[etl][stacks]") {
    TimeWindow window;
    CHECK_FALSE(window.contains(0));
    constexpr auto kTimes = static_cast<Ticks>(TimeWindow::kTimes);
    for (Ticks time = 1; time <= kTimes; ++time) {
        window.add(time);
        window.add(time);
    }
    CHECK(window.contains(1));
    CHECK(window.contains(kTimes));
    CHECK_FALSE(window.contains(0));
    window.add(2 * kTimes);
    CHECK_FALSE(window.contains(1));
    CHECK(window.contains(2));
    CHECK(window.contains(2 * kTimes));
    // Times out of order are found as well.
    window.add(50 * kTimes);
    window.add(7 * kTimes);
    CHECK(window.contains(50 * kTimes));
    CHECK(window.contains(4));
    CHECK_FALSE(window.contains(3));
}
