// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <csignal>

namespace tracedeck {
namespace {

constexpr int kLongestWaitMs = 60'000;

/// A set of signals as /proc tells it: "SigIgn", "SigCgt".
std::uint64_t signalsOf(qint64 process, const QByteArray& set) {
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith(set + ':')) {
            return line.mid(set.size() + 1).trimmed().toULongLong(nullptr, 16);
        }
    }
    return 0;
}

bool holds(std::uint64_t set, int signal) {
    return (set >> (signal - 1) & 1U) != 0;
}

} // namespace

TEST_CASE("The window survives a broken terminal, a limit on files and closed descriptors", "[window][start]") {
    test::needApplication();
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    program.setProcessEnvironment(environment);
    program.setChildProcessModifier([] {
        for (const int number : {SIGTERM, SIGPIPE, SIGXFSZ}) {
            ::signal(number, SIG_DFL);
        }
    });
    program.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("exec \"$0\" <&- >&- 2>&-"),
                                         QStringLiteral(TRACEDECK_WINDOW_PROGRAM)});
    REQUIRE(program.waitForStarted(kLongestWaitMs));
    const qint64 id = program.processId();
    REQUIRE(test::waitFor([&] { return holds(signalsOf(id, "SigCgt"), SIGTERM); }));
    CHECK(holds(signalsOf(id, "SigIgn"), SIGPIPE));
    CHECK(holds(signalsOf(id, "SigIgn"), SIGXFSZ));
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        const QString path = QStringLiteral("/proc/%1/fd/%2").arg(id).arg(descriptor);
        CHECK(QFileInfo(path).symLinkTarget() == QStringLiteral("/dev/null"));
    }
    REQUIRE(::kill(static_cast<pid_t>(id), SIGTERM) == 0);
    REQUIRE(program.waitForFinished(kLongestWaitMs));
    CHECK(program.exitStatus() == QProcess::NormalExit);
    CHECK(program.exitCode() == 0);
}

} // namespace tracedeck
