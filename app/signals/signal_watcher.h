// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <chrono>

class QSocketNotifier;

namespace tracedeck::app {

/// Turns SIGINT, SIGTERM and SIGHUP into Qt signals. The handler writes one byte into a pipe and does nothing else.
/// What whoever started the program has set to be ignored stays ignored: SIGHUP under nohup, SIGINT in a shell's
/// background job.
///
/// Wrappers (timeout, CI runners) send a signal to a process and then to its group: what follows an interrupt within
/// `oneRequest` is the same request, and not somebody's second Ctrl+C.
///
/// Threading: the main thread, whose event loop reads the pipe.
/// Ownership: one at a time; the destructor puts the former handlers back.
class SignalWatcher final : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kOneRequest{500};
    explicit SignalWatcher(std::chrono::milliseconds oneRequest = kOneRequest);
    ~SignalWatcher() override;

Q_SIGNALS:
    /// Ctrl+C.
    void interrupted();
    /// Somebody asks the program to end: SIGTERM, or the terminal went away.
    void terminated();

private:
    void readPipe();

    const std::chrono::milliseconds m_oneRequest;
    QElapsedTimer m_sinceInterrupt;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace tracedeck::app
