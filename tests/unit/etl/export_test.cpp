// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/export.h"

#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/memory_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::ExportFormat;
namespace hook = etlformat::hook;

namespace {

constexpr Ticks kStart = 1'000'000;

struct Exported {
    std::string text;
    etl::ExportResult result;

    [[nodiscard]] std::vector<std::string> rows() const {
        std::vector<std::string> rows;
        std::istringstream in(text);
        for (std::string row; std::getline(in, row);) {
            rows.push_back(row);
        }
        return rows;
    }
    /// The row with `part`, in which there must be one.
    [[nodiscard]] std::string rowWith(const std::string& part) const {
        const auto all = rows();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.find(part) != std::string::npos; });
        REQUIRE(found != all.end());
        return *found;
    }
};

Exported exported(std::vector<std::byte> bytes, ExportFormat format) {
    MemoryFiles files(std::move(bytes));
    Exported all;
    const auto result = etl::exportEvents(files, "memory.etl", format, [&](std::span<const char> text) {
        all.text.append(text.data(), text.size());
        return tracedeck::Status();
    });
    REQUIRE(result.has_value());
    all.result = *result;
    CHECK(result->bytes == all.text.size());
    return all;
}

EventBytes threadEvent(Ticks time, std::uint16_t hookId, std::uint32_t process, std::uint32_t thread) {
    etlformat::ThreadFields fields;
    fields.processId = process;
    fields.threadId = thread;
    return systemEvent(hookId, 3, time, etlformat::encodeThread(fields));
}

} // namespace

TEST_CASE("Events are exported in the order of their time, whatever processor they are of", "[etl][export]") {
    RawFile raw;
    raw.add(1, contextSwitch(kStart + 20)).cut(1).add(0, contextSwitch(kStart + 10)).add(0, contextSwitch(kStart + 30));
    raw.cut(0).add(1, contextSwitch(kStart + 40)).add(0, contextSwitch(kStart + 50)).add(1, contextSwitch(kStart + 50));
    const Exported csv = exported(raw.bytes(), ExportFormat::Csv);
    CHECK(csv.result.events == 3 + 6);
    std::vector<std::string> places;
    for (const std::string& row : csv.rows()) {
        if (row.find("CSwitch") != std::string::npos) {
            places.push_back(row.substr(9, 2) + " " + row.substr(41, 1));
        }
    }
    CHECK(places == std::vector<std::string>{"10 0", "20 1", "30 0", "40 1", "50 0", "50 1"});
}

TEST_CASE("A row of CSV has ten columns, and its quotes are doubled", "[etl][export]") {
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 1'500'000'000, 7));
    const Exported csv = exported(raw.bytes(), ExportFormat::Csv);
    CHECK(csv.text.starts_with("time_s,time_utc,processor,process,thread,provider,event,level,keyword,fields\r\n"));
    CHECK(csv.text.ends_with("}\"\r\n"));
    CHECK(csv.rowWith("CSwitch").starts_with("1.500000000,2022-06-18T04:26:42.5000000Z,0,,,Thread,CSwitch,,,"
                                             "\"{\"\"NewThreadId\"\":7,\"\"OldThreadId\"\""));
}

TEST_CASE("A self-describing event is an object of its own names", "[etl][export]") {
    etlformat::TraceLoggingEvent event;
    event.name = "Frame \"one\"";
    event.level = 2;
    event.keyword = 0x8000000000000001;
    event.fields = {{"Text", std::string("a\nb")}, {"Number", std::uint64_t{1} << 60U}};
    const Guid id = guidFromProviderName("My-Provider");
    RawFile raw;
    raw.add(0, etlformat::encode(event, id, "My-Provider", kStart + 1, 11, 12));
    const Exported json = exported(raw.bytes(), ExportFormat::JsonLines);
    CHECK(json.rowWith("My-Provider") ==
          R"({"time_s":0.000000001,"time_utc":"2022-06-18T04:26:41.0000000Z","processor":0,"process":11,"thread":12,)"
          R"("provider":"My-Provider","event":"Frame \"one\"","level":2,"keyword":"0x8000000000000001",)"
          R"("fields":{"Text":"a\u000Ab","Number":1152921504606846976}})");
    CHECK(json.result.eventsUndecoded == 0);
}

TEST_CASE("Events that nobody knows have their payload, and their ids", "[etl][export]") {
    const Guid provider = Guid::of(1, 2, 3, {4});
    RawFile raw;
    raw.add(0, manifestEvent(provider, 12, kStart + 1, 3))
        .add(0, classicEvent(provider, 9, kStart + 2))
        .add(0, wppMessage(33))
        .add(0, perfinfoEvent(0xEE01, 1, kStart + 3, EventBytes(2, std::byte{0x5A})))
        .add(0, perfinfoEvent(hook::kMark, 0, kStart + 4, EventBytes(5, std::byte{0})));
    const Exported json = exported(raw.bytes(), ExportFormat::JsonLines);
    CHECK(json.rowWith("\"event\":\"12\"").find(R"("fields":{"@payload":"000000"})") != std::string::npos);
    CHECK(json.rowWith("\"event\":\"op9\"").find(R"("fields":{}})") != std::string::npos);
    CHECK(json.rowWith("\"WPP\"").find(R"("event":"33","fields":{"@payload":"AAAA0000"})") != std::string::npos);
    CHECK(json.rowWith("0xEE").find(R"("fields":{"@payload":"5A5A"})") != std::string::npos);
    CHECK(json.rowWith("Mark").find(R"("@rest":"0000")") != std::string::npos);
    CHECK(json.result.eventsUndecoded == 3);
}

TEST_CASE("A WPP message says who sent it, where it does", "[etl][export]") {
    EventBytes message;
    etlformat::ByteWriter out(message);
    out.put(std::uint16_t{8 + 4 + 16 + 8 + 8 + 2});
    out.put(std::uint16_t{0x9000});
    out.put(std::uint16_t{33});
    out.put(std::uint16_t{0x01 | 0x02 | 0x08 | 0x20});
    out.put(std::uint32_t{5});
    out.put(Guid::of(1, 2, 3, {}));
    out.put(Ticks{kStart + 7});
    out.put(std::uint32_t{21}); // thread
    out.put(std::uint32_t{20}); // process
    out.put(std::uint16_t{0xBBAA});
    RawFile raw;
    raw.add(0, message);
    CHECK(exported(raw.bytes(), ExportFormat::JsonLines).rowWith("WPP") ==
          R"({"time_s":0.000000007,"time_utc":"2022-06-18T04:26:41.0000000Z","processor":0,"process":20,"thread":21,)"
          R"("provider":"WPP {00000001-0002-0003-0000-000000000000}","event":"33","fields":{"@payload":"AABB"}})");
}

TEST_CASE("Who a short event is of comes from the context switches, and the process from the whole file",
          "[etl][export]") {
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 10, 55)).add(0, perfinfoEvent(hook::kReadyThread, 2, kStart + 20, EventBytes(8)));
    raw.add(1, perfinfoEvent(hook::kReadyThread, 2, kStart + 25, EventBytes(8)));
    raw.add(0, contextSwitch(kStart + 30, 66)).add(0, stackWalk(kStart + 31, kStart + 30));
    raw.add(0, threadEvent(kStart + 40, hook::kThreadDcEnd, 500, 55)); // the rundown of a ring
    const Exported json = exported(raw.bytes(), ExportFormat::JsonLines);
    CHECK(json.rowWith("ReadyThread").find(R"("process":500,"thread":55)") != std::string::npos);
    CHECK(json.rowWith("0.000000025").find(R"("process":null,"thread":null)") != std::string::npos);
    // The switch is the doing of the thread that goes.
    CHECK(json.rowWith("0.000000030").find(R"("process":500,"thread":55)") != std::string::npos);
}

TEST_CASE("Names that a spreadsheet would calculate are made text", "[etl][export]") {
    const char* name = GENERATE("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\tx");
    etlformat::TraceLoggingEvent event;
    event.name = name;
    RawFile raw;
    raw.add(0, etlformat::encode(event, guidFromProviderName("P"), "=P,\"Q\"", kStart + 1, 1, 2));
    const std::string row = exported(raw.bytes(), ExportFormat::Csv).rowWith("=P");
    CHECK(row.find(",\"'=P,\"\"Q\"\"\",\"'" + std::string(name) + "\",") != std::string::npos);
}

TEST_CASE("An export that does not succeed leaves no file", "[etl][export]") {
    const TemporaryFolder folder;
    const std::string input = folder.file("in.etl");
    RawFile raw;
    for (Ticks i = 0; i < 40'000; ++i) {
        raw.add(0, contextSwitch(kStart + i));
    }
    raw.write(input);
    const std::string output = folder.file("out.csv");
    const auto names = [&] {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            all.push_back(entry.path().filename().string());
        }
        std::sort(all.begin(), all.end());
        return all;
    };
    SECTION("the disk is full") {
        FailingDevice device(Bytes{2'000'000});
        const auto result = etl::exportToFile(device, input, ExportFormat::Csv, output, FileSystem::Existing::Refuse);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::DiskFull);
        CHECK(names() == std::vector<std::string>{"in.etl"});
    }
    SECTION("it is cancelled") {
        std::stop_source stop;
        const auto result = etl::exportToFile(systemFiles(), input, ExportFormat::Csv, output,
                                              FileSystem::Existing::Refuse, stop.get_token(), [&](double fraction) {
                                                  if (fraction > 0.01) {
                                                      stop.request_stop();
                                                  }
                                              });
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::Cancelled);
        CHECK(names() == std::vector<std::string>{"in.etl"});
    }
    SECTION("there is one already") {
        writeFile(output, EventBytes(3, std::byte{1}));
        const auto result =
            etl::exportToFile(systemFiles(), input, ExportFormat::Csv, output, FileSystem::Existing::Refuse);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::FileExists);
        CHECK(readFile(output).size() == 3);
        CHECK(etl::exportToFile(systemFiles(), input, ExportFormat::Csv, output, FileSystem::Existing::Replace));
        CHECK(readFile(output).size() > 3);
        CHECK(names() == std::vector<std::string>{"in.etl", "out.csv"});
    }
    SECTION("it is no recording") {
        writeFile(input, EventBytes(5000, std::byte{7}));
        const auto result =
            etl::exportToFile(systemFiles(), input, ExportFormat::Csv, output, FileSystem::Existing::Refuse);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::NotAnEtl);
        CHECK(names() == std::vector<std::string>{"in.etl"});
    }
}

TEST_CASE("What is damaged is left out of an export, and counted", "[etl][export]") {
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 1))
        .cut(0)
        .add(0, contextSwitch(kStart + 2))
        .cut(0)
        .add(0, contextSwitch(kStart + 3));
    std::vector<std::byte> bytes = raw.bytes();
    std::fill_n(bytes.begin() + 2 * 8192, 8192, std::byte{0x33});
    const Exported csv = exported(bytes, ExportFormat::Csv);
    CHECK(csv.result.events == 3 + 2);
    CHECK(csv.result.damaged == 1);
}

TEST_CASE("Every event of Windows' files is exported, and what is known is known to its last byte", "[etl][export]") {
    const std::string shared = sharedFolder("exports of files of Windows");
    if (shared.empty()) {
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(shared + "/corpus/etl")) {
        if (entry.path().extension() != ".etl") {
            continue;
        }
        const std::string path = entry.path().string();
        CAPTURE(path);
        const auto summary = etl::summarize(systemFiles(), path);
        REQUIRE(summary.has_value());
        std::uint64_t rows = 0;
        std::uint64_t rests = 0;
        const auto result =
            etl::exportEvents(systemFiles(), path, ExportFormat::JsonLines, [&](std::span<const char> text) {
                const std::string_view all(text.data(), text.size());
                rows += static_cast<std::uint64_t>(std::count(all.begin(), all.end(), '\n'));
                rests += all.find("\"@rest\"") != std::string_view::npos ? 1U : 0U;
                return tracedeck::Status();
            });
        REQUIRE(result.has_value());
        CHECK(result->events == summary->events);
        CHECK(rows == summary->events);
        CHECK(rests == 0);
    }
}
