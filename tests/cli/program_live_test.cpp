// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/program.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace tracedeck {
namespace {

using test::Ended;
using test::Program;
using test::run;
using Names = std::vector<std::string>;

/// Whether this machine lets the test record it; says so where it does not.
bool canRecord() {
    static const bool isAllowed = [] {
        const test::TemporaryFolder folder;
        const Ended ended = run({"record", "-p", "CPU", "-t", "50ms", "-o", folder.file("probe.etl")});
        if (ended.code == 3) {
            std::cerr << "SKIPPED: recordings of this machine: " << ended.output << ended.errors;
            return false;
        }
        return true;
    }();
    return isAllowed;
}

QJsonObject checkedJson(const std::string& path, int expectedCode) {
    const Ended ended = run({"check", "--json", path});
    CAPTURE(ended.errors);
    CHECK(ended.code == expectedCode);
    return QJsonDocument::fromJson(QByteArray::fromStdString(ended.output)).object();
}

std::string rawFolderIn(const std::string& folder) {
    for (const std::string& name : test::namesIn(folder)) {
        if (name.starts_with(".tracedeck-")) {
            return folder + "/" + name;
        }
    }
    return {};
}

/// What the programs keep for the user is in a folder of the test's own.
class OwnData {
public:
    OwnData() { test::keepDataIn(m_folder.path()); }
    ~OwnData() { test::keepDataIn({}); }
    OwnData(const OwnData&) = delete;
    OwnData& operator=(const OwnData&) = delete;

private:
    test::TemporaryFolder m_folder;
};

} // namespace

TEST_CASE("A second of this machine becomes one good file", "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const std::string mode = GENERATE("--file", "--memory");
    const test::TemporaryFolder folder;
    const std::string path = folder.file("out.etl");
    const Ended ended = run({"record", "-p", "CPU", mode, "-t", "1s", "-o", path, "--note", "live test"});
    INFO(ended.output + ended.errors);
    CHECK(ended.code == 0);
    CHECK(ended.output.find("Saved " + path) != std::string::npos);
    CHECK(ended.output.find("lost 0 of") != std::string::npos);
    CHECK(ended.errors.find('\r') == std::string::npos); // no terminal, no line that is written over
    CHECK(test::namesIn(folder.path()) == Names{"out.etl"});
    const QJsonObject json = checkedJson(path, 0);
    const QJsonObject names = json.value("names").toObject();
    CHECK(json.value("lost").toInt(-1) == 0);
    CHECK(json.value("verdict").toString() == "good");
    CHECK(json.value("span_s").toDouble() >= 0.9);
    CHECK(names.value("Tracedeck-Recorder/RecordingStarted").toInt() == 1);
    CHECK(names.value("Tracedeck-Recorder/RecordingStopped").toInt() == 1);
    CHECK(names.value("Thread/CSwitch").toInt() > 0);
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
}

TEST_CASE("One Ctrl+C saves, and so does a signal to end", "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::TemporaryFolder folder;
    Program program({"record", "-p", "CPU", "--file", "-o", folder.file("out.etl")});
    REQUIRE(program.waitForError("Recording."));
    program.signal(number);
    const int code = program.finish();
    INFO(program.output + program.errors);
    CHECK(code == 0);
    CHECK(program.output.find("stopped by you") != std::string::npos);
    CHECK(test::namesIn(folder.path()) == Names{"out.etl"});
}

TEST_CASE("Closed standard descriptors do no harm to a recording", "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const std::string closed = GENERATE("2>&-", "<&- 2>&-", "<&- >&- 2>&-");
    CAPTURE(closed);
    const test::TemporaryFolder folder;
    const Ended ended = run({"record", "-p", "CPU", "--file", "-t", "1s", "-o", folder.file("out.etl")},
                            {"sh", "-c", "exec \"$0\" \"$@\" " + closed});
    CHECK(ended.code == 0);
    CHECK(test::namesIn(folder.path()) == Names{"out.etl"});
    CHECK(checkedJson(folder.file("out.etl"), 0).value("span_s").toDouble() >= 0.9);
}

TEST_CASE("A Ctrl+C that arrives twice at once is one", "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const test::TemporaryFolder folder;
    Program program({"record", "-p", "CPU", "--file", "-o", folder.file("out.etl")});
    REQUIRE(program.waitForError("Recording."));
    program.signal(SIGINT);
    REQUIRE(program.waitForError("Ctrl+C again discards"));
    program.signal(SIGINT);
    CHECK(program.finish() == 0);
    CHECK(test::namesIn(folder.path()) == Names{"out.etl"});
}

TEST_CASE("The raw files of a killed recording can be read and say that they were not closed", "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const test::TemporaryFolder folder;
    Program program({"record", "-p", "CPU", "--file", "-o", folder.file("out.etl")});
    REQUIRE(program.waitForError("Recording."));
    const std::string raw = rawFolderIn(folder.path());
    REQUIRE_FALSE(raw.empty());
    program.signal(SIGKILL);
    CHECK(program.finish() == 128 + SIGKILL);
    REQUIRE(test::namesIn(raw) == Names{"events.etl", "system.etl"});
    for (const std::string& name : test::namesIn(raw)) {
        const Ended ended = run({"check", raw + "/" + name});
        CAPTURE(name, ended.errors);
        CHECK(ended.code == 1);
        CHECK(ended.output.find("the session was not closed") != std::string::npos);
    }
}

TEST_CASE("Without rights the program says what is missing and how to get it", "[cli][live]") {
    const std::string setpriv = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    const std::string readsProfiles = setpriv + "cat '" TRACEDECK_SOURCE_DIR "/profiles/cpu.wprp'";
    if (geteuid() != 0 || test::runCommand(setpriv + TRACEDECK_CLI " --version").status != 0 ||
        test::runCommand(readsProfiles).status != 0) {
        std::cerr << "SKIPPED: the program without rights: this test needs root, setpriv, and a source and a build "
                     "folder that everybody may read\n";
        return;
    }
    const test::TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    const Ended ended = run({"record", "-p", "CPU", "--file", "-t", "100ms", "-o", folder.file("out.etl")},
                            {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
    const std::string said = ended.output + ended.errors;
    INFO(said);
    CHECK((ended.code == 0 || ended.code == 3)); // perf_event_paranoid decides whether a part is allowed
    CHECK(said.find("sudo") != std::string::npos);
    if (ended.code == 3) {
        CHECK(said.find("kernel.perf_event_paranoid") != std::string::npos);
        CHECK(test::namesIn(folder.path()).empty());
    }
}

TEST_CASE("What a killed program had recorded is saved by the next one, from its file or from its memory",
          "[cli][live]") {
    if (!canRecord()) {
        return;
    }
    const std::string mode = GENERATE("--file", "--memory");
    const OwnData data;
    const test::TemporaryFolder folder;
    Program victim({"record", "-p", "CPU", mode, "-o", folder.file("never.etl"), "--note", "killed"});
    REQUIRE(victim.waitForError("Recording."));
    // A ring has its events when the kernel's own buffers were read, several times a second; a file when a buffer of
    // ours is full. Programs that come and go fill it.
    const auto begun = std::chrono::steady_clock::now();
    const std::string raw = rawFolderIn(folder.path()) + "/system.etl";
    const auto hasBuffers = [&] {
        std::error_code unknown;
        return std::filesystem::file_size(raw, unknown) > 2 * 1024 * 1024 && !unknown;
    };
    const auto isRead = [&] { return std::chrono::steady_clock::now() - begun > std::chrono::seconds(2); };
    for (int round = 0; round < 2000 && (mode == "--file" ? !hasBuffers() : !isRead()); ++round) {
        CHECK(run({"--version"}).code == 0);
    }
    REQUIRE((mode == "--memory" || hasBuffers()));
    const Ended before = run({"status"});
    CHECK(before.output.find("No recording") == 0); // the program that records has it in its hands
    victim.signal(SIGKILL);
    CHECK(victim.finish() == 128 + SIGKILL);

    const Ended status = run({"status"});
    CAPTURE(status.output, status.errors);
    CHECK(status.code == 0);
    CHECK(status.output.find("cut off") != std::string::npos);
    CHECK(status.output.find("killed") != std::string::npos);
    const std::string path = folder.file("rescued.etl");
    const Ended saved = run({"stop", path});
    CAPTURE(saved.output, saved.errors);
    CHECK(saved.code == 1); // it was cut off
    CHECK(saved.output.find("nothing lost") == std::string::npos);
    CHECK(test::namesIn(folder.path()) == Names{"rescued.etl"});
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
    const Ended check = run({"check", "--json", path});
    const QJsonObject names =
        QJsonDocument::fromJson(QByteArray::fromStdString(check.output)).object().value("names").toObject();
    CHECK(names.value("Thread/CSwitch").toInt() > 0);
    CHECK(names.value("Process/DCStart").toInt() > 0);
    CHECK(names.value("Tracedeck-Recorder/RecordingStarted").toInt() == 1);
    CHECK(run({"status"}).output.find("No recording") == 0);
    CHECK(run({"stop", folder.file("again.etl")}).code == 3);
}

} // namespace tracedeck
