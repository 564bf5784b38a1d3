// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/repair.h"

#include "core/etl/file_header.h"
#include "core/etl/merge_input.h"
#include "core/etl/recode.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/stored_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <filesystem>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::RepairRequest;
using etl::RepairResult;
using Code = etl::Finding::Code;
using Content = StoredFiles::Content;

namespace {

constexpr Ticks kStart = 1'000'000;
constexpr std::size_t kBuffer = 8192;
constexpr FileTime kStartTime = 133'000'000'010'000'000;
constexpr Ticks kLast = kStart + 2999 * 1000;

/// Of a recorder that was killed: 3,000 events on two processors, 17 buffers and the header's.
Content openFile(RawFile::Options options = {}) {
    options.isClosed = false;
    RawFile raw(options);
    for (Ticks i = 0; i < 3000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i * 1000, static_cast<std::uint32_t>(i)));
    }
    return raw.bytes();
}

Result<RepairResult> repairTo(StoredFiles& files, const std::string& output, bool replace = false) {
    return etl::repair(files, RepairRequest{"broken", output, replace});
}

RepairResult mustRepair(StoredFiles& files) {
    const auto result = repairTo(files, "mended");
    INFO((result ? std::string() : result.error().detail));
    REQUIRE(result.has_value());
    REQUIRE(result->isWritten);
    return *result;
}

etl::Summary summaryOf(StoredFiles& files, const std::string& path) {
    auto summary = etl::summarize(files, path);
    REQUIRE(summary.has_value());
    return *summary;
}

bool has(const std::vector<etl::Finding>& findings, Code code) {
    return std::any_of(findings.begin(), findings.end(), [&](const auto& one) { return one.code == code; });
}

/// Closed and in order, says every reader; a second repair finds nothing to do.
void checkMended(StoredFiles& files) {
    const etl::Summary summary = summaryOf(files, "mended");
    CHECK(summary.header.endTime > summary.header.startTime);
    CHECK(summary.header.buffersWritten == summary.buffers);
    for (const auto& finding : summary.findings) {
        CAPTURE(finding.detail);
        CHECK((finding.code == Code::EventsLost || finding.code == Code::NoEvents));
    }
    const TemporaryFolder folder;
    writeFile(folder.file("mended.etl"), files.content("mended"));
    const CheckerVerdict verdict = runCheckers(folder.file("mended.etl"));
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    files.put("again", files.content("mended"));
    const auto again = etl::repair(files, RepairRequest{"again", "nothing", false});
    REQUIRE(again.has_value());
    CHECK_FALSE(again->isWritten);
    CHECK_FALSE(files.has("nothing"));
}

/// The new threads of the context switches, per processor in their order.
std::vector<std::vector<std::uint32_t>> switchesOf(StoredFiles& files, const std::string& path) {
    auto input = etl::openMergeInput(files, path);
    REQUIRE(input.has_value());
    std::vector<std::vector<std::uint32_t>> result;
    for (auto& [processor, places] : input->places) {
        etl::MergeStream stream(*input, processor, places, 1 << 20);
        result.emplace_back();
        while (true) {
            const auto loaded = stream.load();
            REQUIRE(loaded.has_value());
            if (!*loaded) {
                break;
            }
            for (; !stream.isEmpty(); stream.advance()) {
                result.back().push_back(etl::loadAt<std::uint32_t>(stream.bytes().data(), 16));
            }
        }
    }
    return result;
}

} // namespace

TEST_CASE("A file that was never closed is closed with what is in it", "[etl][repair]") {
    StoredFiles files;
    files.put("broken", openFile());
    const Content untouched = files.content("broken");
    const RepairResult result = mustRepair(files);
    CHECK(has(result.findings, Code::NotClosed));
    CHECK(result.merge.events == 3000);
    CHECK(result.merge.eventsLost == 0);
    CHECK(result.buffersMissing == 0);
    CHECK(result.bytesNeverWritten == 0);
    CHECK(result.endTime == kStartTime + (kLast - kStart) / 100);
    const etl::Summary summary = summaryOf(files, "mended");
    CHECK(summary.header.endTime == result.endTime);
    CHECK(summary.header.startTime == kStartTime);
    CHECK(summary.header.loggerName == "raw");
    CHECK(summary.header.logFileName == "raw.etl");
    CHECK(summary.verdict() == etl::Summary::Verdict::Good);
    CHECK(switchesOf(files, "mended") == switchesOf(files, "broken"));
    CHECK(files.content("broken") == untouched);
    checkMended(files);
}

TEST_CASE("A circular file of a killed recorder is put in order", "[etl][repair]") {
    RawFile::Options options;
    options.mode = etlformat::mode::kCircular | etlformat::mode::kSystemLogger;
    options.firstSequence = 77;
    Content bytes = openFile(options);
    std::rotate(bytes.begin() + kBuffer, bytes.begin() + 6 * kBuffer, bytes.end());
    StoredFiles files;
    files.put("broken", bytes);
    const RepairResult result = mustRepair(files);
    CHECK(result.merge.events == 3000);
    CHECK(result.merge.eventsOutOfOrder == 0);
    CHECK(result.buffersMissing == 0);
    CHECK(summaryOf(files, "mended").header.buffersLost == 0);
    CHECK(summaryOf(files, "mended").header.logFileMode == 0x02000001);
    checkMended(files);
}

TEST_CASE("A part of numbered files stands alone", "[etl][repair]") {
    RawFile::Options options;
    options.mode = etlformat::mode::kNewFile;
    options.hasGroupMasks = false;
    options.firstSequence = 900;
    StoredFiles files;
    files.put("broken", openFile(options));
    const RepairResult result = mustRepair(files);
    CHECK(result.merge.events == 3000);
    CHECK(result.buffersMissing == 0);
    CHECK(summaryOf(files, "mended").header.logFileMode == 0x00000001);
    checkMended(files);
}

TEST_CASE("What was lost of a damaged file is told and counted", "[etl][repair]") {
    StoredFiles files;
    Content bytes = openFile();
    const std::size_t size = bytes.size();
    std::uint64_t neverWritten = 0;
    std::uint64_t damaged = 0;
    std::uint64_t missing = 0;
    const std::string what =
        GENERATE(as<std::string>(), "cut", "zeros", "header of a buffer", "in a buffer", "lost", "all of it");
    CAPTURE(what);
    if (what == "cut") {
        bytes.resize(size - 100);
        neverWritten = kBuffer - 100;
    }
    if (what == "zeros" || what == "all of it") {
        bytes.resize(size + 3 * kBuffer + 5);
        neverWritten = 3 * kBuffer + 5;
    }
    if (what == "header of a buffer" || what == "all of it") {
        bufferHeader(bytes, 4).bufferSize = 1;
        damaged += 1;
        missing += 1;
    }
    if (what == "in a buffer" || what == "all of it") {
        std::fill_n(bytes.begin() + 7 * kBuffer + 0x400, 40, std::byte{0x22});
        damaged += 1;
    }
    if (what == "lost" || what == "all of it") {
        bytes.erase(bytes.begin() + 9 * kBuffer, bytes.begin() + 11 * kBuffer);
        missing += 2;
    }
    files.put("broken", bytes);
    const RepairResult result = mustRepair(files);
    CHECK(result.bytesNeverWritten == neverWritten);
    CHECK(result.merge.buffersDamaged == damaged);
    REQUIRE(result.merge.damage.size() == 1);
    CHECK(result.merge.damage[0].offsets.size() == damaged);
    CHECK(result.buffersMissing == missing);
    CHECK(result.merge.events < 3000 + (what == "zeros" ? 1U : 0U));
    const etl::Summary summary = summaryOf(files, "mended");
    CHECK(summary.header.buffersLost == missing);
    CHECK(summary.events == result.merge.events + result.merge.headerEvents);
    checkMended(files);
}

TEST_CASE("A compressed file that was cut off is repaired to a plain one", "[etl][repair]") {
    StoredFiles files;
    RawFile raw;
    for (Ticks i = 0; i < 3000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i * 1000));
    }
    files.put("whole", raw.bytes());
    REQUIRE(etl::compress(files, {"whole", "small", false}).has_value());
    Content small = files.content("small");
    small.resize(small.size() * 2 / 3);
    files.put("broken", small);
    const RepairResult result = mustRepair(files);
    CHECK(result.merge.events > 1500);
    CHECK(result.merge.events < 2500);
    CHECK(result.bytesNeverWritten > 0);
    checkMended(files);
}

TEST_CASE("A file of Windows that was never closed is repaired, and keeps what Windows says of itself",
          "[etl][repair]") {
    const std::string shared = sharedFolder("an open file of Windows");
    if (shared.empty()) {
        return;
    }
    StoredFiles files;
    files.put("broken", readFile(shared + "/corpus/etl/unfinalised.etl"));
    const etl::Summary before = summaryOf(files, "broken");
    const RepairResult result = mustRepair(files);
    const etl::Summary after = summaryOf(files, "mended");
    CHECK(after.header.providerVersion == before.header.providerVersion);
    CHECK(after.header.startTime == before.header.startTime);
    CHECK(after.header.clockType == before.header.clockType);
    CHECK(after.header.loggerName == before.header.loggerName);
    CHECK(after.last == before.last);
    const auto name = [](const etl::Summary& summary, const std::string& wanted) {
        const auto found = std::find_if(summary.names.begin(), summary.names.end(),
                                        [&](const auto& one) { return one.name == wanted; });
        return found == summary.names.end() ? 0 : found->events;
    };
    for (const auto& [what, count] : before.names) {
        CAPTURE(what);
        if (what.find("EventTrace/") != 0) {
            CHECK(name(after, what) == count);
        }
    }
    // Time zone and system version are Windows' own.
    const auto logfile = [&](const std::string& path) {
        const auto file = files.open(path);
        const auto header = etl::readFileHeader(**file, path);
        REQUIRE(header.has_value());
        return header->logfile;
    };
    CHECK(logfile("mended").bias == logfile("broken").bias);
    CHECK(logfile("mended").daylightBias == logfile("broken").daylightBias);
    CHECK(logfile("mended").daylightDate.month == logfile("broken").daylightDate.month);
    CHECK(static_cast<std::uint16_t>(logfile("mended").version) ==
          static_cast<std::uint16_t>(logfile("broken").version));
    checkMended(files);
    CHECK(result.merge.eventsOutOfOrder == 0);
}

TEST_CASE("A file that is whole is left alone", "[etl][repair]") {
    const std::string shared = sharedFolder("whole files of Windows");
    if (shared.empty()) {
        return;
    }
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(shared + "/corpus/etl")) {
        if (entry.path().extension() != ".etl" || entry.path().stem() == "unfinalised") {
            continue;
        }
        CAPTURE(entry.path().filename().string());
        StoredFiles files;
        files.put("broken", readFile(entry.path().string()));
        const auto result = repairTo(files, "mended");
        REQUIRE(result.has_value());
        CHECK_FALSE(result->isWritten);
        CHECK(files.names() == std::vector<std::string>{"broken"});
        ++seen;
    }
    CHECK(seen >= 12);
}

TEST_CASE("Repairing replaces a file, or the broken one itself, only when that is asked for", "[etl][repair]") {
    StoredFiles files;
    files.put("broken", openFile());
    files.put("mended", {});
    const std::string output = GENERATE(as<std::string>(), "broken", "mended");
    const auto refused = repairTo(files, output);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::FileExists);
    CHECK(files.content("broken") == openFile());
    const auto result = repairTo(files, output, true);
    REQUIRE(result.has_value());
    CHECK(summaryOf(files, output).verdict() == etl::Summary::Verdict::Good);
    CHECK(files.names().size() == 2);
}

TEST_CASE("Nothing is left of a repair that fails", "[etl][repair]") {
    StoredFiles files;
    files.put("broken", openFile());
    std::stop_source stop;
    const auto [what, expected] = GENERATE(table<std::string, ErrorCode>({
        {"full", ErrorCode::DiskFull},
        {"falsified", ErrorCode::VerificationFailed},
        {"cancelled", ErrorCode::Cancelled},
        {"no recording", ErrorCode::NotAnEtl},
        {"32 bits", ErrorCode::EtlDamaged},
    }));
    CAPTURE(what);
    if (what == "full") {
        files.limit(100'000);
    } else if (what == "falsified") {
        files.onWrite([](Content& content) {
            if (content.size() > 200'000) {
                std::fill_n(content.begin() + 131'072 + 0x48, 200, std::byte{0x33});
            }
        });
    } else if (what == "cancelled") {
        files.onWrite([&](Content&) { stop.request_stop(); });
    } else if (what == "no recording") {
        files.put("broken", Content(10'000, std::byte{1}));
    } else {
        constexpr std::size_t kPointerSize = 0x48 + 0x20 + 0x2C;
        files.content("broken")[kPointerSize] = std::byte{4};
    }
    const Content untouched = files.content("broken");
    const auto failed = etl::repair(files, RepairRequest{"broken", "mended", false}, {}, stop.get_token());
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().code == expected);
    CHECK(files.names() == std::vector<std::string>{"broken"});
    CHECK(files.content("broken") == untouched);
}
