// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/health.h"
#include "core/etw/engine/engine.h"
#include "core/recorder/journal.h"
#include "core/recorder/recorder.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/noting_files.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <sys/mount.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

namespace tracedeck {
namespace {

using recorder::State;
using test::Watched;

constexpr std::uint64_t kEvents = 1000;

std::map<std::string, std::uint64_t> countsOf(const etl::Summary& summary) {
    std::map<std::string, std::uint64_t> counts;
    for (const etl::EventCount& count : summary.names) {
        counts[count.name] = count.events;
    }
    return counts;
}

/// A file system of 12 MB in a folder, while it is there.
class SmallVolume {
public:
    SmallVolume(std::string folder, bool isWanted)
        : m_folder(std::move(folder)),
          m_isThere(isWanted && mount("tracedeck-test", m_folder.c_str(), "tmpfs", 0, "size=12m") == 0) {}
    ~SmallVolume() {
        if (m_isThere) {
            umount2(m_folder.c_str(), MNT_DETACH);
        }
    }
    SmallVolume(const SmallVolume&) = delete;
    SmallVolume& operator=(const SmallVolume&) = delete;
    [[nodiscard]] bool isThere() const noexcept { return m_isThere; }

private:
    const std::string m_folder;
    const bool m_isThere;
};

/// A provider that logs an event "State<keywords>" when it is asked for its state.
class StateLogger {
public:
    StateLogger(etw::engine::Engine& engine, const std::string& name)
        : m_writer(engine.registerSelfDescribing(name, [this](const etw::EnableNotice& notice) {
              if (notice.code == etw::EnableNotice::Code::CaptureState) {
                  m_writer->write({"State" + std::to_string(notice.matchAnyKeyword), 4, 0, notice.matchAnyKeyword, {}});
              }
          })) {}
    [[nodiscard]] etw::EventWriter* operator->() const { return m_writer.get(); }

private:
    std::unique_ptr<etw::EventWriter> m_writer;
};

} // namespace

TEST_CASE("The embedded engine is recorded into one good file", "[recorder][engine]") {
    const bool isFileMode = GENERATE(true, false);
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    for (int round = 0; round < 2; ++round) { // the second recording finds nothing of the first one
        recorder::Request request;
        request.plan =
            test::makePlan({.isFileMode = isFileMode, .hasSystemSession = false, .hasForeignProvider = true});
        request.plan.sessions[0].config.bufferSizeKib = 64;
        request.plan.sessions[0].config.minimumBuffers = 16;
        request.workFolder = folder.path();
        request.note = "engine test";
        REQUIRE(watched.recorder.start(request));
        REQUIRE(watched.waitForState(State::Recording));
        for (std::uint64_t i = 0; i < kEvents; ++i) {
            etlformat::TraceLoggingEvent event;
            event.name = "Tick";
            event.fields.emplace_back("Number", i);
            foreign->write(event);
        }
        REQUIRE(watched.recorder.mark("middle"));
        watched.status.clear();
        REQUIRE(test::waitFor([&] { return !watched.status.empty(); }));
        REQUIRE(watched.recorder.stop());
        REQUIRE(watched.waitForState(State::Stopped));
        const std::string path = folder.file("out-" + std::to_string(round) + ".etl");
        REQUIRE(watched.recorder.save({path, false, "what happened"}));
        REQUIRE(
            test::waitFor([&] { return watched.count("finished") + watched.count("failed") > std::size_t(round); }));
        REQUIRE(watched.errors.empty());

        const recorder::Outcome& outcome = *watched.outcome;
        CHECK(outcome.summary.verdict() == etl::Summary::Verdict::Good);
        const auto counts = countsOf(outcome.summary);
        const auto countOf = [&](const std::string& name) { return counts.contains(name) ? counts.at(name) : 0; };
        CHECK(countOf("Foreign-Provider/Tick") == kEvents);
        CHECK(countOf("Tracedeck-Recorder/RecordingStarted") == 1);
        CHECK(countOf("Tracedeck-Recorder/Mark") == 1);
        CHECK(countOf("Tracedeck-Recorder/RecordingStopped") == 1);
        CHECK(countOf("Tracedeck-Recorder/ProblemDescription") == 1);
        const recorder::LiveStatus& last = outcome.recording.last;
        REQUIRE(last.sessions.size() == 1);
        CHECK(last.sessions[0].stats.eventsLost == 0);
        CHECK(last.sessions[0].stats.eventsProduced == kEvents + 3);
        CHECK(outcome.merge.events == kEvents + 4);
        const test::CheckerVerdict checked = test::runCheckers(path);
        INFO(checked.complaints);
        CHECK(checked.complaints.empty());
    }
    CHECK(test::namesIn(folder.path()) == std::vector<std::string>{"out-0.etl", "out-1.etl"});
}

TEST_CASE("Providers log their states at start and save, and some do nothing else", "[recorder][engine]") {
    const bool isFileMode = GENERATE(true, false);
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const StateLogger foreign(engine, "Foreign-Provider");
    const StateLogger silent(engine, "Silent-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    recorder::Request request;
    request.plan = test::makePlan({.isFileMode = isFileMode, .hasSystemSession = false, .hasForeignProvider = true});
    std::vector<etw::ProviderConfig>& providers = request.plan.sessions[0].providers;
    providers.back().captureOnStart = etw::CaptureState{1, {}};
    providers.back().captureOnSave = etw::CaptureState{2, {}};
    etw::ProviderConfig captureOnly;
    captureOnly.name = "Silent-Provider";
    captureOnly.provider = silent->providerId();
    captureOnly.isCaptureOnly = true;
    captureOnly.captureOnSave = etw::CaptureState{4, {}};
    etw::ProviderConfig missing = captureOnly;
    missing.name = "Missing-Provider";
    missing.provider = guidFromProviderName(missing.name);
    providers.push_back(missing);
    providers.push_back(captureOnly);
    request.workFolder = folder.path();
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    foreign->write({"Tick", 4, 0, 0, {}});
    silent->write({"Tick", 4, 0, 0, {}}); // nobody has asked
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForState(State::Stopped));
    silent->write({"Tick", 4, 0, 4, {}});
    REQUIRE(watched.recorder.save({folder.file("out.etl"), false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    auto counts = countsOf(watched.outcome->summary);
    CHECK(counts["Foreign-Provider/State1"] == 1);
    CHECK(counts["Foreign-Provider/State2"] == 1);
    CHECK(counts["Foreign-Provider/Tick"] == 1);
    CHECK(counts["Silent-Provider/State4"] == 1);
    CHECK(counts["Silent-Provider/Tick"] == 0);
    CHECK(watched.outcome->summary.verdict() == etl::Summary::Verdict::Good);
    const auto& limitations = watched.stopped->limitations;
    CHECK(std::find(limitations.begin(), limitations.end(),
                    etw::Limitation{etw::LimitationCode::ProviderNotOnThisPlatform, "Missing-Provider", 0}) !=
          limitations.end());
}

TEST_CASE("A recording that was taken over logs what providers are to log when it is saved", "[recorder][engine]") {
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const StateLogger foreign(engine, "Foreign-Provider");
    const StateLogger silent(engine, "Silent-Provider");
    recorder::Recorder::Environment environment{&engine, &engine, &systemFiles(), &clock};
    environment.journalFolder = folder.file("journal");
    environment.sessionsOutliveClient = true; // the engine is what a host would be
    const std::uint64_t high = 0x8000000000000002;
    {
        Watched first(environment);
        recorder::Request request;
        request.plan = test::makePlan({.isFileMode = false, .hasSystemSession = false, .hasForeignProvider = true});
        std::vector<etw::ProviderConfig>& providers = request.plan.sessions[0].providers;
        providers.back().captureOnSave = etw::CaptureState{high, std::chrono::seconds(7)};
        etw::ProviderConfig captureOnly;
        captureOnly.name = "Silent-Provider";
        captureOnly.provider = silent->providerId();
        captureOnly.isCaptureOnly = true;
        captureOnly.captureOnSave = etw::CaptureState{4, {}};
        providers.push_back(captureOnly);
        request.workFolder = folder.path();
        REQUIRE(first.recorder.start(request));
        REQUIRE(first.waitForState(State::Recording));
        REQUIRE(first.recorder.detach());
        REQUIRE(first.waitForSignal("detached"));
    }
    const auto left = recorder::Journal(folder.file("journal")).left();
    REQUIRE(left.size() == 1);
    Watched second(environment);
    REQUIRE(second.recorder.adopt(left[0].id));
    REQUIRE(second.waitForState(State::Recording));
    REQUIRE(second.recorder.stop());
    REQUIRE(second.waitForState(State::Stopped));
    REQUIRE(second.recorder.save({folder.file("out.etl"), false, ""}));
    REQUIRE(second.waitForSignal("finished"));
    auto counts = countsOf(second.outcome->summary);
    CHECK(counts["Foreign-Provider/State" + std::to_string(high)] == 1);
    CHECK(counts["Silent-Provider/State4"] == 1);
}

TEST_CASE("Raw files go only after the saved file is on the device under its name", "[recorder][engine][durability]") {
    const test::TemporaryFolder folder;
    const SystemClock clock;
    test::NotingFiles files(systemFiles());
    etw::engine::Engine engine({&clock, &files, nullptr});
    Watched watched({&engine, &engine, &files, &clock});
    recorder::Request request;
    request.plan = test::makePlan({.isFileMode = true, .hasSystemSession = false});
    request.workFolder = folder.path();
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForState(State::Stopped));
    const std::string path = folder.file("out.etl");
    REQUIRE(watched.recorder.save({path, false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    using Call = test::NotingFiles::Call;
    const auto notes = files.notes();
    const auto renamed = std::find_if(notes.begin(), notes.end(),
                                      [&](const auto& note) { return note.call == Call::Rename && note.to == path; });
    REQUIRE(renamed != notes.end());
    std::vector<Call> calls; // on the file that got the name
    for (auto note = notes.begin(); note != renamed; ++note) {
        if (note->path == renamed->path) {
            calls.push_back(note->call);
        }
    }
    REQUIRE(calls.size() >= 3);
    CHECK(std::vector<Call>(calls.end() - 3, calls.end()) == std::vector<Call>{Call::Write, Call::Sync, Call::Close});
    const auto removed =
        std::find_if(notes.begin(), notes.end(), [](const auto& note) { return note.call == Call::Remove; });
    REQUIRE(removed != notes.end());
    CHECK(removed > renamed);
}

TEST_CASE("A memory recording whose work folder is gone is saved into another one", "[recorder][engine]") {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder elsewhere;
    const std::string work = folder.file("work");
    REQUIRE(std::filesystem::create_directory(work));
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    recorder::Request request;
    request.plan = test::makePlan({.isFileMode = false, .hasSystemSession = false, .hasForeignProvider = true});
    request.workFolder = work;
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    const etlformat::TraceLoggingEvent event{"Tick", 4, 0, 0, {{"number", std::uint32_t{1}}}};
    for (std::uint64_t i = 0; i < 100; ++i) {
        foreign->write(event);
    }
    std::filesystem::remove_all(work);
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->inMemory == std::vector<std::string>{"Events"});
    REQUIRE(watched.stopped->writeError);
    CHECK(watched.stopped->writeError->code == ErrorCode::FolderNotFound);
    foreign->write(event); // the recording has ended
    REQUIRE(watched.recorder.save({elsewhere.file("out.etl"), false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    CHECK(countsOf(watched.outcome->summary)["Foreign-Provider/Tick"] == 100);
    CHECK(watched.outcome->summary.verdict() == etl::Summary::Verdict::Good);
    CHECK(test::namesIn(elsewhere.path()) == std::vector<std::string>{"out.etl"});
    request.workFolder = elsewhere.path();
    REQUIRE(watched.recorder.start(request)); // no session is left that has the name
    REQUIRE(watched.waitForState(State::Recording));
}

TEST_CASE("A recording in circular files goes on at its size, and keeps the newest", "[recorder][engine]") {
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    recorder::Request request;
    request.plan = test::makePlan({.hasSystemSession = false, .hasForeignProvider = true});
    etw::SessionConfig& config = request.plan.sessions[0].config;
    config.logFileMode = etlformat::mode::kCircular;
    config.maximumFileSizeMib = 1;
    config.minimumBuffers = 200; // for a writer that does not wait
    request.workFolder = folder.path();
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    std::uint64_t written = 0;
    REQUIRE(test::waitFor([&] {
        for (int i = 0; i < 10; ++i) {
            foreign->write({"Bulk", 4, 0, 0, {{"number", ++written}, {"data", std::string(8000, 'x')}}});
        }
        return !watched.status.empty() && watched.status.back().sessions[0].stats.eventsOverwritten > 1000;
    }));
    CHECK(watched.count("stopped") == 0);
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == recorder::StopReason::User);
    const std::string path = folder.file("out.etl");
    REQUIRE(watched.recorder.save({path, false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    CHECK(watched.outcome->summary.verdict() == etl::Summary::Verdict::Good);
    const etw::SessionStats& stats = watched.stopped->last.sessions[0].stats;
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsOverwritten);
    CHECK(watched.outcome->merge.events == stats.eventsRecorded);
    CHECK(countsOf(watched.outcome->summary)["Tracedeck-Recorder/RecordingStopped"] == 1);
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
}

TEST_CASE("A recording that keeps the newest fits a small disk, raw and saved", "[recorder][engine][disk]") {
    const test::TemporaryFolder folder;
    const bool isReal = GENERATE(false, true);
    const SmallVolume volume(folder.path(), isReal);
    if (isReal && !volume.isThere()) {
        std::cerr << "SKIPPED: keeping the newest on a real volume: no right to mount a tmpfs\n";
        return;
    }
    const SystemClock clock;
    test::FailingDevice device(mib(12)); // for the raw file and the saved one together
    FileSystem& files = isReal ? systemFiles() : device;
    etw::engine::Engine engine({&clock, &files, nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &files, &clock});
    recorder::Request request;
    request.plan = test::makePlan({.hasSystemSession = false, .hasForeignProvider = true});
    request.plan.sessions[0].config.minimumBuffers = 200; // for a writer that does not wait
    request.workFolder = folder.path();
    request.whenDiskShort = recorder::WhenDiskShort::KeepNewest;
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    std::uint64_t written = 0;
    REQUIRE(test::waitFor([&] {
        for (int i = 0; i < 10; ++i) {
            foreign->write({"Bulk", 4, 0, 0, {{"number", ++written}, {"data", std::string(8000, 'x')}}});
        }
        return watched.count("stopped") > 0 ||
               (!watched.status.empty() && watched.status.back().sessions[0].stats.eventsOverwritten > 1000);
    }));
    REQUIRE(watched.count("stopped") == 0);
    REQUIRE(watched.status.back().disk);
    CHECK(watched.status.back().disk->isOverwriting);
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForSignal("stopped"));
    CHECK(watched.stopped->reason == recorder::StopReason::User);
    const std::string path = folder.file("out.etl");
    REQUIRE(watched.recorder.save({path, false, ""}));
    REQUIRE(test::waitFor([&] { return watched.count("finished") + watched.count("failed") > 0; }));
    INFO((watched.errors.empty() ? std::string() : watched.errors[0].detail));
    REQUIRE(watched.errors.empty());
    const etw::SessionStats& stats = watched.stopped->last.sessions[0].stats;
    CHECK(stats.fileSize <= mib(4));
    CHECK(stats.fileSize > mib(3));
    CHECK(stats.eventsLost == 0);
    CHECK(stats.eventsProduced == stats.eventsRecorded + stats.eventsOverwritten);
    CHECK(watched.outcome->merge.events == stats.eventsRecorded);
    const auto& said = watched.outcome->summary.recorder;
    REQUIRE(said.contains("RecordingStopped.EventsOverwritten"));
    const etl::HealthReport health = etl::judgeHealth(watched.outcome->summary);
    CHECK(std::any_of(health.issues.begin(), health.issues.end(), [](const etl::HealthIssue& issue) {
        return issue.code == etl::HealthIssue::Code::OldestOverwritten && issue.events > 1000;
    }));
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
}

TEST_CASE("A raw file of the embedded engine that lost its end is missed to the event", "[recorder][engine]") {
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    recorder::Request request;
    request.plan = test::makePlan({.hasSystemSession = false, .hasForeignProvider = true});
    request.plan.sessions[0].config.bufferSizeKib = 64;
    request.plan.sessions[0].config.minimumBuffers = 64;
    request.workFolder = folder.path();
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    for (std::uint64_t i = 0; i < 200; ++i) {
        foreign->write({"Bulk", 4, 0, 0, {{"number", i}, {"data", std::string(1000, 'x')}}});
    }
    REQUIRE(watched.recorder.stop());
    REQUIRE(watched.waitForSignal("stopped"));
    const std::string raw = watched.stopped->rawFiles.at(0);
    std::filesystem::resize_file(raw, std::filesystem::file_size(raw) - 64 * 1024);
    REQUIRE(watched.recorder.save({folder.file("out.etl"), false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    const recorder::Outcome& outcome = *watched.outcome;
    const etw::SessionStats& stats = outcome.recording.last.sessions[0].stats;
    CHECK(stats.eventsLost == 0);
    CHECK(outcome.merge.eventsMissing > 0);
    CHECK(outcome.merge.eventsMissing == stats.eventsRecorded - outcome.merge.events);
    CHECK(outcome.summary.verdict() == etl::Summary::Verdict::Incomplete);
}

TEST_CASE("A size limit ends a recording of the embedded engine by itself", "[recorder][engine]") {
    const test::TemporaryFolder folder;
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    const auto foreign = engine.registerProvider("Foreign-Provider");
    Watched watched({&engine, &engine, &systemFiles(), &clock});
    recorder::Request request;
    request.plan = test::makePlan({.hasSystemSession = false, .hasForeignProvider = true});
    request.plan.sessions[0].config.maximumFileSizeMib = 1;
    request.plan.sessions[0].config.minimumBuffers = 32; // all that fits: nothing has to wait for the disk
    request.workFolder = folder.path();
    REQUIRE(watched.recorder.start(request));
    REQUIRE(watched.waitForState(State::Recording));
    REQUIRE(test::waitFor([&] {
        etlformat::TraceLoggingEvent event;
        event.name = "Bulk";
        event.fields.emplace_back("Data", std::string(8000, 'x'));
        for (int i = 0; i < 100; ++i) {
            foreign->write(event);
        }
        return watched.count("stopped") == 1;
    }));
    CHECK(watched.stopped->reason == recorder::StopReason::SizeLimit);
    CHECK_FALSE(watched.stopped->writeError);
    CHECK(watched.count("eventsLost") == 0);
    const std::string path = folder.file("out.etl");
    REQUIRE(watched.recorder.save({path, false, ""}));
    REQUIRE(watched.waitForSignal("finished"));
    CHECK(watched.outcome->summary.verdict() == etl::Summary::Verdict::Good);
    const etw::SessionStats& stats = watched.stopped->last.sessions[0].stats;
    CHECK(stats.eventsProduced == stats.eventsRecorded);
    CHECK(watched.outcome->merge.events == stats.eventsRecorded);
    CHECK(stats.fileSize <= mib(1));
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
}

} // namespace tracedeck
