// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/file_report.h"
#include "app/cli/format.h"
#include "app/cli/long_task.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <mutex>

namespace tracedeck {
namespace {

using test::Ended;
using test::run;

constexpr Ticks kStart = 1'000'000;

test::RawFile recording() {
    test::RawFile raw;
    raw.add(0, test::contextSwitch(kStart + 10, 7)).add(0, test::stackWalk(kStart + 11, kStart + 10));
    raw.add(1, test::sampledProfile(kStart + 5));
    etlformat::ProcessFields process;
    process.processId = 12;
    process.imageFileName = "privateprogram";
    process.commandLine = "privateprogram --password x";
    raw.add(1, test::systemEvent(etlformat::hook::kProcessStart, 4, kStart + 20,
                                 etlformat::encodeProcess(etlformat::hook::kProcessStart, process)));
    return raw;
}

QJsonObject parsed(const std::string& json) {
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error).object();
    CHECK(error.error == QJsonParseError::NoError);
    return object;
}

etl::HealthIssue issueOf(etl::HealthIssue::Code code) {
    etl::HealthIssue issue;
    issue.code = code;
    issue.severity = etl::HealthIssue::Severity::Warning;
    issue.count = 3;
    issue.of = 9;
    issue.events = 1234;
    issue.bytes = 4096;
    issue.object = "thing\x1b";
    issue.cause = "NoFreeBuffer";
    issue.detail = "detail";
    return issue;
}

/// Runs the program with the standard output that the Python code makes of it.
std::vector<std::string> withOutput(const std::string& code) {
    return {"python3", "-c", "import os, sys; " + code + "; os.execv(sys.argv[1], sys.argv[1:])"};
}

} // namespace

TEST_CASE("The summary counts by name and by processor", "[cli][files]") {
    const test::TemporaryFolder folder;
    recording().write(folder.file("a.etl"));
    const Ended text = run({"summary", folder.file("a.etl")});
    CHECK(text.code == 0);
    CHECK(text.output.find("by processor") != std::string::npos);
    CHECK(text.output.find("1  Thread/CSwitch") != std::string::npos);
    const Ended json = run({"summary", "--json", folder.file("a.etl")});
    CHECK(json.code == 0);
    const QJsonObject object = parsed(json.output);
    CHECK(object.value("names").toObject().value("PerfInfo/SampledProfile").toInt() == 1);
    CHECK(object.value("processors").toArray().at(1).toObject().value("events").toInt() == 2);
}

TEST_CASE("A check says what health says, and its exit status is the verdict", "[cli][files]") {
    const test::TemporaryFolder folder;
    recording().write(folder.file("good.etl"));
    const Ended good = run({"check", "--json", folder.file("good.etl")});
    CHECK(good.code == 0);
    const QJsonObject health = parsed(good.output).value("health").toObject();
    CHECK(health.value("switches_with_stack").toInt() == 1);
    CHECK(health.value("has_plan").toBool() == false);
    test::RawFile::Options options;
    options.eventsLost = 5;
    test::RawFile lossy(options);
    lossy.add(0, test::contextSwitch(kStart + 1)).write(folder.file("lossy.etl"));
    const Ended bad = run({"check", folder.file("lossy.etl")});
    CHECK(bad.code == 1);
    CHECK(bad.output.find("5 events and 0 buffers were lost") != std::string::npos);
}

TEST_CASE("Standard output that nobody reads any more ends every command quietly", "[cli][output]") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("a.etl");
    recording().write(input);
    const std::string profile = std::string(TRACEDECK_SOURCE_DIR) + "/profiles/cpu.wprp";
    const std::vector<std::vector<std::string>> commands = {
        {"--help"},
        {"record", "--help"},
        {"profiles"},
        {"plan", "CPU"},
        {"plan", "CPU", "--json"},
        {"profile-details", "CPU"},
        {"validate", profile},
        {"check", input},
        {"check", "--json", input},
        {"summary", input},
        {"export-events", input, "-", "--csv"},
        {"export-events", input, "-", "--json"},
        {"scrub", input, folder.file("scrubbed.etl")},
        {"trim", input, folder.file("part.etl"), "--from", "0"},
        {"compress", input, folder.file("small.etl")},
        {"merge", folder.file("merged.etl"), input},
    };
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command);
        const Ended closed = run(command, withOutput("r, w = os.pipe(); os.close(r); os.dup2(w, 1)"));
        CHECK(closed.code == 141);
        CHECK(closed.errors.empty());
    }
    CHECK(std::filesystem::exists(folder.file("merged.etl"))); // what a command does is done
    const Ended wrong = run({"check", folder.file("none.etl")}, withOutput("r, w = os.pipe(); os.close(r)"));
    CHECK(wrong.code == 4);
}

TEST_CASE("Standard output on a full disk is said to be so", "[cli][output]") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("a.etl");
    recording().write(input);
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"summary", input}, {"--help"}, {"export-events", input, "-", "--csv"}}) {
        CAPTURE(command);
        const Ended full = run(command, withOutput("os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"));
        CHECK(full.code == 4);
        CHECK(full.errors.find("standard output") != std::string::npos);
        CHECK(full.errors.find("DiskFull") != std::string::npos);
    }
}

TEST_CASE("One of something is told as one", "[cli][files][plural]") {
    using Code = etl::HealthIssue::Code;
    const std::vector<std::pair<Code, std::string>> expected = {
        {Code::Damaged, "one place is damaged, 1 byte left out, about 1 event with it: detail"},
        {Code::OutOfOrder, "1 time events are out of order: detail"},
        {Code::ProcessorOutOfRange, "1 buffer is of a processor that is not there: detail"},
        {Code::PartsMissing, "1 part is missing or repeated, 1 byte left out, about 1 event with it: detail"},
        {Code::EventsLost, "1 event and 1 buffer were lost"},
        {Code::SessionLostEvents, "thing lost 1 event, at unknown: "},
        {Code::OldestOverwritten, "the disk was short: 1 older event made room for newer ones"},
        {Code::StacksWithoutEvent, "1 of 1 stack has lost its event"},
        {Code::FewStacks, "only 1 of 1 samples and context switches has a stack"},
        {Code::ProcessorWithoutSamples, "1 of 1 processor has no samples, being off or left out: thing"}};
    for (const auto& [code, words] : expected) {
        etl::HealthReport report;
        report.issues = {issueOf(code)};
        etl::HealthIssue& issue = report.issues[0];
        issue.count = issue.of = issue.events = issue.bytes = 1;
        issue.object = "thing";
        const std::string text = cli::issuesText(report);
        CAPTURE(text);
        CHECK(text.find(words) != std::string::npos);
    }
    const test::TemporaryFolder folder;
    test::RawFile::Options options;
    options.processors = 1;
    test::RawFile raw(options);
    raw.add(0, test::contextSwitch(kStart + 1)).write(folder.file("a.etl"));
    const std::string text = run({"check", folder.file("a.etl")}).output;
    CAPTURE(text);
    CHECK(text.find(", 1 processor,") != std::string::npos);
    CHECK(text.find("0 events, 0 buffers") != std::string::npos);
    CHECK(text.find("1 events") == std::string::npos);
    CHECK(cli::counted(1, "event") == "1 event");
    CHECK(cli::counted(0, "event") == "0 events");
    CHECK(cli::counted(1204, "buffer is", "buffers are") == "1,204 buffers are");
    CHECK(cli::size(Bytes{1}) == "1 byte");
}

TEST_CASE("Every kind of issue is told in words of its own", "[cli][files]") {
    std::vector<std::string> told;
    for (int code = 0; code <= static_cast<int>(etl::HealthIssue::Code::NotByUs); ++code) {
        etl::HealthReport report;
        report.issues = {issueOf(static_cast<etl::HealthIssue::Code>(code))};
        const std::string text = cli::issuesText(report);
        CAPTURE(code, text);
        CHECK(text.starts_with("  warning"));
        CHECK(text.size() > 20);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(std::find(told.begin(), told.end(), text) == told.end());
        told.push_back(text);
    }
}

TEST_CASE("Events are exported as the name of the output says, and to standard output", "[cli][files]") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("a.etl");
    recording().write(input);
    const Ended csv = run({"export-events", input, folder.file("a.csv")});
    CAPTURE(csv.errors);
    CHECK(csv.code == 0);
    CHECK(csv.output.empty());
    CHECK(csv.errors.find("7 events") != std::string::npos);
    const std::vector<std::byte> written = test::readFile(folder.file("a.csv"));
    CHECK(std::string(reinterpret_cast<const char*>(written.data()), 6) == "time_s");
    const Ended json = run({"export-events", input, "-", "--json"});
    CHECK(json.code == 0);
    CHECK(std::count(json.output.begin(), json.output.end(), '\n') == 7);
    CHECK(parsed(json.output.substr(0, json.output.find('\n'))).value("event").toString() == "Header");
    CHECK(run({"export-events", input, folder.file("a.csv")}).code == 4);
    CHECK(run({"export-events", input, folder.file("a.csv"), "--force"}).code == 0);
    CHECK(run({"export-events", input, input, "--csv", "--force"}).code == 2);
    CHECK(run({"export-events", folder.file("none.etl"), folder.file("b.csv")}).code == 4);
    CHECK_FALSE(std::filesystem::exists(folder.file("b.csv")));
}

TEST_CASE("A scrub says what it replaced, and calls clean only what it understands", "[cli][files]") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("a.etl");
    recording().write(input);
    const Ended clean = run({"scrub", input, folder.file("clean.etl")});
    CAPTURE(clean.output, clean.errors);
    CHECK(clean.code == 0);
    CHECK(clean.output.find("1  command lines") != std::string::npos);
    CHECK(clean.output.find("Clean:") != std::string::npos);
    CHECK(run({"check", folder.file("clean.etl")}).code == 0);
    test::RawFile unknown = recording();
    unknown.add(0, test::perfinfoEvent(0xEE01, 1, kStart + 90, test::EventBytes(8, std::byte{0x41})));
    unknown.write(input);
    const Ended unclean = run({"scrub", input, folder.file("unclean.etl")});
    CHECK(unclean.code == 1);
    CHECK(unclean.output.find("Not clean") != std::string::npos);
    CHECK(unclean.output.find("0xEE/0x01") != std::string::npos);
    const Ended dropped = run({"scrub", "--drop-unknown", input, folder.file("dropped.etl")});
    CHECK(dropped.code == 0);
    CHECK(dropped.output.find("its content is gone") != std::string::npos);
    CHECK(run({"scrub", input, input, "--force"}).code == 2);
    CHECK(run({"scrub", input, folder.file("clean.etl")}).code == 4);
}

TEST_CASE("Ctrl+C asks a long task to end", "[cli][files]") {
    cli::Console console;
    bool isAsked = false;
    cli::runLongTask("Waiting", console, [&](const std::stop_token& stop, const cli::TaskProgress& progress) {
        std::mutex mutex;
        std::condition_variable_any asked;
        progress(0.5);
        ::kill(::getpid(), SIGINT);
        std::unique_lock lock(mutex);
        isAsked = !asked.wait_for(lock, stop, std::chrono::minutes(1), [] { return false; }) && stop.stop_requested();
    });
    CHECK(isAsked);
}

} // namespace tracedeck
