// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording_form.h"

#include "ui/options_panel.h"
#include "ui/palette_icon.h"
#include "ui/plan_panel.h"
#include "ui/profile_model.h"
#include "ui/profile_panel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace tracedeck::ui {

RecordingForm::RecordingForm(ProfileModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), m_presets(presetsFor(model->names())), m_presetButtons(new QButtonGroup(this)),
      m_modified(new QLabel(this)), m_profiles(new ProfilePanel(model, this)), m_plan(new PlanPanel(this)),
      m_limitations(new LimitationPanel(this)), m_options(new OptionsPanel(this)) {
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(10, 0, 6, 0);
    rightColumn->setSpacing(10);
    rightColumn->addWidget(m_plan);
    rightColumn->addWidget(m_options);
    rightColumn->addWidget(m_limitations);
    rightColumn->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(right);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_profiles);
    splitter->addWidget(scroll);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({360, 560});

    m_presetRow = buildPresetRow();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_presetRow);
    column->addWidget(splitter, 1);

    connect(m_presetButtons, &QButtonGroup::idClicked, this, &RecordingForm::choosePreset);
    connect(m_options, &OptionsPanel::edited, this, &RecordingForm::readBack);
    connect(m_model, &ProfileModel::checkedNamesChanged, this, &RecordingForm::readBack);
    if (!m_presets.empty()) {
        choosePreset(0);
    }
}

QWidget* RecordingForm::buildPresetRow() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    auto* title = new QLabel(tr("What is wrong?"), bar);
    row->addWidget(title);
    // Not exclusive: after a modification no preset is on, which an exclusive group would refuse.
    m_presetButtons->setExclusive(false);
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        auto* button = new QToolButton(bar);
        button->setText(m_presets[i].title);
        button->setToolTip(m_presets[i].description);
        button->setAccessibleDescription(m_presets[i].description);
        button->setIcon(paletteIcon(m_presets[i].icon));
        button->setIconSize({22, 22});
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setMinimumHeight(36);
        m_presetButtons->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    row->addWidget(m_modified, 1);
    return bar;
}

void RecordingForm::choosePreset(int index) {
    m_lastPreset = index;
    setChoice(m_presets[static_cast<std::size_t>(index)].applyTo(choice()));
}

RecordingChoice RecordingForm::choice() const {
    RecordingChoice choice;
    choice.profiles = m_model->checkedNames();
    m_options->readInto(choice);
    return choice;
}

void RecordingForm::setChoice(const RecordingChoice& choice) {
    m_isSetting = true;
    m_model->setCheckedNames(choice.profiles);
    m_options->setChoice(choice);
    m_isSetting = false;
    readBack();
}

void RecordingForm::readBack() {
    if (m_isSetting) {
        return;
    }
    const RecordingChoice now = choice();
    bool isPreset = false;
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        const bool matches = !isPreset && m_presets[i].matches(now);
        m_presetButtons->button(static_cast<int>(i))->setChecked(matches);
        if (matches) {
            isPreset = true;
            m_lastPreset = static_cast<int>(i);
        }
    }
    const bool isModified = !isPreset && m_lastPreset >= 0;
    m_modified->setText(
        isModified ? tr("modified from “%1”").arg(m_presets[static_cast<std::size_t>(m_lastPreset)].title) : QString());
    Q_EMIT choiceChanged();
}

void RecordingForm::setEditable(bool isEditable) {
    m_presetRow->setEnabled(isEditable);
    m_profiles->setEnabled(isEditable);
    m_options->setEnabled(isEditable);
}

QList<QWidget*> RecordingForm::tabOrder() const {
    QList<QWidget*> order;
    for (QAbstractButton* button : m_presetButtons->buttons()) {
        order << button;
    }
    order << m_profiles->filter() << m_profiles->view() << m_plan->detailsButton() << m_plan->copyButton()
          << m_plan->lookAgainButton() << m_options->tabOrder();
    return order;
}

QString RecordingForm::label() const {
    const RecordingChoice now = choice();
    for (const Preset& preset : m_presets) {
        if (preset.matches(now)) {
            return preset.id;
        }
    }
    return now.profiles.size() == 1 ? now.profiles.front().toLower() : QStringLiteral("recording");
}

} // namespace tracedeck::ui
