// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_messages.h"
#include "app/wiring/wiring.h"
#include "core/platform/paths.h"
#include "core/profile/catalog.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QLibraryInfo>
#include <QLocale>
#include <QTimer>
#include <QTranslator>
#include <QUrl>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

using namespace tracedeck;

constexpr int kNoDisplay = 2;

/// Qt ends a program without a display by abort(). People get one line and an exit code instead.
void reportMissingDisplay(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtFatalMsg) {
        std::fputs("tracedeck: there is no display to open a window on; use tracedeck-cli instead\n", stderr);
        std::_Exit(kNoDisplay);
    }
    if (type == QtCriticalMsg) {
        std::fprintf(stderr, "%s\n", qPrintable(text));
    }
}

void installTranslations(QApplication& application) {
    const QLocale locale;
    auto* qtTexts = new QTranslator(&application);
    if (qtTexts->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                      QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QApplication::installTranslator(qtTexts);
    }
    // English first, for its plural forms; then the user's language, where there is a translation.
    bool isTranslated = false;
    for (const QLocale& language : {QLocale(QLocale::English), locale}) {
        auto* texts = new QTranslator(&application);
        isTranslated =
            texts->load(language, QStringLiteral("tracedeck"), QStringLiteral("_"), QStringLiteral(":/i18n"));
        if (isTranslated) {
            QApplication::installTranslator(texts);
        }
    }
    if (!isTranslated) {
        // English texts with English units and digits, as far as the country has ways of its own.
        QLocale::setDefault(QLocale(QLocale::English, locale.territory()));
    }
}

profile::Catalog loadProfiles() {
    profile::Catalog catalog;
    for (const std::string& folder : platform::profileFolders()) {
        if (const tracedeck::Status added = catalog.addFolder(folder); !added) {
            spdlog::warn("profiles of {}: {}", folder, added.error().detail);
        }
    }
    return catalog;
}

int run(QApplication& application) {
    app::Wiring wiring;
    const profile::Catalog catalog = loadProfiles();
    recorder::Recorder recorder(wiring.environment());

    ui::MainWindow::Services services;
    services.recorder = &recorder;
    services.clock = &wiring.clock();
    services.catalog = &catalog;
    services.capabilities = [&wiring](etw::Completion<etw::Capabilities> done) {
        wiring.controller().capabilities(std::move(done));
    };
    services.messages = app::windowMessages();
    services.defaultFolder = QString::fromStdString(platform::recordingsFolder());
    services.openFolder = [](const QString& folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); };

    services.newFileName = [&wiring](const QString& label) {
        return QString::fromStdString(
            platform::recordingFileName(platform::hostName(), label.toStdString(), wiring.clock().wallTime()));
    };

    ui::MainWindow window(std::move(services));
    window.show();
    // The machine is asked when the window has been painted.
    QTimer::singleShot(0, &window, &ui::MainWindow::askMachine);
    return application.exec();
}

} // namespace

int main(int argc, char** argv) {
    const QtMessageHandler usual = qInstallMessageHandler(reportMissingDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(usual);
    QApplication::setApplicationName(QStringLiteral("tracedeck"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tracedeck"));
    QApplication::setApplicationVersion(QStringLiteral(TRACEDECK_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("tracedeck"));
    spdlog::set_default_logger(spdlog::stderr_color_mt("tracedeck"));
    installTranslations(application);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("tracedeck::app", "Records what this computer is doing into one .etl file."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.process(application);
    try {
        return run(application);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck: something went wrong inside the recorder\n  %s\n", error.what());
        return 1;
    }
}
