// SPDX-License-Identifier: GPL-3.0-or-later
//
// display_victim FOLDER guarded|unguarded|wayland: shows a window and records into memory until its display is taken
// away. "wayland" ends as Qt's Wayland platform does: a warning, then _exit().
#include "app/gui/exit_guard.h"
#include "core/etw/engine/engine.h"
#include "tests/recorder/stage.h"

#include <QApplication>
#include <QTimer>
#include <QWidget>

#include <unistd.h>

#include <cstdio>
#include <optional>

using namespace tracedeck;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 3) {
        return 2;
    }
    const QString& how = arguments[2];
    const SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    recorder::Recorder recorder({&engine, &engine, &systemFiles(), &clock});
    std::optional<app::ExitGuard> guard;
    if (how != QStringLiteral("unguarded")) {
        guard.emplace([&recorder] {
            for (const std::string& file : recorder.close().rawFiles) {
                std::printf("%s\n", file.c_str());
            }
            std::fflush(stdout);
        });
    }
    recorder::Request request;
    request.plan = test::makePlan({.isFileMode = false, .hasSystemSession = false});
    request.workFolder = arguments[1].toStdString();
    QWidget window;
    window.show();
    QObject::connect(&recorder, &recorder::Recorder::started, &window, [&] {
        std::puts("recording");
        std::fflush(stdout);
        if (how == QStringLiteral("wayland")) {
            qWarning("The Wayland connection broke. Did the Wayland compositor die?");
            _exit(1);
        }
    });
    if (!recorder.start(std::move(request))) {
        return 3;
    }
    return QApplication::exec();
}
