// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/encode.h"
#include "tests/cli/program.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sys/stat.h>

namespace tracedeck {
namespace {

using test::Ended;
using test::run;

std::string bytesOf(const std::vector<std::byte>& data) {
    return {reinterpret_cast<const char*>(data.data()), data.size()};
}

/// A header buffer of a session that was closed with two buffers.
std::string headerBuffer(std::uint32_t bufferSize) {
    etlformat::TraceIdentity identity;
    identity.perfFreq = 1'000'000'000;
    identity.startTicks = 1'000;
    identity.startTime = kUnixEpoch + 17'000'000'000'000'000;
    identity.bootTime = kUnixEpoch;
    etlformat::LogfileSummary summary;
    summary.bufferSize = bufferSize;
    summary.logFileMode = etlformat::mode::kSequential;
    summary.buffersWritten = 2;
    summary.endTime = identity.startTime + 1;
    summary.loggerName = "Test";
    return bytesOf(etlformat::encodeHeaderBuffer(identity, summary));
}

std::ptrdiff_t linesOf(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

} // namespace

TEST_CASE("The program explains itself", "[cli][program]") {
    const Ended help = run({"--help"});
    CHECK(help.code == 0);
    CHECK(help.output.find("Exit codes") != std::string::npos);
    CHECK(help.errors.empty());
    CHECK(run({"--version"}).output == std::string("tracedeck-cli ") + TRACEDECK_VERSION + "\n");
    const Ended wrong = run({"record", "--nonsense"});
    CHECK(wrong.code == 2);
    CHECK(wrong.output.empty());
    CHECK(linesOf(wrong.errors) == 2);
    CHECK(run({}).code == 2);
    CHECK(run({"-start", "CPU"}).code == 2);
}

TEST_CASE("The profiles that come along are listed", "[cli][program]") {
    const Ended ended = run({"profiles"});
    CAPTURE(ended.errors);
    CHECK(ended.code == 0);
    CHECK(ended.output.find("CPU ") != std::string::npos);
    CHECK(ended.output.find("GeneralProfile") != std::string::npos);
    CHECK(ended.output.find("light, verbose") != std::string::npos);
}

TEST_CASE("Profile files are validated with a line for each problem", "[cli][validate]") {
    const test::TemporaryFolder folder;
    const std::string good = std::string(TRACEDECK_SOURCE_DIR) + "/profiles/cpu.wprp";
    const std::string bad = std::string(TRACEDECK_SOURCE_DIR) + "/tests/data/bad/wprp/misspelt_keyword.wprp";
    const Ended valid = run({"validate", good});
    CHECK(valid.code == 0);
    CHECK(valid.output == good + ": valid, 4 profiles\n");
    const Ended both = run({"validate", good, bad});
    CHECK(both.code == 1);
    CHECK(both.output == good + ": valid, 4 profiles\n" + bad +
                             ":15:9: Value: 'SampledProfle' is no system keyword; did you mean 'SampledProfile'? "
                             "[Keyword, Id SP]\n");
    CHECK(both.errors.empty());
    const Ended missing = run({"validate", folder.file("none.wprp")});
    CHECK(missing.code == 1);
    CHECK(missing.errors.find("none.wprp") != std::string::npos);

    const Ended json = run({"validate", "--json", good, bad, folder.file("none.wprp")});
    CHECK(json.code == 1);
    const QJsonArray files = QJsonDocument::fromJson(QByteArray::fromStdString(json.output)).array();
    REQUIRE(files.size() == 3);
    CHECK(files[0].toObject().value("valid").toBool());
    CHECK(files[0].toObject().value("profiles").toInt() == 4);
    REQUIRE_FALSE(files[1].toObject().value("problems").toArray().isEmpty());
    const QJsonObject problem = files[1].toObject().value("problems").toArray()[0].toObject();
    CHECK(problem.value("line").toInt() == 15);
    CHECK(problem.value("column").toInt() == 9);
    CHECK(problem.value("element").toString() == "Keyword");
    CHECK(problem.value("severity").toString() == "error");
    CHECK_FALSE(files[2].toObject().value("valid").toBool(true));
    CHECK(files[2].toObject().value("problems").toArray().size() == 1);
}

TEST_CASE("Profiles are exported as one that asks for the same", "[cli][export]") {
    const std::string mode = GENERATE("--file", "--memory");
    const test::TemporaryFolder folder;
    const std::string path = folder.file("both.wprp");
    REQUIRE(run({"export", "CPU+DiskIO", path, mode}).code == 0);
    CHECK(run({"validate", path}).output == path + ": valid, 1 profile\n");
    const auto detailsOf = [&](const std::string& profiles) {
        const Ended ended = run({"profile-details", profiles, mode});
        CAPTURE(ended.errors);
        CHECK(ended.code == 0);
        return ended.output.substr(ended.output.find('\n'));
    };
    const std::string details = detailsOf("CPU+DiskIO");
    CHECK(details == detailsOf(path));
    CHECK(details.find("Collector Name          : WPR_initiated_WprApp_WPR System Collector\n") != std::string::npos);
    CHECK(details.find("System Keywords\n\tCSwitch\n") != std::string::npos);
    CHECK(details.find("\tMicrosoft-Windows-Win32k: 0x402000: 0xff: Stack\n") != std::string::npos);
    CHECK(details.find("CaptureState Providers on Save\n") != std::string::npos);
    // It is not written over by accident.
    const Ended again = run({"export", "CPU", path, mode});
    CHECK(again.code == 4);
    CHECK(run({"export", "CPU", path, mode, "--force"}).code == 0);
    CHECK(run({"export", "CPU"}).code == 2);
    CHECK(run({"export", "Nonsense", folder.file("x.wprp")}).code == 2);
    CHECK(test::namesIn(folder.path()) == std::vector<std::string>{"both.wprp"});
}

TEST_CASE("A plan is shown for people and for programs", "[cli][plan]") {
    CHECK(run({"plan", "Nonsense"}).code == 2);
    const Ended json = run({"plan", "CPU", "--json"});
    if (json.code == 3) {
        std::cerr << "SKIPPED: what a plan shows: this user may see nothing of the kernel\n";
        return;
    }
    REQUIRE(json.code == 0);
    const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(json.output)).object();
    const QJsonArray profiles = plan.value("profiles").toArray();
    REQUIRE(profiles.size() == 1);
    CHECK(profiles[0].toString() == "CPU.Verbose.Memory");
    CHECK(plan.value("sessions").toArray().size() >= 1);
    const QJsonObject cost = plan.value("cost").toObject();
    CHECK(cost.value("memoryBytes").toDouble() == plan.value("bufferMemoryBytes").toDouble());
    CHECK(cost.value("bytesPerSecond").toDouble() > 0);
    CHECK(cost.value("processors").toDouble() > 0);
    CHECK(cost.value("heldSeconds").toDouble() > 0);
    CHECK_FALSE(cost.value("isMeasured").toBool(true));
    CHECK(run({"plan", "CPU", "--json"}).output == json.output);
    const Ended people = run({"plan", "CPU", "--detail", "Light", "--file"});
    CHECK(people.code == 0);
    CHECK(people.output.find("Profile                 : CPU.Light.File\n") == 0);
    CHECK(people.output.find("\nMemory (buffers)        : ") != std::string::npos);
    CHECK(people.output.find("\nCost                    : about ") != std::string::npos);
    CHECK(run({"plan", "CPU"}).output.find("; memory holds the last ") != std::string::npos);
}

TEST_CASE("An unknown profile is told with the nearest name and starts nothing", "[cli][program]") {
    const test::TemporaryFolder folder;
    const Ended ended = run({"record", "-p", "CPUU", "-o", folder.file("x.etl")});
    CHECK(ended.code == 2);
    CHECK(ended.output.empty());
    CHECK(linesOf(ended.errors) == 3);
    CHECK(ended.errors.find("CPUU") != std::string::npos);
    CHECK(ended.errors.find("'CPU'?") != std::string::npos);
    CHECK(test::namesIn(folder.path()).empty());
}

TEST_CASE("A malformed profile is told with file, line and column and starts nothing", "[cli][program]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("bad.wprp");
    std::ofstream(path) << "<?xml version=\"1.0\"?>\n<WindowsPerformanceRecorder Version=\"1.0\">\n  <Profiles>\n";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"record", "-p", path, "-o", folder.file("x.etl")},
          std::vector<std::string>{"profiles", path}}) {
        const Ended ended = run(words);
        CAPTURE(ended.errors);
        CHECK(ended.code == 2);
        CHECK(ended.output.empty());
        CHECK(ended.errors.find(path + ":") != std::string::npos);
        CHECK(linesOf(ended.errors) == 3);
    }
    CHECK(test::namesIn(folder.path()) == std::vector<std::string>{"bad.wprp"});
    CHECK(run({"profiles", folder.file("missing.wprp")}).code == 4);
}

TEST_CASE("An output that cannot be written is refused before anything is recorded", "[cli][program]") {
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("there.etl")) << "precious";
    const auto [name, code, part] = GENERATE(table<std::string, int, std::string>({
        {"/missing/x.etl", 4, "FolderNotFound"},
        {"/there.etl", 4, "FileExists"},
        {"", 2, "is a folder"},
    }));
    const std::string output = folder.path() + name;
    const Ended ended = run({"record", "-p", "CPU", "-t", "1", "-o", output});
    CAPTURE(output, ended.errors);
    CHECK(ended.code == code);
    CHECK(ended.output.empty());
    CHECK(ended.errors.find(part) != std::string::npos);
    CHECK(linesOf(ended.errors) == 3);
    CHECK(test::namesIn(folder.path()) == std::vector<std::string>{"there.etl"});
}

TEST_CASE("A pipe or a device is not replaced by a file", "[cli][program]") {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_symlink(pipe, folder.file("link"));
    for (const char* name : {"pipe", "link"}) {
        const Ended ended = run({"record", "-p", "CPU", "-t", "1ms", "--force", "-o", folder.file(name)});
        CAPTURE(name, ended.errors);
        CHECK(ended.code == 2);
        CHECK(ended.errors.find("is a device, a pipe or the like") != std::string::npos);
    }
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(std::filesystem::is_symlink(folder.file("link")));
}

TEST_CASE("What is no recording is told apart from what cannot be read", "[cli][check]") {
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("garbage.etl")) << std::string(100'000, 'x');
    std::ofstream(folder.file("empty.etl")).flush();
    for (const char* name : {"garbage.etl", "empty.etl"}) {
        const Ended ended = run({"check", folder.file(name)});
        CAPTURE(name, ended.errors);
        CHECK(ended.code == 1);
        CHECK(ended.output.empty());
        CHECK(ended.errors.find("NotAnEtl") != std::string::npos);
    }
    const Ended missing = run({"check", folder.file("missing.etl")});
    CHECK(missing.code == 4);
    CHECK(missing.errors.find("FileNotFound") != std::string::npos);
}

TEST_CASE("What cannot be read is JSON too where JSON was asked for, and a pipe is not waited for", "[cli][check]") {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const Ended ended = run({"check", "--json", pipe});
    CHECK(ended.code == 4);
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(ended.output)).object();
    CHECK(json.value("file").toString().toStdString() == pipe);
    CHECK(json.value("error").toObject().value("code").toString() == "ReadFailed");
}

TEST_CASE("A file that was cut short is readable and said to be damaged", "[cli][check]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("cut.etl");
    const std::string header = headerBuffer(65536);
    std::ofstream(path, std::ios::binary) << header << header.substr(0, 1000);
    const Ended ended = run({"check", path});
    CAPTURE(ended.output, ended.errors);
    CHECK(ended.code == 1);
    CHECK(ended.output.find("verdict") != std::string::npos);
    CHECK(ended.output.find("good:") == std::string::npos);
    const Ended json = run({"check", "--json", path});
    CHECK(json.code == 1);
    CHECK(json.output.find("\"Truncated\"") != std::string::npos);
}

} // namespace tracedeck
