// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace tracedeck::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into Qt signals. The handler writes one byte into a pipe and does nothing else.
///
/// Threading: the main thread, whose event loop reads the pipe.
/// Ownership: one at a time; the destructor puts the former handlers back.
class SignalWatcher final : public QObject {
    Q_OBJECT
public:
    explicit SignalWatcher(QObject* parent = nullptr);
    ~SignalWatcher() override;

Q_SIGNALS:
    /// Ctrl+C.
    void interrupted();
    /// Somebody asks the program to end: SIGTERM, or the terminal went away.
    void terminated();

private:
    void readPipe();

    QSocketNotifier* m_notifier = nullptr;
};

} // namespace tracedeck::cli
