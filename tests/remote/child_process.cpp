// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace tracedeck::test {
namespace {

constexpr int kPatienceMs = 30'000;
constexpr int kFirstListener = 3; // SD_LISTEN_FDS_START

/// In the child, which has one thread; what fails ends it.
[[noreturn]] void become(const ChildProcess::Start& start, int output, std::vector<char*>& words) {
    if (dup2(output, STDOUT_FILENO) < 0) {
        _exit(126);
    }
    if (!start.errorFile.empty()) {
        const int errors = open(start.errorFile.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
        if (errors < 0 || dup2(errors, STDERR_FILENO) < 0) {
            _exit(126);
        }
    }
    if (start.listener >= 0) {
        // dup2() onto itself would leave it to be closed.
        const int other = fcntl(start.listener, F_DUPFD, 10);
        if (other < 0 || dup2(other, kFirstListener) < 0 || close(other) != 0 ||
            setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1) != 0 || setenv("LISTEN_FDS", "1", 1) != 0) {
            _exit(126);
        }
    }
    if (start.user && setresuid(*start.user, *start.user, *start.user) != 0) {
        _exit(126);
    }
    execv(words.front(), words.data());
    _exit(127);
}

} // namespace

ChildProcess::ChildProcess(Start start) {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("pipe2");
    }
    std::vector<char*> words;
    words.reserve(start.command.size() + 1);
    for (std::string& word : start.command) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    m_pid = fork();
    if (m_pid == 0) {
        become(start, ends[1], words);
    }
    close(ends[1]);
    m_output = ends[0];
    if (m_pid < 0) {
        close(m_output);
        throw std::runtime_error("fork");
    }
}

ChildProcess::~ChildProcess() {
    if (!m_status) {
        signal(SIGKILL);
        finish();
    }
    close(m_output);
}

std::optional<std::string> ChildProcess::readLine() {
    while (true) {
        if (const std::size_t end = m_read.find('\n'); end != std::string::npos) {
            std::string line = m_read.substr(0, end);
            m_read.erase(0, end + 1);
            return line;
        }
        pollfd waiting{m_output, POLLIN, 0};
        std::array<char, 4096> block{};
        if (poll(&waiting, 1, kPatienceMs) <= 0) {
            return std::nullopt;
        }
        const ssize_t got = read(m_output, block.data(), block.size());
        if (got <= 0) {
            return std::nullopt;
        }
        m_read.append(block.data(), static_cast<std::size_t>(got));
    }
}

void ChildProcess::signal(int number) const {
    if (!m_status) { // its id is its own until it was waited for
        kill(m_pid, number);
    }
}

int ChildProcess::finish() {
    if (m_status) {
        return *m_status;
    }
    const int process = static_cast<int>(syscall(SYS_pidfd_open, m_pid, 0));
    pollfd waiting{process, POLLIN, 0};
    const bool hasEnded = process >= 0 && poll(&waiting, 1, kPatienceMs) > 0;
    if (process >= 0) {
        close(process);
    }
    int status = 0;
    if (!hasEnded || waitpid(m_pid, &status, 0) != m_pid) {
        return -1;
    }
    m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return *m_status;
}

} // namespace tracedeck::test
