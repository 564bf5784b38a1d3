// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/recode.h"

#include "core/etl/event_view.h"
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "core/etlformat/layout.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/stored_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <filesystem>
#include <random>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::RecodeRequest;
using etl::RecodeResult;
using Content = StoredFiles::Content;

namespace {

constexpr Ticks kStart = 1'000'000;

RawFile someEvents() {
    RawFile raw;
    for (Ticks i = 0; i < 20'000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i * 100, static_cast<std::uint32_t>(i % 50)));
    }
    return raw;
}

/// As the recorder saves it.
Content mergedFile() {
    StoredFiles files;
    files.put("raw", someEvents().bytes());
    etl::MergeRequest request;
    request.inputs = {"raw"};
    request.output = "merged";
    request.sessionName = "Merged session";
    REQUIRE(etl::merge(files, request).has_value());
    return files.content("merged");
}

RecodeRequest fromTo(std::string input, std::string output, bool replace = false) {
    return {std::move(input), std::move(output), replace};
}

RecodeResult must(const Result<RecodeResult>& result) {
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

void checkIndependently(const Content& bytes) {
    const TemporaryFolder folder;
    writeFile(folder.file("file.etl"), bytes);
    const CheckerVerdict verdict = runCheckers(folder.file("file.etl"));
    CHECK(verdict.complaints.empty());
    if (!verdict.complaints.empty()) {
        WARN(verdict.complaints);
    }
}

etlformat::LogfileHeader logfileHeader(const Content& bytes) {
    return etl::loadAt<etlformat::LogfileHeader>(bytes.data(),
                                                 etlformat::kBufferHeaderSize + sizeof(etlformat::SystemHeader));
}

/// Header and place of each buffer.
std::vector<std::pair<std::size_t, etlformat::BufferHeader>> buffersOf(const Content& bytes) {
    std::vector<std::pair<std::size_t, etlformat::BufferHeader>> buffers;
    for (std::size_t at = 0; at < bytes.size(); at += buffers.back().second.bufferSize) {
        REQUIRE(at + sizeof(etlformat::BufferHeader) <= bytes.size());
        buffers.emplace_back(at, etl::loadAt<etlformat::BufferHeader>(bytes.data(), at));
    }
    return buffers;
}

} // namespace

TEST_CASE("A compressed file has the form that Windows gives it, and comes back byte for byte", "[etl][recode]") {
    StoredFiles files;
    files.put("plain", mergedFile());
    const RecodeResult result = must(etl::compress(files, fromTo("plain", "small")));
    const Content& plain = files.content("plain");
    const Content& small = files.content("small");
    CHECK(result.bytesBefore == plain.size());
    CHECK(result.bytesAfter == small.size());
    CHECK(result.buffersKeptPlain == 0);
    CHECK(small.size() * 4 < plain.size());
    const etlformat::LogfileHeader before = logfileHeader(plain);
    const etlformat::LogfileHeader header = logfileHeader(small);
    CHECK(header.version == 0x0002000A);
    CHECK(header.logFileMode == 0x04010001);
    CHECK(header.bufferSize == before.bufferSize);
    CHECK(header.buffersWritten == result.buffers);
    const auto buffers = buffersOf(small);
    const auto plainBuffers = buffersOf(plain);
    REQUIRE(buffers.size() == result.buffers);
    REQUIRE(buffers.size() == plainBuffers.size());
    CHECK(buffers.front().second.bufferFlag == 0x01);
    CHECK(buffers.front().second.bufferSize == 1024);
    for (std::size_t i = 1; i < buffers.size(); ++i) {
        const etlformat::BufferHeader& one = buffers[i].second;
        const etlformat::BufferHeader& other = plainBuffers[i].second;
        CHECK(one.bufferFlag == (i + 1 == buffers.size() ? 0x61 : 0x60));
        CHECK(one.offset == other.offset);
        CHECK(one.savedOffset == other.savedOffset);
        CHECK(one.sequenceNumber == other.sequenceNumber);
        CHECK(one.timeStamp == other.timeStamp);
        CHECK(one.processorIndex == other.processorIndex);
        CHECK(one.state == 3);
    }
    checkIndependently(small);

    must(etl::decompress(files, fromTo("small", "back")));
    Content back = files.content("back");
    CHECK(logfileHeader(back).logFileMode == 0x00010001);
    // All else is as it was.
    constexpr std::size_t kMode = etlformat::kBufferHeaderSize + sizeof(etlformat::SystemHeader) +
                                  offsetof(etlformat::LogfileHeader, logFileMode);
    std::copy_n(plain.begin() + kMode, 4, back.begin() + kMode);
    CHECK(back == plain);
    CHECK(summaryOf(files, "back").verdict() == etl::Summary::Verdict::Good);
    checkIndependently(files.content("back"));
}

TEST_CASE("Files of Windows are compressed and decompressed without a change to their events", "[etl][recode]") {
    const std::string shared = sharedFolder("files of Windows, compressed and decompressed");
    if (shared.empty()) {
        return;
    }
    int compressed = 0;
    int decompressed = 0;
    for (const auto& entry : std::filesystem::directory_iterator(shared + "/corpus/etl")) {
        if (entry.path().extension() != ".etl" || entry.path().stem() == "unfinalised") {
            continue;
        }
        CAPTURE(entry.path().filename().string());
        StoredFiles files;
        files.put("file", readFile(entry.path().string()));
        const bool isCompressed = (logfileHeader(files.content("file")).logFileMode & 0x04000000) != 0;
        if (isCompressed) {
            must(etl::decompress(files, fromTo("file", "plain")));
            must(etl::compress(files, fromTo("plain", "small")));
            ++decompressed;
        } else {
            must(etl::compress(files, fromTo("file", "small")));
            must(etl::decompress(files, fromTo("small", "plain")));
            ++compressed;
        }
        const etl::Summary before = summaryOf(files, "file");
        for (const std::string name : {"plain", "small"}) {
            const etl::Summary after = summaryOf(files, name);
            CHECK(after.events == before.events);
            CHECK(after.buffers == before.buffers);
            CHECK(after.first == before.first);
            CHECK(after.last == before.last);
            CHECK(after.stacksWithoutEvent == before.stacksWithoutEvent);
            CHECK(after.findings.size() == before.findings.size());
            CHECK(std::equal(after.names.begin(), after.names.end(), before.names.begin(), before.names.end(),
                             [](const auto& a, const auto& b) { return a.name == b.name && a.events == b.events; }));
            if (before.stacksWithoutEvent == 0 && entry.path().stem() != "ShutdownPerfDiagLogger") {
                checkIndependently(files.content(name)); // the others complain of the original, too
            }
        }
    }
    CHECK(compressed >= 8);
    CHECK(decompressed == 3);
}

TEST_CASE("Buffers that would grow stay plain", "[etl][recode]") {
    std::mt19937 random(3);
    RawFile raw;
    for (Ticks i = 0; i < 400; ++i) {
        EventBytes event = manifestEvent(Guid{}, 1, kStart + i, 900);
        std::generate(event.begin() + sizeof(etlformat::EventHeader), event.end(),
                      [&] { return static_cast<std::byte>(random()); });
        raw.add(0, event);
    }
    for (Ticks i = 0; i < 1000; ++i) {
        raw.add(1, contextSwitch(kStart + i));
    }
    StoredFiles files;
    files.put("plain", raw.bytes());
    const RecodeResult result = must(etl::compress(files, fromTo("plain", "small")));
    CHECK(result.buffersKeptPlain > 40);
    CHECK(result.buffersKeptPlain < result.buffers - 1);
    for (const auto& [at, header] : buffersOf(files.content("small"))) {
        const bool isPlain = (header.bufferFlag & etlformat::buffer_flag::kCompressed) == 0;
        CHECK((!isPlain || at == 0 || header.bufferSize == header.offset));
    }
    must(etl::decompress(files, fromTo("small", "back")));
    CHECK(summaryOf(files, "back").events == summaryOf(files, "plain").events);
    checkIndependently(files.content("small"));
}

TEST_CASE("A file that has the wanted form is left alone", "[etl][recode]") {
    StoredFiles files;
    files.put("plain", mergedFile());
    const auto nothing = etl::decompress(files, fromTo("plain", "again"));
    REQUIRE(nothing.has_value());
    CHECK_FALSE(nothing->isWritten);
    must(etl::compress(files, fromTo("plain", "small")));
    const auto same = etl::compress(files, fromTo("small", "again"));
    REQUIRE(same.has_value());
    CHECK_FALSE(same->isWritten);
    CHECK(same->bytesAfter == files.content("small").size());
    CHECK(files.names() == std::vector<std::string>{"plain", "small"});
}

TEST_CASE("A file replaces another one, or itself, only when that is asked for", "[etl][recode]") {
    StoredFiles files;
    files.put("plain", mergedFile());
    files.put("other", {});
    const std::string output = GENERATE(as<std::string>(), "plain", "other");
    const auto refused = etl::compress(files, fromTo("plain", output));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::FileExists);
    CHECK(files.content("plain") == mergedFile());
    must(etl::compress(files, fromTo("plain", output, true)));
    CHECK(logfileHeader(files.content(output)).logFileMode == 0x04010001);
    CHECK(files.names() == std::vector<std::string>{"other", "plain"});
}

TEST_CASE("Nothing is left of a recoding that fails", "[etl][recode]") {
    StoredFiles files;
    files.put("plain", mergedFile());
    const Content untouched = files.content("plain");
    std::stop_source stop;
    const auto [what, expected] = GENERATE(table<std::string, ErrorCode>({
        {"full", ErrorCode::DiskFull},
        {"falsified", ErrorCode::VerificationFailed},
        {"falsified header", ErrorCode::VerificationFailed},
        {"cancelled", ErrorCode::Cancelled},
        {"cancelled while verifying", ErrorCode::Cancelled},
        {"missing", ErrorCode::FileNotFound},
    }));
    CAPTURE(what);
    if (what == "full") {
        files.limit(5000);
    } else if (what == "falsified") {
        // An event's bytes, as a failing disk may return them.
        files.onWrite([](Content& content) {
            if (content[0] == std::byte{0xFF}) { // the header comes last
                content[content.size() - 20] ^= std::byte{1};
            }
        });
    } else if (what == "falsified header") {
        files.onWrite([](Content& content) { content[0x48 + 0x20 + 0x30] ^= std::byte{1}; });
    } else if (what == "cancelled") {
        stop.request_stop();
    } else if (what == "cancelled while verifying") {
        files.onWrite([&](Content& content) {
            if (content[0] != std::byte{0xFF}) {
                stop.request_stop();
            }
        });
    }
    const auto failed =
        etl::compress(files, fromTo(what == "missing" ? "nothing" : "plain", "small"), {}, stop.get_token());
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().code == expected);
    CHECK(files.names() == std::vector<std::string>{"plain"});
    CHECK(files.content("plain") == untouched);
}

TEST_CASE("Files that must be repaired first are refused with their place", "[etl][recode]") {
    StoredFiles files;
    Content bytes = someEvents().bytes();
    const auto [what, detail] = GENERATE(table<std::string, std::string>({
        {"open", "never closed"},
        {"cut", "runs past the end"},
        {"zeros", "zeros to the end"},
        {"damaged", "buffer size"},
        {"tiny", "no possible buffer size"},
    }));
    CAPTURE(what);
    if (what == "open") {
        RawFile::Options options;
        options.isClosed = false;
        bytes = RawFile(options).add(0, contextSwitch(kStart)).bytes();
    } else if (what == "cut") {
        bytes.resize(bytes.size() - 100);
    } else if (what == "zeros") {
        bytes.resize(bytes.size() + 8192);
    } else if (what == "damaged") {
        bufferHeader(bytes, 2).bufferSize = 3;
    } else if (what == "tiny") {
        std::fill_n(bytes.begin() + 0x48 + 0x20, 4, std::byte{0});
    }
    files.put("file", bytes);
    const auto refused = etl::compress(files, fromTo("file", "small"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::EtlDamaged);
    CHECK_THAT(refused.error().detail, Catch::Contains(detail));
    CHECK(files.names() == std::vector<std::string>{"file"});
}

TEST_CASE("A compressed buffer that is damaged is refused, and so is one larger than the header says",
          "[etl][recode]") {
    StoredFiles files;
    files.put("plain", mergedFile());
    must(etl::compress(files, fromTo("plain", "small")));
    Content& small = files.content("small");
    const auto [at, header] = buffersOf(small)[1];
    SECTION("damaged") {
        std::fill_n(small.begin() + static_cast<std::ptrdiff_t>(at) + 0x48, 64, std::byte{0xFF});
        const auto refused = etl::decompress(files, fromTo("small", "back"));
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::EtlDamaged);
        CHECK_THAT(refused.error().detail, Catch::Contains("at " + std::to_string(at)));
    }
    SECTION("too large") {
        const std::uint32_t less = 64 * 1024;
        std::copy_n(reinterpret_cast<const std::byte*>(&less), sizeof less, small.begin() + 0x48 + 0x20);
        const auto refused = etl::decompress(files, fromTo("small", "back"));
        REQUIRE_FALSE(refused.has_value());
        CHECK_THAT(refused.error().detail, Catch::Contains("larger than the header says"));
    }
    CHECK(files.names() == std::vector<std::string>{"plain", "small"});
}
