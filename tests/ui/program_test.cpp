// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTranslator>

#include <csignal>

namespace tracedeck {
namespace {

struct Ended {
    int code = -1;
    QString output;
    QString errors;
};

QProcessEnvironment environmentWith(const QString& platform) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LANGUAGE", "LC_ALL", "LC_MESSAGES"}) {
        environment.remove(QLatin1String(name));
    }
    environment.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
    if (!platform.isEmpty()) {
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    }
    return environment;
}

Ended run(const QStringList& arguments, const QProcessEnvironment& environment) {
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TRACEDECK_WINDOW_PROGRAM), arguments);
    REQUIRE(program.waitForFinished(test::kLongest));
    REQUIRE(program.exitStatus() == QProcess::NormalExit);
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

/// The process has a handler for the signal by now.
bool catches(qint64 process, int signal) {
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) {
        return false;
    }
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("SigCgt:")) {
            return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1U) != 0;
        }
    }
    return false;
}

} // namespace

TEST_CASE("Version and help need no display", "[ui][program]") {
    test::needApplication();
    const QProcessEnvironment none = environmentWith({});
    const Ended version = run({QStringLiteral("--version")}, none);
    CHECK(version.code == 0);
    CHECK(version.output == QStringLiteral("tracedeck %1\n").arg(QStringLiteral(TRACEDECK_VERSION)));
    CHECK(version.errors.isEmpty());
    const Ended help = run({QStringLiteral("--help")}, none);
    CHECK(help.code == 0);
    CHECK(help.output.contains(QStringLiteral("Records what this computer is doing")));
    CHECK(help.errors.isEmpty());
    // And in the user's language.
    QProcessEnvironment german = none;
    german.insert(QStringLiteral("LANG"), QStringLiteral("de_DE.UTF-8"));
    const Ended hilfe = run({QStringLiteral("-h")}, german);
    CHECK(hilfe.code == 0);
    CHECK(hilfe.output.contains(QStringLiteral("Zeichnet in")));
    // Anything else does need one.
    const Ended window = run({}, none);
    CHECK(window.code == 2);
    CHECK(window.errors.contains(QStringLiteral("there is no display")));
}

TEST_CASE("What is no option is refused in one line", "[ui][program]") {
    test::needApplication();
    const QProcessEnvironment offscreen = environmentWith(QStringLiteral("offscreen"));
    const Ended word = run({QStringLiteral("trace.etl")}, offscreen);
    CHECK(word.code == 2);
    CHECK(word.errors.contains(QStringLiteral("tracedeck: “trace.etl” is no option")));
    CHECK(word.output.isEmpty());
    const Ended option = run({QStringLiteral("--nonsense")}, offscreen);
    CHECK(option.code == 2);
    CHECK(option.errors.contains(QStringLiteral("nonsense")));
}

TEST_CASE("The program ends properly on a signal", "[ui][program][signals]") {
    test::needApplication();
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    CAPTURE(signal);
    QProcess program;
    program.setProcessEnvironment(environmentWith(QStringLiteral("offscreen")));
    program.setChildProcessModifier([signal] { ::signal(signal, SIG_DFL); }); // a background job ignores Ctrl+C
    program.start(QStringLiteral(TRACEDECK_WINDOW_PROGRAM), QStringList());
    REQUIRE(program.waitForStarted(test::kLongest));
    REQUIRE(test::waitFor([&] { return catches(program.processId(), signal); }));
    REQUIRE(::kill(static_cast<pid_t>(program.processId()), signal) == 0);
    REQUIRE(program.waitForFinished(test::kLongest));
    CHECK(program.exitStatus() == QProcess::NormalExit);
    CHECK(program.exitCode() == 0);
}

TEST_CASE("Qt's buttons speak the language of the program", "[ui][program]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path());
    const QString german = QStringLiteral(TRACEDECK_TRANSLATIONS "/tracedeck_de.qm");
    const auto copy = [&](const QString& name) { REQUIRE(QFile::copy(german, path + u'/' + name)); };
    copy(QStringLiteral("tracedeck_de.qm"));
    copy(QStringLiteral("qtbase_de.qm"));
    copy(QStringLiteral("qtbase_fr.qm"));
    const QLocale before;
    const auto installed = [&](QLocale::Language language, QLocale::Territory territory) {
        app::installTranslations(QLocale(language, territory), {path, path});
        QStringList names;
        for (QTranslator* translator :
             QCoreApplication::instance()->findChildren<QTranslator*>(QString(), Qt::FindDirectChildrenOnly)) {
            names << translator->filePath().section(u'/', -1);
            QCoreApplication::removeTranslator(translator);
            delete translator;
        }
        return names.join(u' ').toStdString();
    };
    CHECK(installed(QLocale::German, QLocale::Austria) == "tracedeck_de.qm qtbase_de.qm");
    CHECK(installed(QLocale::French, QLocale::France) == "");
    CHECK(QLocale().language() == QLocale::English);
    QLocale::setDefault(before);
}

TEST_CASE("The packages hold Qt's translations", "[ui][program]") {
    QFile list(QStringLiteral(TRACEDECK_SOURCE_DIR "/app/install_packages.sh"));
    REQUIRE(list.open(QIODevice::ReadOnly));
    CHECK(list.readAll().contains(" qt6-translations-l10n "));
}

} // namespace tracedeck
