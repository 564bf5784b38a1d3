// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals/signal_watcher.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace tracedeck::app {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
std::array<int, 2> g_pipe{-1, -1};
std::array<struct sigaction, kSignals.size()> g_former{};

void writeByte(int signal) {
    const int savedErrno = errno;
    const auto byte = static_cast<unsigned char>(signal);
    // A full pipe means that signals enough are waiting to be read.
    [[maybe_unused]] const ssize_t written = write(g_pipe[1], &byte, 1);
    errno = savedErrno;
}

} // namespace

SignalWatcher::SignalWatcher(std::chrono::milliseconds oneRequest) : m_oneRequest(oneRequest) {
    if (pipe2(g_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe2");
    }
    m_notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &SignalWatcher::readPipe);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &g_former[i]);
        if (g_former[i].sa_handler == SIG_IGN) {
            continue;
        }
        struct sigaction action {};
        action.sa_handler = writeByte;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(kSignals[i], &action, nullptr);
    }
}

SignalWatcher::~SignalWatcher() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], &g_former[i], nullptr);
    }
    m_notifier->setEnabled(false);
    close(g_pipe[0]);
    close(g_pipe[1]);
    g_pipe = {-1, -1};
}

void SignalWatcher::readPipe() {
    unsigned char byte = 0;
    while (read(g_pipe[0], &byte, 1) == 1) {
        if (byte == SIGINT) {
            const std::chrono::nanoseconds since(m_sinceInterrupt.isValid() ? m_sinceInterrupt.nsecsElapsed() : -1);
            const bool isSame = since.count() >= 0 && since < m_oneRequest;
            if (!isSame) {
                m_sinceInterrupt.start();
                Q_EMIT interrupted();
            }
        } else if (byte == SIGTERM || byte == SIGHUP) {
            Q_EMIT terminated();
        } // anything else was not written by the handler
    }
}

} // namespace tracedeck::app
