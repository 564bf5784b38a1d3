// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/ring_keeper.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/rings.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <thread>

using namespace tracedeck;
using namespace tracedeck::etw;
using namespace tracedeck::etw::remote;
using test::leftOf;
using test::RawClient;
using test::TestHost;

namespace {

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

constexpr std::uint32_t kAlice = 1000;
constexpr std::uint32_t kBob = 1001;

} // namespace

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
        CHECK(test::startAt(*controller, test::ringOf("Meanwhile")).has_value());
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
