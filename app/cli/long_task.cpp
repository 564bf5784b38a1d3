// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/long_task.h"

#include "app/signals/signal_watcher.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QTimer>

#include <atomic>
#include <thread>

namespace tracedeck::cli {

void runLongTask(std::string_view label, Console& console,
                 const std::function<void(std::stop_token, const TaskProgress&)>& work) {
    using namespace std::chrono_literals;
    std::atomic<double> fraction{0};
    QObject context; // lives on this thread: what is posted to it runs in the loop below
    const app::SignalWatcher signalWatcher;
    std::jthread thread([&](const std::stop_token& stop) {
        work(stop, [&](double done) { fraction = done; });
        QMetaObject::invokeMethod(
            &context, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    });
    const auto stop = [&] { thread.request_stop(); };
    QObject::connect(&signalWatcher, &app::SignalWatcher::interrupted, &context, stop);
    QObject::connect(&signalWatcher, &app::SignalWatcher::terminated, &context, stop);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &context,
                     [&] { console.progress(fmt::format("{}… {:.0f} %", label, fraction.load() * 100)); });
    timer.start(250ms);
    QCoreApplication::exec();
}

} // namespace tracedeck::cli
