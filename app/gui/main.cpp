// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"
#include "app/gui/exit_guard.h"
#include "app/gui/program_end.h"
#include "app/gui/translations.h"
#include "app/gui/window_costs.h"
#include "app/gui/window_messages.h"
#include "app/signals/program_start.h"
#include "app/wiring/wiring.h"
#include "core/platform/paths.h"
#include "core/profile/catalog.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QDesktopServices>
#include <QLibraryInfo>
#include <QLocale>
#include <QSessionManager>
#include <QTimer>
#include <QUrl>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

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

app::TranslationFolders translationFolders() {
    return {QStringLiteral(":/i18n"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)};
}

void describeProgram() {
    QCoreApplication::setApplicationName(QStringLiteral("tracedeck"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRACEDECK_VERSION));
    app::installTranslations(QLocale(), translationFolders());
}

void print(const QString& text, std::FILE* stream) {
    std::fputs(text.toLocal8Bit().constData(), stream);
    std::fflush(stream);
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
    auto recorder = std::make_unique<recorder::Recorder>(wiring.environment());
    app::WindowCosts costs(wiring.files(), app::CostStore::usualPath());

    ui::MainWindow::Services services;
    services.recorder = recorder.get();
    services.clock = &wiring.clock();
    services.catalog = &catalog;
    services.capabilities = [&wiring](etw::Completion<etw::Capabilities> done) {
        wiring.controller().capabilities(std::move(done));
    };
    services.messages = app::windowMessages();
    services.folders = ui::systemFolders();
    services.defaultFolder = QString::fromStdString(platform::recordingsFolder());
    services.openFolder = [](const QString& folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); };
    services.noteCost = [&costs](const plan::RecordingPlan& plan, const etw::Capabilities& machine,
                                 const recorder::Stopped& recording) { costs.note(plan, machine, recording); };
    services.newFileName = [&wiring](const QString& label) {
        return QString::fromStdString(
            platform::recordingFileName(platform::hostName(), label.toStdString(), wiring.clock().wallTime()));
    };

    auto window = std::make_unique<ui::MainWindow>(std::move(services));
    QObject::connect(&costs, &app::WindowCosts::known, window.get(), &ui::MainWindow::setCosts);
    app::ProgramEnd::Ways ways;
    ways.tell = [](const QString& line) { print(line + u'\n', stderr); };
    ways.quit = [] { QCoreApplication::exit(); };
    ways.close = [&] { return recorder->close(); };
    ways.endAtOnce = [&] {
        window.reset();
        QCoreApplication::exit();
    };
    app::ProgramEnd end(*window, std::move(ways));
    QObject::connect(
        &application, &QGuiApplication::commitDataRequest, &end,
        [&end](QSessionManager& manager) {
            if (end.sessionEnds([&] { return manager.allowsInteraction(); }) == app::ProgramEnd::LogOut::IsHeld) {
                manager.cancel();
            }
        },
        Qt::DirectConnection);
    const app::ExitGuard guard([&end] { end.displayIsGone(); });
    window->show();
    // The machine is asked when the window has been painted.
    QTimer::singleShot(0, window.get(), [&window] {
        window->askMachine();
        window->lookForUnfinished();
    });
    return application.exec();
}

} // namespace

int main(int argc, char** argv) {
    app::prepareProgram();
    if (app::asksForAnswer(argc, argv)) {
        const QCoreApplication application(argc, argv);
        describeProgram();
        if (const auto answer = app::answerWithoutWindow(QCoreApplication::arguments())) {
            print(answer->text, stdout);
            return answer->code;
        }
    }
    const QtMessageHandler usual = qInstallMessageHandler(reportMissingDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(usual);
    describeProgram();
    QApplication::setApplicationDisplayName(QStringLiteral("Tracedeck"));
    QApplication::setDesktopFileName(QStringLiteral("tracedeck"));
    if (const auto refusal = app::refusalOf(QCoreApplication::arguments())) {
        print(refusal->text, stderr);
        return refusal->code;
    }
    spdlog::set_default_logger(spdlog::stderr_color_mt("tracedeck"));
    try {
        return run(application);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck: something went wrong inside the recorder\n  %s\n", error.what());
        return 1;
    }
}
