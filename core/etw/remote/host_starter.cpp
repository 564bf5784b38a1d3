// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/host_starter.h"

#include "core/etw/remote/host_place.h"
#include "core/etw/remote/packet_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

extern char** environ;

namespace tracedeck::etw::remote {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Exit statuses of pkexec(1).
constexpr int kDismissed = 126;
constexpr int kNotAuthorised = 127;

/// Its standard output goes into `output`, its input comes from nowhere.
Result<pid_t> spawn(const std::vector<std::string>& command, int output) {
    std::vector<std::string> copy = command;
    std::vector<char*> words;
    words.reserve(copy.size() + 1);
    for (std::string& word : copy) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t pid = -1;
    const int failure = ::posix_spawn(&pid, words.front(), &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        Error error = errnoError(failure, "start " + command.front());
        error.code = ErrorCode::HostUnreachable;
        return fail(std::move(error));
    }
    return pid;
}

/// What comes up to the end of the line, of the output, or of the patience.
std::string lineOf(int output, std::chrono::milliseconds patience) {
    constexpr std::size_t kLongest = 4096;
    const auto end = SteadyClock::now() + patience;
    std::string line;
    while (line.size() < kLongest) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now());
        pollfd waiting{output, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        char next = '\0';
        if (ready <= 0 || ::read(output, &next, 1) != 1 || next == '\n') {
            break;
        }
        line += next;
    }
    return line;
}

/// Why it ended without having listened.
Error reasonOf(pid_t pid, const std::string& program) {
    int status = 0;
    // It has closed its output, or is to end: nothing else is left for it to do.
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == kDismissed) {
        return {ErrorCode::Cancelled, program + ": the password was not given", 0};
    }
    if (code == kNotAuthorised) {
        return {ErrorCode::AccessDenied, program + ": this user may not start the host", 0};
    }
    return {ErrorCode::HostUnreachable, program + ": it ended with status " + std::to_string(code), 0};
}

} // namespace

RunningHost RunningHost::ofUser(std::uint32_t uid) {
    return RunningHost({machineSocket(), userSocket(uid)});
}

Result<Descriptor> RunningHost::connect() {
    Error last{ErrorCode::HostUnreachable, "no socket to connect to", 0};
    for (const std::string& socket : m_sockets) {
        auto connection = connectTo(socket);
        if (connection) {
            return connection;
        }
        last = std::move(connection).error();
    }
    last.code = ErrorCode::HostUnreachable; // also where one may not connect: that is not this user's host
    return fail(std::move(last));
}

PkexecHost PkexecHost::ofUser(std::uint32_t uid, std::string hostProgram) {
    return PkexecHost({"/usr/bin/pkexec", std::move(hostProgram), "--for-user"}, userSocket(uid));
}

Result<Descriptor> PkexecHost::connect() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return fail(errnoError(errno, "pipe"));
    }
    const Descriptor output(ends[0]);
    Descriptor input(ends[1]);
    const Result<pid_t> pid = spawn(m_command, input.get());
    input.reset();
    if (!pid) {
        return fail(pid.error());
    }
    const std::string line = lineOf(output.get(), m_patience);
    if (line == m_socket) {
        return connectTo(m_socket);
    }
    ::kill(*pid, SIGTERM); // it has ended already, but for one that says nothing
    return fail(reasonOf(*pid, m_command.front()));
}

Result<Descriptor> connectToHost(std::span<HostStarter* const> ways) {
    Error all{ErrorCode::HostUnreachable, {}, 0};
    for (HostStarter* way : ways) {
        auto connection = way->connect();
        if (connection || connection.error().code != ErrorCode::HostUnreachable) {
            return connection;
        }
        all.detail += (all.detail.empty() ? "" : "; ") + connection.error().detail;
        all.native = connection.error().native;
    }
    return fail(std::move(all));
}

} // namespace tracedeck::etw::remote
