// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_panes.h"

#include "ui/guidance_panel.h"
#include "ui/health_card.h"
#include "ui/live_pane.h"
#include "ui/message_strip.h"
#include "ui/plan_panel.h"
#include "ui/progress_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"
#include "ui/stopped_panel.h"
#include "ui/unfinished_bar.h"
#include "ui/window_actions.h"

#include <QAction>
#include <QFrame>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {
namespace {

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Sunken);
    return line;
}

} // namespace

WindowPanes::WindowPanes(const Model& model, QWidget* parent)
    : QWidget(parent), m_unfinished(new UnfinishedBar(this)), m_form(new RecordingForm(model.profiles, this)),
      m_strip(new MessageStrip(model.actions->lookAgain(), this)),
      m_bar(new RecordingBar(model.actions->record(), model.actions->mark(), this)),
      m_stopped(new StoppedPanel(model.actions->save(), model.actions->discard(), this)),
      m_progress(new ProgressPanel(this)), m_guidance(new GuidancePanel(this)),
      m_health(new HealthCard(*model.messages, this)), m_live(new LivePane(*model.messages, *model.clock, this)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_unfinished);
    column->addWidget(m_form, 3);
    column->addWidget(separator(this));
    column->addWidget(m_strip);
    column->addWidget(m_bar);
    column->addWidget(m_stopped);
    column->addWidget(m_progress);
    column->addWidget(m_guidance);
    column->addWidget(m_health);
    column->addWidget(m_live, 2);
    connectButtons(*model.actions);
    connect(m_form, &RecordingForm::choiceChanged, m_guidance,
            [this] { m_guidance->showPreset(m_form->preset(), m_form->isModified()); });
    setTabOrders();
}

void WindowPanes::connectButtons(WindowActions& actions) {
    PlanPanel* plan = m_form->planPanel();
    connect(plan->detailsButton(), &QPushButton::clicked, actions.details(), &QAction::trigger);
    connect(plan->copyButton(), &QPushButton::clicked, actions.copy(), &QAction::trigger);
    connect(plan->lookAgainButton(), &QPushButton::clicked, actions.lookAgain(), &QAction::trigger);
    connect(m_health->openFolderButton(), &QPushButton::clicked, actions.openFolder(), &QAction::trigger);
}

void WindowPanes::setTabOrders() {
    QList<QWidget*> order = m_unfinished->tabOrder();
    order << m_form->tabOrder() << m_strip->tabOrder() << m_bar->recordButton() << m_bar->markButton()
          << m_stopped->saveButton() << m_stopped->discardButton() << m_progress->cancelButton()
          << m_health->tabOrder();
    for (qsizetype i = 1; i < order.size(); ++i) {
        setTabOrder(order[i - 1], order[i]);
    }
}

void WindowPanes::show(const View& view) {
    PlanPanel* plan = m_form->planPanel();
    plan->lookAgainButton()->setEnabled(view.controls.canEditForm);
    plan->detailsButton()->setEnabled(view.hasPlan);
    plan->copyButton()->setEnabled(view.hasPlan);
    m_form->setEditable(view.controls.canEditForm);
    m_progress->cancelButton()->setEnabled(view.controls.canCancelSave);
    if (view.controls.showsProgress) {
        m_progress->setStage(view.state);
    }
    const bool isRunning = view.controls.canStop || view.state == recorder::State::Starting;
    m_guidance->setVisible(view.isIdle ? !view.hasOutcome : isRunning || view.state == recorder::State::Idle);
    m_health->setVisible(view.isIdle && view.hasOutcome);
    m_live->setVisible(view.controls.showsLive);
    m_stopped->setVisible(view.controls.showsStopped);
    m_progress->setVisible(view.controls.showsProgress);
}

} // namespace tracedeck::ui
