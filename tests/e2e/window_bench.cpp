// SPDX-License-Identifier: GPL-3.0-or-later
//
// How quick the window is, printed; nothing is asserted. Build it in Release and run it on a display, e.g.
//
//   xvfb-run -s "-screen 0 1280x900x24" build/ci/bin/window_bench [SECONDS]
//
// Starts the program itself and looks at the screen until the window is painted; then records this machine for real
// through a window of its own, by clicks, while a timer beats in its thread.
#include "app/gui/window_messages.h"
#include "app/wiring/wiring.h"
#include "core/profile/catalog.h"
#include "tests/support/temporary_folder.h"
#include "ui/health_card.h"
#include "ui/main_window.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

using namespace tracedeck;

namespace {

QImage screen() {
    return QGuiApplication::primaryScreen()->grabWindow(0).toImage();
}

/// The share of the screen's points that `now` shows otherwise than `before`, of a grid.
double changed(const QImage& before, const QImage& now) {
    constexpr int kStep = 16;
    int points = 0;
    int others = 0;
    for (int y = 0; y < now.height(); y += kStep) {
        for (int x = 0; x < now.width(); x += kStep) {
            ++points;
            others += before.pixel(x, y) != now.pixel(x, y) ? 1 : 0;
        }
    }
    return static_cast<double>(others) / points;
}

void measureStart() {
    constexpr int kRuns = 7;
    constexpr double kPainted = 0.4; // of the screen; the window covers more than half of it
    constexpr qint64 kPatience = 10'000;
    std::vector<qint64> times;
    for (int run = 0; run < kRuns; ++run) {
        const QImage before = screen();
        QProcess program;
        QElapsedTimer since;
        since.start();
        program.start(QStringLiteral(TRACEDECK_PROGRAM), {});
        while (changed(before, screen()) < kPainted) {
            if (since.elapsed() > kPatience) {
                throw std::runtime_error("the window never covered the screen");
            }
        }
        times.push_back(since.elapsed());
        program.terminate();
        program.waitForFinished();
        while (changed(before, screen()) > 0) {
        }
    }
    std::sort(times.begin(), times.end());
    std::printf("exec to painted, %d starts: median %lld ms, longest %lld ms\n", kRuns,
                static_cast<long long>(times[kRuns / 2]), static_cast<long long>(times.back()));
}

/// The longest time between two beats of a timer of 5 ms in this thread, per phase.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_longest = std::max(m_longest, m_since.nsecsElapsed());
            m_since.restart();
            ++m_beats;
        });
        m_since.start();
        m_timer.start(5);
    }
    void print(const char* phase) {
        std::printf("  %-28s longest gap %5.1f ms over %d beats\n", phase, static_cast<double>(m_longest) / 1e6,
                    m_beats);
        m_longest = 0;
        m_beats = 0;
    }

    [[nodiscard]] int beats() const { return m_beats; }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_longest = 0;
    int m_beats = 0;
};

void wait(const char* what, const std::function<bool()>& condition) {
    if (!QTest::qWaitFor(condition, 60'000)) {
        throw std::runtime_error(std::string("waited in vain: ") + what);
    }
}

void recordThroughTheWindow(int seconds) {
    const test::TemporaryFolder folder;
    app::Wiring wiring;
    profile::Catalog catalog;
    if (const Status added = catalog.addFolder(TRACEDECK_SOURCE_DIR "/profiles"); !added) {
        throw std::runtime_error(added.error().detail);
    }
    recorder::Recorder recorder(wiring.environment());
    ui::MainWindow::Services services;
    services.recorder = &recorder;
    services.clock = &wiring.clock();
    services.catalog = &catalog;
    services.capabilities = [&](etw::Completion<etw::Capabilities> done) {
        wiring.controller().capabilities(std::move(done));
    };
    services.messages = app::windowMessages();
    services.folders = ui::systemFolders();
    services.defaultFolder = QString::fromStdString(folder.path());
    services.openFolder = [](const QString&) {};
    services.newFileName = [](const QString&) { return QStringLiteral("bench.etl"); };

    Heartbeat heartbeat;
    ui::MainWindow window(std::move(services));
    window.show();
    window.askMachine();
    wait("the machine's answer", [&] { return window.bar()->recordButton()->isEnabled(); });
    constexpr int kSettled = 40; // beats: what the start has to paint and plan is its own, and not the recording's
    wait("the window at rest", [&] { return heartbeat.beats() >= kSettled; });
    heartbeat.print("start");
    ui::RecordingChoice choice = window.form()->choice();
    choice.mode = plan::LoggingMode::File;
    window.form()->setChoice(choice);
    QTest::mouseClick(window.bar()->recordButton(), Qt::LeftButton);
    wait("the recording", [&] { return recorder.state() == recorder::State::Recording; });
    heartbeat.print("Record until it records");
    QElapsedTimer since;
    since.start();
    wait("its end", [&] { return since.elapsed() > seconds * 1000; });
    heartbeat.print("recording");
    QTest::mouseClick(window.bar()->recordButton(), Qt::LeftButton);
    ui::SaveDialog* dialog = nullptr;
    wait("the save dialog", [&] {
        dialog = window.findChild<ui::SaveDialog*>();
        return dialog != nullptr && dialog->isVisible();
    });
    heartbeat.print("Stop until the save dialog");
    QTest::keyClick(dialog, Qt::Key_Return);
    wait("the saved file", [&] { return window.healthCard()->isVisible(); });
    heartbeat.print("saving");
}

} // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    QGuiApplication::setQuitOnLastWindowClosed(false);
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
    try {
        if (QGuiApplication::platformName() == QStringLiteral("xcb")) {
            measureStart();
        } else {
            std::printf("exec to painted: only on an X display\n");
        }
        recordThroughTheWindow(seconds);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
