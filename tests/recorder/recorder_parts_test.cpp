// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/disk_guard.h"
#include "core/recorder/raw_files.h"
#include "core/recorder/session_monitor.h"
#include "core/recorder/state.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace tracedeck::recorder {
namespace {

using Kind = plan::PlannedSession::Kind;
using namespace std::chrono_literals;

constexpr std::array kStates{State::Idle,    State::Starting, State::Recording, State::Stopping,
                             State::Stopped, State::Saving,   State::Verifying};

} // namespace

TEST_CASE("The transition table holds exactly the transitions of a recording", "[recorder][states]") {
    const std::vector<std::pair<State, State>> allowed{
        {State::Idle, State::Starting},      {State::Starting, State::Recording}, {State::Starting, State::Idle},
        {State::Recording, State::Stopping}, {State::Stopping, State::Stopped},   {State::Stopping, State::Idle},
        {State::Stopped, State::Saving},     {State::Stopped, State::Idle},       {State::Saving, State::Verifying},
        {State::Saving, State::Stopped},     {State::Verifying, State::Idle},     {State::Verifying, State::Stopped},
        {State::Starting, State::Stopped},   {State::Recording, State::Idle}};
    for (const State from : kStates) {
        for (const State to : kStates) {
            const bool isExpected = std::find(allowed.begin(), allowed.end(), std::pair(from, to)) != allowed.end();
            CAPTURE(toString(from), toString(to));
            CHECK(mayChange(from, to) == isExpected);
        }
    }
}

TEST_CASE("A recording ends by itself for one of four reasons", "[recorder][stop]") {
    using plan::LoggingMode;
    struct Row {
        const char* what;
        std::uint64_t systemMib, eventsMib; ///< written
        std::uint32_t used;                 ///< buffers of 1 MiB of each session, of 100
        std::uint64_t freeMib;
        std::optional<ErrorCode> writeError;
        bool isAtSizeLimit;
        LoggingMode mode;
        std::optional<StopReason> reason;
        bool isCircular = false;
    };
    constexpr auto inFile = LoggingMode::File;
    const std::vector<Row> rows = {
        {"nothing", 60, 39, 0, 5000, {}, false, inFile, {}},
        {"a full disk", 10, 0, 0, 5000, ErrorCode::DiskFull, false, inFile, StopReason::DiskFull},
        {"a device", 10, 0, 0, 5000, ErrorCode::WriteFailed, true, inFile, StopReason::WriteFailed},
        {"one session's limit", 10, 0, 0, 5000, {}, true, inFile, StopReason::SizeLimit},
        {"all sessions' limit", 60, 40, 0, 5000, {}, false, inFile, StopReason::SizeLimit},
        {"no room for the saved file", 60, 30, 0, 93, {}, false, inFile, StopReason::DiskFull},
        {"just room for it", 60, 30, 0, 94, {}, false, inFile, {}},
        {"what is in the buffers comes twice", 60, 30, 5, 113, {}, false, inFile, StopReason::DiskFull},
        {"and just fits", 60, 30, 5, 114, {}, false, inFile, {}},
        {"a disk that does not tell", 60, 30, 5, 0, {}, false, inFile, {}},
        {"nothing written yet", 0, 0, 50, 1, {}, false, inFile, {}},
        {"a ring writes nothing", 60, 60, 50, 1, {}, false, LoggingMode::Memory, {}},
        {"circular files have their size", 100, 100, 0, 5000, {}, false, inFile, {}, true},
        {"no room for what is saved of them", 100, 100, 0, 203, {}, false, inFile, StopReason::DiskFull, true}};
    for (const Row& row : rows) {
        CAPTURE(row.what);
        plan::RecordingPlan plan = test::makePlan({.maximumFileSizeMib = 100});
        plan.mode = row.mode;
        for (plan::PlannedSession& session : plan.sessions) {
            session.config.logFileMode |= row.isCircular ? etlformat::mode::kCircular : 0;
        }
        LiveStatus status;
        for (const std::uint64_t written : {row.systemMib, row.eventsMib}) {
            SessionStatus session;
            session.stats.fileSize = mib(written);
            session.stats.bufferSizeKib = 1024;
            session.stats.numberOfBuffers = 100;
            session.stats.freeBuffers = 100 - row.used;
            session.stats.isAtSizeLimit = row.isAtSizeLimit;
            status.sessions.push_back(session);
        }
        if (row.writeError) {
            status.sessions.back().stats.writeError = Error{*row.writeError, "test", 0};
        }
        const std::optional<Bytes> told = row.freeMib > 0 ? std::optional(mib(row.freeMib)) : std::nullopt;
        status.disk = DiskGuard().look(status, {told, told}, plan, WhenDiskShort::StopAndSave);
        CHECK(reasonToStop(status, plan) == row.reason);
    }
}

TEST_CASE("A source that has failed ends the recording, a write error is told first", "[recorder][stop]") {
    const plan::RecordingPlan plan = test::makePlan({.isFileMode = false});
    LiveStatus status;
    status.sessions.resize(2);
    CHECK_FALSE(reasonToStop(status, plan));
    status.sessions[1].stats.sourceError = Error{ErrorCode::OutOfMemory, "test", 0};
    CHECK(reasonToStop(status, plan) == StopReason::SourceFailed);
    status.sessions[1].stats.writeError = Error{ErrorCode::DiskFull, "test", 0};
    CHECK(reasonToStop(status, plan) == StopReason::DiskFull);
}

TEST_CASE("States, commands and reasons have names of their own", "[recorder][states]") {
    std::vector<std::string_view> names;
    for (const State state : kStates) {
        names.push_back(toString(state));
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    CHECK(toString(StopReason::SourceFailed) == "SourceFailed");
    CHECK(toString(Command::CancelSave) == "cancelSave");
}

TEST_CASE("Rates are those between two readings", "[recorder][monitor]") {
    SessionMonitor monitor(Kind::System, "S");
    etw::SessionStats stats;
    stats.eventsProduced = 1000;
    stats.bytesProduced = 8000;
    CHECK(monitor.update(stats, 0ms).empty());
    CHECK(monitor.status().eventsPerSecond == 0);
    stats.eventsProduced = 1500;
    stats.bytesProduced = 9000;
    CHECK(monitor.update(stats, 250ms).empty());
    CHECK(monitor.status().eventsPerSecond == 2000.0);
    CHECK(monitor.status().bytesPerSecond == 4000.0);
    // Two readings at one time tell no rate: the last one stays.
    CHECK(monitor.update(stats, 250ms).empty());
    CHECK(monitor.status().eventsPerSecond == 2000.0);
    // Nor does one a moment later, and its events count for the next.
    stats.eventsProduced = 1600;
    CHECK(monitor.update(stats, 251ms).empty());
    CHECK(monitor.status().eventsPerSecond == 2000.0);
    CHECK(monitor.update(stats, 450ms).empty());
    CHECK(monitor.status().eventsPerSecond == 500.0);
}

TEST_CASE("New loss is told per cause, the first one marked", "[recorder][monitor]") {
    SessionMonitor monitor(Kind::Event, "E");
    etw::SessionStats stats;
    stats.losses = {{etw::LossCause::NoFreeBuffer, 2, 10}, {etw::LossCause::TooLate, 1, 11}};
    auto news = monitor.update(stats, 1ms);
    REQUIRE(news.size() == 2);
    CHECK(news[0].isFirst);
    CHECK_FALSE(news[1].isFirst);
    CHECK(monitor.update(stats, 2ms).empty());
    stats.losses[1].events = 5;
    news = monitor.update(stats, 3ms);
    REQUIRE(news.size() == 1);
    CHECK(news[0].loss == etw::LossCount{etw::LossCause::TooLate, 4, 11});
    CHECK_FALSE(news[0].isFirst);
}

TEST_CASE("Raw files are in a private folder of their own and go without a trace", "[recorder][raw]") {
    const test::TemporaryFolder folder;
    auto first = RawFiles::create(systemFiles(), folder.path(), "a/b: c");
    auto second = RawFiles::create(systemFiles(), folder.path(), "a/b: c");
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->folder() != second->folder());
    CHECK(std::filesystem::path(first->folder()).parent_path() == folder.path());
    CHECK((std::filesystem::status(first->folder()).permissions() & std::filesystem::perms::all) ==
          std::filesystem::perms::owner_all);
    const std::string system = first->add(Kind::System);
    const std::string events = first->add(Kind::Event);
    const std::string moreEvents = first->add(Kind::Event);
    CHECK(system.ends_with("/system.etl"));
    CHECK(events.ends_with("/events.etl"));
    CHECK(moreEvents.ends_with("/events-2.etl"));
    CHECK(first->existing().empty());
    std::ofstream(events) << "x";
    CHECK(first->existing() == std::vector<std::string>{events});
    CHECK(first->remove());
    CHECK_FALSE(std::filesystem::exists(first->folder()));
    CHECK(std::filesystem::exists(second->folder()));
}

TEST_CASE("A file that somebody put beside the raw files is not removed", "[recorder][raw]") {
    const test::TemporaryFolder folder;
    auto raw = RawFiles::create(systemFiles(), folder.path(), "x");
    REQUIRE(raw);
    const std::string foreign = raw->folder() + "/foreign";
    std::ofstream(foreign) << "x";
    CHECK_FALSE(raw->remove());
    CHECK(std::filesystem::exists(foreign));
}

} // namespace tracedeck::recorder
