// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls.h"

#include <QObject>

class QAction;
class QKeySequence;
class QMainWindow;

namespace tracedeck::ui {

/// The window's commands: texts, icons, shortcuts, when each can be given, and the menus that they stand in. What a
/// command does is the window's.
///
/// Threading: UI thread. Ownership: the window's child, as the commands are its own.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMainWindow* window);

    /// Fills the window's menu bar.
    void createMenus(QMainWindow* window);
    /// `hasPlan`: there is something to show in detail or to copy.
    void applyState(recorder::State state, const Controls& controls, bool hasPlan);

    [[nodiscard]] QAction* record() const noexcept { return m_record; } ///< or stop
    [[nodiscard]] QAction* mark() const noexcept { return m_mark; }
    [[nodiscard]] QAction* save() const noexcept { return m_save; }
    [[nodiscard]] QAction* discard() const noexcept { return m_discard; }
    [[nodiscard]] QAction* copy() const noexcept { return m_copy; }
    [[nodiscard]] QAction* lookAgain() const noexcept { return m_lookAgain; }
    [[nodiscard]] QAction* details() const noexcept { return m_details; }
    [[nodiscard]] QAction* filter() const noexcept { return m_filter; }
    [[nodiscard]] QAction* openFolder() const noexcept { return m_openFolder; }
    [[nodiscard]] QAction* quit() const noexcept { return m_quit; }

private:
    QAction* make(const QString& icon, const QString& text, const QKeySequence& shortcut);

    QAction* m_record;
    QAction* m_mark;
    QAction* m_save;
    QAction* m_discard;
    QAction* m_copy;
    QAction* m_lookAgain;
    QAction* m_details;
    QAction* m_filter;
    QAction* m_openFolder;
    QAction* m_quit;
};

} // namespace tracedeck::ui
