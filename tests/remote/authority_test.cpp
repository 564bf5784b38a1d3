// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/system_authority.h"
#include "core/etw/remote/host_place.h"
#include "core/etw/wait.h"
#include "tests/remote/child_process.h"
#include "tests/support/catch.h"

#include <grp.h>
#include <sys/syscall.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

using namespace tracedeck;
using etw::remote::Descriptor;
using etw::remote::Peer;

namespace {

constexpr std::uint32_t kSomebody = 61234;

/// This process, as if a user had connected from it.
std::shared_ptr<const Peer> peerOf(std::uint32_t uid, std::uint32_t gid = 61234,
                                   std::vector<std::uint32_t> groups = {}) {
    const pid_t pid = ::getpid();
    Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    return std::make_shared<const Peer>(
        Peer{uid, gid, static_cast<std::uint32_t>(pid), std::move(groups), std::move(process)});
}

Result<void> ask(etw::remote::Authority& authority, std::shared_ptr<const Peer> peer) {
    return etw::await<void>([&](auto done) { authority.recordSystem(std::move(peer), std::move(done)); });
}

/// A bus of the test's own in the place of the system's.
class Bus {
public:
    Bus() : m_daemon({{"/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address=1"}, {}, -1, "/dev/null"}) {
        m_address = m_daemon.readLine().value_or("");
        ::setenv("DBUS_SYSTEM_BUS_ADDRESS", m_address.c_str(), 1);
    }
    ~Bus() {
        ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
        m_daemon.signal(SIGTERM);
        m_daemon.finish();
    }
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;
    [[nodiscard]] const std::string& address() const noexcept { return m_address; }

private:
    test::ChildProcess m_daemon;
    std::string m_address;
};

bool hasBus() {
    if (std::filesystem::exists("/usr/bin/dbus-daemon")) {
        return true;
    }
    std::cerr << "SKIPPED: what is said to polkit: no dbus-daemon\n";
    return false;
}

/// What was asked of polkit.
struct Question {
    std::string subject;
    std::map<std::string, std::uint64_t> details;
    std::string action;
    std::uint32_t flags = 0;
};

/// polkit as the test has it.
class FakePolkit {
public:
    enum class Says { Yes, No, Challenge, Error, Nothing };
    FakePolkit(const Bus& bus, Says says) : m_says(says) {
        REQUIRE(sd_bus_new(&m_bus) >= 0);
        REQUIRE(sd_bus_set_address(m_bus, bus.address().c_str()) >= 0);
        REQUIRE(sd_bus_set_bus_client(m_bus, 1) >= 0);
        REQUIRE(sd_bus_start(m_bus) >= 0);
        const auto call = [](sd_bus_message* message, void* self, sd_bus_error*) {
            return static_cast<FakePolkit*>(self)->answer(message);
        };
        REQUIRE(sd_bus_add_object(m_bus, nullptr, "/org/freedesktop/PolicyKit1/Authority", call, this) >= 0);
        REQUIRE(sd_bus_request_name(m_bus, "org.freedesktop.PolicyKit1", 0) >= 0);
        m_thread = std::thread([this] {
            while (!m_isEnding) {
                sd_bus_wait(m_bus, 10'000);
                while (sd_bus_process(m_bus, nullptr) > 0) {
                }
            }
        });
    }
    ~FakePolkit() {
        m_isEnding = true;
        m_thread.join();
        sd_bus_flush_close_unref(m_bus);
    }
    FakePolkit(const FakePolkit&) = delete;
    FakePolkit& operator=(const FakePolkit&) = delete;
    [[nodiscard]] Question asked() const {
        const std::lock_guard lock(m_mutex);
        return m_question;
    }
    [[nodiscard]] int questions() const noexcept { return m_questions; }

private:
    int answer(sd_bus_message* message) {
        if (sd_bus_message_is_method_call(message, "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization") <= 0) {
            return 0;
        }
        read(message);
        ++m_questions;
        switch (m_says) {
        case Says::Yes:
            return sd_bus_reply_method_return(message, "(bba{ss})", 1, 0, 1, "a detail", "of no interest");
        case Says::No:
            return sd_bus_reply_method_return(message, "(bba{ss})", 0, 0, 0);
        case Says::Challenge:
            return sd_bus_reply_method_return(message, "(bba{ss})", 0, 1, 0);
        case Says::Error:
            return sd_bus_reply_method_errorf(message, "org.test.Error", "the test refuses");
        case Says::Nothing:
            return 1;
        }
        return 0;
    }
    void read(sd_bus_message* message) {
        const std::lock_guard lock(m_mutex);
        const char* text = nullptr;
        sd_bus_message_enter_container(message, 'r', "sa{sv}");
        sd_bus_message_read(message, "s", &text);
        m_question.subject = text;
        sd_bus_message_enter_container(message, 'a', "{sv}");
        while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
            sd_bus_message_read(message, "s", &text);
            const std::string name = text;
            char type = 0;
            const char* contents = nullptr;
            sd_bus_message_peek_type(message, &type, &contents);
            std::uint64_t wide = 0;
            std::uint32_t narrow = 0;
            if (contents[0] == 't') {
                sd_bus_message_read(message, "v", "t", &wide);
            } else {
                sd_bus_message_read(message, "v", contents, &narrow);
                wide = narrow;
            }
            m_question.details[name] = wide;
            sd_bus_message_exit_container(message);
        }
        sd_bus_message_exit_container(message);
        sd_bus_message_exit_container(message);
        sd_bus_message_read(message, "s", &text);
        m_question.action = text;
        sd_bus_message_skip(message, "a{ss}");
        sd_bus_message_read(message, "u", &m_question.flags);
    }

    const Says m_says;
    sd_bus* m_bus = nullptr;
    std::atomic<bool> m_isEnding{false};
    std::atomic<int> m_questions{0};
    mutable std::mutex m_mutex;
    Question m_question; ///< guarded by m_mutex
    std::thread m_thread;
};

} // namespace

TEST_CASE("Root and whom pkexec has authorised are not asked about", "[remote][authority]") {
    ::setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere", 1);
    host::SystemAuthority authority(kSomebody);
    CHECK(ask(authority, peerOf(0)).has_value());
    CHECK(ask(authority, peerOf(kSomebody)).has_value());
    const auto other = ask(authority, peerOf(kSomebody + 1));
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().code == ErrorCode::AccessDenied);
    CHECK(other.error().detail.find("system bus") != std::string::npos); // no polkit: refused, and why
    ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
}

TEST_CASE("Members of a group are told by the process's groups", "[remote][authority]") {
    const struct group* root = ::getgrgid(0);
    REQUIRE(root != nullptr);
    const std::string name = root->gr_name;
    CHECK(host::isMember(*peerOf(kSomebody, 0), name.c_str()));
    CHECK(host::isMember(*peerOf(kSomebody, 61234, {5, 0}), name.c_str()));
    CHECK_FALSE(host::isMember(*peerOf(kSomebody, 61234, {5}), name.c_str()));
    CHECK(host::isMember(*peerOf(0, 61234), name.c_str())); // by the user database
    CHECK_FALSE(host::isMember(*peerOf(0, 0, {0}), "a group that nobody has made"));
}

TEST_CASE("polkit is asked about the process that has connected, and no other", "[remote][authority]") {
    if (!hasBus()) {
        return;
    }
    const Bus bus;
    const auto [says, isAllowed, reason] =
        GENERATE(table<FakePolkit::Says, bool, std::string>({{FakePolkit::Says::Yes, true, ""},
                                                             {FakePolkit::Says::No, false, "refused"},
                                                             {FakePolkit::Says::Challenge, false, "password"},
                                                             {FakePolkit::Says::Error, false, "the test refuses"}}));
    const FakePolkit polkit(bus, says);
    host::SystemAuthority authority;
    const auto peer = peerOf(kSomebody);
    const auto outcome = ask(authority, peer);
    CHECK(outcome.has_value() == isAllowed);
    if (!outcome) {
        CHECK(outcome.error().code == ErrorCode::AccessDenied);
        CHECK(outcome.error().native == etw::win32::kAccessDenied);
        INFO(outcome.error().detail);
        CHECK(outcome.error().detail.find(reason) != std::string::npos);
    }
    const Question question = polkit.asked();
    CHECK(question.subject == "unix-process");
    CHECK(question.action == etw::remote::kRecordSystemAction);
    CHECK(question.flags == 1); // a person may be asked
    CHECK(question.details.at("pid") == static_cast<std::uint64_t>(::getpid()));
    CHECK(question.details.at("uid") == kSomebody);
    CHECK(question.details.at("start-time") == host::startTimeOf(peer->pid, peer->process.get()));
    CHECK(question.details.at("start-time") > 0);
    CHECK(ask(authority, peerOf(kSomebody)).has_value() == isAllowed); // the bus is kept
    CHECK(polkit.questions() == 2);
}

TEST_CASE("A process that has ended is not asked about: its id may be another's", "[remote][authority]") {
    test::ChildProcess child({{"/bin/true"}, {}, -1, {}});
    const auto pid = static_cast<std::uint32_t>(child.id());
    Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, child.id(), 0)));
    REQUIRE(process.isOpen());
    CHECK(host::startTimeOf(pid, process.get()).has_value());
    REQUIRE(child.finish() == 0);
    CHECK_FALSE(host::startTimeOf(pid, process.get()).has_value());
    ::setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere", 1);
    host::SystemAuthority authority;
    const auto refused =
        ask(authority, std::make_shared<const Peer>(Peer{kSomebody, kSomebody, pid, {}, std::move(process)}));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().detail.find("has ended") != std::string::npos);
    ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
}

TEST_CASE("What polkit leaves open is answered when the authority ends", "[remote][authority]") {
    if (!hasBus()) {
        return;
    }
    const Bus bus;
    const FakePolkit polkit(bus, FakePolkit::Says::Nothing);
    std::optional<Error> told;
    {
        host::SystemAuthority authority;
        authority.recordSystem(peerOf(kSomebody),
                               [&told](Result<void> outcome) { told = outcome ? Error{} : outcome.error(); });
        while (polkit.questions() == 0) {
            std::this_thread::yield();
        }
    }
    REQUIRE(told.has_value());
    CHECK(told->code == ErrorCode::Cancelled);
}
