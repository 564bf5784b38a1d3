// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/file_report.h"
#include "app/cli/missing_report.h"
#include "app/cli/plan_report.h"
#include "app/cli/recording_report.h"
#include "tests/support/catch.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>

namespace tracedeck::cli {
namespace {

using etw::LimitationCode;

plan::Diagnostic missing(LimitationCode code, const std::string& object, const std::string& detail) {
    plan::Diagnostic diagnostic;
    diagnostic.profile = "CPU";
    diagnostic.object = object;
    diagnostic.limitation = etw::Limitation{code, detail, 0};
    return diagnostic;
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

etl::Summary summaryOf() {
    etl::Summary summary;
    summary.header.loggerName = "Tracedeck";
    summary.header.numberOfProcessors = 2;
    summary.header.bufferSize = 131072;
    summary.fileBytes = 5'000'000;
    summary.buffers = 38;
    summary.events = 1234567;
    summary.names = {{"Thread/CSwitch", 1000000}, {"PerfInfo/SampleProf", 234567}};
    summary.samplesPerProcessor = {9998, 3};
    summary.spanSeconds = 3600; // other events reach farther back
    summary.samplesSeconds = 10;
    summary.stacks = 12;
    return summary;
}

} // namespace

TEST_CASE("What a plan keeps is said with its limits", "[cli][report]") {
    struct Row {
        plan::LoggingMode mode;
        std::uint32_t maximumFileSizeMib;
        std::uint32_t fileMode;
        const char* text;
    };
    using etlformat::mode::kCircular;
    using etlformat::mode::kSequential;
    for (const Row& row :
         {Row{plan::LoggingMode::Memory, 0, etlformat::mode::kBuffering, "the newest events, in 2.0 MB of memory"},
          Row{plan::LoggingMode::File, 0, kSequential, "everything, in a file"},
          Row{plan::LoggingMode::File, 100, kSequential, "everything, in a file of at most 100.0 MB"},
          Row{plan::LoggingMode::File, 100, kCircular, "the newest events, in files of at most 100.0 MB each"}}) {
        plan::RecordingPlan plan;
        plan.mode = row.mode;
        plan.sessions.resize(1);
        etw::SessionConfig& config = plan.sessions[0].config;
        config.bufferSizeKib = 1024;
        config.minimumBuffers = 2;
        config.maximumBuffers = 2;
        config.maximumFileSizeMib = row.maximumFileSizeMib;
        config.logFileMode = row.fileMode;
        CHECK(keepsText(plan) == row.text);
    }
}

TEST_CASE("A short disk is told with what is left and what happens then", "[cli][report]") {
    recorder::DiskRoom room;
    room.left = mib(200);
    CHECK(shortDiskText(room) ==
          "The disk runs short: there is room for 200.0 MB; then the recording stops and is saved.");
    room.timeLeft = std::chrono::seconds(125);
    room.isOfTarget = true;
    CHECK(shortDiskText(room) == "The disk where it will be saved runs short: there is room for 200.0 MB, about 2 min "
                                 "5 s; then the recording stops and is saved.");
    room.keepsNewest = true;
    CHECK(shortDiskText(room).ends_with("; then newer events take the place of the oldest."));
    RecordArguments arguments;
    plan::RecordingPlan plan;
    plan.mode = plan::LoggingMode::File;
    CHECK(countOf(announcement(plan, arguments, "a.etl", {}), "the newest events") == 0);
    arguments.whenDiskShort = recorder::WhenDiskShort::KeepNewest;
    CHECK(countOf(announcement(plan, arguments, "a.etl", {}),
                  "everything, in a file; when the disk runs short, the newest events") == 1);
}

TEST_CASE("What Windows alone has is one line with a count", "[cli][report]") {
    std::vector<plan::Diagnostic> diagnostics;
    for (int i = 0; i < 14; ++i) {
        const std::string name = "Microsoft-Windows-Thing-" + std::to_string(i);
        diagnostics.push_back(missing(LimitationCode::ProviderNotOnThisPlatform, "provider " + name, name));
    }
    diagnostics.push_back(diagnostics.front()); // of another profile
    const std::string text = limitationsText(diagnostics, {}, ForeignObjects::Counted);
    CHECK(countOf(text, "\n") == 2);
    CHECK(text.find("14 sources of events that this machine does not have") != std::string::npos);

    const std::string named = limitationsText(diagnostics, {}, ForeignObjects::Named);
    CHECK(named.find("missing: providers Microsoft-Windows-Thing-0, Microsoft-Windows-Thing-1,") != std::string::npos);
    CHECK(named.find("and 2 more") != std::string::npos);
    CHECK(countOf(named, "Record the rest here, or record on a machine that has it.") == 1);
    CHECK(countOf(named, "--json lists all of it") == 1);
    for (std::size_t at = 0; at < named.size();) {
        const std::size_t end = named.find('\n', at);
        CHECK(end - at <= 100);
        at = end + 1;
    }
}

TEST_CASE("A keyword of which some events are recorded is said to be missing in part", "[cli][report]") {
    plan::Diagnostic half = missing(LimitationCode::KeywordNotServed, "keyword DiskIO", "DiskIO");
    half.detail = std::string(plan::kIsInPart) + ": group 0x00000200 is missing";
    const std::string text = limitationsText({half, missing(LimitationCode::KeywordNotServed, "keyword Pool", "Pool")},
                                             {}, ForeignObjects::Named);
    CHECK(countOf(text, "missing: keywords DiskIO (in part), Pool\n") == 1);
}

// Of a stack without its event the remedy is the event's; that of a stack alone would say that the event is there.
TEST_CASE("Stacks whose events are missing are told apart from stacks alone", "[cli][report]") {
    plan::Diagnostic withoutEvent = missing(LimitationCode::StackNotServed, "stack DiskReadInit", "DiskReadInit");
    withoutEvent.detail = std::string(plan::kEventIsMissing) + "; the profile calls it strict";
    const std::string text =
        limitationsText({missing(LimitationCode::StackNotServed, "stack ThreadCreate", "ThreadCreate"), withoutEvent,
                         missing(LimitationCode::FeatureNotServed, "heap session WPR Heap Collector", "HeapSessions")},
                        {}, ForeignObjects::Named);
    CHECK(text.find("missing: stack ThreadCreate\n    Record the rest; the events themselves are complete.\n"
                    "  Stacks of events that are not recorded themselves.\n    missing: stack DiskReadInit\n    Record "
                    "the rest; stacks come with their events.\n  Some of") != std::string::npos);
    CHECK(text.find("missing: heap session WPR Heap Collector\n    Record all the same") != std::string::npos);
    CHECK(text.find("HeapSessions") == std::string::npos);
}

TEST_CASE("Notes of the plan are grouped by what they say, and are nothing that is missing", "[cli][report]") {
    using plan::Severity;
    const std::vector<plan::Diagnostic> notes = {
        {Severity::Note, "A", "stack Alpha", std::nullopt, "without effect: no profile turns the event on"},
        {Severity::Note, "B", "stack Beta", std::nullopt, "without effect: no profile turns the event on"},
        {Severity::Warning, "B", "collector EC", std::nullopt, "buffer size 2 KB raised to 4 KB"}};
    CHECK(notesText(notes) == "Good to know:\n  stacks Alpha, Beta: without effect: no profile turns the event on\n");
    CHECK(notesText({notes.back()}).empty());
    CHECK(limitationsText(notes, {}, ForeignObjects::Named) ==
          "Not recorded here, or not in full:\n  collector EC: buffer size 2 KB raised to 4 KB\n");
}

TEST_CASE("What was found missing while recording is told with its number", "[cli][report]") {
    CHECK(foundText({}).empty());
    const std::string text = foundText({{LimitationCode::EventsUnreported, "context switches", 12},
                                        {LimitationCode::EventsUnreported, "thread wake-ups", 3}});
    CHECK(countOf(text, "keeps some threads to itself") == 1);
    CHECK(text.find("context switches: 12×, thread wake-ups: 3×") != std::string::npos);
    const std::string gone = foundText({{LimitationCode::ProcessorsUnrecorded, "1 (2.0-3.5 s), 3 (≥ 9.1 s)", 2}});
    CHECK(countOf(gone, "switched off or on") == 1);
    CHECK(gone.find("processors 1 (2.0-3.5 s), 3 (≥ 9.1 s)") != std::string::npos);
    CHECK(gone.find("×") == std::string::npos);
}

TEST_CASE("What is missing for one reason is grouped, with the remedy once", "[cli][report]") {
    const std::string text = limitationsText({missing(LimitationCode::NoTracefs, "keyword CSwitch", "CSwitch"),
                                              missing(LimitationCode::NoTracefs, "keyword ReadyThread", "ReadyThread")},
                                             {{LimitationCode::PerfEventParanoid, "2", 0}}, ForeignObjects::Counted);
    CHECK(text.find("missing: keywords CSwitch, ReadyThread\n") != std::string::npos);
    CHECK(countOf(text, "mount -t tracefs") == 1);
    CHECK(text.find("kernel.perf_event_paranoid is 2") != std::string::npos);
    CHECK(text.find("sudo") != std::string::npos);
    CHECK(limitationsText({}, {}, ForeignObjects::Named).empty());
}

TEST_CASE("The line while recording shows each session", "[cli][report]") {
    recorder::LiveStatus status;
    status.elapsed = std::chrono::seconds(12);
    status.sessions.resize(2);
    status.sessions[0].stats.numberOfBuffers = 10;
    status.sessions[0].stats.freeBuffers = 6;
    status.sessions[0].eventsPerSecond = 12345;
    status.sessions[1].kind = plan::PlannedSession::Kind::Event;
    status.sessions[1].stats.eventsLost = 7;
    const std::string line = statusLine(status);
    CHECK(line.starts_with("00:00:12"));
    CHECK(line.find("system 40 %, 12,345/s, lost 0") != std::string::npos);
    CHECK(line.find("events 0 %, 0/s, lost 7") != std::string::npos);
}

TEST_CASE("The summary after saving tells loss with its cause", "[cli][report]") {
    recorder::Outcome outcome;
    outcome.path = "/tmp/out.etl";
    outcome.summary = summaryOf();
    outcome.recording.reason = recorder::StopReason::TimeLimit;
    outcome.recording.length = std::chrono::milliseconds(10'040);
    outcome.recording.last.sessions.resize(1);
    etw::SessionStats& stats = outcome.recording.last.sessions[0].stats;
    stats.eventsProduced = 1'300'000;
    stats.eventsLost = 21;
    stats.losses = {{etw::LossCause::NoFreeBuffer, 21, 0}};
    const std::string text = outcomeText(outcome);
    CHECK(text.starts_with("Saved /tmp/out.etl\n"));
    CHECK(text.find("lost 21 of 1,300,000 events") != std::string::npos);
    CHECK(text.find("NoFreeBuffer") != std::string::npos);
    CHECK(text.find("CPU 0: 9,998 (1000/s)  CPU 1: 3 (0/s)") != std::string::npos);
    CHECK(text.find("10.0 s, stopped at the time limit") != std::string::npos);
}

TEST_CASE("The summary after saving tells what is missing and why it stopped, each in its own words", "[cli][report]") {
    recorder::Outcome outcome;
    outcome.summary = summaryOf();
    CHECK(outcomeText(outcome).find("missing") == std::string::npos);
    outcome.merge.eventsMissing = 1234;
    CHECK(outcomeText(outcome).find("missing     1,234 events") != std::string::npos);
    outcome.recording.reason = recorder::StopReason::DiskFull;
    outcome.recording.writeError = errnoError(ENOSPC, "write");
    CHECK(outcomeText(outcome).find("the disk was nearly full") != std::string::npos);
    outcome.recording.writeError = errnoError(EFBIG, "write");
    CHECK(outcomeText(outcome).find("disk") == std::string::npos);
    CHECK(outcomeText(outcome).find("may be written at most") != std::string::npos);
}

TEST_CASE("Every kind of session has a name of its own", "[cli][report]") {
    using Kind = plan::PlannedSession::Kind;
    recorder::LiveStatus status;
    for (const Kind kind : {Kind::System, Kind::Event, Kind::Heap, Kind::Hypervisor}) {
        status.sessions.emplace_back().kind = kind;
    }
    const std::string line = statusLine(status);
    for (const char* name : {"system", "events", "heap", "hypervisor"}) {
        CHECK(countOf(line, std::string("  ") + name + " ") == 1);
    }
}

TEST_CASE("JSON for programs holds what was counted, exactly", "[cli][report]") {
    etl::Summary summary = summaryOf();
    summary.events = (1ULL << 53U) + 1; // beyond what a double holds
    summary.header.eventsLost = 5;
    summary.findings = {{etl::Finding::Severity::Warning, etl::Finding::Code::NotClosed, 12, 1, "not closed"}};
    summary.recorder = {{"Note", "quote \" and ü"}};
    const std::string json = checkJson("x.etl", summary);
    QJsonParseError error;
    const QJsonObject parsed = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error).object();
    REQUIRE(error.error == QJsonParseError::NoError);
    CHECK(json.find("\"events\": 9007199254740993") != std::string::npos);
    CHECK(parsed.value("lost").toInt() == 5);
    CHECK(parsed.value("span_s").toDouble() == 3600);
    CHECK(parsed.value("names").toObject().value("Thread/CSwitch").toInt() == 1000000);
    CHECK(parsed.value("findings").toArray().at(0).toObject().value("code").toString() == "NotClosed");
    CHECK(parsed.value("verdict").toString() == "incomplete");
    CHECK(parsed.value("recorder").toObject().value("Note").toString() == QString::fromUtf8("quote \" and ü"));
    CHECK(parsed.value("header").toObject().value("logger_name").toString() == "Tracedeck");
}

TEST_CASE("A file that was not closed is told in plain words", "[cli][report]") {
    etl::Summary summary = summaryOf();
    summary.findings = {{etl::Finding::Severity::Warning, etl::Finding::Code::NotClosed, 0, 1, "EndTime is 0"}};
    CHECK(checkText("x.etl", summary).find("the session was not closed") != std::string::npos);
}

TEST_CASE("Text of a file cannot play with the terminal", "[cli][report]") {
    etl::Summary summary = summaryOf();
    summary.header.loggerName = "evil\x1b]0;title\x07";
    summary.names = {{"bad\nname", 1}};
    summary.recorder = {{"Note", "\x1b[2J"}};
    CHECK(checkText("x.etl", summary).find('\x1b') == std::string::npos);
    CHECK(summaryText("x.etl", summary).find('\x1b') == std::string::npos);
    CHECK(summaryText("x.etl", summary).find("bad?name") != std::string::npos);
}

TEST_CASE("A recording that ended before its time is reported with the reason in words", "[cli][report]") {
    etl::HealthReport report;
    etl::HealthIssue issue;
    issue.code = etl::HealthIssue::Code::StoppedEarly;
    issue.severity = etl::HealthIssue::Severity::Warning;
    for (const auto& [cause, text] : {std::pair{"DiskFull", "before its time because the disk was nearly full"},
                                      std::pair{"WriteFailed", "before its time because the disk failed"},
                                      std::pair{"SourceFailed", "before its time because a session ended by itself"},
                                      std::pair{"RecorderEnded", "before its time because the program that recorded"},
                                      std::pair{"Unheard", "before its time: Unheard"}}) {
        issue.cause = cause;
        report.issues = {issue};
        CAPTURE(cause);
        CHECK(countOf(issuesText(report), text) == 1);
    }
}

} // namespace tracedeck::cli
