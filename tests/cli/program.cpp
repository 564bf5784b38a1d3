// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/program.h"

#include "tests/recorder/stage.h"
#include "tests/support/temporary_folder.h"

#include <QProcessEnvironment>

#include <csignal>
#include <stdexcept>

namespace tracedeck::test {
namespace {

constexpr int kLongestWaitMs = 60'000;

std::string& ownDataFolder() {
    static std::string folder;
    return folder;
}

} // namespace

void keepDataIn(const std::string& folder) {
    ownDataFolder() = folder;
}

Program::Program(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher) {
    needApplication();
    std::vector<std::string> words = launcher;
    words.emplace_back(TRACEDECK_CLI);
    words.insert(words.end(), arguments.begin(), arguments.end());
    QStringList rest;
    for (std::size_t i = 1; i < words.size(); ++i) {
        rest << QString::fromStdString(words[i]);
    }
    // What the program keeps for its user must not be the tester's.
    static const TemporaryFolder data;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_DATA_HOME",
                       QString::fromStdString(ownDataFolder().empty() ? data.path() : ownDataFolder()));
    m_process.setProcessEnvironment(environment);
    // Nor does it matter how the tests were started: a shell's background job ignores Ctrl+C.
    m_process.setChildProcessModifier([] {
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) {
            ::signal(number, SIG_DFL);
        }
    });
    m_process.start(QString::fromStdString(words.front()), rest);
    if (!m_process.waitForStarted(kLongestWaitMs)) {
        throw std::runtime_error("the program does not start: " + m_process.errorString().toStdString());
    }
}

Program::~Program() {
    if (isRunning()) {
        m_process.kill();
        m_process.waitForFinished(kLongestWaitMs);
    }
}

void Program::readMore() {
    output += m_process.readAllStandardOutput().toStdString();
    errors += m_process.readAllStandardError().toStdString();
}

bool Program::waitForError(const std::string& text) {
    const bool came = waitFor([&] {
        readMore();
        return errors.find(text) != std::string::npos || !isRunning();
    });
    readMore();
    return came && errors.find(text) != std::string::npos;
}

void Program::signal(int number) {
    ::kill(static_cast<pid_t>(m_process.processId()), number);
}

int Program::finish() {
    if (isRunning() && !m_process.waitForFinished(kLongestWaitMs)) {
        throw std::runtime_error("the program does not end");
    }
    readMore();
    return m_process.exitStatus() == QProcess::CrashExit ? 128 + m_process.exitCode() : m_process.exitCode();
}

Ended run(const std::vector<std::string>& arguments, const std::vector<std::string>& launcher) {
    Program program(arguments, launcher);
    const int code = program.finish();
    return {code, program.output, program.errors};
}

} // namespace tracedeck::test
