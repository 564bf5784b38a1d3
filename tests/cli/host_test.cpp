// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings in the background, by the programs as they are built, around the end of their host.
#include "tests/cli/program.h"
#include "tests/recorder/stage.h"
#include "tests/remote/child_process.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace tracedeck {
namespace {

using test::Ended;
using test::run;
using Names = std::vector<std::string>;

/// A /run of this process and its children alone, in which the host's usual socket is nobody else's.
bool hasOwnRun() {
    static const bool has = [] {
        const bool isPrivate = ::unshare(CLONE_NEWNS) == 0 &&
                               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                               ::mount("tracedeck-test", "/run", "tmpfs", 0, "size=1m,mode=755") == 0;
        if (!isPrivate) {
            std::cerr
                << "SKIPPED: recordings of a host at the usual place: no right to mount a /run of the test's own ("
                << std::strerror(errno) << ")\n";
        }
        return isPrivate;
    }();
    return has;
}

/// The host at its usual place.
class Host {
public:
    Host() { start(); }
    void start() {
        m_process.emplace(
            test::ChildProcess::Start{{TRACEDECK_HOST, "--ring-folder", ringFolder()}, {}, -1, m_folder.file("log")});
        INFO(log());
        REQUIRE(m_process->readLine() == "/run/tracedeck/host.sock");
    }
    void kill() {
        m_process->signal(SIGKILL);
        REQUIRE(m_process->finish() == 128 + SIGKILL);
    }
    void stop() {
        m_process->signal(SIGTERM);
        REQUIRE(m_process->finish() == 0);
    }
    [[nodiscard]] std::string ringFolder() const { return m_folder.file("rings"); }
    [[nodiscard]] std::string log() const {
        std::ostringstream text;
        text << std::ifstream(m_folder.file("log")).rdbuf();
        return text.str();
    }

private:
    test::TemporaryFolder m_folder;
    std::optional<test::ChildProcess> m_process;
};

/// Little of this machine, in a small ring.
constexpr const char* kLittle = R"(<?xml version="1.0" encoding="utf-8"?>
<WindowsPerformanceRecorder Version="1.0" Author="test">
  <Profiles>
    <SystemCollector Id="Collector" Name="NT Kernel Logger"><BufferSize Value="64"/><Buffers Value="64"/></SystemCollector>
    <SystemProvider Id="Provider"><Keywords><Keyword Value="ProcessThread"/></Keywords></SystemProvider>
    <Profile Id="Own.Verbose.Memory" Name="Own" DetailLevel="Verbose" LoggingMode="Memory" Description="little">
      <Collectors>
        <SystemCollectorId Value="Collector"><SystemProviderId Value="Provider"/></SystemCollectorId>
      </Collectors>
    </Profile>
  </Profiles>
</WindowsPerformanceRecorder>
)";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t ringsIn(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// Starts a recording in memory; false where this machine does not let it be recorded, which is said.
bool starts(const std::string& profile, const std::string& rawFolder) {
    const Ended started = run({"start", "-p", profile, "--memory", "--raw-folder", rawFolder});
    INFO(started.output + started.errors);
    if (started.code == 3) {
        std::cerr << "SKIPPED: a recording of " << profile << " around the end of its host: " << started.errors;
        return false;
    }
    REQUIRE(started.code == 0);
    return true;
}

void checkSaved(const std::string& path) {
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
    const Ended check = run({"check", path});
    INFO(check.output + check.errors);
    CHECK(has(check.output, "Mark.Text: before the end"));
    CHECK(has(check.output, "lost        0 events, 0 buffers"));
}

} // namespace

TEST_CASE("A recording in memory is saved after its host was killed and started again", "[cli][host][live]") {
    if (!hasOwnRun()) {
        return;
    }
    const std::string of = GENERATE("own.wprp", "CPU");
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("own.wprp")) << kLittle;
    const std::string profile = of == "CPU" ? of : folder.file(of);
    const bool isKilled = GENERATE(true, false);
    CAPTURE(profile, isKilled);
    std::filesystem::create_directory(folder.file("raw"));
    Host host;
    const Ended nothing = run({"status"});
    REQUIRE(has(nothing.output, "No recording in the background"));
    if (!starts(profile, folder.file("raw"))) {
        return;
    }
    REQUIRE(run({"mark", "before the end"}).code == 0);
    CHECK(has(run({"status"}).output, "recording since"));
    const std::size_t rings = ringsIn(host.ringFolder());
    CHECK(rings >= 1);
    if (isKilled) {
        host.kill();
    } else {
        host.stop();
    }

    // Nobody knows without a host; it is offered, and kept.
    const std::string path = folder.file("rescued.etl");
    CHECK(run({"stop", path}).code != 0);
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(ringsIn(host.ringFolder()) == rings);

    host.start();
    const Ended status = run({"status"});
    INFO(status.output + status.errors);
    CHECK(has(status.output, "cut off"));
    const Ended stopped = run({"stop", path});
    INFO(stopped.output + stopped.errors + host.log());
    CHECK(stopped.code == 1); // saved, and its end is missing
    CHECK(has(stopped.output, "Saved " + path));
    checkSaved(path);
    CHECK(ringsIn(host.ringFolder()) == 0);
    CHECK(test::namesIn(folder.file("raw")).empty());
    CHECK(has(run({"status"}).output, "No recording in the background"));
}

TEST_CASE("What a killed host has left of a recording can be discarded", "[cli][host][live]") {
    if (!hasOwnRun()) {
        return;
    }
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("own.wprp")) << kLittle;
    Host host;
    if (!starts(folder.file("own.wprp"), folder.path())) {
        return;
    }
    host.kill();
    host.start();
    CHECK(ringsIn(host.ringFolder()) >= 1);
    const Ended cancelled = run({"cancel"});
    INFO(cancelled.output + cancelled.errors);
    CHECK(cancelled.code == 0);
    CHECK(ringsIn(host.ringFolder()) == 0);
    CHECK(test::namesIn(folder.path()) == Names{"own.wprp"});
}

TEST_CASE("A recording in the background goes on, and is stopped by another command", "[cli][host][live]") {
    if (!hasOwnRun()) {
        return;
    }
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("own.wprp")) << kLittle;
    Host host;
    if (!starts(folder.file("own.wprp"), folder.path())) {
        return;
    }
    REQUIRE(run({"mark", "before the end"}).code == 0);
    const Ended stopped = run({"stop", folder.file("whole.etl")});
    INFO(stopped.output + stopped.errors);
    CHECK(stopped.code == 0);
    CHECK(has(stopped.output, "stopped by you"));
    checkSaved(folder.file("whole.etl"));
    CHECK(ringsIn(host.ringFolder()) == 0);
}

} // namespace tracedeck
