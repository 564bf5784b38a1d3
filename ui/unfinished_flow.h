// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/presets.h"
#include "ui/profile_list.h"
#include "ui/recording_at_hand.h"
#include "ui/user_message.h"

#include <QObject>
#include <QSet>

#include <optional>
#include <vector>

class QWidget;

namespace tracedeck::ui {

class UnfinishedBar;

/// Recordings that were left by an earlier run: offers one after the other, and takes over what is wanted or is to be
/// discarded. What comes then is told by the recorder as of any other recording.
///
/// Threading: UI thread. Ownership: what `Model` refers to must outlive it; questions are the window's children.
class UnfinishedFlow final : public QObject {
    Q_OBJECT
public:
    struct Model {
        recorder::Recorder& recorder;
        RecordingAtHand& recording;
        const std::vector<ProfileEntry>& profiles;
        const std::vector<Preset>& presets;
    };
    UnfinishedFlow(const Model& model, UnfinishedBar* bar, QWidget* window);

    /// Looks for what was left; the offer comes when it is known.
    void look();
    /// Nothing runs and nothing is about to: only then something is offered.
    void setIdle(bool isIdle);
    /// To be called when the recorder has taken a recording over. True where it was meant to be discarded, which is
    /// now under way.
    [[nodiscard]] bool hasArrived();
    /// Of an adopted recording that did not arrive, which it forgets; empty where the error is about something else.
    [[nodiscard]] std::optional<UserMessage> messageFor(const Error& error, const MessageCatalog& messages);

Q_SIGNALS:
    /// The recording at hand is another one now, which is on its way to the recorder; `entry` is what is known of it.
    void adopting(const tracedeck::recorder::JournalEntry& entry);
    /// The recorder refuses a call.
    void refused(const tracedeck::Error& error);
    /// The last offer was put off.
    void left();

private:
    void listed(const std::vector<recorder::Unfinished>& recordings);
    void showOffer();
    void askToDiscard();
    void adopt(const std::string& id, RecordingAtHand::Adoption adoption);
    void putOff();
    [[nodiscard]] QString profilesText(const recorder::JournalEntry& entry) const;
    [[nodiscard]] QString labelOf(const recorder::JournalEntry& entry) const;

    Model m_model;
    UnfinishedBar* m_bar;
    QWidget* m_window;
    std::vector<recorder::Unfinished> m_offers; ///< the first is shown
    std::string m_adopted;                      ///< id
    QSet<QString> m_putOff;                     ///< ids, for this run
    QSet<QString> m_failed;                     ///< ids of those that could not be taken over: offered last
    int m_dealtWith = 0;                        ///< of those that are counted
    bool m_isIdle = true;
    bool m_isOffering = false; ///< the bar holds the first of m_offers
};

} // namespace tracedeck::ui
