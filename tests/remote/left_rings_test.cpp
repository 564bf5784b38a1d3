// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/ring_keeper.h"
#include "core/etw/wait.h"
#include "tests/engine/numbered_events.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/test_host.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;
using test::RawClient;
using test::TestHost;

namespace {

SessionConfig ring(const std::string& name) {
    SessionConfig config;
    config.name = name;
    config.guid = randomGuid();
    config.logFileMode = etlformat::mode::kBuffering;
    config.bufferSizeKib = 16;
    config.minimumBuffers = 64;
    return config;
}

Result<StartedSession> start(Controller& controller, const SessionConfig& config) {
    return await<StartedSession>([&](auto done) { controller.start(config, std::move(done)); });
}

std::vector<LeftRing> leftOf(RemoteController& controller) {
    const auto left = await<std::vector<LeftRing>>([&](auto done) { controller.leftRings(std::move(done)); });
    REQUIRE(left.has_value());
    return *left;
}

/// Records `events` in memory at a host that then ends with the session still running.
Guid leaveRing(const std::string& folder, std::uint32_t events, SessionConfig config = ring("Left")) {
    TestHost host({}, {}, folder);
    const auto controller = host.controller();
    const auto writer = controller->registerProvider("Tracedeck-Test");
    const auto started = start(*controller, config);
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

/// Rings that a test decides about. Saving waits until it may go on, or is stopped.
class FakeRings final : public LeftRings {
public:
    explicit FakeRings(std::vector<LeftRing> rings) {
        for (LeftRing& each : rings) {
            m_kept.push_back({std::move(each), std::to_string(m_kept.size())});
        }
    }
    std::vector<Kept> list() override {
        const std::lock_guard lock(m_mutex);
        return m_kept;
    }
    Status save(const std::string&, FileSystem&, const std::string&, const std::stop_token& stop) override {
        std::unique_lock lock(m_mutex);
        ++saving;
        m_changed.notify_all();
        const bool mayGoOn = m_changed.wait(lock, stop, [this] { return m_mayGoOn; });
        return mayGoOn ? Status() : fail(ErrorCode::Cancelled, "the test's ring");
    }
    Status discard(const std::string& place) override {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_kept, [&](const Kept& each) { return each.place == place; });
        return {};
    }
    void waitForSave() {
        std::unique_lock lock(m_mutex);
        REQUIRE(m_changed.wait_for(lock, std::chrono::seconds(30), [this] { return saving != 0; }));
    }
    void letGoOn() {
        const std::lock_guard lock(m_mutex);
        m_mayGoOn = true;
        m_changed.notify_all();
    }
    int saving = 0;

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::vector<Kept> m_kept;
    bool m_mayGoOn = false;
};

/// Carries out what is in the inbox until `isDone`.
template <class Condition>
bool carryOutUntil(Inbox& inbox, Condition isDone) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!isDone()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        inbox.carryOut();
    }
    return true;
}

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

constexpr std::uint32_t kAlice = 1000;
constexpr std::uint32_t kBob = 1001;

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
    const SessionConfig config = ring("Running");
    const auto started = start(*controller, config);
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
    SessionConfig given = ring("Given");
    SessionConfig none = ring("None");
    none.guid = {};
    REQUIRE(start(*controller, given).has_value());
    REQUIRE(start(*controller, none).has_value());
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
    SessionConfig config = ring("Full");
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
        const auto refused = start(*controller, config);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::DiskFull);
        CHECK_FALSE(std::filesystem::exists(config.logFileName));
    }
    SECTION("while it records") {
        volume.empty();
        config.logFileMode = 0;
        config.logFileName = volume.file("a.etl");
        const auto started = start(*controller, config);
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
        const auto started = start(*controller, config);
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
        const auto begun = start(*client, ring("Other"));
        REQUIRE(begun.has_value());
        REQUIRE(begun->limitations.size() == 1);
        CHECK(begun->limitations[0].code == LimitationCode::RingNotShared);
        const auto ended =
            await<SessionStats>([&](auto done) { client->stop(begun->id, folder.file("other.etl"), std::move(done)); });
        INFO((ended ? std::string() : ended.error().detail));
        CHECK(ended.has_value());
    }
    CHECK(start(*controller, ring("Afterwards")).has_value());
}

TEST_CASE("Left rings share their user's memory; the oldest goes when a new one needs it", "[remote][rings][limits]") {
    const test::TemporaryFolder rings;
    const test::TemporaryFolder target;
    SessionConfig large = ring("Oldest");
    large.minimumBuffers = 128; // 2 MiB
    const Guid oldest = leaveRing(rings.path(), 10, large);
    large.guid = randomGuid();
    const Guid younger = leaveRing(rings.path(), 10, large);
    SessionConfig asked = ring("New");
    asked.minimumBuffers = 64;
    Limits limits;
    SECTION("room for all") {
        limits.bufferMemory = mib(8);
        TestHost host(limits, {}, rings.path());
        REQUIRE(start(*host.controller(), asked).has_value());
        CHECK(leftOf(*host.controller()).size() == 2);
    }
    SECTION("room for one beside it") {
        limits.bufferMemory = mib(5);
        TestHost host(limits, {}, rings.path());
        const auto controller = host.controller();
        const auto started = start(*controller, asked);
        REQUIRE(started.has_value());
        CHECK(started->stats.minimumBuffers == 64);
        const auto left = leftOf(*controller);
        REQUIRE(left.size() == 1);
        CHECK(left[0].session == younger);
        // What it holds is not there for another one.
        SessionConfig all = ring("All");
        all.minimumBuffers = 256;
        const auto second = start(*controller, all);
        REQUIRE(second.has_value());
        CHECK(second->stats.minimumBuffers < 128);
        CHECK(leftOf(*controller).size() == 1);
    }
    SECTION("too many") {
        limits.leftRings = 1;
        TestHost host(limits, {}, rings.path());
        REQUIRE(start(*host.controller(), asked).has_value());
        const auto left = leftOf(*host.controller());
        REQUIRE(left.size() == 1);
        CHECK(left[0].session == younger);
        const auto gone = host.controller()->save(oldest, target.file("a.etl"));
        INFO((gone ? std::string() : gone.error().detail));
        REQUIRE(gone.has_value());
        CHECK_FALSE(*gone);
    }
}

TEST_CASE("A user reaches no ring but his own, root those of all", "[remote][rings]") {
    const Guid hers = randomGuid();
    const auto rings = std::make_shared<FakeRings>(
        std::vector<LeftRing>{{hers, "Hers", kAlice, mib(1)}, {hers, "His, of the same GUID", kBob, mib(2)}});
    rings->letGoOn();
    const auto inbox = std::make_shared<Inbox>();
    RingKeeper keeper(rings, inbox);
    CHECK(keeper.held(kAlice) == mib(1));
    CHECK(keeper.held(kBob) == mib(2));
    CHECK(keeper.held(0).count == 0);
    DescriptorFiles files(mib(1));
    std::optional<Result<std::vector<LeftRing>>> told;
    std::optional<Status> done;
    const auto list = [&](std::uint32_t user) {
        told.reset();
        keeper.list(user, [&, inbox](Result<std::vector<LeftRing>> all) { inbox->post([&, all] { told = all; }); });
        REQUIRE(carryOutUntil(*inbox, [&] { return told.has_value(); }));
        REQUIRE(told->has_value());
        return **told;
    };
    const Completion<void> ends = [&, inbox](const Result<void>& how) { inbox->post([&, how] { done = how; }); };
    const auto save = [&](std::uint32_t user) {
        done.reset();
        keeper.save(user, hers, files, "/a.etl", ends);
        REQUIRE(carryOutUntil(*inbox, [&] { return done.has_value(); }));
        return *done;
    };
    const auto discard = [&](std::uint32_t user) {
        done.reset();
        keeper.discard(user, hers, ends);
        REQUIRE(carryOutUntil(*inbox, [&] { return done.has_value(); }));
        CHECK(done->has_value());
    };
    REQUIRE(list(kAlice).size() == 1);
    CHECK(list(kAlice)[0].name == "Hers");
    CHECK(list(kBob)[0].owner == kBob);
    CHECK(list(0).size() == 2);
    CHECK(list(kBob + 1).empty());
    CHECK(save(kAlice).has_value());
    const Status strangers = save(kBob + 1);
    REQUIRE_FALSE(strangers.has_value());
    CHECK(strangers.error().code == ErrorCode::SessionUnknown);
    discard(kBob + 1);
    CHECK(list(0).size() == 2);
    discard(kBob);
    REQUIRE(list(0).size() == 1);
    CHECK(list(0)[0].owner == kAlice);
    CHECK(keeper.held(kBob).count == 0);
    CHECK(keeper.held(kAlice) == mib(1));

    // Room is made of one's own alone.
    done.reset();
    keeper.makeRoom(kBob, mib(100), 0, ends);
    REQUIRE(carryOutUntil(*inbox, [&] { return done.has_value(); }));
    CHECK(list(0).size() == 1);
    discard(0);
    CHECK(list(0).empty());
}

TEST_CASE("A ring that takes long to save keeps nobody waiting, nor the host from ending", "[remote][rings]") {
    const Guid session = randomGuid();
    const auto rings = std::make_shared<FakeRings>(
        std::vector<LeftRing>{{session, "Long", static_cast<std::uint32_t>(::geteuid()), mib(1)}});
    const test::TemporaryFolder folder;
    std::optional<Result<bool>> saved;
    const bool isLetGoOn = GENERATE(true, false);
    std::thread saver;
    {
        TestHost host({}, rings);
        saver = std::thread([&, connection = std::make_shared<Descriptor>(host.connect())] {
            RemoteController controller(std::move(*connection));
            saved = controller.save(session, folder.file("a.etl"));
        });
        rings->waitForSave();
        const auto controller = host.controller();
        CHECK(start(*controller, ring("Meanwhile")).has_value());
        CHECK(await<std::vector<SessionInfo>>([&](auto done) { controller->list(std::move(done)); })->size() == 1);
        if (isLetGoOn) {
            rings->letGoOn();
            saver.join();
        }
    }
    if (saver.joinable()) {
        saver.join();
    }
    REQUIRE(saved.has_value());
    CHECK(saved->has_value() == isLetGoOn);
    if (!isLetGoOn) {
        CHECK(saved->error().code == ErrorCode::HostUnreachable);
    }
}

TEST_CASE("A client that goes while its ring is saved leaves the host as it was", "[remote][rings][hostile]") {
    const Guid session = randomGuid();
    const auto rings = std::make_shared<FakeRings>(
        std::vector<LeftRing>{{session, "Gone", static_cast<std::uint32_t>(::geteuid()), mib(1)}});
    const test::TemporaryFolder folder;
    TestHost host({}, rings);
    {
        const Descriptor file(::open(folder.file("a.etl").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
        RawClient client(host.connect());
        REQUIRE(client.send(request::SaveRing{session, "/a.etl", {true, {}}}, file.get()));
        rings->waitForSave();
    }
    rings->letGoOn();
    CHECK(leftOf(*host.controller()).size() == 1);
    CHECK(host.controller()->save(session, folder.file("b.etl")).value_or(false));
}

TEST_CASE("A folder for rings is the host's alone, or is not used", "[host][rings]") {
    using host::Foreign;
    using host::prepareRingFolder;
    const test::TemporaryFolder parent;
    const std::string folder = parent.file("rings");
    struct stat status {};
    REQUIRE(prepareRingFolder(folder, Foreign::IsRefused).has_value());
    REQUIRE(::stat(folder.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0700);
    CHECK(prepareRingFolder(folder, Foreign::IsRefused).has_value()); // as it was left
    CHECK_FALSE(prepareRingFolder(parent.file("missing/rings"), Foreign::IsMovedAside).has_value());
    SECTION("others may look into it") {
        REQUIRE(::chmod(folder.c_str(), 0750) == 0);
        const Status refused = prepareRingFolder(folder, Foreign::IsMovedAside);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::AccessDenied);
    }
    SECTION("a link to one") {
        REQUIRE(::symlink(folder.c_str(), parent.file("link").c_str()) == 0);
        CHECK_FALSE(prepareRingFolder(parent.file("link"), Foreign::IsMovedAside).has_value());
    }
    SECTION("a file") {
        std::ofstream(parent.file("file")) << "x";
        CHECK_FALSE(prepareRingFolder(parent.file("file"), Foreign::IsMovedAside).has_value());
    }
    SECTION("somebody else's") {
        if (::geteuid() != 0) {
            std::cerr << "SKIPPED: a folder for rings that is somebody else's: needs root\n";
            return;
        }
        REQUIRE(::lchown(folder.c_str(), kBob, kBob) == 0);
        CHECK_FALSE(prepareRingFolder(folder, Foreign::IsRefused).has_value());
        REQUIRE(prepareRingFolder(folder, Foreign::IsMovedAside).has_value());
        REQUIRE(::stat(folder.c_str(), &status) == 0);
        CHECK(status.st_uid == 0);
        CHECK(std::distance(std::filesystem::directory_iterator(parent.path()), {}) == 2);
        REQUIRE(::rmdir(folder.c_str()) == 0);
        REQUIRE(::symlink("/tmp", folder.c_str()) == 0);
        REQUIRE(::lchown(folder.c_str(), kBob, kBob) == 0);
        REQUIRE(prepareRingFolder(folder, Foreign::IsMovedAside).has_value());
        REQUIRE(::lstat(folder.c_str(), &status) == 0);
        CHECK(S_ISDIR(status.st_mode));
    }
}
