// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/system_authority.h"

#include "core/etw/remote/host_place.h"

#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::host {
namespace {

using etw::remote::Peer;

/// A person types a password meanwhile.
constexpr std::uint64_t kPolkitTimeoutUs = 120ULL * 1'000'000;
constexpr std::uint32_t kAllowUserInteraction = 1;

struct MessageEnd {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, MessageEnd>;

Error refusal(std::string why) {
    return {ErrorCode::AccessDenied,
            "recording the whole machine wants the group \"" + std::string(etw::remote::kHostGroup) +
                "\", or polkit's consent: " + std::move(why),
            etw::win32::kAccessDenied};
}

Error busError(int result, const char* call) {
    return refusal(errnoError(-result, call).detail);
}

/// The user's groups by the database, which a process that began before a change does not have yet.
bool isMemberByName(std::uint32_t uid, gid_t group) {
    std::vector<char> room(16384);
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(uid, &entry, room.data(), room.size(), &found) != 0 || found == nullptr) {
        return false;
    }
    int number = 64;
    std::vector<gid_t> groups(static_cast<std::size_t>(number));
    if (::getgrouplist(found->pw_name, found->pw_gid, groups.data(), &number) < 0) {
        groups.resize(static_cast<std::size_t>(number));
        if (::getgrouplist(found->pw_name, found->pw_gid, groups.data(), &number) < 0) {
            return false;
        }
    }
    groups.resize(static_cast<std::size_t>(number));
    return std::find(groups.begin(), groups.end(), group) != groups.end();
}

} // namespace

bool isMember(const Peer& peer, const char* group) {
    std::vector<char> room(65536);
    struct group entry {};
    struct group* found = nullptr;
    if (::getgrnam_r(group, &entry, room.data(), room.size(), &found) != 0 || found == nullptr) {
        return false;
    }
    return peer.gid == found->gr_gid ||
           std::find(peer.groups.begin(), peer.groups.end(), found->gr_gid) != peer.groups.end() ||
           isMemberByName(peer.uid, found->gr_gid);
}

std::optional<std::uint64_t> startTimeOf(std::uint32_t pid, int process) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text, '\0');
    // Behind the name, which may hold anything: state is field 3, the start time field 22.
    const std::size_t name = text.rfind(')');
    if (name == std::string::npos) {
        return std::nullopt;
    }
    std::size_t at = name + 1;
    for (int field = 3; field <= 22 && at != std::string::npos; ++field) {
        at = text.find(' ', at);
        at += at == std::string::npos ? 0 : 1;
    }
    std::uint64_t ticks = 0;
    if (at == std::string::npos ||
        std::from_chars(text.data() + at, text.data() + text.size(), ticks).ec != std::errc()) {
        return std::nullopt;
    }
    // It still runs, so that what was read is its own.
    return ::syscall(SYS_pidfd_send_signal, process, 0, nullptr, 0) == 0 || errno == EPERM ? std::optional(ticks)
                                                                                           : std::nullopt;
}

SystemAuthority::SystemAuthority(std::optional<std::uint32_t> authorised)
    : m_authorised(authorised), m_thread([this] { run(); }) {}

SystemAuthority::~SystemAuthority() {
    m_isEnding = true;
    m_inbox.wake();
    m_thread.join();
}

void SystemAuthority::recordSystem(std::shared_ptr<const Peer> peer, etw::Completion<void> done) {
    m_inbox.post(
        [this, peer = std::move(peer), done = std::move(done)]() mutable { decide(std::move(peer), std::move(done)); });
}

void SystemAuthority::run() {
    while (!m_isEnding) {
        int timeout = -1;
        std::array<pollfd, 2> descriptors{{{m_inbox.descriptor(), POLLIN, 0}, {-1, 0, 0}}};
        if (m_bus != nullptr) {
            descriptors[1] = {sd_bus_get_fd(m_bus), static_cast<short>(sd_bus_get_events(m_bus)), 0};
            std::uint64_t due = 0;
            if (sd_bus_get_timeout(m_bus, &due) >= 0 && due != UINT64_MAX) {
                using namespace std::chrono;
                const auto now = duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
                const std::uint64_t left = due - std::min(due, static_cast<std::uint64_t>(now));
                timeout = static_cast<int>(std::min<std::uint64_t>(left / 1000 + 1, 60'000));
            }
        }
        static_cast<void>(::poll(descriptors.data(), descriptors.size(), timeout)); // interrupted: asked again
        m_inbox.carryOut();
        int done = 1;
        while (m_bus != nullptr && (done = sd_bus_process(m_bus, nullptr)) > 0) {
        }
        if (done < 0) {
            closeBus(busError(done, "the system bus"));
        }
    }
    closeBus({ErrorCode::Cancelled, "the host ends", 0});
}

void SystemAuthority::decide(std::shared_ptr<const Peer> peer, etw::Completion<void> done) {
    if (peer->uid == 0 || peer->uid == m_authorised || isMember(*peer, etw::remote::kHostGroup)) {
        done({});
        return;
    }
    Question& question = m_open.emplace_back();
    question.authority = this;
    question.peer = std::move(peer);
    question.done = std::move(done);
    if (Status asked = askPolkit(question); !asked) {
        answer(question, std::move(asked));
    }
}

Status SystemAuthority::openBus() {
    if (m_bus != nullptr) {
        return {};
    }
    if (const int opened = sd_bus_open_system(&m_bus); opened < 0) {
        m_bus = nullptr;
        return fail(busError(opened, "the system bus"));
    }
    return {};
}

void SystemAuthority::closeBus(const Error& why) {
    m_bus = sd_bus_flush_close_unref(m_bus);
    while (!m_open.empty()) {
        answer(m_open.front(), fail(why));
    }
}

Status SystemAuthority::askPolkit(Question& question) {
    const Peer& peer = *question.peer;
    const auto started = startTimeOf(peer.pid, peer.process.get());
    if (!started) {
        return fail(refusal("process " + std::to_string(peer.pid) + " has ended"));
    }
    if (Status opened = openBus(); !opened) {
        return opened;
    }
    sd_bus_message* made = nullptr;
    int result = sd_bus_message_new_method_call(m_bus, &made, "org.freedesktop.PolicyKit1",
                                                "/org/freedesktop/PolicyKit1/Authority",
                                                "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization");
    const Message message(made);
    if (result >= 0) {
        // With start time and uid as they were when it connected, the process cannot have become another one.
        result = sd_bus_message_append(made, "(sa{sv})sa{ss}us", "unix-process", 3, "pid", "u", peer.pid, "start-time",
                                       "t", *started, "uid", "i", static_cast<std::int32_t>(peer.uid),
                                       etw::remote::kRecordSystemAction, 0, kAllowUserInteraction, "");
    }
    if (result >= 0) {
        const auto call = [](sd_bus_message* m, void* q, sd_bus_error* e) { return answered(m, q, e); };
        result = sd_bus_call_async(m_bus, nullptr, made, call, &question, kPolkitTimeoutUs);
    }
    return result < 0 ? Status(fail(busError(result, "ask polkit"))) : Status();
}

int SystemAuthority::answered(sd_bus_message* message, void* userData, void*) {
    auto& question = *static_cast<Question*>(userData);
    SystemAuthority& authority = *question.authority;
    if (const sd_bus_error* error = sd_bus_message_get_error(message); error != nullptr) {
        authority.answer(question, fail(refusal(std::string(error->name) + ": " +
                                                (error->message != nullptr ? error->message : ""))));
        return 0;
    }
    int isAuthorised = 0;
    int isChallenge = 0;
    int result = sd_bus_message_enter_container(message, 'r', "bba{ss}");
    if (result >= 0) {
        result = sd_bus_message_read(message, "bb", &isAuthorised, &isChallenge);
    }
    if (result < 0) {
        authority.answer(question, fail(busError(result, "polkit's answer")));
    } else if (isAuthorised == 0) {
        authority.answer(question,
                         fail(refusal(isChallenge != 0 ? "nobody could be asked for a password" : "it was refused")));
    } else {
        authority.answer(question, {});
    }
    return 0;
}

void SystemAuthority::answer(Question& question, Result<void> outcome) {
    const etw::Completion<void> done = std::move(question.done);
    m_open.remove_if([&](const Question& each) { return &each == &question; });
    done(std::move(outcome));
}

} // namespace tracedeck::host
