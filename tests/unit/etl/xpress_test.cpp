// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/xpress.h"

#include "core/etl/buffer_walk.h"
#include "core/etlformat/layout.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <filesystem>
#include <random>

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

using ByteVector = std::vector<std::byte>;

ByteVector noise(std::mt19937& random, std::size_t size, unsigned values = 256) {
    ByteVector bytes(size);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random() % values); });
    return bytes;
}

/// Pieces of itself at any distance, and some noise between them.
ByteVector collage(std::mt19937& random, std::size_t size) {
    ByteVector bytes = noise(random, 16);
    while (bytes.size() < size) {
        const std::size_t length = 1 + random() % (random() % 8 == 0 ? 700 : 40);
        if (random() % 4 == 0) {
            const ByteVector fresh = noise(random, length);
            bytes.insert(bytes.end(), fresh.begin(), fresh.end());
            continue;
        }
        const std::size_t distance = 1 + random() % std::min<std::size_t>(bytes.size(), 10000);
        for (std::size_t i = 0; i < length; ++i) {
            bytes.push_back(bytes[bytes.size() - distance]);
        }
    }
    bytes.resize(size);
    return bytes;
}

/// Whether it comes back whole, within the bound; gives the stream's size.
std::size_t roundTrip(etl::XpressEncoder& encoder, std::span<const std::byte> plain) {
    const std::span<const std::byte> stream = encoder.encode(plain);
    REQUIRE(stream.size() <= etl::xpressBound(plain.size()));
    ByteVector back(plain.size());
    // A byte more than there is: the end mark alone must end the stream.
    ByteVector more(plain.size() + 1);
    REQUIRE(etl::decodeXpress(stream, back) == plain.size());
    REQUIRE(etl::decodeXpress(stream, more) == plain.size());
    REQUIRE(std::equal(back.begin(), back.end(), plain.begin(), plain.end()));
    return stream.size();
}

} // namespace

TEST_CASE("What XPRESS encodes comes back, whatever it is", "[etl][xpress]") {
    std::mt19937 random(1);
    etl::XpressEncoder encoder;
    for (std::size_t size = 0; size < 300; ++size) {
        roundTrip(encoder, noise(random, size));
        roundTrip(encoder, noise(random, size, 2));
        roundTrip(encoder, ByteVector(size, std::byte{7}));
        roundTrip(encoder, collage(random, size));
    }
    for (int i = 0; i < 200; ++i) {
        const std::size_t size = random() % 200'000;
        roundTrip(encoder, noise(random, size, 1 + random() % 256));
        roundTrip(encoder, collage(random, size));
    }
}

TEST_CASE("Lengths of every form are encoded", "[etl][xpress]") {
    etl::XpressEncoder encoder;
    // Behind a first byte one match of all that follows: each boundary between two forms, and around it.
    const std::size_t boundary = GENERATE(std::size_t{10}, 25, 280, 65538, 65540, 70000, 1U << 20U);
    for (std::size_t size = boundary - 8; size < boundary + 8; ++size) {
        CAPTURE(size);
        CHECK(roundTrip(encoder, ByteVector(size, std::byte{1})) < 40);
    }
}

TEST_CASE("Bytes without repetition grow by a bit each and no more", "[etl][xpress]") {
    std::mt19937 random(2);
    etl::XpressEncoder encoder;
    const std::size_t size = GENERATE(std::size_t{0}, 1, 31, 32, 33, 64, 4096, 100'000);
    // The bound is reached where there is nothing to find, so it is no guess.
    ByteVector bytes(size);
    std::uint32_t counter = 0;
    for (std::size_t i = 0; i < size; ++i) {
        counter = counter * 1664525U + 1013904223U;
        bytes[i] = static_cast<std::byte>(counter >> 24U);
    }
    const std::size_t made = roundTrip(encoder, bytes);
    CHECK(made <= etl::xpressBound(size));
    CHECK(made + 100 >= etl::xpressBound(size));
}

TEST_CASE("The stream is that of the specification", "[etl][xpress]") {
    etl::XpressEncoder encoder;
    const auto encoded = [&](const std::string& text) {
        const auto stream = encoder.encode(std::as_bytes(std::span(text)));
        return ByteVector(stream.begin(), stream.end());
    };
    const auto bytes = [](std::initializer_list<int> values) {
        ByteVector result;
        std::transform(values.begin(), values.end(), std::back_inserter(result),
                       [](int value) { return static_cast<std::byte>(value); });
        return result;
    };
    // MS-XCA's own examples: 26 literals, and 3 literals with one match of 297 bytes.
    ByteVector alphabet = bytes({0x3F, 0, 0, 0});
    for (int letter = 'a'; letter <= 'z'; ++letter) {
        alphabet.push_back(static_cast<std::byte>(letter));
    }
    CHECK(encoded("abcdefghijklmnopqrstuvwxyz") == alphabet);
    std::string repeated;
    for (int i = 0; i < 100; ++i) {
        repeated += "abc";
    }
    CHECK(encoded(repeated) == bytes({0xFF, 0xFF, 0xFF, 0x1F, 'a', 'b', 'c', 0x17, 0x00, 0x0F, 0xFF, 0x26, 0x01}));
    CHECK(encoded("") == bytes({0xFF, 0xFF, 0xFF, 0xFF}));
}

TEST_CASE("Buffers that Windows compressed are compressed about as well", "[etl][xpress]") {
    const std::string shared = sharedFolder("compressed buffers of Windows");
    if (shared.empty()) {
        return;
    }
    const std::string path = shared + "/corpus/etl/net.4.5.2.x64.etl";
    const auto file = systemFiles().open(path);
    REQUIRE(file.has_value());
    const auto header = etl::readFileHeader(**file, path);
    REQUIRE(header.has_value());
    etl::FileWindow window(**file, 1 << 20);
    etl::BufferWalk walk(window, *header);
    etl::XpressEncoder encoder;
    ByteVector scratch;
    std::uint64_t plain = 0;
    std::uint64_t windows = 0;
    std::uint64_t ours = 0;
    for (auto place = walk.next(); place && place->has_value(); place = walk.next()) {
        if (!(*place)->isCompressed()) {
            continue;
        }
        const auto bytes = etl::bufferBytes(window, **place, scratch);
        REQUIRE(bytes.has_value());
        REQUIRE(bytes->has_value());
        const auto events = (**bytes).subspan(etlformat::kBufferHeaderSize);
        plain += events.size();
        windows += (*place)->size - etlformat::kBufferHeaderSize;
        ours += roundTrip(encoder, events);
    }
    CAPTURE(plain, windows, ours);
    CHECK(plain > 10'000'000);
    CHECK(static_cast<double>(ours) < 1.1 * static_cast<double>(windows));
}
