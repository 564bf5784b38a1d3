// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is on the device when: whoever loses power finds no file that calls itself complete and is not.
#include "tests/engine/engine_fixture.h"
#include "tests/engine/numbered_events.h"
#include "tests/support/noting_files.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

using Story = std::vector<std::string>;

struct Traced {
    explicit Traced(etw::SessionConfig config) : calls(engine) {
        id = calls.start(config).id;
        calls.enable(id, writer->providerId());
    }
    void write(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            writeNumbered(*writer, {0, i});
        }
    }

    SystemClock clock;
    NotingFiles files{systemFiles()};
    etw::engine::Engine engine{{&clock, &files, nullptr}};
    std::unique_ptr<etw::EventWriter> writer = engine.registerProvider("Durable");
    Calls calls;
    etw::SessionId id;
};

/// Between its first and its last header: the events, then a sync; behind that the last buffer's mark and a sync.
const Story kWhole{"create", "header", "write", "sync", "write", "header", "sync", "close"};

} // namespace

TEST_CASE("A file's events are on the device before its header calls it complete, and both before it is closed",
          "[engine][durability]") {
    const TemporaryFolder folder;
    Traced traced(fileConfig(folder.file("d.etl")));
    traced.write(5000);
    traced.calls.stop(traced.id);
    CHECK(traced.files.storyOf(folder.file("d.etl")) == kWhole);
}

TEST_CASE("A ring is on the device when it has been written", "[engine][durability]") {
    const TemporaryFolder folder;
    Traced traced(ringConfig());
    traced.write(5000);
    traced.calls.flush(traced.id, folder.file("snapshot.etl"));
    CHECK(traced.files.storyOf(folder.file("snapshot.etl")) == kWhole);
    traced.calls.stop(traced.id, folder.file("r.etl"));
    CHECK(traced.files.storyOf(folder.file("r.etl")) == kWhole);
}

TEST_CASE("Each of several files is on the device before the next one is begun", "[engine][durability]") {
    const TemporaryFolder folder;
    auto config = fileConfig(folder.file("n%d.etl"));
    config.logFileMode = etlformat::mode::kNewFile;
    config.maximumFileSizeMib = 1;
    config.bufferSizeKib = 16;
    Traced traced(config);
    while (traced.calls.query(traced.id).files.size() < 3) {
        traced.write(2000);
    }
    const auto files = traced.calls.stop(traced.id).files;
    for (const std::string& file : files) {
        CHECK(traced.files.storyOf(file) == kWhole);
    }
    // One after another.
    std::vector<std::string> open;
    for (const auto& note : traced.files.notes()) {
        if (note.call == NotingFiles::Call::Create) {
            CHECK(open.empty());
            open.push_back(note.path);
        } else if (note.call == NotingFiles::Call::Close) {
            open.clear();
        }
    }
}

TEST_CASE("A circular file's places are overwritten and on the device before its header", "[engine][durability]") {
    const TemporaryFolder folder;
    auto config = fileConfig(folder.file("c.etl"));
    config.logFileMode = etlformat::mode::kCircular;
    config.maximumFileSizeMib = 1;
    config.bufferSizeKib = 16;
    Traced traced(config);
    while (traced.calls.query(traced.id).eventsOverwritten == 0) {
        traced.write(2000);
    }
    traced.calls.stop(traced.id);
    CHECK(traced.files.storyOf(folder.file("c.etl")) == kWhole);
}

TEST_CASE("An appended file is unfinished on the device before it grows, and complete after its events",
          "[engine][durability]") {
    const TemporaryFolder folder;
    auto config = fileConfig(folder.file("a.etl"));
    config.logFileMode = etlformat::mode::kAppend;
    {
        Traced traced(config);
        traced.write(1000);
        traced.calls.stop(traced.id);
    }
    Traced traced(config);
    traced.write(1000);
    traced.calls.stop(traced.id);
    CHECK(traced.files.storyOf(folder.file("a.etl")) ==
          Story{"create", "header", "sync", "write", "sync", "write", "header", "sync", "close"});
    CHECK(checkedEtl(folder.file("a.etl")).dataEvents() == 2000);
}
