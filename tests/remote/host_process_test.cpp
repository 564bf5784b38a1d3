// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/remote_controller.h"
#include "core/etw/wait.h"
#include "tests/engine/numbered_events.h"
#include "tests/engine/raw_etl.h"
#include "tests/remote/child_process.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

using namespace tracedeck;
using namespace tracedeck::etw;
using test::ChildProcess;

namespace {

/// How often something is killed: a few times by default, many by hand.
int rounds() {
    const char* text = std::getenv("TRACEDECK_KILL_ROUNDS");
    return text != nullptr ? std::atoi(text) : 5;
}

/// The host as it is built, at a socket of its own.
class HostProcess {
public:
    explicit HostProcess(std::vector<std::string> options = {}, std::optional<uid_t> user = {}) {
        if (user) {
            REQUIRE(chown(m_folder.path().c_str(), *user, static_cast<gid_t>(-1)) == 0);
        }
        start(std::move(options), user);
    }
    void start(std::vector<std::string> options = {}, std::optional<uid_t> user = {}) {
        std::vector<std::string> command{TRACEDECK_HOST, "--socket", socket(), "--ring-folder", ringFolder()};
        command.insert(command.end(), options.begin(), options.end());
        m_process.emplace(ChildProcess::Start{std::move(command), user, -1, m_folder.file("log")});
        INFO(log());
        REQUIRE(m_process->readLine() == socket());
    }
    [[nodiscard]] std::string socket() const { return m_folder.file("host.sock"); }
    [[nodiscard]] std::string ringFolder() const { return m_folder.file("rings"); }
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name); }
    [[nodiscard]] ChildProcess& process() { return *m_process; }
    [[nodiscard]] std::string log() const {
        std::ostringstream text;
        text << std::ifstream(m_folder.file("log")).rdbuf();
        return text.str();
    }
    [[nodiscard]] std::unique_ptr<remote::RemoteController> controller() const {
        auto connection = remote::connectTo(socket());
        REQUIRE(connection.has_value());
        return std::make_unique<remote::RemoteController>(std::move(*connection));
    }
    [[nodiscard]] ChildProcess::Start client(std::vector<std::string> words, std::optional<uid_t> user = {}) const {
        std::vector<std::string> command{TRACEDECK_REMOTE_CLIENT, socket()};
        command.insert(command.end(), words.begin(), words.end());
        return {std::move(command), user, -1, {}};
    }

private:
    test::TemporaryFolder m_folder;
    std::optional<ChildProcess> m_process;
};

std::vector<SessionInfo> sessionsOf(Controller& controller) {
    const auto sessions = await<std::vector<SessionInfo>>([&](auto done) { controller.list(std::move(done)); });
    REQUIRE(sessions.has_value());
    return *sessions;
}

Result<SessionStats> stop(Controller& controller, SessionId id, std::string file = {}) {
    return await<SessionStats>([&](auto done) { controller.stop(id, std::move(file), std::move(done)); });
}

/// Waits until the session has recorded more than `events`.
bool recordsMoreThan(Controller& controller, SessionId id, std::uint64_t events) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
        const auto stats = await<SessionStats>([&](auto done) { controller.query(id, std::move(done)); });
        if (!stats || stats->eventsRecorded > events) {
            return stats.has_value();
        }
    }
    return false;
}

bool isRoot(const std::string& whatNot) {
    if (geteuid() == 0) {
        return true;
    }
    std::cerr << "SKIPPED: " << whatNot << ": needs root\n";
    return false;
}

std::vector<remote::LeftRing> leftOf(remote::RemoteController& controller) {
    const auto left = await<std::vector<remote::LeftRing>>([&](auto done) { controller.leftRings(std::move(done)); });
    REQUIRE(left.has_value());
    return *left;
}

/// The numbers of the events in the file, sorted.
std::vector<std::uint32_t> numbersOf(const test::RawEtl& etl) {
    std::vector<std::uint32_t> numbers;
    bool isWhole = true;
    for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
        for (const test::RawEvent& event : etl.buffers[i].events) {
            const auto numbered = test::readNumbered(event);
            isWhole = isWhole && numbered.has_value();
            numbers.push_back(numbered.value_or(test::NumberedEvent{}).number);
        }
    }
    CHECK(isWhole);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// What an independent reader says of a file whose session was not closed, but that it was not.
std::string otherComplaints(const std::string& path) {
    const std::string shared = test::sharedFolder("checker on the file of a killed host");
    if (shared.empty()) {
        return {};
    }
    const auto checked = test::runCommand("python3 '" + shared + "/tools/etlcheck.py' '" + path + "'");
    std::istringstream lines(checked.output);
    std::string other = checked.status == 0 ? "" : "exit status " + std::to_string(checked.status) + '\n';
    for (std::string line; std::getline(lines, line);) {
        const bool isComplaint = line.find("warning:") != std::string::npos || line.find("error:") != std::string::npos;
        if (isComplaint && line.find("not closed cleanly") == std::string::npos) {
            other += line + '\n';
        }
    }
    return other;
}

constexpr uid_t kSomebody = 61234;
constexpr uid_t kSomebodyElse = 61235;

} // namespace

TEST_CASE("A session starts in one process and stops in another", "[remote][host]") {
    HostProcess host;
    const std::string path = host.file("events.etl");
    {
        ChildProcess client(host.client({"start", "Across", path}));
        REQUIRE(client.readLine() == "started");
        const auto controller = host.controller();
        REQUIRE(sessionsOf(*controller).size() == 1);
        REQUIRE(recordsMoreThan(*controller, sessionsOf(*controller).front().id, 1000));
        client.signal(SIGKILL);
        CHECK(client.finish() == 128 + SIGKILL);
    }
    ChildProcess other(host.client({"stop", "Across"}));
    const std::string line = other.readLine().value_or("silent");
    CHECK(other.finish() == 0);
    REQUIRE(line.substr(0, 8) == "stopped ");
    const std::uint64_t events = std::stoull(line.substr(8));
    const test::RawEtl etl = test::readRawEtl(path);
    CHECK(etl.problemText().empty());
    CHECK(etl.dataEvents() == events);
    CHECK(events > 1000);
    const auto verdict = test::runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    CHECK(sessionsOf(*host.controller()).empty());
}

TEST_CASE("A ring that a killed client has left is saved by the next one", "[remote][host]") {
    HostProcess host;
    {
        ChildProcess client(host.client({"start", "Ring", "-"}));
        REQUIRE(client.readLine() == "started");
        const auto controller = host.controller();
        REQUIRE(recordsMoreThan(*controller, sessionsOf(*controller).front().id, 100));
    } // killed
    const auto controller = host.controller();
    REQUIRE(sessionsOf(*controller).size() == 1);
    const auto saved = stop(*controller, sessionsOf(*controller).front().id, host.file("ring.etl"));
    REQUIRE(saved.has_value());
    const test::RawEtl etl = test::readRawEtl(host.file("ring.etl"));
    CHECK(etl.problemText().empty());
    CHECK(etl.dataEvents() == saved->eventsRecorded);
    CHECK(etl.dataEvents() > 100);
}

TEST_CASE("Events carry the process that the kernel says has sent them", "[remote][host]") {
    HostProcess host;
    pid_t writer = 0;
    {
        ChildProcess client(host.client({"start", "Whose", host.file("whose.etl")}));
        REQUIRE(client.readLine() == "started");
        writer = client.id();
        const auto controller = host.controller();
        REQUIRE(recordsMoreThan(*controller, sessionsOf(*controller).front().id, 10));
    }
    const auto controller = host.controller();
    REQUIRE(stop(*controller, sessionsOf(*controller).front().id).has_value());
    std::ifstream file(host.file("whose.etl"), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    // EVENT_HEADER: thread and process id at 8 and 12; the main thread has the process's id.
    const auto id = static_cast<std::uint32_t>(writer);
    std::string ids(8, '\0');
    std::memcpy(ids.data(), &id, 4);
    std::memcpy(ids.data() + 4, &id, 4);
    CHECK(bytes.str().find(ids) != std::string::npos);
}

TEST_CASE("Recording goes on when its client is killed at any moment", "[remote][host][kill]") {
    HostProcess host;
    std::mt19937 random(7);
    for (int round = 0; round < rounds(); ++round) {
        INFO("round " << round);
        const std::string name = "Killed " + std::to_string(round);
        const std::string path = host.file(name + ".etl");
        {
            ChildProcess client(host.client({"start", name, path}));
            // From before it has connected to after many events.
            const auto micros = std::uniform_int_distribution<int>(0, 40'000)(random);
            const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(micros);
            while (std::chrono::steady_clock::now() < end) {
            }
        }
        // What it has started is there, once and whole, or was never begun.
        const auto controller = host.controller();
        // Behind the client's last request in the queue of the user's controller.
        REQUIRE(await<Capabilities>([&](auto done) { controller->capabilities(std::move(done)); }).has_value());
        const auto sessions = sessionsOf(*controller);
        REQUIRE(sessions.size() <= 1);
        if (sessions.empty()) {
            CHECK((!std::filesystem::exists(path) || std::filesystem::file_size(path) == 0));
            continue;
        }
        CHECK(sessions.front().name == name);
        const auto last = stop(*controller, sessions.front().id);
        REQUIRE(last.has_value());
        const test::RawEtl etl = test::readRawEtl(path);
        CHECK(etl.problemText().empty());
        CHECK(etl.dataEvents() == last->eventsRecorded);
    }
}

TEST_CASE("A host that is killed leaves a file that can be read to the last flushed buffer", "[remote][host][kill]") {
    HostProcess host;
    std::mt19937 random(11);
    for (int round = 0; round < rounds(); ++round) {
        INFO("round " << round);
        if (round > 0) {
            host.start();
        }
        const std::string path = host.file("round " + std::to_string(round) + ".etl");
        const auto controller = host.controller();
        const auto writer = controller->registerProvider("Killed-Host");
        SessionConfig config;
        config.name = "Killed host";
        config.logFileName = path;
        config.bufferSizeKib = 4;
        config.minimumBuffers = 64; // no event is lost before the flush
        const auto started = await<StartedSession>([&](auto done) { controller->start(config, std::move(done)); });
        REQUIRE(started.has_value());
        REQUIRE(await<void>([&](auto done) {
                    controller->enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
                }).has_value());
        const auto write = [&](int number) {
            for (int i = 0; i < number; ++i) {
                writer->write({"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}});
            }
        };
        write(500);
        const auto flushed =
            await<SessionStats>([&](auto done) { controller->flush(started->id, {}, std::move(done)); });
        REQUIRE(flushed.has_value());
        CHECK(flushed->eventsRecorded == 500);
        write(std::uniform_int_distribution<int>(0, 2000)(random));
        host.process().signal(SIGKILL);
        // What is outstanding ends, and what follows too.
        const auto lost = await<SessionStats>([&](auto done) { controller->query(started->id, std::move(done)); });
        const auto after = await<std::vector<SessionInfo>>([&](auto done) { controller->list(std::move(done)); });
        CHECK(host.process().finish() == 128 + SIGKILL);
        CHECK((lost.has_value() || lost.error().code == ErrorCode::HostUnreachable));
        CHECK((after.has_value() || after.error().code == ErrorCode::HostUnreachable));
        const auto gone = await<SessionStats>([&](auto done) { controller->query(started->id, std::move(done)); });
        REQUIRE_FALSE(gone.has_value());
        CHECK(gone.error().code == ErrorCode::HostUnreachable);
        CHECK_FALSE(gone.error().detail.empty());

        const test::RawEtl etl = test::readRawEtl(path);
        CHECK(etl.header.endTime == 0);
        CHECK(etl.dataEvents() >= 500);
        INFO(etl.problemText());
        CHECK(etl.problems.size() <= 1); // a buffer that was being written may be cut off
        const std::string complaints = otherComplaints(path);
        INFO(complaints);
        CHECK((etl.problems.size() == 1 || complaints.empty()));
    }
}

TEST_CASE("A ring survives kill -9 of its host at any moment, with every event that had come", "[remote][host][kill]") {
    HostProcess host;
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round < rounds(); ++round) {
        if (round > 0) {
            host.start();
        }
        SessionConfig config;
        config.name = "Killed ring";
        config.guid = randomGuid();
        config.logFileMode = etlformat::mode::kBuffering;
        config.bufferSizeKib = 16;
        // Two sizes: one that holds all, one that is overwritten.
        const bool isLarge = round % 2 == 0;
        config.minimumBuffers = isLarge ? 256 : 16;
        const auto first = std::uniform_int_distribution<std::uint32_t>(0, 4000)(random);
        const auto more = std::uniform_int_distribution<std::uint32_t>(0, 4000)(random);
        INFO("round " << round << ", killed after " << first << " and up to " << more << " events");
        {
            const auto controller = host.controller();
            const auto writer = controller->registerProvider("Tracedeck-Test");
            const auto started = await<StartedSession>([&](auto done) { controller->start(config, std::move(done)); });
            REQUIRE(started.has_value());
            REQUIRE(started->limitations.empty());
            REQUIRE(await<void>([&](auto done) {
                        controller->enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
                    }).has_value());
            for (std::uint32_t number = 0; number < first; ++number) {
                test::writeNumbered(*writer, {0, number});
            }
            // These are in the ring; what follows may be on its way, or being written.
            REQUIRE(
                await<SessionStats>([&](auto done) { controller->query(started->id, std::move(done)); }).has_value());
            for (std::uint32_t number = first; number < first + more; ++number) {
                test::writeNumbered(*writer, {0, number});
            }
            host.process().signal(SIGKILL);
            CHECK(host.process().finish() == 128 + SIGKILL);
        }
        host.start();
        const auto controller = host.controller();
        CHECK(sessionsOf(*controller).empty());
        const auto left = leftOf(*controller);
        REQUIRE(left.size() == 1);
        CHECK(left[0].session == config.guid);
        CHECK(left[0].owner == geteuid());
        const std::string path = host.file("left " + std::to_string(round) + ".etl");
        const auto saved = controller->save(config.guid, path);
        REQUIRE(saved.has_value());
        CHECK(*saved);
        const test::RawEtl etl = test::readRawEtl(path);
        CHECK(etl.problemText().empty());
        const auto verdict = test::runCheckers(path);
        INFO(verdict.complaints);
        CHECK(verdict.complaints.empty());
        const auto numbers = numbersOf(etl);
        CHECK(numbers.size() == etl.dataEvents());
        if (first > 0) {
            REQUIRE_FALSE(numbers.empty());
            CHECK(numbers.back() + 1 >= first); // every one that the host had confirmed
        }
        CHECK(etl.header.eventsLost <= 1); // what was being written
        if (!numbers.empty()) {
            CHECK(numbers.back() < first + more);
            CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
            CHECK((!isLarge || numbers.size() == std::size_t{numbers.back()} + 1)); // from 0, without a gap
        }
        CHECK(controller->discard(config.guid).has_value());
        CHECK(std::filesystem::is_empty(host.ringFolder()));
        std::filesystem::remove(path);
        host.process().signal(SIGTERM);
        CHECK(host.process().finish() == 0);
    }
}

TEST_CASE("A host that is asked to end leaves its rings to the next", "[remote][host]") {
    HostProcess host;
    {
        ChildProcess client(host.client({"start", "Ring", "-"}));
        REQUIRE(client.readLine() == "started");
        const auto controller = host.controller();
        REQUIRE(recordsMoreThan(*controller, sessionsOf(*controller).front().id, 100));
        host.process().signal(SIGTERM);
        CHECK(host.process().finish() == 0);
    }
    host.start();
    const auto controller = host.controller();
    const auto left = leftOf(*controller);
    REQUIRE(left.size() == 1);
    CHECK(left[0].name == "Ring");
    REQUIRE(controller->save(left[0].session, host.file("ring.etl")).value_or(false));
    CHECK(test::readRawEtl(host.file("ring.etl")).dataEvents() > 100);
    CHECK(controller->discard(left[0].session).has_value());
}

TEST_CASE("Killing a host over and over fills no more memory than the limits say", "[remote][host][kill]") {
    HostProcess host;
    const std::vector<std::string> options{"--buffer-memory", "8"};
    host.process().signal(SIGTERM);
    CHECK(host.process().finish() == 0);
    SessionConfig config;
    config.name = "Over and over";
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 16;
    config.minimumBuffers = 128; // 2 MiB
    const auto start = [&config](etw::remote::RemoteController& controller) {
        return await<StartedSession>([&](auto done) { controller.start(config, std::move(done)); });
    };
    // Each ring has a page of its own beside its buffers.
    const auto mostOf = [](std::size_t rings) { return std::uintmax_t{8} * 1024 * 1024 + rings * 4096; };
    std::size_t killed = 0;
    for (;; ++killed) {
        REQUIRE(killed < 100);
        host.start(options);
        const auto controller = host.controller();
        const auto started = start(*controller);
        if (!started) {
            CHECK(started.error().code == ErrorCode::SessionLimit);
            CHECK(started.error().detail.find("save or discard") != std::string::npos);
            break;
        }
        host.process().signal(SIGKILL);
        CHECK(host.process().finish() == 128 + SIGKILL);
        std::uintmax_t held = 0;
        for (const auto& each : std::filesystem::directory_iterator(host.ringFolder())) {
            held += each.file_size();
        }
        CHECK(held <= mostOf(killed + 1));
        CHECK(held >= std::uintmax_t{2} * 1024 * 1024);
    }
    // Nothing went without being asked for, and what its user lets go makes room.
    const auto controller = host.controller();
    const auto left = leftOf(*controller);
    CHECK(left.size() == killed);
    REQUIRE(killed >= 4);
    CHECK(controller->discard(left.front().session).has_value());
    CHECK(start(*controller).has_value());
}

TEST_CASE("A host takes no folder for rings that others may look into", "[remote][host]") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("rings"));
    std::filesystem::permissions(folder.file("rings"), std::filesystem::perms(0755));
    ChildProcess host({{TRACEDECK_HOST, "--socket", folder.file("host.sock"), "--ring-folder", folder.file("rings")},
                       {},
                       -1,
                       folder.file("log")});
    CHECK(host.finish() == 1);
}

TEST_CASE("A host that is asked to end closes its files", "[remote][host]") {
    const int signal = GENERATE(SIGTERM, SIGINT);
    HostProcess host;
    const std::string path = host.file("closed.etl");
    ChildProcess client(host.client({"start", "Closed", path}));
    REQUIRE(client.readLine() == "started");
    {
        const auto controller = host.controller();
        REQUIRE(recordsMoreThan(*controller, sessionsOf(*controller).front().id, 100));
    }
    host.process().signal(signal);
    CHECK(host.process().finish() == 0);
    CHECK_FALSE(std::filesystem::exists(host.socket()));
    CHECK(client.finish() == 1); // its connection is lost, and it says so
    CHECK(client.readLine().value_or("").find("failed HostUnreachable") == 0);
    const test::RawEtl etl = test::readRawEtl(path);
    CHECK(etl.problemText().empty());
    CHECK(etl.header.endTime > etl.header.startTime);
    CHECK(etl.dataEvents() > 100);
}

TEST_CASE("A host goes when nobody needs it, and not before", "[remote][host]") {
    HostProcess host({"--idle-exit", "1"});
    {
        const auto controller = host.controller();
        SessionConfig config;
        config.name = "Needed";
        config.logFileMode = etlformat::mode::kBuffering;
        REQUIRE(await<StartedSession>([&](auto done) { controller->start(config, std::move(done)); }).has_value());
    }
    // No client, but a session: longer than the limit.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    while (std::chrono::steady_clock::now() < end) {
        REQUIRE(sessionsOf(*host.controller()).size() == 1);
    }
    {
        const auto controller = host.controller();
        REQUIRE(stop(*controller, sessionsOf(*controller).front().id).has_value());
    }
    CHECK(host.process().finish() == 0);
}

TEST_CASE("Two hosts do not share a place, and a killed one's place is taken over", "[remote][host]") {
    HostProcess host;
    ChildProcess second({{TRACEDECK_HOST, "--socket", host.socket()}, {}, -1, host.file("second.log")});
    CHECK(second.finish() == 1);
    CHECK(sessionsOf(*host.controller()).empty());
    host.process().signal(SIGKILL);
    host.process().finish();
    CHECK(std::filesystem::exists(host.socket()));
    const auto nobody = remote::connectTo(host.socket());
    REQUIRE_FALSE(nobody.has_value());
    CHECK(nobody.error().code == ErrorCode::HostUnreachable);
    host.start();
    CHECK(sessionsOf(*host.controller()).empty());
}

TEST_CASE("A host refuses a folder that others may write to", "[remote][host]") {
    const test::TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    ChildProcess host({{TRACEDECK_HOST, "--socket", folder.file("host.sock")}, {}, -1, folder.file("log")});
    CHECK(host.finish() == 1);
}

TEST_CASE("A host takes the socket that systemd hands over", "[remote][host]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("activated.sock");
    auto listener = remote::listenAt(path, 0600);
    REQUIRE(listener.has_value());
    auto early = remote::connectTo(path); // before there is a host: systemd's socket waits
    REQUIRE(early.has_value());
    ChildProcess host({{TRACEDECK_HOST, "--idle-exit", "1", "--ring-folder", folder.file("rings")},
                       {},
                       listener->get(),
                       folder.file("log")});
    {
        remote::RemoteController controller(std::move(*early));
        CHECK(sessionsOf(controller).empty());
    }
    CHECK(host.finish() == 0); // on demand, so it goes; the socket stays systemd's
    CHECK(std::filesystem::exists(path));

    ChildProcess wrong({{TRACEDECK_HOST}, {}, STDERR_FILENO, folder.file("log")});
    CHECK(wrong.finish() == 1);
}

TEST_CASE("The host's command line answers and complains", "[remote][host]") {
    const auto ends = [](std::vector<std::string> words) {
        words.insert(words.begin(), TRACEDECK_HOST);
        return ChildProcess({std::move(words), {}, -1, "/dev/null"}).finish();
    };
    CHECK(ends({"--help"}) == 0);
    CHECK(ends({"--version"}) == 0);
    CHECK(ends({"--sessions", "0"}) == 2);
    CHECK(ends({"--disk", "much"}) == 2);
    CHECK(ends({"--unknown"}) == 2);
    CHECK(ends({"--for-user"}) == 1); // without pkexec
    CHECK(ends({"--socket", "/nowhere/at/all/host.sock"}) == 1);
}

TEST_CASE("A host without rights keeps event sessions and refuses the kernel with the reason", "[remote][host]") {
    if (!isRoot("a host of an ordinary user")) {
        return;
    }
    HostProcess host({}, kSomebody);
    ChildProcess client(host.client({"start", "Own", host.file("own.etl")}, kSomebody));
    REQUIRE(client.readLine() == "started");
    ChildProcess system(host.client({"start-system", "Kernel", host.file("kernel.etl")}, kSomebody));
    const std::string line = system.readLine().value_or("silent");
    INFO(line);
    CHECK(system.finish() == 1);
    CHECK(line.find("failed AccessDenied") == 0);
    CHECK(line.find("tracedeck") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(host.file("kernel.etl")));
}

TEST_CASE("A host of root keeps few capabilities, and records the kernel with them", "[remote][host][live]") {
    if (!isRoot("the capabilities of a host")) {
        return;
    }
    HostProcess host;
    std::ifstream status("/proc/" + std::to_string(host.process().id()) + "/status");
    std::ostringstream text;
    text << status.rdbuf();
    INFO(text.str());
    const auto valueOf = [&](const std::string& name) {
        const std::size_t at = text.str().find(name + ":\t");
        return at == std::string::npos ? std::uint64_t{0}
                                       : std::stoull(text.str().substr(at + name.size() + 2), nullptr, 16);
    };
    constexpr std::uint64_t kAllowed = (1ULL << 38U) | (1ULL << 19U) | (1ULL << 34U) | (1ULL << 2U) | (1ULL << 14U) |
                                       (1ULL << 21U); // perfmon, ptrace, syslog, read search, lock, admin
    CHECK((valueOf("CapEff") & ~kAllowed) == 0);
    CHECK((valueOf("CapPrm") & ~kAllowed) == 0);
    CHECK((valueOf("CapBnd") & ~kAllowed) == 0);
    CHECK(valueOf("NoNewPrivs") == 1);
    if ((valueOf("CapEff") & (1ULL << 38U)) == 0) {
        std::cerr << "SKIPPED: recording the kernel with few capabilities: this machine's root has no CAP_PERFMON\n";
        return;
    }
    ChildProcess system(host.client({"start-system", "Kernel", host.file("kernel.etl")}));
    const std::string line = system.readLine().value_or("silent");
    if (line.find("failed KernelEventsRefused") == 0) {
        std::cerr << "SKIPPED: recording the kernel with few capabilities: " << line << '\n';
        return;
    }
    CHECK(line == "started");
    const auto controller = host.controller();
    REQUIRE(sessionsOf(*controller).size() == 1);
    const auto last = stop(*controller, sessionsOf(*controller).front().id);
    REQUIRE(last.has_value());
    const auto verdict = test::runCheckers(host.file("kernel.etl"));
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
}
