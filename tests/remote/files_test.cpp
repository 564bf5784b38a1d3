// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/wait.h"
#include "tests/engine/raw_etl.h"
#include "tests/remote/test_host.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>

using namespace tracedeck;
using namespace tracedeck::etw;

namespace {

/// Sessions of one client that write a known number of events.
class Recording {
public:
    Result<StartedSession> start(const SessionConfig& config) {
        auto started = await<StartedSession>([&](auto done) { m_controller->start(config, std::move(done)); });
        if (started) {
            REQUIRE(
                await<void>([&](auto done) {
                    m_controller->enable(started->id, {m_writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
                }).has_value());
        }
        return started;
    }
    void write(int events) {
        for (int i = 0; i < events; ++i) {
            m_writer->write({"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}});
        }
    }
    SessionStats stop(SessionId id, const std::string& file = {}) {
        auto last = await<SessionStats>([&](auto done) { m_controller->stop(id, file, std::move(done)); });
        REQUIRE(last.has_value());
        return *last;
    }
    void loseHost() { m_host.reset(); }

private:
    std::unique_ptr<test::TestHost> m_host = std::make_unique<test::TestHost>();
    std::unique_ptr<remote::RemoteController> m_controller = m_host->controller();
    std::unique_ptr<EventWriter> m_writer = m_controller->registerProvider("Files");
};

SessionConfig configOf(const std::string& path, std::uint32_t mode) {
    SessionConfig config;
    config.name = "Files";
    config.logFileName = path;
    config.logFileMode = mode;
    return config;
}

} // namespace

TEST_CASE("A file is appended to by a host, and begun where there is none", "[remote][files]") {
    Recording recording;
    const test::TemporaryFolder folder;
    const SessionConfig config = configOf(folder.file("appended.etl"), etlformat::mode::kAppend);
    for (int round = 1; round <= 2; ++round) {
        const auto started = recording.start(config);
        REQUIRE(started.has_value());
        CHECK(started->stats.files == std::vector{config.logFileName});
        recording.write(10);
        recording.stop(started->id);
        const test::RawEtl etl = test::readRawEtl(config.logFileName);
        CHECK(etl.problemText().empty());
        CHECK(etl.dataEvents() == 10U * static_cast<unsigned>(round));
    }
    // What is no recording stays as it is.
    std::ofstream(folder.file("text")) << "no recording";
    CHECK_FALSE(recording.start(configOf(folder.file("text"), etlformat::mode::kAppend)).has_value());
    CHECK(std::filesystem::file_size(folder.file("text")) == 12);
}

TEST_CASE("A circular file is kept by a host", "[remote][files]") {
    Recording recording;
    const test::TemporaryFolder folder;
    SessionConfig config = configOf(folder.file("circular.etl"), etlformat::mode::kCircular);
    config.maximumFileSizeMib = 1;
    const auto started = recording.start(config);
    REQUIRE(started.has_value());
    recording.write(100);
    CHECK(recording.stop(started->id).eventsRecorded == 100);
    CHECK(test::readRawEtl(config.logFileName).dataEvents() == 100);
}

TEST_CASE("Files that only a client could open later are refused by a host", "[remote][files]") {
    Recording recording;
    const test::TemporaryFolder folder;
    SessionConfig config = configOf(folder.file("new%d.etl"), etlformat::mode::kNewFile);
    config.maximumFileSizeMib = 1;
    const auto refused = recording.start(config);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::NotSupported);
    CHECK(refused.error().native == 50);
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A file that is a link, or is there already, is not written through", "[remote][files]") {
    Recording recording;
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("target")) << "kept";
    std::filesystem::create_symlink(folder.file("target"), folder.file("link"));
    for (const char* name : {"link", "target"}) {
        const auto refused = recording.start(configOf(folder.file(name), etlformat::mode::kSequential));
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::FileExists);
    }
    CHECK_FALSE(recording.start(configOf(folder.file("link"), etlformat::mode::kAppend)).has_value());
    CHECK(std::filesystem::file_size(folder.file("target")) == 4);
}

TEST_CASE("Without a host every request fails, and leaves no empty file", "[remote][files]") {
    Recording recording;
    const test::TemporaryFolder folder;
    recording.loseHost();
    const auto failed = recording.start(configOf(folder.file("lost.etl"), etlformat::mode::kSequential));
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().code == ErrorCode::HostUnreachable);
    recording.write(10); // goes nowhere
    CHECK(std::filesystem::is_empty(folder.path()));
}
