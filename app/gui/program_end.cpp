// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/program_end.h"

#include "ui/main_window.h"

#include <QDir>

#include <utility>

namespace tracedeck::app {

ProgramEnd::ProgramEnd(ui::MainWindow& window, Ways ways) : m_window(window), m_ways(std::move(ways)) {
    connect(&m_signals, &SignalWatcher::interrupted, &window, &ui::MainWindow::closeKeepingRawFiles);
    connect(&m_signals, &SignalWatcher::terminated, &window, &ui::MainWindow::closeKeepingRawFiles);
    connect(&window, &ui::MainWindow::ended, this, &ProgramEnd::windowEnded);
}

void ProgramEnd::windowEnded(const QStringList& rawFiles, const QString& problem) {
    if (!problem.isEmpty()) {
        m_ways.tell(problem);
    }
    if (!rawFiles.isEmpty()) {
        m_ways.tell(tr("The recording was stopped and not saved. Its raw files are:"));
        for (const QString& file : rawFiles) {
            m_ways.tell(QStringLiteral("  ") + QDir::toNativeSeparators(file));
        }
    }
    m_ways.quit();
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
    m_ways.tell(tr("The session ends: the recording is stopped. Its raw files stay in a hidden folder in %1.")
                    .arg(QDir::toNativeSeparators(m_window.workFolder())));
    const auto endAtOnce = m_ways.endAtOnce; // it may destroy this
    endAtOnce();
    return LogOut::GoesOn;
}

} // namespace tracedeck::app
