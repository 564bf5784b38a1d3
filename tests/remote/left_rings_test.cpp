// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/numbered_events.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/rings.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;
using test::leftOf;
using test::RawClient;
using test::TestHost;

namespace {

/// Records `events` in memory at a host that then ends with the session still running.
Guid leaveRing(const std::string& folder, std::uint32_t events, SessionConfig config = test::ringOf("Left")) {
    TestHost host({}, {}, folder);
    const auto controller = host.controller();
    const auto writer = controller->registerProvider("Tracedeck-Test");
    const auto started = test::startAt(*controller, config);
    REQUIRE(started.has_value());
    REQUIRE(started->limitations.empty());
    REQUIRE(await<void>([&](auto done) {
                controller->enable(started->id, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
            }).has_value());
    for (std::uint32_t number = 0; number < events; ++number) {
        test::writeNumbered(*writer, {0, number});
    }
    const auto stats = await<SessionStats>([&](auto done) { controller->query(started->id, std::move(done)); });
    REQUIRE(stats.has_value());
    REQUIRE(stats->eventsRecorded == events);
    return config.guid;
}

/// The events of a saved ring, which are numbered from 0 without a gap.
std::size_t wholeEvents(const std::string& path) {
    const test::RawEtl etl = test::readRawEtl(path);
    CHECK(etl.problemText().empty());
    const auto verdict = test::runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    std::vector<std::uint32_t> numbers;
    for (const test::RawBuffer& buffer : etl.buffers) {
        for (const test::RawEvent& event : buffer.events) {
            if (const auto numbered = &buffer == etl.buffers.data() ? std::nullopt : test::readNumbered(event)) {
                numbers.push_back(numbered->number);
            }
        }
    }
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE(numbers[i] == i);
    }
    return numbers.size();
}

bool hasFiles(const std::string& folder) {
    return !std::filesystem::is_empty(folder);
}

/// A volume of a megabyte that is nearly full.
class FullVolume {
public:
    FullVolume() {
        m_isMounted =
            ::geteuid() == 0 && ::mount("tracedeck-test", m_folder.path().c_str(), "tmpfs", 0, "size=1m") == 0;
        if (!m_isMounted) {
            std::cerr << "SKIPPED: a volume runs full under a host: no right to mount a tmpfs (" << std::strerror(errno)
                      << ")\n";
            return;
        }
        fill();
    }
    ~FullVolume() {
        if (m_isMounted) {
            CHECK(::umount2(m_folder.path().c_str(), MNT_DETACH) == 0);
        }
    }
    FullVolume(const FullVolume&) = delete;
    FullVolume& operator=(const FullVolume&) = delete;
    [[nodiscard]] bool isThere() const noexcept { return m_isMounted; }
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name); }
    void empty() const { std::filesystem::remove(m_folder.file("filler")); }
    void fill() const {
        std::ofstream filler(m_folder.file("filler"), std::ios::binary);
        const std::string page(4096, 'f');
        while (filler.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
        }
    }

private:
    test::TemporaryFolder m_folder;
    bool m_isMounted = false;
};

/// What the host says to a wish to save the ring with that descriptor.
reply::Body replyToSave(TestHost& host, const Guid& session, OfferedFile offered, int file) {
    RawClient client(host.connect());
    REQUIRE(client.send(request::SaveRing{session, "/offered.etl", std::move(offered)}, file));
    auto reply = client.receive();
    REQUIRE(reply.has_value());
    return std::move(reply->body);
}

ErrorCode refusalOf(const reply::Body& body) {
    const auto* failed = std::get_if<reply::Failed>(&body);
    REQUIRE(failed != nullptr);
    CHECK_FALSE(failed->error.detail.empty());
    return failed->error.code;
}

} // namespace

TEST_CASE("A ring that an ended host has left is told, saved and discarded through the next", "[remote][rings]") {
    const test::TemporaryFolder rings;
    const test::TemporaryFolder target;
    constexpr std::uint32_t kEvents = 3000;
    const Guid session = leaveRing(rings.path(), kEvents);
    TestHost host({}, {}, rings.path());
    const auto controller = host.controller();
    const auto left = leftOf(*controller);
    REQUIRE(left.size() == 1);
    CHECK(left[0].session == session);
    CHECK(left[0].name == "Left");
    CHECK(left[0].owner == ::geteuid());
    CHECK(left[0].size >= kib(16 * 64));

    const auto saved = controller->save(session, target.file("left.etl"));
    REQUIRE(saved.has_value());
    CHECK(*saved);
    CHECK(wholeEvents(target.file("left.etl")) == kEvents);
    struct stat status {};
    REQUIRE(::stat(target.file("left.etl").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);
    CHECK(leftOf(*controller).size() == 1); // until the user has what was saved
    CHECK(controller->discard(session).has_value());
    CHECK(leftOf(*controller).empty());
    CHECK_FALSE(hasFiles(rings.path()));
    CHECK(controller->discard(session).has_value());

    const auto again = controller->save(session, target.file("again.etl"));
    REQUIRE(again.has_value());
    CHECK_FALSE(*again);
    CHECK_FALSE(std::filesystem::exists(target.file("again.etl")));
}

TEST_CASE("A ring that runs is nobody's to rescue, and one that was stopped leaves nothing", "[remote][rings]") {
    const test::TemporaryFolder rings;
    const test::TemporaryFolder target;
    TestHost host({}, {}, rings.path());
    const auto controller = host.controller();
    const SessionConfig config = test::ringOf("Running");
    const auto started = test::startAt(*controller, config);
    REQUIRE(started.has_value());
    CHECK(hasFiles(rings.path()));
    CHECK(leftOf(*controller).empty());
    const auto saved = controller->save(config.guid, target.file("a.etl"));
    REQUIRE(saved.has_value());
    CHECK_FALSE(*saved);
    CHECK(controller->discard(config.guid).has_value());
    CHECK(hasFiles(rings.path()));
    REQUIRE(await<SessionStats>([&](auto done) { controller->stop(started->id, {}, std::move(done)); }).has_value());
    CHECK_FALSE(hasFiles(rings.path()));
}

TEST_CASE("A host tells the GUID of a session, given or not", "[remote][rings]") {
    TestHost host;
    const auto controller = host.controller();
    SessionConfig given = test::ringOf("Given");
    SessionConfig none = test::ringOf("None");
    none.guid = {};
    REQUIRE(test::startAt(*controller, given).has_value());
    REQUIRE(test::startAt(*controller, none).has_value());
    const auto all = await<std::vector<SessionInfo>>([&](auto done) { controller->list(std::move(done)); });
    REQUIRE(all.has_value());
    REQUIRE(all->size() == 2);
    CHECK(all->at(0).guid == given.guid);
    CHECK_FALSE(all->at(1).guid.isNull());
}

TEST_CASE("Where there are no rings a host says so", "[remote][rings]") {
    const test::TemporaryFolder target;
    TestHost host;
    const auto controller = host.controller();
    CHECK(leftOf(*controller).empty());
    const auto saved = controller->save(randomGuid(), target.file("a.etl"));
    REQUIRE(saved.has_value());
    CHECK_FALSE(*saved);
    CHECK_FALSE(std::filesystem::exists(target.file("a.etl")));
    CHECK(controller->discard(randomGuid()).has_value());
}

TEST_CASE("A ring is saved to nothing but a file of the client's", "[remote][rings][hostile]") {
    const test::TemporaryFolder rings;
    const test::TemporaryFolder folder;
    const Guid session = leaveRing(rings.path(), 100);
    TestHost host({}, {}, rings.path());
    const std::string path = folder.file("offered.etl");
    SECTION("no descriptor, and no reason for that") {
        CHECK(refusalOf(replyToSave(host, session, {}, -1)) == ErrorCode::AccessDenied);
    }
    SECTION("the client could not open it") {
        const Error why{ErrorCode::DiskFull, "full", 28};
        CHECK(refusalOf(replyToSave(host, session, {false, why}, -1)) == ErrorCode::DiskFull);
    }
    SECTION("a descriptor that is announced and missing ends the connection") {
        RawClient client(host.connect());
        REQUIRE(client.send(request::SaveRing{session, "/offered.etl", {true, {}}}));
        CHECK(client.waitForEnd());
    }
    SECTION("open for reading, or for appending") {
        std::ofstream(path).flush();
        const int flags = GENERATE(O_RDONLY, O_WRONLY, O_RDWR | O_APPEND);
        const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
        REQUIRE(file.isOpen());
        CHECK(refusalOf(replyToSave(host, session, {true, {}}, file.get())) == ErrorCode::AccessDenied);
        CHECK(std::filesystem::file_size(path) == 0);
    }
    SECTION("a file with something in it") {
        std::ofstream(path) << "mine";
        const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        CHECK(refusalOf(replyToSave(host, session, {true, {}}, file.get())) == ErrorCode::FileExists);
        CHECK(std::filesystem::file_size(path) == 4);
    }
    SECTION("the client's own file is there already") {
        std::ofstream(path) << "mine";
        const auto saved = host.controller()->save(session, path);
        REQUIRE_FALSE(saved.has_value());
        CHECK(saved.error().code == ErrorCode::FileExists);
        CHECK(std::filesystem::file_size(path) == 4);
    }
    CHECK(leftOf(*host.controller()).size() == 1);
    REQUIRE(host.controller()->save(session, folder.file("saved.etl")).value_or(false));
    CHECK(wholeEvents(folder.file("saved.etl")) == 100);
}

TEST_CASE("A full disk while a ring is saved costs nothing but the file", "[remote][rings][disk]") {
    const test::TemporaryFolder rings;
    const test::TemporaryFolder folder;
    constexpr std::uint32_t kEvents = 3000;
    const Guid session = leaveRing(rings.path(), kEvents);
    const auto fillsUp = [&](TestHost& host, const std::string& path) {
        const auto controller = host.controller();
        const auto refused = controller->save(session, path);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::DiskFull);
        CHECK_FALSE(std::filesystem::exists(path));
        CHECK(leftOf(*controller).size() == 1); // and the host lives on
    };
    SECTION("the user's share of it") {
        Limits limits;
        limits.disk = kib(128);
        TestHost host(limits, {}, rings.path());
        fillsUp(host, folder.file("a.etl"));
    }
    SECTION("of the volume") {
        const FullVolume volume;
        if (!volume.isThere()) {
            return;
        }
        TestHost host({}, {}, rings.path());
        fillsUp(host, volume.file("a.etl"));
    }
    TestHost host({}, {}, rings.path());
    REQUIRE(host.controller()->save(session, folder.file("a.etl")).value_or(false));
    CHECK(wholeEvents(folder.file("a.etl")) == kEvents);
}

TEST_CASE("A volume that is full at any moment of a recording in a host loses nothing that it had", "[remote][disk]") {
    const FullVolume volume;
    if (!volume.isThere()) {
        return;
    }
    const test::TemporaryFolder rings;
    const test::TemporaryFolder folder;
    TestHost host({}, {}, rings.path());
    const auto controller = host.controller();
    const auto writer = controller->registerProvider("Tracedeck-Test");
    SessionConfig config = test::ringOf("Full");
    const auto enable = [&](SessionId session) {
        REQUIRE(await<void>([&](auto done) {
                    controller->enable(session, {writer->providerId(), "", 0xFF, 0, 0, false}, std::move(done));
                }).has_value());
    };
    const auto write = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t number = begin; number < end; ++number) {
            test::writeNumbered(*writer, {0, number});
        }
    };
    const auto stop = [&](SessionId session, const std::string& file) {
        return await<SessionStats>([&](auto done) { controller->stop(session, file, std::move(done)); });
    };
    SECTION("at the start") {
        config.logFileMode = 0;
        config.logFileName = volume.file("a.etl");
        const auto refused = test::startAt(*controller, config);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::DiskFull);
        CHECK_FALSE(std::filesystem::exists(config.logFileName));
    }
    SECTION("while it records") {
        volume.empty();
        config.logFileMode = 0;
        config.logFileName = volume.file("a.etl");
        const auto started = test::startAt(*controller, config);
        REQUIRE(started.has_value());
        enable(started->id);
        write(0, 1000);
        const auto flushed =
            await<SessionStats>([&](auto done) { controller->flush(started->id, {}, std::move(done)); });
        REQUIRE(flushed.has_value());
        REQUIRE(flushed->eventsRecorded == 1000);
        volume.fill();
        write(1000, 20'000);
        REQUIRE(
            await<SessionStats>([&](auto done) { controller->flush(started->id, {}, std::move(done)); }).has_value());
        const auto last = stop(started->id, {});
        REQUIRE(last.has_value());
        REQUIRE(last->writeError.has_value());
        CHECK(last->writeError->code == ErrorCode::DiskFull);
        CHECK(last->eventsRecorded + last->eventsLost == 20'000);
        const std::size_t whole = wholeEvents(config.logFileName);
        CHECK(whole == last->eventsRecorded);
        CHECK(whole >= 1000);
    }
    SECTION("at the stop of a ring, which is kept for another volume") {
        const auto started = test::startAt(*controller, config);
        REQUIRE(started.has_value());
        enable(started->id);
        write(0, 3000);
        const auto refused = stop(started->id, volume.file("a.etl"));
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::DiskFull);
        CHECK_FALSE(std::filesystem::exists(volume.file("a.etl")));
        REQUIRE(stop(started->id, folder.file("a.etl")).has_value());
        CHECK(wholeEvents(folder.file("a.etl")) == 3000);
    }
    SECTION("where rings are to lie: they are recorded, and that they would not survive is said") {
        std::filesystem::create_directory(volume.file("rings"));
        TestHost other({}, {}, volume.file("rings"));
        const auto client = other.controller();
        const auto begun = test::startAt(*client, test::ringOf("Other"));
        REQUIRE(begun.has_value());
        REQUIRE(begun->limitations.size() == 1);
        CHECK(begun->limitations[0].code == LimitationCode::RingNotShared);
        const auto ended =
            await<SessionStats>([&](auto done) { client->stop(begun->id, folder.file("other.etl"), std::move(done)); });
        INFO((ended ? std::string() : ended.error().detail));
        CHECK(ended.has_value());
    }
    CHECK(test::startAt(*controller, test::ringOf("Afterwards")).has_value());
}

TEST_CASE("Left rings take from their user's memory, and none goes for a new one", "[remote][rings][limits]") {
    const test::TemporaryFolder rings;
    SessionConfig large = test::ringOf("Left");
    large.minimumBuffers = 128; // 2 MiB
    leaveRing(rings.path(), 10, large);
    large.guid = randomGuid();
    leaveRing(rings.path(), 10, large);
    SessionConfig asked = test::ringOf("New");
    asked.minimumBuffers = 128;
    Limits limits;
    SECTION("room for all") {
        limits.bufferMemory = mib(8);
        TestHost host(limits, {}, rings.path());
        const auto started = test::startAt(*host.controller(), asked);
        REQUIRE(started.has_value());
        CHECK(started->stats.minimumBuffers == 128);
    }
    SECTION("room for a smaller one") {
        limits.bufferMemory = mib(5);
        TestHost host(limits, {}, rings.path());
        const auto started = test::startAt(*host.controller(), asked);
        REQUIRE(started.has_value());
        CHECK(started->stats.minimumBuffers < 128);
    }
    SECTION("room for none, which is said with the reason") {
        limits.bufferMemory = mib(4);
        TestHost host(limits, {}, rings.path());
        const auto refused = test::startAt(*host.controller(), asked);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::SessionLimit);
        CHECK(refused.error().detail.find("save or discard them") != std::string::npos);
        const auto left = leftOf(*host.controller());
        REQUIRE(left.size() == 2);
        REQUIRE(host.controller()->discard(left[0].session).has_value());
        CHECK(test::startAt(*host.controller(), asked).has_value());
        CHECK(leftOf(*host.controller()).size() == 1);
    }
    TestHost after({}, {}, rings.path());
    CHECK(leftOf(*after.controller()).size() >= 1);
}
