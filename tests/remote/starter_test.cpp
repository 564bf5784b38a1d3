// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/host_starter.h"
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/remote_controller.h"
#include "core/etw/wait.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;

namespace {

/// A way that leads where the test says.
class FakeWay final : public HostStarter {
public:
    explicit FakeWay(Error error) : m_error(std::move(error)) {}
    Result<Descriptor> connect() override {
        ++asked;
        return fail(m_error);
    }
    int asked = 0;

private:
    Error m_error;
};

/// "pkexec" as a shell script.
std::vector<std::string> script(const std::string& text) {
    return {"/bin/sh", "-c", text};
}

} // namespace

TEST_CASE("The first way that leads to a host is taken", "[remote][starter]") {
    const test::TemporaryFolder folder;
    const auto listener = listenAt(folder.file("second.sock"), 0600);
    REQUIRE(listener.has_value());
    FakeWay nowhere({ErrorCode::HostUnreachable, "nobody there", 2});
    RunningHost running({folder.file("first.sock"), folder.file("second.sock")});
    FakeWay last({ErrorCode::HostUnreachable, "not asked", 0});
    const std::array<HostStarter*, 3> ways{&nowhere, &running, &last};
    CHECK(connectToHost(ways).has_value());
    CHECK(nowhere.asked == 1);
    CHECK(last.asked == 0);
}

TEST_CASE("Without a host every way says why", "[remote][starter]") {
    const test::TemporaryFolder folder;
    RunningHost running({folder.file("missing.sock")});
    FakeWay nowhere({ErrorCode::HostUnreachable, "the other reason", 2});
    const std::array<HostStarter*, 2> ways{&running, &nowhere};
    const auto none = connectToHost(ways);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().code == ErrorCode::HostUnreachable);
    CHECK(none.error().detail.find("missing.sock") != std::string::npos);
    CHECK(none.error().detail.find("the other reason") != std::string::npos);
    CHECK(connectToHost({}).error().code == ErrorCode::HostUnreachable);
}

TEST_CASE("Who does not want to give a password is not asked on another way", "[remote][starter]") {
    FakeWay cancelled({ErrorCode::Cancelled, "not now", 0});
    FakeWay other({ErrorCode::HostUnreachable, "not asked", 0});
    const std::array<HostStarter*, 2> ways{&cancelled, &other};
    CHECK(connectToHost(ways).error().code == ErrorCode::Cancelled);
    CHECK(other.asked == 0);
}

TEST_CASE("A host is started and stays behind", "[remote][starter]") {
    const test::TemporaryFolder folder;
    const std::string socket = folder.file("host.sock");
    const std::string pidFile = folder.file("pid");
    PkexecHost starter(script("echo $$ >" + pidFile + "; exec " TRACEDECK_HOST " --socket " + socket +
                              " --ring-folder " + folder.file("rings") + " --idle-exit 1 2>" + folder.file("log")),
                       socket);
    auto connection = starter.connect();
    REQUIRE(connection.has_value());
    RemoteController controller(std::move(*connection));
    CHECK(await<std::vector<SessionInfo>>([&](auto done) { controller.list(std::move(done)); }).has_value());
    // Another program finds the same one running.
    RunningHost running({socket});
    CHECK(running.connect().has_value());
    pid_t pid = 0;
    std::ifstream(pidFile) >> pid;
    REQUIRE(pid > 0);
    CHECK(::kill(pid, SIGTERM) == 0);
    // Asked to end, it does: the connection is lost.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    bool isLost = false;
    while (!isLost && std::chrono::steady_clock::now() < end) {
        const auto listed = await<std::vector<SessionInfo>>([&](auto done) { controller.list(std::move(done)); });
        isLost = !listed && listed.error().code == ErrorCode::HostUnreachable;
    }
    CHECK(isLost);
}

TEST_CASE("What pkexec says is told apart", "[remote][starter]") {
    const auto codeOf = [](const std::string& text) {
        const auto refused = PkexecHost(script(text), "/expected.sock", std::chrono::seconds(20)).connect();
        REQUIRE_FALSE(refused.has_value());
        CHECK_FALSE(refused.error().detail.empty());
        return refused.error().code;
    };
    CHECK(codeOf("exit 126") == ErrorCode::Cancelled);
    CHECK(codeOf("exit 127") == ErrorCode::AccessDenied);
    CHECK(codeOf("exit 1") == ErrorCode::HostUnreachable);
    CHECK(codeOf("echo /another.sock; exec sleep 60") == ErrorCode::HostUnreachable); // ended, not waited for
    const auto silent = PkexecHost(script("exec sleep 60"), "/expected.sock", std::chrono::milliseconds(50)).connect();
    REQUIRE_FALSE(silent.has_value());
    CHECK(silent.error().code == ErrorCode::HostUnreachable);
    const auto missing = PkexecHost({"/nowhere/pkexec"}, "/expected.sock").connect();
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().code == ErrorCode::HostUnreachable);
}
