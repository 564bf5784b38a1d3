// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/memory_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <functional>
#include <random>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::summarize;
using etl::Summary;
using Code = etl::Finding::Code;

namespace {

constexpr std::size_t kBuffer = 8192;
constexpr Ticks kStart = 1'000'000;
using File = std::vector<std::byte>;

/// Three buffers of processor 0 and one of processor 1, 100 events each.
File soundFile() {
    RawFile raw;
    for (Ticks i = 0; i < 300; ++i) {
        raw.add(0, contextSwitch(kStart + 10 * i));
        if (i % 100 == 99) {
            raw.cut(0);
        }
    }
    for (Ticks i = 0; i < 50; ++i) {
        raw.add(1, sampledProfile(kStart + 10 * i)).add(1, stackWalk(kStart + 10 * i + 1, kStart + 10 * i));
    }
    return raw.bytes();
}

struct BadFile {
    std::string name;
    std::function<void(File&)> damage;
    std::vector<Code> expected; ///< exactly these, in any order
    std::uint64_t events;       ///< still read, 303 + 100 in the sound file
    Summary::Verdict verdict;
};

void truncateTo(File& file, std::size_t size) {
    file.resize(size);
}

const std::vector<BadFile>& badFiles() {
    using Verdict = Summary::Verdict;
    static const std::vector<BadFile> files = {
        {"none", [](File&) {}, {}, 403, Verdict::Good},
        {"cut within the last buffer",
         [](File& f) { truncateTo(f, 4 * kBuffer + 100); },
         {Code::Truncated, Code::CountMismatch},
         303,
         Verdict::Incomplete},
        {"cut within a buffer header",
         [](File& f) { truncateTo(f, 4 * kBuffer + 20); },
         {Code::Truncated, Code::CountMismatch},
         303,
         Verdict::Incomplete},
        {"zeros to the end",
         [](File& f) { std::fill(f.begin() + 4 * kBuffer, f.end(), std::byte{0}); },
         {Code::Truncated, Code::CountMismatch},
         303,
         Verdict::Incomplete},
        {"a buffer of zeros",
         [](File& f) { std::fill_n(f.begin() + 2 * kBuffer, kBuffer, std::byte{0}); },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"a buffer of noise",
         [](File& f) { std::fill_n(f.begin() + 2 * kBuffer, kBuffer, std::byte{0x5A}); },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"a buffer size of zero",
         [](File& f) { bufferHeader(f, 2).bufferSize = 0; },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"a buffer size beyond the file",
         [](File& f) { bufferHeader(f, 2).bufferSize = 1U << 23U; },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"a buffer size that leads nowhere",
         [](File& f) { bufferHeader(f, 2).bufferSize = 4096; },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"events beyond the buffer",
         [](File& f) { bufferHeader(f, 2).savedOffset = 0x10000; },
         {Code::DamagedBuffer, Code::CountMismatch, Code::SequenceGap},
         303,
         Verdict::Damaged},
        {"bytes that are no event",
         [](File& f) { f[2 * kBuffer + 72 + 50 * 40 + 3] = std::byte{0}; },
         {Code::DamagedBuffer},
         353,
         Verdict::Damaged},
        {"an event larger than its buffer",
         [](File& f) { f[2 * kBuffer + 72 + 99 * 40 + 5] = std::byte{0xFF}; },
         {Code::DamagedBuffer},
         402,
         Verdict::Damaged},
        {"an event smaller than its header",
         [](File& f) { f[2 * kBuffer + 72 + 99 * 40 + 4] = std::byte{4}; },
         {Code::DamagedBuffer},
         402,
         Verdict::Damaged},
        {"bytes that went missing",
         [](File& f) { f.erase(f.begin() + kBuffer + 800, f.begin() + kBuffer + 864); },
         {Code::DamagedBuffer, Code::TimeDisorder, Code::CountMismatch, Code::SequenceGap},
         222,
         Verdict::Damaged},
        {"time that steps back within a buffer",
         [](File& f) { std::fill_n(f.begin() + 2 * kBuffer + 72 + 50 * 40 + 8, 4, std::byte{0}); },
         {Code::TimeDisorder},
         403,
         Verdict::Damaged},
        {"buffers whose times overlap",
         [](File& f) { std::swap(bufferHeader(f, 1).sequenceNumber, bufferHeader(f, 2).sequenceNumber); },
         {Code::TimeDisorder},
         403,
         Verdict::Damaged},
        {"a sequence number that is missing",
         [](File& f) { bufferHeader(f, 4).sequenceNumber = 9; },
         {Code::SequenceGap},
         403,
         Verdict::Incomplete},
        {"a sequence number that repeats",
         [](File& f) { bufferHeader(f, 4).sequenceNumber = 3; },
         {Code::SequenceGap},
         403,
         Verdict::Incomplete},
        {"a processor that the header does not have",
         [](File& f) { bufferHeader(f, 4).processorIndex = 9; },
         {Code::ProcessorOutOfRange},
         403,
         Verdict::Damaged},
        {"stacks of other events",
         [](File& f) {
             for (std::size_t at = 4 * kBuffer + 72 + 32; at < 4 * kBuffer + 72 + 50 * 88; at += 88) {
                 f[at + 16] ^= std::byte{0x05};
             }
         },
         {Code::StackWithoutEvent},
         403,
         Verdict::Good},
        {"a buffer marked for lost events",
         [](File& f) { bufferHeader(f, 3).bufferFlag |= 0x02; },
         {Code::EventsLost},
         403,
         Verdict::Incomplete},
        {"a compressed buffer that is none",
         [](File& f) { bufferHeader(f, 2).bufferFlag |= 0x40; },
         {Code::DamagedBuffer},
         303,
         Verdict::Damaged},
    };
    return files;
}

} // namespace

TEST_CASE("Every kind of damage has its finding and leaves the rest readable", "[etl][damage]") {
    for (const BadFile& bad : badFiles()) {
        DYNAMIC_SECTION(bad.name) {
            File bytes = soundFile();
            bad.damage(bytes);
            MemoryFiles files(bytes);
            const auto summary = summarize(files, "bad.etl");
            REQUIRE(summary.has_value());
            std::vector<Code> found;
            std::string details;
            for (const auto& finding : summary->findings) {
                found.push_back(finding.code);
                details += finding.detail + "\n";
                CHECK(finding.count > 0);
                CHECK_FALSE(finding.detail.empty());
            }
            CAPTURE(details);
            CHECK_THAT(found, Catch::UnorderedEquals(bad.expected));
            CHECK(summary->events == bad.events);
            CHECK(summary->verdict() == bad.verdict);
        }
    }
}

TEST_CASE("What is merged from a damaged file is sound", "[etl][damage][merge]") {
    for (const BadFile& bad : badFiles()) {
        DYNAMIC_SECTION(bad.name) {
            const TemporaryFolder folder;
            File bytes = soundFile();
            bad.damage(bytes);
            writeFile(folder.file("raw.etl"), bytes);
            etl::MergeRequest request;
            request.inputs = {folder.file("raw.etl")};
            request.output = folder.file("merged.etl");
            request.sessionName = "merged";
            const auto merged = etl::merge(systemFiles(), request);
            REQUIRE(merged.has_value());
            const auto summary = summarize(systemFiles(), request.output);
            REQUIRE(summary.has_value());
            for (const auto& finding : summary->findings) {
                CAPTURE(finding.detail);
                CHECK(finding.code == Code::EventsLost);
            }
            const bool isDamaged =
                std::find(bad.expected.begin(), bad.expected.end(), Code::DamagedBuffer) != bad.expected.end();
            CHECK((merged->buffersDamaged != 0) == isDamaged);
            CHECK(merged->events + merged->stacksDropped + merged->eventsOutOfOrder + 3 == bad.events);
            CHECK(summary->events == merged->events + 3);
            CHECK(summary->header.eventsLost == merged->eventsOutOfOrder);
        }
    }
}

TEST_CASE("A file cut at any length is read or refused, and never more", "[etl][damage][sweep]") {
    RawFile::Options options;
    options.bufferSize = 1024;
    RawFile raw(options);
    for (Ticks i = 0; i < 60; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i));
    }
    MemoryFiles files(raw.bytes());
    std::uint64_t before = 0;
    for (std::size_t size = 0; size <= files.bytes().size(); ++size) {
        files.showOnly(size);
        const auto summary = summarize(files, "cut.etl");
        if (!summary) {
            REQUIRE(summary.error().code == ErrorCode::NotAnEtl);
            REQUIRE(size < 1024);
            continue;
        }
        REQUIRE(summary->events >= before);
        REQUIRE(summary->events <= 63);
        REQUIRE((summary->verdict() == Summary::Verdict::Good) == (size == files.bytes().size()));
        before = summary->events;
    }
    CHECK(before == 63);
}

TEST_CASE("Any byte of a file may be any other", "[etl][damage][sweep]") {
    RawFile::Options options;
    options.bufferSize = 1024;
    RawFile raw(options);
    for (Ticks i = 0; i < 30; ++i) {
        raw.add(0, contextSwitch(kStart + i)).add(0, stackWalk(kStart + i, kStart + i, 1));
        raw.add(1, manifestEvent(Guid{}, static_cast<std::uint16_t>(i), kStart + i));
    }
    const File sound = raw.bytes();
    MemoryFiles files(sound);
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const unsigned value : {0x00U, 0x01U, 0x7FU, 0x80U, 0xFFU}) {
            files.bytes()[at] = static_cast<std::byte>(value);
            const auto summary = summarize(files, "changed.etl");
            REQUIRE((summary.has_value() || summary.error().code == ErrorCode::NotAnEtl));
        }
        files.bytes()[at] = sound[at];
    }
}

TEST_CASE("Noise is read to its end or refused", "[etl][damage][sweep]") {
    std::mt19937 random(20240229);
    std::uniform_int_distribution<unsigned> byte(0, 255);
    const File sound = soundFile();
    for (int round = 0; round < 400; ++round) {
        File bytes(16384 + static_cast<std::size_t>(round) * 7);
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(byte(random)); });
        // Noise behind a header buffer gets further than noise alone.
        const std::size_t kept = round % 2 == 0 ? kBuffer : 0;
        std::copy_n(sound.begin(), kept, bytes.begin());
        if (round % 4 == 0) {
            // In a merged file every offset may be the beginning of a buffer.
            bytes[etlformat::kBufferHeaderSize + 0x20 + 0x23] = std::byte{0x06};
        }
        MemoryFiles files(std::move(bytes));
        const auto summary = summarize(files, "noise.etl");
        REQUIRE(summary.has_value() == (kept != 0));
    }
}
