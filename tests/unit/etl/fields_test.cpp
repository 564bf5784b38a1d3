// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/field_json.h"
#include "core/etl/kernel_fields.h"
#include "core/etl/kernel_layouts.h"
#include "core/etl/trace_logging_fields.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "tests/support/catch.h"
#include "tests/unit/etl/raw_file.h"

#include <array>
#include <limits>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::KernelFields;
namespace hook = etlformat::hook;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

template <class T>
EventBytes payloadOf(const T& value) {
    EventBytes bytes;
    etlformat::ByteWriter(bytes).put(value);
    return bytes;
}

std::string kernelJson(const EventBytes& event, KernelFields::Visit* visited = nullptr) {
    etl::EventView view;
    REQUIRE(parseEvent(event, view) == etl::ParseResult::Event);
    std::string json;
    etl::JsonFields fields(json);
    const KernelFields::Visit visit = KernelFields::builtIn().visit(view, fields);
    CHECK(visit.isKnown);
    if (visited != nullptr) {
        *visited = visit;
    } else {
        CHECK(visit.isWhole);
        CHECK(visit.payloadBytes == view.payload().size());
    }
    return json;
}

/// A schema as TraceLoggingProvider.h lays it out.
class Schema {
public:
    Schema() { m_out.zeros(2), m_out.put(std::uint8_t{0}), m_out.narrowString("Event"); }
    Schema& field(std::string_view name, std::vector<std::uint8_t> types, int count = -1) {
        m_out.narrowString(name);
        for (const std::uint8_t type : types) {
            m_out.put(type);
        }
        if (count >= 0) {
            m_out.put(static_cast<std::uint16_t>(count));
        }
        return *this;
    }
    [[nodiscard]] EventBytes bytes() const {
        EventBytes all = m_bytes;
        const auto size = static_cast<std::uint16_t>(all.size());
        std::memcpy(all.data(), &size, sizeof size);
        return all;
    }

private:
    EventBytes m_bytes;
    etlformat::ByteWriter m_out{m_bytes};
};

std::string selfDescribingJson(const Schema& schema, const EventBytes& payload, bool isWhole = true) {
    std::string json;
    etl::JsonFields fields(json);
    const auto visit = etl::visitTraceLogging(schema.bytes(), payload, false, fields);
    CHECK(visit.isWhole == isWhole);
    if (isWhole) {
        CHECK(visit.payloadBytes == payload.size());
    }
    return json;
}

} // namespace

TEST_CASE("The table of layouts can be read, and a wrong one is refused", "[etl][fields]") {
    CHECK(KernelFields::parse(etl::kernelLayoutTexts(), etl::classicLayoutText()));
    const auto parses = [](std::string_view text) { return KernelFields::parse(std::span(&text, 1), {}).has_value(); };
    CHECK(parses("0524 2 A:u32 B:ptr[*]\n0525,0526 1\n"));
    CHECK(parses("0524 2 A:u32\n  B:wstrz[A]\n"));
    for (const char* wrong : {"x 1 A:u32", "0524 A:u32", "0524 1 A", "0524 1 A:u33", "0524 1 A:ptr[", "0524 1 A:ptr[B]",
                              "0524 1 A:wchars", "0524 1 A:ptr B:ptr[A]", "0524 1 :u8"}) {
        CAPTURE(wrong);
        CHECK_FALSE(parses(wrong));
    }
    CHECK_FALSE(KernelFields::parse({}, "no-guid 1 1"));
}

TEST_CASE("Kernel events that we write are decoded by Windows' names", "[etl][fields]") {
    etlformat::CSwitchPayload change;
    change.newThreadId = 7;
    change.oldThreadId = 8;
    change.oldThreadPriority = -1;
    CHECK(kernelJson(perfinfoEvent(hook::kCSwitch, 4, 1, payloadOf(change)))
              .starts_with(R"("NewThreadId":7,"OldThreadId":8,"NewThreadPriority":0,"OldThreadPriority":-1,)"));

    etlformat::ProcessFields process;
    process.uniqueProcessKey = 0xFFFF800000001234;
    process.processId = 77;
    process.user = {22, 2, {1, 1000}};
    process.imageFileName = "bash";
    process.commandLine = "bash -c \"ls\" – ü";
    const std::string started =
        kernelJson(systemEvent(hook::kProcessStart, 4, 1, etlformat::encodeProcess(hook::kProcessStart, process)));
    CHECK(started.find(R"("UniqueProcessKey":"0xFFFF800000001234")") != std::string::npos);
    CHECK(started.find(R"("UserSID":"S-1-22-1-1000")") != std::string::npos);
    CHECK(started.find(R"("ImageFileName":"bash")") != std::string::npos);
    CHECK(started.find(R"("CommandLine":"bash -c \"ls\" – ü")") != std::string::npos);
    process.user = {};
    process.exitTime = 133'000'000'000'000'000;
    const std::string defunct =
        kernelJson(systemEvent(hook::kProcessDefunct, 5, 1, etlformat::encodeProcess(hook::kProcessDefunct, process)));
    CHECK(defunct.find(R"("UserSID":"")") != std::string::npos);
    CHECK(defunct.find(R"("ExitTime":"2022-06-18T04:26:40.0000000Z")") != std::string::npos);

    etlformat::ThreadFields thread;
    thread.threadId = 5;
    thread.name = "worker";
    CHECK(kernelJson(systemEvent(hook::kThreadStart, 3, 1, etlformat::encodeThread(thread)))
              .find(R"("ThreadName":"worker")") != std::string::npos);
    CHECK(kernelJson(systemEvent(hook::kThreadSetName, 2, 1, etlformat::encodeThreadSetName(3, 4, "n"))) ==
          R"("ProcessId":3,"ThreadId":4,"ThreadName":"n")");
    etlformat::ImageFields image;
    image.base = 0x7F0000000000;
    image.fileName = "/usr/lib/libc.so.6";
    CHECK(kernelJson(perfinfoEvent(hook::kImageLoad, 3, 1, etlformat::encodeImage(image)))
              .find(R"("FileName":"/usr/lib/libc.so.6")") != std::string::npos);
    etlformat::ConfigCpuFields cpu;
    cpu.computerName = "host";
    CHECK(kernelJson(systemEvent(hook::kConfigCpu, 3, 1, etlformat::encodeConfigCpu(cpu)))
              .find(R"("ComputerName":"host","DomainName":"")") != std::string::npos);
    CHECK(kernelJson(perfinfoEvent(hook::kMark, 0, 1, etlformat::encodeMark("here"))) ==
          R"("Message":"here","Padding":0)");
    KernelFields::Visit visit;
    const std::string stack = kernelJson(stackWalk(9, 8, 3), &visit);
    CHECK(visit.isWhole);
    CHECK(stack.starts_with(R"("EventTimeStamp":8,)"));
    CHECK(std::count(stack.begin(), stack.end(), ',') == 2 + 3);
}

TEST_CASE("Pointers of 32-bit code have four bytes, and hardware counters are stepped over", "[etl][fields]") {
    EventBytes payload;
    etlformat::ByteWriter out(payload);
    out.put(std::uint32_t{0xDEADBEEF});
    out.put(std::uint32_t{5});
    out.put(std::uint32_t{1});
    EventBytes event = perfinfoEvent(hook::kSampledProfile, 2, 1, payload);
    event[2] = std::byte{0x10};
    CHECK(kernelJson(event) == R"("InstructionPointer":"0xDEADBEEF","ThreadId":5,"Count":1,"Reserved":0)");

    EventBytes counted = sampledProfile(1, 0x1000);
    const EventBytes counters(16, std::byte{0xEE});
    counted.insert(counted.begin() + sizeof(etlformat::PerfinfoHeader), counters.begin(), counters.end());
    counted[1] = std::byte{2};
    const auto size = static_cast<std::uint16_t>(counted.size());
    std::memcpy(counted.data() + 4, &size, sizeof size);
    CHECK(kernelJson(counted).starts_with(R"("InstructionPointer":"0x1000")"));
}

TEST_CASE("A payload that ends too early gives the fields that are whole", "[etl][fields]") {
    const EventBytes whole = etlformat::encodeProcess(hook::kProcessStart, {});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        KernelFields::Visit visit;
        kernelJson(systemEvent(hook::kProcessStart, 4, 1, {whole.begin(), whole.begin() + static_cast<long>(length)}),
                   &visit);
        CHECK_FALSE(visit.isWhole);
        CHECK(visit.payloadBytes <= length);
    }
}

TEST_CASE("Every type of a self-describing event is decoded", "[etl][fields]") {
    const auto out = [](auto... values) {
        EventBytes bytes;
        etlformat::ByteWriter writer(bytes);
        (writer.put(values), ...);
        return bytes;
    };
    using u8 = std::uint8_t;
    using u16 = std::uint16_t;
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    struct Row {
        std::vector<u8> types;
        EventBytes payload;
        const char* json;
    };
    const std::vector<Row> rows{
        {{0x01}, out(u'H', u'i', u'\0'), R"("Hi")"},
        {{0x02}, out('H', '"', '\0'), R"("H\"")"},
        {{0x03}, out(std::int8_t{-5}), "-5"},
        {{0x04}, out(u8{200}), "200"},
        {{0x84, 0x02}, out(u8{'A'}), R"("A")"},
        {{0x84, 0x03}, out(u8{1}), "true"},
        {{0x84, 0x04}, out(u8{0xAB}), R"("0xAB")"},
        {{0x05}, out(std::int16_t{-500}), "-500"},
        {{0x06}, out(u16{50000}), "50000"},
        {{0x86, 0x02}, out(u'Z'), R"("Z")"},
        {{0x86, 0x07}, out(u16{0x5000}), "80"},
        {{0x07}, out(std::int32_t{-70000}), "-70000"},
        {{0x87, 0x0F}, out(0x80070005U), R"("0x80070005")"},
        {{0x08}, out(u32{4'000'000'000}), "4000000000"},
        {{0x88, 0x08}, out(u32{0x0100007F}), R"("127.0.0.1")"},
        {{0x88, 0x05}, out(u32{4711}), "4711"},
        {{0x09}, out(std::int64_t{-1}), "-1"},
        {{0x0A}, out(u64{18446744073709551615U}), "18446744073709551615"},
        {{0x0B}, out(1.5F), "1.5"},
        {{0x0C}, out(0.1), "0.1"},
        {{0x0C}, out(std::numeric_limits<double>::infinity()), "null"},
        {{0x0D}, out(u32{0}), "false"},
        {{0x0E}, out(u16{2}, u8{0xCA}, u8{0xFE}), R"("CAFE")"},
        {{0x0F}, out(Guid::of(1, 2, 3, {4})), R"("{00000001-0002-0003-0400-000000000000}")"},
        {{0x10}, out(u64{0x10}), R"("0x10")"},
        {{0x11}, out(std::int64_t{0}), R"("1601-01-01T00:00:00.0000000Z")"},
        {{0x12}, out(etlformat::SystemTimeFields{2024, 2, 4, 29, 3, 4, 5, 6}), R"("2024-02-29T03:04:05.006")"},
        {{0x13}, out(u64{0x0500000000000101}, u32{18}), R"("S-1-5-18")"},
        {{0x14}, out(u32{0}), R"("0x0")"},
        {{0x15}, out(u64{0xFFFFFFFFFFFFFFFF}), R"("0xFFFFFFFFFFFFFFFF")"},
        {{0x16}, out(u16{4}, u'a', u'\0'), R"("a\u0000")"},
        {{0x17}, out(u16{1}, 'x'), R"("x")"},
        {{0x97, 0x23}, out(u16{2}, u8{0xC3}, u8{0xA4}), R"("ä")"},
        {{0x17}, out(u16{0}), R"("")"},
        {{0x99, 0x09}, out(u16{16}, u64{0}, u64{0x0100000000000000}), R"("::1")"},
        {{0x8E, 0x0A}, out(u16{8}, u16{2}, u16{0x5000}, u32{0x0100000A}), R"("10.0.0.1:80")"},
        {{0x19}, out(u16{1}, u8{7}), R"("07")"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.json);
        CHECK(selfDescribingJson(Schema().field("F", row.types), row.payload) == std::string(R"("F":)") + row.json);
        for (std::size_t length = 0; length < row.payload.size(); ++length) {
            selfDescribingJson(Schema().field("F", row.types),
                               {row.payload.begin(), row.payload.begin() + static_cast<long>(length)}, false);
        }
    }
}

TEST_CASE("Arrays and structures of self-describing events keep their shape", "[etl][fields]") {
    EventBytes payload;
    etlformat::ByteWriter out(payload);
    out.put(std::uint8_t{1}), out.put(std::uint8_t{2});
    out.put(std::uint16_t{2}), out.put(std::uint16_t{1}), out.put('a'), out.put(std::uint16_t{0});
    out.put(std::uint32_t{3}), out.put(std::uint16_t{1}), out.put(std::uint8_t{9});
    out.put(std::uint16_t{2}), out.put(std::uint8_t{4}), out.put(std::uint8_t{5});
    out.put(std::uint16_t{0});
    const Schema schema = Schema()
                              .field("Fixed", {0x24}, 2)
                              .field("Counted", {0x57})
                              .field("Struct", {0x98, 0x02})
                              .field("A", {0x08})
                              .field("B", {0x44})
                              .field("Structs", {0xD8, 0x01})
                              .field("C", {0x04})
                              .field("None", {0xD8, 0x01})
                              .field("D", {0x04});
    CHECK(selfDescribingJson(schema, payload) ==
          R"("Fixed":[1,2],"Counted":["a",""],"Struct":{"A":3,"B":[9]},"Structs":[{"C":4},{"C":5}],"None":[])");
}

TEST_CASE("Tags are stepped over, custom encodings end the fields", "[etl][fields]") {
    EventBytes payload(1, std::byte{6});
    CHECK(selfDescribingJson(Schema().field("T", {0x84, 0x80, 0x81, 0x01}), payload) == R"("T":6)");
    CHECK(selfDescribingJson(Schema().field("T", {0x04}).field("X", {0x64}, 0).field("Y", {0x04}), payload, false) ==
          R"("T":6)");
}

TEST_CASE("Counts that promise more than there is cost nothing", "[etl][fields]") {
    Schema schema;
    for (int i = 0; i < 20; ++i) {
        schema.field("S", {0xB8, 0x01}, 0xFFFF); // 65,535 to the power of 20 structures, and not a byte of payload
    }
    std::string json;
    etl::JsonFields fields(json);
    CHECK_FALSE(etl::visitTraceLogging(schema.bytes(), {}, false, fields).isWhole);
    CHECK(json.size() < 100'000);
    CHECK(std::count(json.begin(), json.end(), '[') == std::count(json.begin(), json.end(), ']'));
    CHECK(std::count(json.begin(), json.end(), '{') == std::count(json.begin(), json.end(), '}'));
}

TEST_CASE("Addresses of networks are written in their short form", "[etl][fields]") {
    const auto written = [](std::array<std::uint8_t, 16> address) {
        std::string json;
        etl::JsonFields(json).value({"A", etl::FieldType::IpV6, std::as_bytes(std::span(address))});
        return json;
    };
    CHECK(written({}) == R"("A":"::")");
    CHECK(written({0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}) == R"("A":"2001:db8::1")");
    CHECK(written({0xFE, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}) == R"("A":"fe80::102:304:506:708")");
    CHECK(written({0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 0}) == R"("A":"1:0:2:3:4:5:6:0")");
}

TEST_CASE("Bytes that are no text become text all the same", "[etl][fields]") {
    std::string json;
    etl::JsonFields fields(json);
    fields.value({"A\n", etl::FieldType::Text, bytesOf("\xFF\x01\\")});
    CHECK(json == "\"A\\u000A\":\"\xEF\xBF\xBD\\u0001\\\\\"");
}
