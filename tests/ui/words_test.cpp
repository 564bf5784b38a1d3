// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/command_line.h"
#include "ui/format.h"
#include "ui/health_words.h"
#include "ui/history.h"
#include "ui/plan_words.h"
#include "ui/session_gauges.h"

#include <QLocale>

namespace tracedeck {

using namespace std::chrono_literals;
using ui::Format;

TEST_CASE("Numbers are written as the locale writes them", "[ui][format]") {
    test::needApplication();
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    CHECK(Format::count(1204331) == QStringLiteral("1,204,331"));
    CHECK(Format::bytes(mib(232)) == QStringLiteral("232.0 MB"));
    CHECK(Format::percent(0.375) == QStringLiteral("38 %"));
    CHECK(Format::clock(3'725'999ms) == QStringLiteral("01:02:05"));
    CHECK(Format::span(2.5) == QStringLiteral("2.5 s"));
    CHECK(Format::span(42) == QStringLiteral("42 s"));
    CHECK(Format::span(200) == QStringLiteral("3 min 20 s"));
    CHECK(Format::span(59 * 60 + 30) == QStringLiteral("59 min"));
    CHECK(Format::span(9600) == QStringLiteral("2 h 40 min"));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    CHECK(Format::count(1204331) == QStringLiteral("1.204.331"));
    CHECK(Format::span(2.5) == QStringLiteral("2,5 s"));
    QLocale::setDefault(before);
}

TEST_CASE("What a recording lacks for analysis is said in sentences", "[ui][health]") {
    test::needApplication();
    using Code = etl::HealthIssue::Code;
    QStringList told;
    for (const Code code : {Code::KeywordSilent, Code::NoStacks, Code::FewStacks, Code::NoImages, Code::NoImageIdentity,
                            Code::ProcessorWithoutSamples}) {
        etl::HealthIssue issue;
        issue.code = code;
        issue.object = "1, 3";
        const QString text = ui::HealthWords::issue(issue);
        CHECK(text.endsWith(u'.'));
        CHECK_FALSE(told.contains(text));
        told << text;
    }
    CHECK(told.last().contains(QStringLiteral("1, 3")));
    // What the card tells elsewhere.
    for (const Code code : {Code::EventsLost, Code::Limited, Code::NotByUs}) {
        etl::HealthIssue issue;
        issue.code = code;
        CHECK(ui::HealthWords::issue(issue).isEmpty());
    }
    etl::HealthReport report;
    CHECK(ui::HealthWords::stacks(report).isEmpty());
    CHECK(ui::HealthWords::silent(report).isEmpty());
    report.samples = 200;
    report.samplesWithStack = 150;
    CHECK(ui::HealthWords::stacks(report).contains(QStringLiteral("75 %")));
    report.providersEnabled = 30;
    report.providersSilent = 8;
    for (const char* name : {"A", "B", "C", "D", "E", "F", "G", "H"}) {
        report.issues.emplace_back().code = Code::ProviderSilent;
        report.issues.back().object = name;
    }
    const QString silent = ui::HealthWords::silent(report);
    CHECK(silent.contains(QStringLiteral("8 of 30")));
    CHECK(silent.contains(QStringLiteral("A, B, C, D, E")));
    CHECK(silent.contains(u'3'));
    CHECK_FALSE(silent.contains(u'F'));
}

TEST_CASE("The command line says what the form says", "[ui][command]") {
    ui::RecordingChoice choice;
    choice.profiles = {QStringLiteral("CPU"), QStringLiteral("My Profile")};
    const QString out = QStringLiteral("/tmp/it's here.etl");
    CHECK(ui::commandLine(choice, out) ==
          QStringLiteral("tracedeck-cli record -p CPU -p 'My Profile' -o '/tmp/it'\\''s here.etl'"));
    choice.profiles = {QStringLiteral("CPU")};
    choice.detail = plan::DetailLevel::Light;
    choice.mode = plan::LoggingMode::File;
    choice.maximumFileSizeMib = 2048;
    choice.timeLimit = 90s;
    CHECK(ui::commandLine(choice, QStringLiteral("/tmp/a.etl")) ==
          QStringLiteral("tracedeck-cli record -p CPU --detail light --file --max-size 2048MB -t 90s -o /tmp/a.etl"));
    choice.maximumFileSizeMib.reset();
    choice.timeLimit = 0s;
    choice.keepsNewest = true;
    CHECK(ui::commandLine(choice, QStringLiteral("/tmp/a.etl")) ==
          QStringLiteral("tracedeck-cli record -p CPU --detail light --file --when-disk-short keep-newest "
                         "-o /tmp/a.etl"));
}

TEST_CASE("Words of a shell are quoted where a shell would read more into them", "[ui][command]") {
    CHECK(ui::shellQuoted(QStringLiteral("plain-1.etl")) == QStringLiteral("plain-1.etl"));
    CHECK(ui::shellQuoted(QString()) == QStringLiteral("''"));
    CHECK(ui::shellQuoted(QStringLiteral("$HOME")) == QStringLiteral("'$HOME'"));
    CHECK(ui::shellQuoted(QStringLiteral("~/a")) == QStringLiteral("'~/a'"));
    CHECK(ui::shellQuoted(QStringLiteral("a;b")) == QStringLiteral("'a;b'"));
}

TEST_CASE("Loss turns from amber to red above one percent", "[ui][gauges]") {
    using ui::LossLevel;
    CHECK(ui::lossLevel(0, 0) == LossLevel::None);
    CHECK(ui::lossLevel(0, 1000) == LossLevel::None);
    CHECK(ui::lossLevel(1, 1000) == LossLevel::Some);
    CHECK(ui::lossLevel(10, 1000) == LossLevel::Some);
    CHECK(ui::lossLevel(11, 1000) == LossLevel::Severe);
}

TEST_CASE("The history keeps two minutes and counts loss once", "[ui][history]") {
    ui::History history;
    recorder::LiveStatus status;
    status.sessions.resize(2);
    status.sessions[0].stats.numberOfBuffers = 10;
    status.sessions[1].stats.numberOfBuffers = 10;
    std::size_t expected = 0;
    for (int second = 0; second <= 300; ++second) {
        status.elapsed = std::chrono::seconds(second);
        status.sessions[0].stats.freeBuffers = 8;
        status.sessions[1].stats.freeBuffers = 5;
        status.sessions[0].eventsPerSecond = 100;
        status.sessions[1].eventsPerSecond = 11;
        status.sessions[0].stats.eventsLost = second >= 290 ? 7 : 0;
        history.add(status);
        expected = static_cast<std::size_t>(std::min(second, 120)) + 1;
        REQUIRE(history.samples().size() == expected);
    }
    CHECK(history.samples().front().at == 180s);
    CHECK(history.peak().bufferFill == 0.5);
    CHECK(history.peak().eventsPerSecond == 111.0);
    CHECK(history.peak().lost == 7);
    history.clear();
    CHECK(history.samples().empty());
    CHECK(history.peak().lost == 0);
}

TEST_CASE("Limitations of one reason are told once, what can be changed first", "[ui][words]") {
    using etw::LimitationCode;
    const auto texts = ui::limitationTexts({{LimitationCode::KeywordNotServed, "DiskIO", 0},
                                            {LimitationCode::PerfEventParanoid, "3", 0},
                                            {LimitationCode::KeywordNotServed, "Power", 0},
                                            {LimitationCode::KeywordNotServed, "DiskIO", 0}},
                                           test::plainMessages());
    REQUIRE(texts.size() == 2);
    CHECK(texts[0].message.what == QStringLiteral("PerfEventParanoid"));
    CHECK_FALSE(texts[0].isExpected);
    CHECK(texts[1].message.evidence == QStringLiteral("DiskIO, Power"));
    CHECK(texts[1].isExpected);
}

TEST_CASE("What is recorded in part is not told as missing whole", "[ui][words]") {
    test::needApplication();
    plan::RecordingPlan plan;
    for (const char* detail : {"in part: group 0x00000200 is missing", ""}) {
        plan::Diagnostic& diagnostic = plan.diagnostics.emplace_back();
        diagnostic.limitation = etw::Limitation{etw::LimitationCode::KeywordNotServed, "DiskIO", 0};
        diagnostic.detail = detail;
    }
    const auto left = ui::leftOut(plan);
    REQUIRE(left.size() == 2);
    CHECK(left[0].detail == "DiskIO (in part)");
    CHECK(left[1].detail == "DiskIO");
}

TEST_CASE("Where the raw files are is told with their names", "[ui][words]") {
    test::needApplication();
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    recorder::Stopped recording;
    recording.rawFiles = {"/data/.tracedeck-cpu-1-1/system.etl", "/data/.tracedeck-cpu-1-1/events.etl"};
    const QString files = QStringLiteral("system.etl and events.etl in /data/.tracedeck-cpu-1-1");
    CHECK(ui::Words::rawFiles(recording) == files);
    recording.inMemory = {"session"};
    CHECK(ui::Words::rawFiles(recording) ==
          files + QStringLiteral("; the others are still in memory, because they could not be written"));
    recording.rawFiles.clear();
    CHECK(ui::Words::rawFiles(recording) == QStringLiteral("still in memory, because they could not be written"));
    QLocale::setDefault(before);
}

TEST_CASE("Each kind of session has a name of its own", "[ui][words]") {
    test::needApplication();
    using Kind = plan::PlannedSession::Kind;
    QStringList names;
    for (const Kind kind : {Kind::System, Kind::Event, Kind::Heap, Kind::Hypervisor}) {
        names << ui::Words::sessionName(kind);
    }
    CHECK(names == QStringList{QStringLiteral("System"), QStringLiteral("Events"), QStringLiteral("Heap"),
                               QStringLiteral("Hypervisor")});
}

TEST_CASE("A plan is told in words", "[ui][words]") {
    test::needApplication();
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    plan::RecordingPlan plan;
    plan.sessions.resize(1);
    plan.sessions[0].keywords = {"CSwitch", "Odd", "SampledProfile"};
    CHECK(ui::Words::whatIsRecorded(plan) ==
          QStringLiteral("Samples of what each processor runs, which thread runs when, and Odd."));
    plan.sessions[0].stacks = {"SampledProfile"};
    plan.sessions[0].keywords = {"SampledProfile"};
    CHECK(ui::Words::whatIsRecorded(plan) == QStringLiteral("Samples of what each processor runs, with call stacks."));
    QLocale::setDefault(before);
}

} // namespace tracedeck
