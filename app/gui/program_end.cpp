// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/program_end.h"

#include "ui/main_window.h"

#include <QDir>

#include <utility>

namespace tracedeck::app {

ProgramEnd::ProgramEnd(ui::MainWindow& window, Ways ways) : m_window(window), m_ways(std::move(ways)) {
    connect(&m_signals, &SignalWatcher::interrupted, &window, &ui::MainWindow::closeKeepingRawFiles);
    connect(&m_signals, &SignalWatcher::terminated, &window, &ui::MainWindow::closeKeepingRawFiles);
    connect(&window, &ui::MainWindow::ended, this,
            [this](const QStringList&, const QString& problem) { windowEnded(problem); });
}

void ProgramEnd::windowEnded(const QString& problem) {
    if (!problem.isEmpty()) {
        m_ways.tell(problem);
    }
    closeRecorder();
    m_ways.quit();
}

void ProgramEnd::closeRecorder() {
    const recorder::Remains remains = m_ways.close();
    if (!remains.rawFiles.empty()) {
        m_ways.tell(tr("The recording was stopped and not saved. Its raw files are:"));
        for (const std::string& file : remains.rawFiles) {
            m_ways.tell(QStringLiteral("  ") + QDir::toNativeSeparators(QString::fromStdString(file)));
        }
    }
    if (!remains.lost.empty()) {
        m_ways.tell(tr("What was recorded in memory is lost, because no folder takes it:"));
        m_ways.tell(QStringLiteral("  ") +
                    QString::fromStdString(remains.error ? remains.error->detail : std::string()));
    }
}

void ProgramEnd::displayIsGone() {
    if (m_window.holdsRecording()) {
        m_ways.tell(tr("The display is gone: the recording is stopped."));
        closeRecorder();
    }
}

ProgramEnd::LogOut ProgramEnd::sessionEnds(const std::function<bool()>& canAsk) {
    if (!m_window.holdsRecording()) {
        return LogOut::GoesOn;
    }
    if (canAsk()) {
        m_window.show();
        m_window.close(); // asks
        return LogOut::IsHeld;
    }
    // Told first, because the session may not wait for the rest.
    m_ways.tell(tr("The session ends: the recording is stopped. Its raw files stay in a hidden folder in %1.")
                    .arg(QDir::toNativeSeparators(m_window.workFolder())));
    closeRecorder();
    const auto endAtOnce = m_ways.endAtOnce; // it may destroy this
    endAtOnce();
    return LogOut::GoesOn;
}

} // namespace tracedeck::app
