// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/signals/signal_watcher.h"
#include "core/recorder/recorder.h"

#include <QObject>
#include <QString>

#include <functional>

namespace tracedeck::ui {
class MainWindow;
}

namespace tracedeck::app {

/// Sees to it that a program that is told to end does not take a recording with it: Ctrl+C, SIGTERM, a terminal that
/// goes away, a session or a display that ends. What was recorded is stopped, and it is told where its raw files are.
///
/// Threading: UI thread. Ownership: `window` must outlive it, but for endAtOnce, which may destroy both.
class ProgramEnd final : public QObject {
    Q_OBJECT
public:
    struct Ways {
        std::function<void(const QString& line)> tell; ///< on the terminal
        std::function<void()> quit;
        std::function<recorder::Remains()> close; ///< the recorder
        /// Destroys the window and quits. For a session that does not wait.
        std::function<void()> endAtOnce;
    };
    ProgramEnd(ui::MainWindow& window, Ways ways);

    enum class LogOut { GoesOn, IsHeld };
    /// The session ends. `canAsk`: whether the session manager lets the user be asked; called only where something
    /// would be lost. IsHeld: the log-out is to be cancelled, the window asks.
    [[nodiscard]] LogOut sessionEnds(const std::function<bool()>& canAsk);

    /// The program ends when this returns, and its window can show nothing any more.
    void displayIsGone();

private:
    void windowEnded(const QString& problem);
    void closeRecorder();

    ui::MainWindow& m_window;
    Ways m_ways;
    SignalWatcher m_signals;
};

} // namespace tracedeck::app
