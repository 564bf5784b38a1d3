// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_actions.h"

#include "ui/palette_icon.h"
#include "ui/questions.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace tracedeck::ui {
namespace {

/// Text and tool tip belong together: screen readers take the tool tip for the description.
void nameAction(QAction* action, const QString& text) {
    action->setText(text);
    const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
    const QString plain = QString(text).remove(u'&');
    //: tool tip: text of a command and its shortcut
    action->setToolTip(shortcut.isEmpty() ? plain : WindowActions::tr("%1 (%2)").arg(plain, shortcut));
}

} // namespace

WindowActions::WindowActions(QMainWindow* window)
    : QObject(window), m_record(make(QStringLiteral("record"), tr("&Record"), Qt::Key_F9)),
      m_mark(make(QStringLiteral("mark"), tr("Mar&k"), Qt::Key_F8)),
      m_save(make(QStringLiteral("save"), tr("&Save…"), QKeySequence::Save)),
      m_discard(make(QStringLiteral("discard"), tr("Discard…"), {})),
      m_copy(make(QStringLiteral("copy"), tr("&Copy as Command"), Qt::CTRL | Qt::SHIFT | Qt::Key_C)),
      m_lookAgain(make({}, tr("Look &Again"), Qt::Key_F5)),
      m_details(make(QStringLiteral("details"), tr("De&tails…"), Qt::CTRL | Qt::Key_D)),
      m_filter(make(QStringLiteral("search"), tr("&Filter Profiles"), QKeySequence::Find)),
      m_openFolder(make(QStringLiteral("folder"), tr("Open F&older"), {})),
      m_quit(make({}, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q))) {}

QAction* WindowActions::make(const QString& icon, const QString& text, const QKeySequence& shortcut) {
    auto* action = new QAction(icon.isEmpty() ? QIcon() : paletteIcon(icon), QString(), parent());
    action->setShortcut(shortcut);
    nameAction(action, text);
    return action;
}

void WindowActions::createMenus(QMainWindow* window) {
    QMenuBar* bar = window->menuBar();
    QMenu* file = bar->addMenu(tr("&File"));
    file->addAction(m_save);
    file->addAction(m_openFolder);
    file->addSeparator();
    file->addAction(m_quit);
    QMenu* recording = bar->addMenu(tr("Recordi&ng"));
    recording->addAction(m_record);
    recording->addAction(m_mark);
    recording->addAction(m_discard);
    recording->addSeparator();
    recording->addAction(m_copy);
    QMenu* view = bar->addMenu(tr("Vie&w"));
    view->addAction(m_filter);
    view->addAction(m_details);
    view->addAction(m_lookAgain);
    QMenu* help = bar->addMenu(tr("&Help"));
    connect(help->addAction(tr("&About Tracedeck")), &QAction::triggered, window, [window] { showAbout(window); });
    connect(help->addAction(tr("About &Qt")), &QAction::triggered, window, [window] { showAboutQt(window); });
}

void WindowActions::applyState(recorder::State state, const Controls& controls, bool hasPlan) {
    m_record->setEnabled(controls.canRecord || controls.canStop);
    nameAction(m_record, controls.showsLive && state != recorder::State::Stopped ? tr("&Stop") : tr("&Record"));
    m_record->setIcon(paletteIcon(controls.canStop ? QStringLiteral("stop") : QStringLiteral("record")));
    m_mark->setEnabled(controls.canMark);
    m_save->setEnabled(controls.canSave);
    m_discard->setEnabled(controls.canDiscard);
    m_details->setEnabled(hasPlan);
    m_copy->setEnabled(hasPlan);
    m_lookAgain->setEnabled(controls.canEditForm);
    m_filter->setEnabled(controls.canEditForm);
}

} // namespace tracedeck::ui
