// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presets.h"

#include <QCoreApplication>

namespace tracedeck::ui {
namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// lupdate finds these texts in a source that translations/preset_texts.cmake makes of the file of presets.
QString translated(std::string_view text) {
    return QCoreApplication::translate("tracedeck::ui::Preset", std::string(text).c_str());
}

/// Without case and order.
QStringList normal(QStringList names) {
    for (QString& name : names) {
        name = name.toCaseFolded();
    }
    names.sort();
    return names;
}

} // namespace

RecordingChoice Preset::applyTo(RecordingChoice choice) const {
    choice.profiles = profiles;
    choice.detail = detail;
    choice.mode = mode;
    choice.maximumFileSizeMib = maximumFileSizeMib;
    choice.timeLimit = timeLimit;
    return choice;
}

bool Preset::matches(const RecordingChoice& choice) const {
    RecordingChoice applied = applyTo(choice);
    applied.profiles = choice.profiles;
    return applied == choice && hasProfiles(choice.profiles);
}

bool Preset::hasProfiles(const QStringList& names) const {
    return normal(profiles) == normal(names);
}

std::vector<Preset> translatedPresets() {
    std::vector<Preset> presets;
    for (const profile::Preset& known : profile::presets()) {
        Preset preset;
        preset.id = fromView(known.id);
        preset.label = translated(known.label);
        preset.symptom = translated(known.symptom);
        preset.meanwhile = translated(known.meanwhile);
        preset.howLong = translated(known.howLong);
        preset.icon = fromView(known.icon);
        for (const std::string_view name : known.profiles) {
            preset.profiles << fromView(name);
        }
        preset.detail = known.detail;
        preset.mode = known.mode;
        preset.maximumFileSizeMib = known.maximumFileSizeMib;
        preset.timeLimit = known.timeLimit.value_or(std::chrono::seconds(0));
        preset.transition = known.transition;
        presets.push_back(std::move(preset));
    }
    return presets;
}

} // namespace tracedeck::ui
