// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/signals/signal_watcher.h"

#include <QObject>
#include <QStringList>

#include <functional>

namespace tracedeck::ui {
class MainWindow;
}

namespace tracedeck::app {

/// Sees to it that a program that is told to end does not take a recording with it: Ctrl+C, SIGTERM, a terminal that
/// goes away, a session that ends. What was recorded is stopped and its raw files stay.
///
/// Threading: UI thread. Ownership: `window` must outlive it, but for endAtOnce, which may destroy both.
class ProgramEnd final : public QObject {
    Q_OBJECT
public:
    struct Ways {
        std::function<void(const QString& line)> tell; ///< on the terminal
        std::function<void()> quit;
        /// Stops the recording, waits for its raw files and destroys the window. For a session that does not wait.
        std::function<void()> endAtOnce;
    };
    ProgramEnd(ui::MainWindow& window, Ways ways);

    enum class LogOut { GoesOn, IsHeld };
    /// The session ends. `canAsk`: whether the session manager lets the user be asked; called only where something
    /// would be lost. IsHeld: the log-out is to be cancelled, the window asks.
    [[nodiscard]] LogOut sessionEnds(const std::function<bool()>& canAsk);

private:
    void windowEnded(const QStringList& rawFiles, const QString& problem);

    ui::MainWindow& m_window;
    Ways m_ways;
    SignalWatcher m_signals;
};

} // namespace tracedeck::app
