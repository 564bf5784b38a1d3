// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QMessageBox;
class QWidget;

/// The message boxes of the window. Each opens at once, waits for nobody and deletes itself; an answer that is no wish
/// to go back calls its function.
namespace tracedeck::ui {

struct CloseQuestion {
    bool isRunning = false;     ///< else it has stopped and is not saved
    QString rawFiles;           ///< "system.etl in /home/me/.tracedeck-cpu-4711-1", empty while it cannot be told
    bool isInMemory = false;    ///< some of the raw files could not be written
    QString workFolder;         ///< that they will be in a folder of
    std::function<void()> save; ///< stop, save, then close
    std::function<void()> keep; ///< stop, then close and keep the raw files
    /// Close, and do not stop; empty where the recording would end with the program.
    std::function<void()> letGoOn;
};
QMessageBox* askBeforeClosing(CloseQuestion question, QWidget* parent);

/// Says where the raw files are; `closed` follows in any case.
QMessageBox* tellRawFiles(const QString& rawFiles, std::function<void()> closed, QWidget* parent);

QMessageBox* askToReplace(const QString& fileName, std::function<void()> replace, std::function<void()> rename,
                          QWidget* parent);
QMessageBox* askToDiscard(std::function<void()> discard, QWidget* parent);

void showAbout(QWidget* parent);
void showAboutQt(QWidget* parent);

} // namespace tracedeck::ui
