// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/wait.h"
#include "tests/engine/raw_etl.h"
#include "tests/remote/child_process.h"
#include "tests/remote/test_host.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>

using namespace tracedeck;
using namespace tracedeck::etw;
using test::ChildProcess;

namespace {

constexpr uid_t kAlice = 61234;
constexpr uid_t kBob = 61235;

/// A host that everybody can reach, and folders of two users.
class SharedHost {
public:
    SharedHost() {
        REQUIRE(::chmod(m_folder.path().c_str(), 0755) == 0);
        for (const uid_t user : {kAlice, kBob}) {
            const std::string folder = m_folder.file(std::to_string(user));
            std::filesystem::create_directory(folder);
            REQUIRE(::chown(folder.c_str(), user, static_cast<gid_t>(-1)) == 0);
        }
    }
    [[nodiscard]] std::string file(uid_t user, const std::string& name) const {
        return m_folder.file(std::to_string(user) + "/" + name);
    }
    [[nodiscard]] ChildProcess::Start client(uid_t user, std::vector<std::string> words) const {
        std::vector<std::string> command{TRACEDECK_REMOTE_CLIENT, m_folder.file(m_socket)};
        command.insert(command.end(), words.begin(), words.end());
        return {std::move(command), user, -1, {}};
    }
    /// Everything that a client says.
    [[nodiscard]] std::string says(uid_t user, std::vector<std::string> words) const {
        ChildProcess process(client(user, std::move(words)));
        std::string all;
        while (const auto line = process.readLine()) {
            all += *line + '\n';
        }
        process.finish();
        return all;
    }
    test::TestHost& host() { return *m_host; }
    /// With the sessions of the one before still running.
    void nextHost() {
        m_host.reset();
        m_host.emplace(remote::Limits{}, m_folder.file("next.sock"), m_rings.file("rings"));
        m_socket = "next.sock";
    }

private:
    static std::string created(const std::string& folder) {
        REQUIRE(host::prepareRingFolder(folder, host::Foreign::IsRefused).has_value());
        return folder;
    }
    std::string m_socket = "host.sock";
    test::TemporaryFolder m_folder;
    test::TemporaryFolder m_rings;
    std::optional<test::TestHost> m_host{std::in_place, remote::Limits{}, m_folder.file("host.sock"),
                                         created(m_rings.file("rings"))};
};

SessionInfo infoOf(Controller& controller, const std::string& name) {
    const auto all = await<std::vector<SessionInfo>>([&](auto done) { controller.list(std::move(done)); });
    REQUIRE(all.has_value());
    const auto found = std::find_if(all->begin(), all->end(), [&](const auto& info) { return info.name == name; });
    REQUIRE(found != all->end());
    return *found;
}

std::uint64_t recorded(Controller& controller, SessionId id) {
    const auto stats = await<SessionStats>([&](auto done) { controller.query(id, std::move(done)); });
    REQUIRE(stats.has_value());
    return stats->eventsRecorded;
}

bool canRun() {
    if (::geteuid() != 0) {
        std::cerr << "SKIPPED: users of a host: needs root\n";
        return false;
    }
    ChildProcess probe({{TRACEDECK_REMOTE_CLIENT}, kAlice, -1, {}});
    if (const int status = probe.finish(); status != 2) {
        std::cerr << "SKIPPED: users of a host: other users cannot run " << TRACEDECK_REMOTE_CLIENT << '\n';
        return false;
    }
    return true;
}

} // namespace

TEST_CASE("Users see and control their own sessions, root those of all", "[remote][users]") {
    if (!canRun()) {
        return;
    }
    SharedHost shared;
    ChildProcess alice(shared.client(kAlice, {"start", "Alice", shared.file(kAlice, "a.etl")}));
    REQUIRE(alice.readLine() == "started");
    CHECK(shared.says(kAlice, {"list"}) == "Alice\n");
    CHECK(shared.says(kBob, {"list"}).empty());
    CHECK(shared.says(kBob, {"stop", "Alice"}).find("failed SessionUnknown") == 0);
    // Names are the machine's; who asks for one that is taken learns just that.
    const std::string taken = shared.says(kBob, {"start", "aLICE", shared.file(kBob, "b.etl")});
    CHECK(taken.find("failed SessionNameTaken") == 0);
    CHECK(taken.find(std::to_string(kAlice)) == std::string::npos);
    CHECK_FALSE(std::filesystem::exists(shared.file(kBob, "b.etl")));

    const auto root = shared.host().controller();
    const SessionInfo info = infoOf(*root, "Alice");
    CHECK(info.logFileName == shared.file(kAlice, "a.etl"));
    CHECK(await<SessionStats>([&](auto done) { root->stop(info.id, {}, std::move(done)); }).has_value());
    CHECK(shared.says(kAlice, {"list"}).empty());
    const test::RawEtl etl = test::readRawEtl(shared.file(kAlice, "a.etl"));
    CHECK(etl.problemText().empty());
    struct stat status {};
    REQUIRE(::stat(shared.file(kAlice, "a.etl").c_str(), &status) == 0);
    CHECK(status.st_uid == kAlice);
}

TEST_CASE("A provider's events go to its own user's sessions, be the name the same", "[remote][users]") {
    if (!canRun()) {
        return;
    }
    SharedHost shared;
    const auto root = shared.host().controller();
    {
        ChildProcess alice(shared.client(kAlice, {"start", "Alice", shared.file(kAlice, "a.etl")}));
        REQUIRE(alice.readLine() == "started");
        alice.signal(SIGKILL); // her session stays, with the provider enabled
        alice.finish();
    }
    ChildProcess bob(shared.client(kBob, {"start", "Bob", shared.file(kBob, "b.etl")}));
    REQUIRE(bob.readLine() == "started");
    // When the host has met the end of her connection, nobody of hers writes any more.
    const SessionId hers = infoOf(*root, "Alice").id;
    std::uint64_t before = recorded(*root, hers);
    const auto settles = [&] {
        const std::uint64_t now = recorded(*root, hers);
        return now == std::exchange(before, now);
    };
    for (int same = 0; same < 3;) {
        same = settles() ? same + 1 : 0;
    }
    const SessionId his = infoOf(*root, "Bob").id;
    const std::uint64_t begin = recorded(*root, his);
    while (recorded(*root, his) < begin + 5000) {
    }
    CHECK(recorded(*root, hers) == before);
}

TEST_CASE("A ring that a host has left is its own user's, and root's", "[remote][users]") {
    if (!canRun()) {
        return;
    }
    SharedHost shared;
    {
        ChildProcess alice(shared.client(kAlice, {"start", "Alice", "-"}));
        REQUIRE(alice.readLine() == "started");
    }
    shared.nextHost();
    CHECK(shared.says(kBob, {"left"}).empty());
    const std::string told = shared.says(kAlice, {"left"});
    REQUIRE(told.find(" Alice\n") != std::string::npos);
    const std::string session = told.substr(0, told.find(' '));
    CHECK(shared.says(kBob, {"save-left", session, shared.file(kBob, "b.etl")}) == "nothing\n");
    CHECK_FALSE(std::filesystem::exists(shared.file(kBob, "b.etl")));
    CHECK(shared.says(kBob, {"discard-left", session}) == "discarded\n"); // there was none, for him
    CHECK(shared.says(kAlice, {"left"}) == told);
    CHECK(shared.says(kAlice, {"save-left", session, shared.file(kAlice, "a.etl")}) == "saved\n");
    CHECK(test::readRawEtl(shared.file(kAlice, "a.etl")).problemText().empty());
    struct stat status {};
    REQUIRE(::stat(shared.file(kAlice, "a.etl").c_str(), &status) == 0);
    CHECK(status.st_uid == kAlice);

    const auto root = shared.host().controller();
    const auto left = await<std::vector<remote::LeftRing>>([&](auto done) { root->leftRings(std::move(done)); });
    REQUIRE(left.has_value());
    REQUIRE(left->size() == 1);
    CHECK(left->front().owner == kAlice);
    CHECK(root->discard(left->front().session).has_value());
    CHECK(shared.says(kAlice, {"left"}).empty());
}

TEST_CASE("A client cannot have a file of somebody else's written to", "[remote][users]") {
    if (!canRun()) {
        return;
    }
    SharedHost shared;
    // Bob may write to it; it is Alice's all the same.
    const std::string path = shared.file(kAlice, "open to all");
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    REQUIRE(file >= 0);
    REQUIRE(::fchown(file, kAlice, static_cast<gid_t>(-1)) == 0);
    CHECK(remote::checkOffered(file, kAlice).has_value());
    CHECK_FALSE(remote::checkOffered(file, kBob).has_value());
    ::close(file);
}
