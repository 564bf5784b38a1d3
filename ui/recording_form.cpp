// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording_form.h"

#include "ui/options_panel.h"
#include "ui/plan_panel.h"
#include "ui/preset_row.h"
#include "ui/profile_model.h"
#include "ui/profile_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace tracedeck::ui {

RecordingForm::RecordingForm(ProfileModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), m_presets(translatedPresets()), m_outlooks(m_presets.size()),
      m_presetRow(new PresetRow(m_presets, this)), m_answer(new QLabel(this)),
      m_profiles(new ProfilePanel(model, this)), m_plan(new PlanPanel(this)), m_limitations(new LimitationPanel(this)),
      m_options(new OptionsPanel(this)) {
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

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(buildPresets());
    column->addWidget(splitter, 1);

    connect(m_presetRow, &PresetRow::chosen, this, &RecordingForm::choose);
    connect(m_options, &OptionsPanel::edited, this, &RecordingForm::readBack);
    connect(m_model, &ProfileModel::checkedNamesChanged, this, &RecordingForm::readBack);
}

QWidget* RecordingForm::buildPresets() {
    auto* presets = new QWidget(this);
    auto* question = new QLabel(tr("What is wrong?"), presets);
    QFont bold = question->font();
    bold.setBold(true);
    question->setFont(bold);
    m_presetRow->setAccessibleName(question->text());
    m_answer->setWordWrap(true);
    m_answer->setTextFormat(Qt::PlainText);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(question, 0, Qt::AlignTop);
    line->addWidget(m_answer, 1, Qt::AlignTop);
    auto* column = new QVBoxLayout(presets);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_presetRow);
    return presets;
}

bool RecordingForm::choosePreset(const QString& id) {
    const auto preset = std::find_if(m_presets.begin(), m_presets.end(), [&](const Preset& p) { return p.id == id; });
    const auto index = static_cast<std::size_t>(preset - m_presets.begin());
    if (preset == m_presets.end() || m_outlooks[index].kind == PresetOutlook::Kind::Unavailable) {
        return false;
    }
    choose(index);
    return true;
}

void RecordingForm::chooseFirstPreset() {
    for (const Preset& preset : m_presets) {
        if (choosePreset(preset.id)) {
            return;
        }
    }
}

void RecordingForm::choose(std::size_t preset) {
    m_last = preset;
    setChoice(m_presets[preset].applyTo(choice()));
}

void RecordingForm::showOutlooks(std::vector<PresetOutlook> outlooks) {
    m_outlooks = std::move(outlooks);
    for (std::size_t i = 0; i < m_outlooks.size(); ++i) {
        m_presetRow->setOutlook(i, m_outlooks[i]);
    }
    if (matching(choice()) != m_current) {
        readBack();
    }
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
    m_current = matching(choice());
    if (m_current) {
        m_last = m_current;
    }
    m_presetRow->setCurrent(m_current);
    showAnswer();
    Q_EMIT choiceChanged();
}

std::optional<std::size_t> RecordingForm::matching(const RecordingChoice& choice) const {
    if (m_last && m_presets[*m_last].matches(choice)) {
        return m_last;
    }
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        // What cannot be chosen is more than its profiles: the same profiles are not it.
        if (m_outlooks[i].kind != PresetOutlook::Kind::Unavailable && m_presets[i].matches(choice)) {
            return i;
        }
    }
    return std::nullopt;
}

const Preset* RecordingForm::preset() const noexcept {
    return m_last && (m_current || m_presets[*m_last].hasProfiles(m_model->checkedNames())) ? &m_presets[*m_last]
                                                                                            : nullptr;
}

/// The symptom is the answer to the question above the buttons. One line in either case: a second one would move the
/// buttons away from under the mouse.
void RecordingForm::showAnswer() {
    if (m_current) {
        m_answer->setText(m_presets[*m_current].symptom);
    } else {
        m_answer->setText(m_last ? tr("modified from “%1”").arg(m_presets[*m_last].label) : QString());
    }
}

void RecordingForm::setEditable(bool isEditable) {
    m_presetRow->setEnabled(isEditable);
    m_profiles->setEnabled(isEditable);
    m_options->setEnabled(isEditable);
}

QList<QWidget*> RecordingForm::tabOrder() const {
    QList<QWidget*> order;
    order << m_presetRow->tabOrder() << m_profiles->filter() << m_profiles->view() << m_plan->detailsButton()
          << m_plan->copyButton() << m_plan->lookAgainButton() << m_options->tabOrder();
    return order;
}

QString RecordingForm::label() const {
    if (const Preset* known = preset()) {
        return known->id;
    }
    const QStringList names = m_model->checkedNames();
    return names.size() == 1 ? names.front().toLower() : QStringLiteral("recording");
}

} // namespace tracedeck::ui
