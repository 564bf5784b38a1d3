// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// Another program, running.
///
/// Threading: the test's thread. Every wait ends after half a minute at the latest. Ownership: the destructor kills it.
class ChildProcess {
public:
    struct Start {
        std::vector<std::string> command;
        std::optional<uid_t> user; ///< whose process it is to be; the test must be root's
        int listener = -1;         ///< handed over as systemd does
        std::string errorFile;     ///< standard error goes there; empty: to that of the test
    };
    explicit ChildProcess(Start start);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// The next line of its standard output; nothing where it ended, or was silent for too long.
    [[nodiscard]] std::optional<std::string> readLine();
    void signal(int number) const;
    /// Waits for the end: the exit status, or 128 and the number of the signal; -1 where it does not end.
    int finish();
    [[nodiscard]] pid_t id() const noexcept { return m_pid; }

private:
    pid_t m_pid = -1;
    int m_output = -1;
    std::string m_read;
    std::optional<int> m_status;
};

} // namespace tracedeck::test
