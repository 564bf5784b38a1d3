// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/etl/raw_file.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

// Writes small files for etl_fuzz to begin with: TRACEDECK_SEEDS=FOLDER etl_seeds. A test program, as what builds the
// files is.

namespace {

using namespace tracedeck;
using namespace tracedeck::test;

constexpr Ticks kStart = 1'000'000;
constexpr std::uint32_t kBuffer = 1024; // small: the fuzzer changes what it can reach
constexpr Guid kProvider = Guid::of(0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8});

RawFile::Options small() {
    RawFile::Options options;
    options.bufferSize = kBuffer;
    return options;
}

RawFile kernelEvents(const RawFile::Options& options) {
    RawFile raw(options);
    for (Ticks i = 0; i < 20; ++i) {
        const Ticks time = kStart + 10 * i;
        raw.add(0, contextSwitch(time)).add(1, sampledProfile(time)).add(1, stackWalk(time + 1, time));
    }
    return raw;
}

std::map<std::string, std::vector<std::byte>> seeds() {
    std::map<std::string, std::vector<std::byte>> files;
    files["kernel"] = kernelEvents(small()).bytes();
    RawFile::Options options = small();
    options.isClosed = false;
    files["open"] = kernelEvents(options).bytes();
    options = small();
    options.mode = 0x02000400; // EVENT_TRACE_BUFFERING_MODE
    options.eventsLost = 3;
    options.buffersLost = 1;
    files["ring"] = kernelEvents(options).bytes();
    options = small();
    options.hasGroupMasks = false;
    options.processors = 1;
    RawFile user(options);
    for (Ticks i = 0; i < 5; ++i) {
        const Ticks time = kStart + 10 * i;
        user.add(0, manifestEvent(kProvider, 7, time)).add(0, classicEvent(kProvider, 1, time + 1));
        user.add(0, wppMessage(2)).cut(0);
    }
    files["user"] = user.bytes();
    files["truncated"] = files["kernel"];
    files["truncated"].resize(2 * kBuffer + 100);
    return files;
}

} // namespace

TEST_CASE("Small files are written for the fuzzer") {
    const char* wanted = std::getenv("TRACEDECK_SEEDS");
    REQUIRE(wanted != nullptr);
    const std::filesystem::path folder = wanted;
    std::filesystem::create_directories(folder);
    for (const auto& [name, bytes] : seeds()) {
        writeFile((folder / (name + ".etl")).native(), bytes);
    }
}
