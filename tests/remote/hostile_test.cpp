// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/wait.h"
#include "tests/engine/raw_etl.h"
#include "tests/remote/hanging_files.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/test_host.h"
#include "tests/support/temporary_folder.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;
using test::RawClient;

namespace {

constexpr int kKinds = std::variant_size_v<request::Body>;

std::size_t openDescriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// A recording that must not notice what others do to the host.
class Victim {
public:
    explicit Victim(test::TestHost& host)
        : m_controller(host.controller()), m_writer(m_controller->registerProvider("Victim")) {
        SessionConfig config;
        config.name = "Victim";
        config.logFileName = m_path;
        config.minimumBuffers = 64;
        const auto started = await<StartedSession>([&](auto done) { m_controller->start(config, std::move(done)); });
        REQUIRE(started.has_value());
        m_session = started->id;
        REQUIRE(await<void>([&](auto done) {
                    m_controller->enable(m_session, {m_writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
                }).has_value());
    }
    /// Goes on recording; false where that is disturbed.
    [[nodiscard]] bool goesOn() {
        for (int i = 0; i < 10; ++i) {
            m_writer->write({"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}});
            ++m_written;
        }
        const auto stats = await<SessionStats>([&](auto done) { m_controller->query(m_session, std::move(done)); });
        return stats && stats->eventsRecorded == m_written && stats->eventsLost == 0;
    }
    /// Its file is whole.
    void end() {
        CHECK(goesOn());
        REQUIRE(
            await<SessionStats>([&](auto done) { m_controller->stop(m_session, {}, std::move(done)); }).has_value());
        const test::RawEtl etl = test::readRawEtl(m_path);
        CHECK(etl.problemText().empty());
        CHECK(etl.dataEvents() == m_written);
    }

private:
    test::TemporaryFolder m_folder;
    std::string m_path = m_folder.file("victim.etl");
    std::unique_ptr<RemoteController> m_controller;
    std::unique_ptr<EventWriter> m_writer;
    SessionId m_session;
    std::uint64_t m_written = 0;
};

SessionConfig fileSession(const std::string& path) {
    SessionConfig config;
    config.name = "Hostile";
    config.logFileName = path;
    return config;
}

SessionConfig ring(const std::string& name) {
    SessionConfig config;
    config.name = name;
    config.logFileMode = etlformat::mode::kBuffering;
    return config;
}

Result<StartedSession> start(Controller& controller, SessionConfig config) {
    return await<StartedSession>([&](auto done) { controller.start(std::move(config), std::move(done)); });
}

/// What the host says to a start with this descriptor.
Error refusalOf(test::TestHost& host, int file, const std::string& path = "/offered.etl") {
    RawClient client(host.connect());
    REQUIRE(client.send(request::Start{fileSession(path), {true, {}}}, file));
    const auto reply = client.receive();
    REQUIRE(reply.has_value());
    const auto* failed = std::get_if<reply::Failed>(&reply->body);
    REQUIRE(failed != nullptr);
    return failed->error;
}

/// Waits until as many descriptors are open as before: the host has closed its ends.
bool closesAllBut(std::size_t before) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (openDescriptors() > before) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("Garbage ends its own connection and nothing else", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    const std::size_t before = openDescriptors();
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        RawClient client(host.connect());
        std::vector<std::byte> garbage(std::uniform_int_distribution<std::size_t>(1, 2000)(random));
        for (std::byte& each : garbage) {
            each = static_cast<std::byte>(random());
        }
        if (round % 2 == 0 && garbage.size() > 12) { // a kind of message, and nonsense in it
            const std::array<std::byte, 4> header{std::byte{kProtocolVersion}, std::byte{0},
                                                  static_cast<std::byte>(round / 2 % kKinds), std::byte{0}};
            std::copy(header.begin(), header.end(), garbage.begin());
        }
        client.sendBytes(garbage);
        client.send(request::List{});
        if (round % 20 == 0) {
            CHECK(victim.goesOn());
        }
    }
    RawClient client(host.connect());
    client.sendBytes(std::vector<std::byte>(100, std::byte{0xEE}));
    const auto reply = client.receive(); // it is told why
    REQUIRE(reply.has_value());
    CHECK(std::holds_alternative<reply::Failed>(reply->body));
    CHECK(client.waitForEnd());
    CHECK(closesAllBut(before + 1)); // this client's own end
    victim.end();
}

TEST_CASE("Messages cut short are refused at every length", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    const auto whole = encode(Request{1, request::Start{fileSession("/half.etl"), {}}});
    REQUIRE(whole.has_value());
    for (std::size_t size = 1; size < whole->size(); size += 7) {
        RawClient client(host.connect());
        REQUIRE(client.sendBytes(std::span(*whole).first(size)));
        CHECK(client.waitForEnd());
    }
    RawClient nothing(host.connect());
    nothing.sendBytes({});
    CHECK(nothing.waitForEnd());
    victim.end();
}

TEST_CASE("A packet larger than any message is refused", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    RawClient client(host.connect());
    REQUIRE(client.sendBytes(std::vector<std::byte>(kLargestPacket + 1)));
    CHECK(client.waitForEnd());
    victim.end();
}

TEST_CASE("Descriptors that are no file of the client's are refused", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    const test::TemporaryFolder folder;
    const std::size_t before = openDescriptors();
    const auto make = [&](const std::string& name, int flags) {
        std::ofstream(folder.file(name)).put('x');
        return Descriptor(::open(folder.file(name).c_str(), flags | O_CLOEXEC));
    };
    std::array<int, 2> pipes{-1, -1};
    REQUIRE(::pipe2(pipes.data(), O_CLOEXEC) == 0);
    std::array<int, 2> sockets{-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0);
    std::vector<std::pair<const char*, Descriptor>> offered;
    offered.emplace_back("a folder", Descriptor(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    offered.emplace_back("a pipe", Descriptor(pipes[1]));
    offered.emplace_back("the other end", Descriptor(pipes[0]));
    offered.emplace_back("a socket", Descriptor(sockets[0]));
    offered.emplace_back("its other end", Descriptor(sockets[1]));
    offered.emplace_back("a device", Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)));
    offered.emplace_back("a file to be read", make("read", O_RDONLY));
    offered.emplace_back("a file to be written and not read", make("write", O_WRONLY));
    offered.emplace_back("a file to be appended to", make("append", O_RDWR | O_APPEND));
    offered.emplace_back("a place in the file system", make("path", O_PATH));
    offered.emplace_back("memory without a name", Descriptor(::memfd_create("test", MFD_CLOEXEC)));
    offered.emplace_back("a file of the kernel's", Descriptor(::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)));
    for (const auto& [what, file] : offered) {
        INFO(what);
        REQUIRE(file.isOpen());
        const Error error = refusalOf(host, file.get());
        INFO(error.detail);
        CHECK(error.code == ErrorCode::AccessDenied);
        CHECK(error.native == win32::kAccessDenied);
    }
    {
        const Descriptor full = make("full", O_RDWR); // a new file is empty
        CHECK(refusalOf(host, full.get()).code == ErrorCode::FileExists);
    }
    CHECK(std::filesystem::file_size(folder.file("full")) == 1);
    offered.clear();
    CHECK(closesAllBut(before));
    victim.end();
}

TEST_CASE("A file of another user is refused", "[remote][hostile]") {
    const test::TemporaryFolder folder;
    const Descriptor file(::open(folder.file("theirs").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
    REQUIRE(file.isOpen());
    CHECK(checkOffered(file.get(), ::geteuid()).has_value());
    const auto refused = checkOffered(file.get(), ::geteuid() + 1);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::AccessDenied);
}

TEST_CASE("A descriptor that does not belong to a message, or is missing, ends the connection", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    const std::size_t before = openDescriptors();
    const Descriptor some(::open("/dev/null", O_RDWR | O_CLOEXEC));
    {
        RawClient client(host.connect());
        REQUIRE(client.send(request::List{}, some.get()));
        CHECK(client.waitForEnd());
    }
    {
        RawClient client(host.connect());
        REQUIRE(client.send(request::Start{fileSession("/missing.etl"), {true, {}}}));
        CHECK(client.waitForEnd());
    }
    {
        RawClient client(host.connect()); // no file at all, and no reason why
        REQUIRE(client.send(request::Start{fileSession("/etc/passwd"), {}}));
        const auto reply = client.receive();
        REQUIRE(reply.has_value());
        CHECK(std::get<reply::Failed>(reply->body).error.code == ErrorCode::AccessDenied);
    }
    CHECK(closesAllBut(before + 1));
    victim.end();
}

TEST_CASE("A thousand descriptors are not kept", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    const std::size_t before = openDescriptors();
    {
        const Descriptor some(::open("/dev/null", O_RDWR | O_CLOEXEC));
        const auto packet = encode(Request{1, request::List{}});
        const auto begin = encode(Request{1, request::Start{fileSession("/many.etl"), {true, {}}}});
        for (int i = 0; i < 8; ++i) {
            RawClient client(host.connect());
            REQUIRE(client.sendMany(i % 2 == 0 ? *packet : *begin, std::vector<int>(125, some.get())));
            CHECK(client.waitForEnd());
        }
        RawClient client(host.connect());
        for (int i = 0; i < 1000; ++i) { // one with each message, as fast as they are read
            while (!client.send(request::Start{fileSession("/many.etl"), {true, {}}}, some.get())) {
                REQUIRE(client.receive().has_value());
            }
        }
        CHECK(victim.goesOn());
    }
    CHECK(closesAllBut(before));
    victim.end();
}

TEST_CASE("A file that hangs whoever looks at it hangs nobody else", "[remote][hostile]") {
    test::HangingFiles files;
    if (!files.isMounted()) {
        std::cerr << "SKIPPED: files that hang: needs root and /dev/fuse\n";
        return;
    }
    const Descriptor file(files.open());
    REQUIRE(file.isOpen());
    CHECK(mayWait(file.get()));
    files.hang();
    CHECK(mayWait(file.get())); // and says so without waiting
    {
        test::TestHost host;
        Victim victim(host);
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 2; ++i) {
            // One that is to be looked at, and one that is only to be closed.
            clients.push_back(std::make_unique<RawClient>(host.connect()));
            REQUIRE(clients.back()->send(request::Start{fileSession("/hanging.etl"), {true, {}}}, file.get()));
            clients.push_back(std::make_unique<RawClient>(host.connect()));
            REQUIRE(clients.back()->send(request::List{}, file.get()));
            CHECK(clients.back()->waitForEnd());
        }
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (files.unanswered() == 0 && std::chrono::steady_clock::now() < end) {
        }
        CHECK(files.unanswered() > 0);
        // Four threads of this user's hang: nothing more is taken from him, and nobody new of his.
        RawClient more(host.connect());
        CHECK(more.waitForEnd());
        files.end(); // now all get their errors
        const auto reply = clients.front()->receive();
        REQUIRE(reply.has_value());
        CHECK(std::holds_alternative<reply::Failed>(reply->body));
        victim.end();
    }
}

TEST_CASE("A client that never reads is waited for no longer than the limit", "[remote][hostile]") {
    Limits limits;
    limits.patience = std::chrono::milliseconds(300);
    test::TestHost host(limits);
    Victim victim(host);
    RawClient client(host.connect());
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::size_t sent = 0;
    bool isFull = false;
    pollfd watched{};
    // Until there is no room: the host reads no more requests than it has answers to keep. Then it hangs up.
    while (std::chrono::steady_clock::now() < end && (watched.revents & POLLHUP) == 0) {
        const bool hasRoom = client.send(request::AskCapabilities{});
        sent += hasRoom ? 1U : 0U;
        isFull = isFull || !hasRoom;
        if (sent % 64 == 0) {
            CHECK(victim.goesOn());
        }
        watched = {client.descriptor(), 0, 0};
        ::poll(&watched, 1, 0);
    }
    CHECK(isFull);
    CHECK((watched.revents & POLLHUP) != 0);
    victim.end();
}

TEST_CASE("A flood of events and requests leaves others their turn", "[remote][hostile]") {
    test::TestHost host;
    Victim victim(host);
    RawClient client(host.connect());
    REQUIRE(client.send(request::RegisterProvider{1, "Flood"}));
    std::atomic<bool> isOver{false};
    std::thread flood([&] {
        const auto event =
            encode(Request{0, request::WriteEvent{1, {"Flood", 4, 0, 1, {{"text", std::string(1000, 'x')}}}}});
        while (!isOver) {
            client.sendBytes(*event);
        }
    });
    for (int i = 0; i < 100; ++i) {
        CHECK(victim.goesOn());
    }
    isOver = true;
    flood.join();
    victim.end();
}

TEST_CASE("Connections of a user are limited", "[remote][hostile]") {
    Limits limits;
    limits.connections = 4;
    test::TestHost host(limits);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(std::make_unique<RawClient>(host.connect()));
        REQUIRE(clients.back()->send(request::List{}));
        REQUIRE(clients.back()->receive().has_value());
    }
    RawClient more(host.connect());
    CHECK(more.waitForEnd());
    clients.pop_back();
    // The host learns of it by and by.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    bool isTaken = false;
    while (!isTaken && std::chrono::steady_clock::now() < end) {
        RawClient next(host.connect());
        isTaken = next.send(request::List{}) && next.receive().has_value();
    }
    CHECK(isTaken);
}

TEST_CASE("Sessions, buffers and providers of a user are limited", "[remote][limits]") {
    Limits limits;
    limits.sessions = 2;
    limits.bufferMemory = mib(16);
    limits.providers = 2;
    test::TestHost host(limits);
    const auto controller = host.controller();
    SessionConfig large = ring("large");
    large.bufferSizeKib = 16384; // two for each processor
    const auto tooLarge = start(*controller, large);
    REQUIRE_FALSE(tooLarge.has_value());
    CHECK(tooLarge.error().code == ErrorCode::SessionLimit);
    CHECK(tooLarge.error().native == win32::kNoSystemResources);

    SessionConfig wide = ring("wide"); // as rings of a share of the machine's memory are
    wide.minimumBuffers = 100'000;
    const auto fitted = start(*controller, wide);
    REQUIRE(fitted.has_value());
    CHECK(std::uint64_t{fitted->stats.numberOfBuffers} * kib(fitted->stats.bufferSizeKib).count <= mib(16).count);
    CHECK(await<SessionStats>([&](auto done) { controller->update(fitted->id, wide, std::move(done)); }).has_value());
    REQUIRE(await<SessionStats>([&](auto done) { controller->stop(fitted->id, {}, std::move(done)); }).has_value());

    const test::TemporaryFolder folder;
    SessionConfig growing = fileSession(folder.file("growing.etl"));
    growing.maximumBuffers = 1'000'000; // held to what there is
    const auto held = start(*controller, growing);
    REQUIRE(held.has_value());
    CHECK(std::uint64_t{held->stats.maximumBuffers} * kib(held->stats.bufferSizeKib).count <= mib(16).count);
    const auto updated = await<SessionStats>(
        [&](auto done) { controller->update(held->id, growing, std::move(done)); }); // as it was given to start()
    REQUIRE(updated.has_value());
    CHECK(updated->maximumBuffers == held->stats.maximumBuffers);

    const auto noneLeft = start(*controller, ring("second"));
    REQUIRE_FALSE(noneLeft.has_value());
    CHECK(noneLeft.error().code == ErrorCode::SessionLimit);
    REQUIRE(await<SessionStats>([&](auto done) { controller->stop(held->id, {}, std::move(done)); }).has_value());
    REQUIRE(start(*controller, ring("first")).has_value()); // what was taken is free again
    REQUIRE(start(*controller, ring("second")).has_value());
    const auto third = start(*controller, ring("third"));
    REQUIRE_FALSE(third.has_value());
    CHECK(third.error().code == ErrorCode::SessionLimit);

    RawClient client(host.connect());
    for (std::uint32_t number = 1; number <= 3; ++number) {
        REQUIRE(client.send(request::RegisterProvider{number, "P" + std::to_string(number)}));
        const auto reply = client.receive();
        REQUIRE(reply.has_value());
        CHECK(std::holds_alternative<reply::Done>(reply->body) == (number <= 2));
    }
}

TEST_CASE("What a user's files may grow by is limited, as by a full disk", "[remote][limits]") {
    Limits limits;
    limits.disk = mib(1);
    test::TestHost host(limits);
    const test::TemporaryFolder folder;
    const auto controller = host.controller();
    const auto writer = controller->registerProvider("Large");
    SessionConfig config = fileSession(folder.file("large.etl"));
    const auto begun = start(*controller, config);
    REQUIRE(begun.has_value());
    REQUIRE(await<void>([&](auto done) {
                controller->enable(begun->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
            }).has_value());
    for (int i = 0; i < 200; ++i) {
        for (int k = 0; k < 20; ++k) {
            writer->write({"Event", 4, 0, 1, {{"text", std::string(1000, 'x')}}});
        }
        REQUIRE(await<SessionStats>([&](auto done) { controller->flush(begun->id, {}, std::move(done)); }).has_value());
    }
    const auto last = await<SessionStats>([&](auto done) { controller->stop(begun->id, {}, std::move(done)); });
    REQUIRE(last.has_value());
    REQUIRE(last->writeError.has_value());
    CHECK(last->writeError->code == ErrorCode::DiskFull);
    CHECK(last->fileSize <= mib(1));
    CHECK(std::filesystem::file_size(config.logFileName) <= mib(1).count);
    CHECK(test::readRawEtl(config.logFileName).problemText().empty());
    // What a closed file has taken is given back.
    config.logFileName = folder.file("next.etl");
    CHECK(start(*controller, config).has_value());
}

TEST_CASE("A system logger wants the authority's consent, an event session does not", "[remote][authority]") {
    test::TestHost host;
    const auto controller = host.controller();
    const test::TemporaryFolder folder;
    SessionConfig system = fileSession(folder.file("system.etl"));
    system.logFileMode |= etlformat::mode::kSystemLogger;
    system.kernelGroups.set(etlformat::group::kProfile);
    host.authority.mayRecord = false;
    const auto refused = start(*controller, system);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::AccessDenied);
    CHECK(refused.error().detail.find("the test says no") != std::string::npos);
    CHECK(host.authority.asked == 1);
    CHECK(host.authority.lastProcess == static_cast<std::uint32_t>(::getpid()));
    CHECK_FALSE(std::filesystem::exists(system.logFileName)); // nothing is left of it

    const auto event = start(*controller, ring("event"));
    CHECK(event.has_value());
    CHECK(host.authority.asked == 1);
    host.authority.mayRecord = true;
    const auto begun = start(*controller, system);
    REQUIRE(begun.has_value());
    CHECK(host.authority.asked == 2);
    REQUIRE(await<SessionStats>([&](auto done) { controller->stop(begun->id, {}, std::move(done)); }).has_value());
    CHECK(test::readRawEtl(system.logFileName).problemText().empty());
}

TEST_CASE("A client that goes while the authority thinks starts nothing", "[remote][authority]") {
    test::TestHost host;
    host.authority.isHeld = true;
    SessionConfig system = ring("system");
    system.logFileMode |= etlformat::mode::kSystemLogger;
    system.kernelGroups.set(etlformat::group::kProfile);
    const std::size_t before = openDescriptors();
    {
        RawClient client(host.connect());
        REQUIRE(client.send(request::Start{system, {}}));
        while (host.authority.asked == 0) {
            std::this_thread::yield();
        }
    }
    REQUIRE(closesAllBut(before)); // the host has noticed
    host.authority.release();
    const auto controller = host.controller();
    REQUIRE(await<Capabilities>([&](auto done) { controller->capabilities(std::move(done)); }).has_value());
    const auto sessions = await<std::vector<SessionInfo>>([&](auto done) { controller->list(std::move(done)); });
    REQUIRE(sessions.has_value());
    CHECK(sessions->empty());
}
