// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/summary.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>
#include <QStandardPaths>

#include <iostream>

namespace tracedeck {
namespace {

constexpr int kLongestWaitMs = 60'000;

/// An X server of the test's own.
class Display {
public:
    Display() {
        m_server.start(QStringLiteral("Xvfb"), {QStringLiteral("-displayfd"), QStringLiteral("1")});
        m_server.waitForStarted(kLongestWaitMs);
        while (!m_server.canReadLine() && m_server.waitForReadyRead(kLongestWaitMs)) {
        }
        number = QString::fromLatin1(m_server.readLine().trimmed());
        REQUIRE_FALSE(number.isEmpty());
    }
    ~Display() { kill(); }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    void kill() {
        m_server.kill();
        m_server.waitForFinished(kLongestWaitMs);
    }
    static bool isThere() { return !QStandardPaths::findExecutable(QStringLiteral("Xvfb")).isEmpty(); }

    QString number;

private:
    QProcess m_server;
};

/// Starts the victim and waits until it records.
void startVictim(QProcess& victim, const test::TemporaryFolder& folder, const char* how, const QString& display) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"),
                       display.isEmpty() ? QStringLiteral("offscreen") : QStringLiteral("xcb"));
    environment.insert(QStringLiteral("DISPLAY"), QStringLiteral(":") + display);
    victim.setProcessEnvironment(environment);
    victim.start(QStringLiteral(TRACEDECK_DISPLAY_VICTIM),
                 {QString::fromStdString(folder.path()), QString::fromLatin1(how)});
    while (!victim.canReadLine() && victim.waitForReadyRead(kLongestWaitMs)) {
    }
    const QByteArray line = victim.canReadLine() ? victim.readLine() : QByteArray();
    INFO(victim.readAllStandardError().toStdString());
    REQUIRE(line == "recording\n");
}

void requireRawFile(QProcess& victim) {
    const std::string file = QString::fromUtf8(victim.readLine().trimmed()).toStdString();
    CAPTURE(file);
    const auto summary = etl::summarize(systemFiles(), file);
    REQUIRE(summary.has_value());
    CHECK(summary->events > 2); // of the header, and that the recording began
    CHECK(summary->verdict() == etl::Summary::Verdict::Good);
}

} // namespace

TEST_CASE("A recording in memory is rescued when the display goes away", "[window][display]") {
    if (!Display::isThere()) {
        std::cerr << "SKIPPED: a display that goes away: there is no Xvfb\n";
        return;
    }
    test::needApplication();
    const bool isGuarded = GENERATE(true, false); // the second one shows what it is good for
    const test::TemporaryFolder folder;
    Display display;
    QProcess victim;
    startVictim(victim, folder, isGuarded ? "guarded" : "unguarded", display.number);
    display.kill();
    REQUIRE(victim.waitForFinished(kLongestWaitMs));
    CHECK(victim.exitStatus() == QProcess::NormalExit);
    CHECK(victim.exitCode() == 1);
    if (isGuarded) {
        requireRawFile(victim);
    } else {
        CHECK(victim.readAllStandardOutput().isEmpty());
    }
}

TEST_CASE("A recording in memory is rescued before Qt's Wayland platform gives up", "[window][display]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    QProcess victim;
    startVictim(victim, folder, "wayland", {});
    REQUIRE(victim.waitForFinished(kLongestWaitMs));
    CHECK(victim.exitCode() == 1);
    requireRawFile(victim);
}

} // namespace tracedeck
