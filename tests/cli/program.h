// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>

#include <string>
#include <vector>

namespace tracedeck::test {

/// What programs keep for their user goes there instead of a folder of the whole test program's; empty: as before.
void keepDataIn(const std::string& folder);

/// The built command-line program, running.
///
/// Threading: the test's thread. Every wait ends after a minute at the latest, and the test fails.
class Program {
public:
    explicit Program(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher = {});
    ~Program();

    /// Waits until standard error holds `text`; false where the program ended without it.
    [[nodiscard]] bool waitForError(const std::string& text);
    void signal(int number);
    /// Waits for the end: the exit status, or 128 and the number of the signal that killed it.
    int finish();
    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }

    std::string output;
    std::string errors;

private:
    void readMore();

    QProcess m_process;
};

struct Ended {
    int code = -1;
    std::string output;
    std::string errors;
};
[[nodiscard]] Ended run(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher = {});

} // namespace tracedeck::test
