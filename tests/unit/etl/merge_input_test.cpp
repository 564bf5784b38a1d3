// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge_input.h"

#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "tests/support/catch.h"
#include "tests/support/stored_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <random>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::MergeInput;
using etl::MergeStream;
using etl::PlaceList;

namespace {

constexpr Ticks kStart = 1'000'000;

/// Every event of the stream, and the most memory that it held on the way.
std::pair<std::vector<EventBytes>, std::size_t> drain(MergeStream stream) {
    std::vector<EventBytes> events;
    std::size_t most = 0;
    while (true) {
        const auto loaded = stream.load();
        REQUIRE(loaded.has_value());
        if (!*loaded) {
            break;
        }
        most = std::max(most, stream.memory());
        for (; !stream.isEmpty(); stream.advance()) {
            events.emplace_back(stream.bytes().begin(), stream.bytes().end());
        }
    }
    CHECK(stream.damaged().count == 0);
    return {std::move(events), most};
}

} // namespace

TEST_CASE("A list of places gives them back in their order", "[etl][merge]") {
    std::mt19937_64 random(1);
    PlaceList list(65536);
    std::vector<std::uint64_t> offsets;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t any = random() >> (random() % 60 + 2);
        offsets.push_back(i % 3 == 0 ? any : any / 65536 * 65536);
        list.add(offsets.back());
    }
    offsets.push_back(0);
    list.add(0);
    CHECK(list.offsets() == offsets);
    CHECK(list.size() == offsets.size());
    list.clear();
    CHECK(list.offsets().empty());
    list.add(7);
    CHECK(list.offsets() == std::vector<std::uint64_t>{7});
}

TEST_CASE("What is known of a file's buffers costs a byte or two each", "[etl][merge]") {
    const auto [bufferSize, processors, most] = GENERATE(table<std::uint64_t, std::uint64_t, double>({
        {65536, 8, 1.1},
        {65536, 64, 2.0},
        {1048576, 2, 1.0},
    }));
    PlaceList list(bufferSize);
    std::mt19937_64 random(2);
    constexpr std::uint64_t kBuffers = 100'000;
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i < kBuffers; ++i) {
        offset += bufferSize * (1 + random() % (2 * processors - 1));
        list.add(offset);
    }
    CHECK(static_cast<double>(list.memory()) / kBuffers <= most);
}

TEST_CASE("Streams give the same events however short their blocks are", "[etl][merge]") {
    std::mt19937 random(3);
    RawFile::Options options;
    options.bufferSize = 1 << 20;
    RawFile raw(options);
    std::vector<EventBytes> expected;
    for (Ticks i = 0; i < 3000; ++i) {
        // Of the shortest and the longest, too.
        const std::size_t payload = random() % (random() % 100 == 0 ? 0xFFFF - 0x50 : 500);
        expected.push_back(i % 5 == 0 ? wppMessage(static_cast<std::uint16_t>(i))
                                      : manifestEvent(Guid{}, 1, kStart + i, payload));
        raw.add(0, expected.back());
    }
    StoredFiles files;
    files.put("raw", raw.bytes());
    auto input = etl::openMergeInput(files, "raw");
    REQUIRE(input.has_value());
    const std::size_t blockSize = GENERATE(std::size_t{4096}, 8192, 65536, 1 << 20);
    CAPTURE(blockSize);
    const auto [events, memory] = drain(MergeStream(*input, 0, input->places.at(0), blockSize));
    CHECK(events == expected);
    // A block and its events, or one event that is longer; vectors may be twice as large as what is in them.
    CHECK(memory <= 4 * std::max<std::size_t>(blockSize, 72 * 1024));
}

TEST_CASE("The blocks of all streams together stay within a bound", "[etl][merge]") {
    const std::size_t streams = GENERATE(std::size_t{1}, 2, 18, 100, 1000, 4096);
    CAPTURE(streams);
    CHECK(streams * etl::mergeBlockSize(streams) <= 16U << 20U);
    CHECK(etl::mergeBlockSize(streams) >= 4096);
    CHECK(etl::mergeBlockSize(18) >= 128 * 1024); // what a usual recording has: whole buffers
}

TEST_CASE("Sixty-four files become one", "[etl][merge]") {
    StoredFiles files;
    etl::MergeRequest request;
    request.output = "merged";
    request.sessionName = "many";
    std::vector<std::pair<Ticks, EventBytes>> expected;
    for (int file = 0; file < 64; ++file) {
        RawFile::Options options;
        options.processors = 4;
        options.hasGroupMasks = file == 5;
        RawFile raw(options);
        for (Ticks i = 0; i < 500; ++i) {
            const Ticks time = kStart + i * 64 + (file * 37) % 64;
            const EventBytes event = contextSwitch(time, static_cast<std::uint32_t>(file));
            raw.add(static_cast<std::uint16_t>(i % 4), event);
            if (i % 4 == 2) {
                expected.emplace_back(time, event);
            }
        }
        const std::string name = "raw" + std::to_string(file);
        files.put(name, raw.bytes());
        request.inputs.push_back(name);
    }
    const auto merged = etl::merge(files, request);
    REQUIRE(merged.has_value());
    CHECK(merged->events == 64 * 500);
    CHECK(merged->damage.size() == 64);
    CHECK(merged->eventsOutOfOrder == 0);
    const auto summary = etl::summarize(files, "merged");
    REQUIRE(summary.has_value());
    CHECK(summary->verdict() == etl::Summary::Verdict::Good);
    auto input = etl::openMergeInput(files, "merged");
    REQUIRE(input.has_value());
    std::sort(expected.begin(), expected.end());
    const auto [events, memory] = drain(MergeStream(*input, 2, input->places.at(2), 1 << 20));
    REQUIRE(events.size() == expected.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        REQUIRE(events[i] == expected[i].second);
    }
}

TEST_CASE("Damage is told with its file and place", "[etl][merge]") {
    StoredFiles files;
    RawFile good;
    good.add(0, contextSwitch(kStart));
    files.put("good", good.bytes());
    RawFile bad;
    for (Ticks i = 0; i < 2000; ++i) {
        bad.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i));
    }
    std::vector<std::byte> bytes = bad.bytes();
    bufferHeader(bytes, 2).savedOffset = 3;
    bufferHeader(bytes, 2).offset = 3;
    std::fill_n(bytes.begin() + 5 * 8192 + 0x200, 64, std::byte{0x11});
    files.put("bad", bytes);
    etl::MergeRequest request;
    request.inputs = {"good", "bad"};
    request.output = "merged";
    const auto merged = etl::merge(files, request);
    REQUIRE(merged.has_value());
    CHECK(merged->buffersDamaged == 2);
    REQUIRE(merged->damage.size() == 2);
    CHECK(merged->damage[0].count == 0);
    CHECK(merged->damage[1].offsets == std::vector<std::uint64_t>{2 * 8192, 5 * 8192});
    CHECK_THAT(merged->damage[1].firstDetail, Catch::Contains("events up to 3"));
}
