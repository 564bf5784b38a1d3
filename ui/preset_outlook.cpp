// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preset_outlook.h"

#include "ui/plan_words.h"
#include "ui/recording_setup.h"

#include <QCoreApplication>

#include <algorithm>

namespace tracedeck::ui {
namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::PresetOutlook)
};

/// The names that no profile at hand has.
QStringList missingProfiles(const Preset& preset, const std::vector<ProfileEntry>& profiles) {
    QStringList missing;
    for (const QString& name : preset.profiles) {
        const bool isThere = std::any_of(profiles.begin(), profiles.end(), [&](const ProfileEntry& entry) {
            return entry.name.compare(name, Qt::CaseInsensitive) == 0;
        });
        if (!isThere) {
            missing << name;
        }
    }
    return missing;
}

QString sentence(const UserMessage& message) {
    if (message.evidence.isEmpty()) {
        //: what happened, and what helps: two sentences
        return Texts::tr("%1 %2").arg(message.what, message.action);
    }
    //: what happened, what it concerns, and what helps: two sentences with names between them
    return Texts::tr("%1 (%2) %3").arg(message.what, message.evidence, message.action);
}

QStringList sentences(const std::vector<etw::Limitation>& limitations, const MessageCatalog& messages) {
    QStringList lines;
    for (const LimitationText& text : limitationTexts(limitations, messages)) {
        lines << sentence(text.message);
    }
    return lines;
}

/// The evidence of such an error names all that is missing; what can be changed says more.
QStringList whyNot(const Error& error, const etw::Capabilities& machine, const MessageCatalog& messages) {
    const UserMessage message = messages.forError(error);
    const QStringList remedies = sentences(liftableLimitations(machine), messages);
    return remedies.isEmpty() ? QStringList{message.what, message.action} : QStringList{message.what} + remedies;
}

} // namespace

PresetOutlook outlookOf(const Preset& preset, const std::vector<ProfileEntry>& profiles,
                        const etw::Capabilities* machine, const MessageCatalog& messages) {
    using Kind = PresetOutlook::Kind;
    if (preset.transition) {
        return {Kind::Unavailable,
                {Texts::tr("This takes a recording that goes on while the computer restarts, which this version cannot "
                           "do yet. Start “First look” right after signing in instead.")}};
    }
    if (const QStringList missing = missingProfiles(preset, profiles); !missing.isEmpty()) {
        const UserMessage message =
            messages.forError({ErrorCode::ProfileUnknown, missing.join(QStringLiteral(", ")).toStdString(), 0});
        return {Kind::Unavailable, {sentence(message)}};
    }
    if (machine == nullptr) {
        return {};
    }
    const RecordingChoice choice = preset.applyTo({});
    const auto plan = planOf(selectionsOf(profiles, choice), choice, *machine);
    if (!plan) {
        return {};
    }
    if (!plan->has_value()) {
        return {Kind::Impossible, whyNot(plan->error(), *machine, messages)};
    }
    const std::vector<etw::Limitation> limitations = leftOut(**plan);
    if (limitations.empty()) {
        return {Kind::Whole, {}};
    }
    return {Kind::Partial, sentences(limitations, messages)};
}

} // namespace tracedeck::ui
