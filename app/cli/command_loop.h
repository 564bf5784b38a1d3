// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_code.h"
#include "app/signals/signal_watcher.h"

#include <QCoreApplication>
#include <QObject>

#include <optional>

namespace tracedeck::cli {

/// Starts a command (start(), interrupt(), done(ExitCode)) and runs the event loop until it is done. Ctrl+C is
/// interrupt(), a signal to end is `terminate`.
template <class Command>
ExitCode runCommand(Command& command, void (Command::*terminate)()) {
    const app::SignalWatcher signalWatcher;
    QObject::connect(&signalWatcher, &app::SignalWatcher::interrupted, &command, &Command::interrupt);
    QObject::connect(&signalWatcher, &app::SignalWatcher::terminated, &command, terminate);
    std::optional<ExitCode> result;
    QObject::connect(&command, &Command::done, &command, [&](ExitCode code) {
        result = code;
        QCoreApplication::quit();
    });
    command.start();
    if (!result) {
        QCoreApplication::exec();
    }
    return result.value_or(ExitCode::NothingRecorded);
}

} // namespace tracedeck::cli
