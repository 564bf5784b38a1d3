// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/unfinished_flow.h"

#include "ui/format.h"
#include "ui/plan_words.h"
#include "ui/questions.h"
#include "ui/unfinished_bar.h"

#include <QPushButton>

#include <algorithm>
#include <utility>

namespace tracedeck::ui {
namespace {

using recorder::JournalEntry;
using recorder::Unfinished;
using Adoption = RecordingAtHand::Adoption;

/// "CPU" of "CPU.Verbose.Memory".
QStringList namesOf(const JournalEntry& entry) {
    QStringList names;
    for (const std::string& variant : entry.profiles) {
        const QString whole = fromUtf8(variant);
        const QString name = whole.section(u'.', 0, -3);
        names << (name.isEmpty() ? whole : name);
    }
    return names;
}

/// In one line that is not too long.
QString shortened(const std::string& note) {
    constexpr qsizetype kLongest = 200;
    const QString line = fromUtf8(note).simplified();
    return line.size() <= kLongest ? line : line.left(kLongest) + QStringLiteral("…");
}

} // namespace

UnfinishedFlow::UnfinishedFlow(const Model& model, UnfinishedBar* bar, QWidget* window)
    : QObject(window), m_model(model), m_bar(bar), m_window(window) {
    connect(&m_model.recorder, &recorder::Recorder::unfinishedListed, this, &UnfinishedFlow::listed);
    connect(bar->takeUpButton(), &QPushButton::clicked, this, [this] {
        if (!m_offers.empty()) {
            adopt(m_offers.front().entry.id, Adoption::ToGoOn);
        }
    });
    connect(bar->discardButton(), &QPushButton::clicked, this, &UnfinishedFlow::askToDiscard);
    connect(bar->laterButton(), &QPushButton::clicked, this, &UnfinishedFlow::putOff);
}

void UnfinishedFlow::look() {
    if (const tracedeck::Status asked = m_model.recorder.listUnfinished(); !asked) {
        Q_EMIT refused(asked.error());
    }
}

void UnfinishedFlow::setIdle(bool isIdle) {
    m_isIdle = isIdle;
    m_bar->setVisible(m_isIdle && m_isOffering);
}

void UnfinishedFlow::listed(const std::vector<Unfinished>& recordings) {
    m_offers.clear();
    std::copy_if(recordings.begin(), recordings.end(), std::back_inserter(m_offers),
                 [this](const Unfinished& each) { return !m_putOff.contains(fromUtf8(each.entry.id)); });
    std::stable_partition(m_offers.begin(), m_offers.end(),
                          [this](const Unfinished& each) { return !m_failed.contains(fromUtf8(each.entry.id)); });
    showOffer();
}

void UnfinishedFlow::showOffer() {
    m_isOffering = !m_offers.empty();
    if (!m_isOffering) {
        m_dealtWith = 0;
    } else if (m_isIdle) { // else there is a look when it is again
        const Unfinished& first = m_offers.front();
        UnfinishedBar::Offer offer;
        offer.profiles = profilesText(first.entry);
        offer.begun = Format::moment(first.entry.begun);
        offer.note = shortened(first.entry.note);
        offer.isRunning = first.isRunning;
        offer.number = m_dealtWith + 1;
        offer.count = m_dealtWith + static_cast<int>(m_offers.size());
        m_bar->showOffer(offer);
    }
    setIdle(m_isIdle);
}

QString UnfinishedFlow::profilesText(const JournalEntry& entry) const {
    constexpr qsizetype kMost = 3;
    QStringList words;
    for (const QString& name : namesOf(entry)) {
        const auto known =
            std::find_if(m_model.profiles.begin(), m_model.profiles.end(), [&](const ProfileEntry& profile) {
                return profile.name.compare(name, Qt::CaseInsensitive) == 0;
            });
        words << (known == m_model.profiles.end() ? name : known->description);
    }
    if (words.size() <= kMost) {
        return Format::list(words);
    }
    return Words::andMore(words.mid(0, kMost).join(QStringLiteral(", ")), static_cast<int>(words.size() - kMost));
}

QString UnfinishedFlow::labelOf(const JournalEntry& entry) const {
    const QStringList names = namesOf(entry);
    const auto preset = std::find_if(m_model.presets.begin(), m_model.presets.end(),
                                     [&](const Preset& each) { return each.hasProfiles(names); });
    if (preset != m_model.presets.end()) {
        return preset->id;
    }
    return names.size() == 1 ? names.front().toLower() : QStringLiteral("recording");
}

void UnfinishedFlow::askToDiscard() {
    if (m_offers.empty()) {
        return;
    }
    ui::askToDiscard([this, id = m_offers.front().entry.id] { adopt(id, Adoption::ToDiscard); }, m_window);
}

void UnfinishedFlow::adopt(const std::string& id, Adoption adoption) {
    const auto found =
        std::find_if(m_offers.begin(), m_offers.end(), [&](const Unfinished& each) { return each.entry.id == id; });
    if (found == m_offers.end() || !m_isIdle) {
        return; // it was shown a moment ago
    }
    const JournalEntry entry = found->entry; // `id` may be the offer's own, which goes now
    m_offers.erase(found);
    ++m_dealtWith;
    m_adopted = entry.id;
    RecordingAtHand recording;
    recording.plan.profiles = entry.profiles;
    recording.plan.detail = entry.detail;
    recording.plan.mode = entry.mode;
    recording.label = labelOf(entry);
    recording.workFolder = fromUtf8(entry.workFolder);
    recording.adoption = adoption;
    recording.isArriving = true;
    recording.isDiscarding = adoption == Adoption::ToDiscard;
    m_model.recording = std::move(recording);
    m_isOffering = false; // until there was a look at what is left
    if (const tracedeck::Status asked = m_model.recorder.adopt(entry.id); !asked) {
        Q_EMIT refused(asked.error());
        return;
    }
    Q_EMIT adopting(entry);
}

bool UnfinishedFlow::hasArrived() {
    if (!std::exchange(m_model.recording.isArriving, false)) {
        return false;
    }
    m_failed.remove(fromUtf8(m_adopted));
    if (m_model.recording.adoption != Adoption::ToDiscard) {
        return false;
    }
    if (const tracedeck::Status discarded = m_model.recorder.discard(); !discarded) {
        Q_EMIT refused(discarded.error());
    }
    return true;
}

std::optional<UserMessage> UnfinishedFlow::messageFor(const Error& error, const MessageCatalog& messages) {
    if (!std::exchange(m_model.recording.isArriving, false)) {
        return std::nullopt;
    }
    m_failed.insert(fromUtf8(m_adopted));
    UserMessage message = messages.forError(error);
    if (error.code == ErrorCode::NothingToRecord) {
        message.what = tr("Nothing is left of this recording.");
        message.action = tr("It is not offered again.");
    } else if (error.code == ErrorCode::FileNotFound) {
        message.what = tr("This recording was saved or discarded somewhere else.");
        message.evidence.clear();
        message.action.clear();
    } else if (error.code == ErrorCode::WrongState) {
        message.what = tr("This recording is open in another window or on a command line.");
        message.evidence.clear();
        message.action = tr("Save or discard it there.");
    } else {
        --m_dealtWith; // it is offered again
        //: what helps, and what became of the recording: sentences
        message.action = tr("%1 The recording is kept, and offered again.").arg(message.action).trimmed();
    }
    return message;
}

void UnfinishedFlow::putOff() {
    if (m_offers.empty()) {
        return;
    }
    m_putOff.insert(fromUtf8(m_offers.front().entry.id));
    m_offers.erase(m_offers.begin());
    ++m_dealtWith;
    const bool isLast = m_offers.empty();
    showOffer();
    if (isLast) {
        Q_EMIT left();
    }
}

} // namespace tracedeck::ui
