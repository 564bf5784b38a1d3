// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presets.h"

#include <QCoreApplication>

#include <algorithm>

namespace tracedeck::ui {
namespace {

struct Presets {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::Presets)
public:
    static std::vector<Preset> all() {
        Preset first;
        first.id = QStringLiteral("general");
        first.title = tr("First look");
        first.description = tr("Something is wrong and it is not clear what: a bit of everything, light enough to run "
                               "for hours.");
        first.icon = QStringLiteral("first-look");
        first.profiles = {QStringLiteral("GeneralProfile")};

        Preset busy;
        busy.id = QStringLiteral("cpu");
        busy.title = tr("Slow or busy");
        busy.description = tr("Programs are slow or the processors are busy: which code runs, which threads wait and "
                              "who wakes them.");
        busy.icon = QStringLiteral("processor");
        busy.profiles = {QStringLiteral("CPU")};
        return {busy, first};
    }
};

} // namespace

RecordingChoice Preset::applyTo(RecordingChoice choice) const {
    choice.profiles = profiles;
    choice.detail = detail;
    choice.mode = mode;
    choice.maximumFileSizeMib = maximumFileSizeMib;
    return choice;
}

std::vector<Preset> presetsFor(const QStringList& profileNames) {
    std::vector<Preset> presets = Presets::all();
    std::erase_if(presets, [&](const Preset& preset) {
        return !std::all_of(preset.profiles.begin(), preset.profiles.end(),
                            [&](const QString& name) { return profileNames.contains(name, Qt::CaseInsensitive); });
    });
    return presets;
}

} // namespace tracedeck::ui
