// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/live_facts.h"

#include "core/sources/linux/mapping.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

/// Woken by names, the reader finds the arguments some 100 to 300 µs later, and short-lived programs live for a
/// millisecond: so soon at first, then every millisecond.
constexpr int kSoonAttempts = 10;
constexpr std::chrono::microseconds kSoon{120};
constexpr std::chrono::milliseconds kLater{1};
constexpr int kMostAttempts = 25;
constexpr std::size_t kMostRead = 10'000;
constexpr std::size_t kMostExits = 100'000;
/// The connector speaks of an exit at about the time of the perf record.
constexpr Ticks kSameExit = 1'000'000'000;

/// Woken by names, the reader may have a time that is that of the other event's copy of the record.
constexpr Ticks kSameExec = 1'000'000;

/// nlmsghdr, cn_msg and proc_event follow each other in a message.
constexpr std::size_t kEventOffset = NLMSG_HDRLEN + sizeof(cn_msg);

/// Lets only exit events through, so that forks and execs do not wake or fill the socket. Classic BPF reads big-endian.
bool filterExits(int fd) {
    sock_filter program[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, kEventOffset + offsetof(proc_event, what)},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, htonl(proc_event::PROC_EVENT_EXIT)},
        {BPF_RET | BPF_K, 0, 0, 0xFFFFFFFF},
        {BPF_RET | BPF_K, 0, 0, 0},
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
    return ::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) == 0;
}

bool sendOperation(int fd, proc_cn_mcast_op operation) {
    struct {
        nlmsghdr netlink{};
        alignas(4) std::byte rest[sizeof(cn_msg) + sizeof(operation)]{};
    } message;
    message.netlink.nlmsg_len = NLMSG_LENGTH(sizeof(message.rest));
    message.netlink.nlmsg_type = NLMSG_DONE;
    cn_msg connector{};
    connector.id = {CN_IDX_PROC, CN_VAL_PROC};
    connector.len = sizeof(operation);
    std::memcpy(message.rest, &connector, sizeof(connector));
    std::memcpy(message.rest + sizeof(connector), &operation, sizeof(operation));
    return ::send(fd, &message, message.netlink.nlmsg_len, 0) == static_cast<ssize_t>(message.netlink.nlmsg_len);
}

} // namespace

SystemLiveFacts::~SystemLiveFacts() {
    if (m_connector >= 0) {
        sendOperation(m_connector, PROC_CN_MCAST_IGNORE);
        ::close(m_connector);
    }
}

void SystemLiveFacts::listenForExits() {
    const int fd = ::socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
    if (fd < 0) {
        return;
    }
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = CN_IDX_PROC;
    constexpr int kReceiveBuffer = 1024 * 1024;
    ::setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof(kReceiveBuffer));
    if (!filterExits(fd) || ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        !sendOperation(fd, PROC_CN_MCAST_LISTEN)) {
        ::close(fd);
        return;
    }
    m_connector = fd;
}

void SystemLiveFacts::readExits() {
    if (m_connector < 0) {
        return;
    }
    alignas(8) std::byte buffer[4096];
    while (true) {
        const ssize_t count = ::recv(m_connector, buffer, sizeof(buffer), 0);
        if (count < 0 && (errno == EINTR || errno == ENOBUFS)) {
            continue; // ENOBUFS: some were dropped; their statuses stay unknown
        }
        if (count <= 0) {
            return;
        }
        noteExit({buffer, static_cast<std::size_t>(count)});
    }
}

void SystemLiveFacts::noteExit(std::span<const std::byte> message) {
    proc_event event{};
    if (message.size() < kEventOffset + offsetof(proc_event, event_data) + sizeof(event.event_data.exit)) {
        return;
    }
    std::memcpy(&event, message.data() + kEventOffset, std::min(sizeof(event), message.size() - kEventOffset));
    const auto& exit = event.event_data.exit;
    if (event.what != proc_event::PROC_EVENT_EXIT || exit.process_pid != exit.process_tgid) {
        return; // the main thread's code is the process's
    }
    if (m_exits.size() >= kMostExits) {
        m_exits.clear();
    }
    m_exits[static_cast<std::uint32_t>(exit.process_tgid)] = {static_cast<Ticks>(event.timestamp_ns), exit.exit_code};
}

void SystemLiveFacts::noteExec(std::uint32_t process, Ticks time) {
    m_pending.push_back({process, time, 0});
}

void SystemLiveFacts::retry() {
    for (std::size_t left = m_pending.size(); left > 0; --left) {
        Exec exec = m_pending.front();
        m_pending.pop_front();
        if (!tryRead(exec, ++exec.attempts >= kMostAttempts)) {
            m_pending.push_back(exec);
        }
    }
}

std::optional<std::chrono::nanoseconds> SystemLiveFacts::retryIn() const noexcept {
    if (m_pending.empty()) {
        return std::nullopt;
    }
    const bool isSoon = std::any_of(m_pending.begin(), m_pending.end(),
                                    [](const Exec& exec) { return exec.attempts <= kSoonAttempts; });
    return isSoon ? std::chrono::nanoseconds(kSoon) : std::chrono::nanoseconds(kLater);
}

bool SystemLiveFacts::tryRead(const Exec& exec, bool isLast) {
    const auto arguments = readWhole(m_proc.path(exec.process, "cmdline"));
    if (arguments && arguments->empty() && !isLast) {
        return false; // of a dead process, too; it is gone soon
    }
    if (!arguments) {
        return true;
    }
    ExecFacts facts;
    facts.commandLine = joinArguments(*arguments);
    facts.executable = m_proc.executable(exec.process);
    const auto statText = readWhole(m_proc.path(exec.process, "stat"));
    const auto statusText = readWhole(m_proc.path(exec.process, "status"));
    const auto stat = statText ? parseTaskStat(*statText) : std::nullopt;
    const auto status = statusText ? parseTaskStatus(*statusText) : std::nullopt;
    if (stat && status) { // else it ended just now
        facts.session = stat->session;
        facts.uid = status->uid;
    }
    if (m_read.size() >= kMostRead) {
        m_read.pop_front();
    }
    m_read.push_back({exec.process, exec.time, stat ? stat->comm : std::string(), std::move(facts)});
    return true;
}

std::optional<ExecFacts> SystemLiveFacts::takeExec(std::uint32_t process, Ticks time, const std::string& comm) {
    // What was read for an exec that came before this one is of no use any more.
    std::erase_if(m_read, [&](const Read& read) { return read.process == process && read.time + kSameExec < time; });
    // Of another name: it had gone on to another exec when it was looked at, or had given itself a name.
    const auto found = std::find_if(m_read.begin(), m_read.end(), [&](const Read& read) {
        return read.process == process && (read.comm.empty() || read.comm == comm);
    });
    if (found == m_read.end()) {
        ++m_missed;
        return std::nullopt;
    }
    std::optional<ExecFacts> facts = std::move(found->facts);
    m_read.erase(found);
    return facts;
}

std::optional<std::int32_t> SystemLiveFacts::takeExit(std::uint32_t process, Ticks time) {
    const auto found = m_exits.find(process);
    if (found == m_exits.end()) {
        return std::nullopt;
    }
    const Exit exit = found->second;
    m_exits.erase(found);
    if (exit.time > time + kSameExit || exit.time < time - kSameExit) {
        return std::nullopt;
    }
    return exitStatusOf(exit.code);
}

} // namespace tracedeck::linux_source
