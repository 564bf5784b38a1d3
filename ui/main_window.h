// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/close_flow.h"
#include "ui/folder_probe.h"
#include "ui/machine.h"
#include "ui/message_strip.h"
#include "ui/profile_list.h"
#include "ui/profile_model.h"
#include "ui/recording_at_hand.h"
#include "ui/recording_setup.h"
#include "ui/save_flow.h"
#include "ui/setup_view.h"
#include "ui/user_message.h"
#include "ui/window_panes.h"

#include <QMainWindow>
#include <QTimer>

namespace tracedeck::ui {

class UnfinishedFlow;
class WindowActions;

/// The recorder's window.
///
/// Threading: UI thread; nothing in it waits. Ownership: what `Services` points to must outlive the window.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    struct Services {
        recorder::Recorder* recorder = nullptr;
        const Clock* clock = nullptr;
        const profile::Catalog* catalog = nullptr;
        CapabilitiesSource capabilities;
        MessageCatalog messages;
        FolderAccess folders;
        QString defaultFolder;
        std::function<void(const QString& folder)> openFolder;
        /// Notes what a recording that has ended cost; may be empty. What is known then comes by setCosts().
        std::function<void(const plan::RecordingPlan&, const etw::Capabilities&, const recorder::Stopped&)> noteCost;
        /// A new name for a recording of this preset or profile: "machine_cpu_2026-11-30_14-05-09.etl".
        std::function<QString(const QString& label)> newFileName;
    };
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Asks what the machine can do; to be called when the window is on the screen, since it may take a while.
    void askMachine() { m_machine.ask(); }
    /// Offers what an earlier run has left; to be called when the window is on the screen, too.
    void lookForUnfinished();
    /// What past recordings of this machine cost.
    void setCosts(plan::CostHistory costs);
    /// There is something that would be lost or left behind if the program ended now.
    [[nodiscard]] bool holdsRecording() const { return m_closing->holdsRecording(); }
    /// Closes without asking, as "Close, Keep Raw Files" does: for a program that is told to end. ended() follows, when
    /// nothing runs any more.
    void closeKeepingRawFiles();
    /// Of the recording at hand.
    [[nodiscard]] const QString& workFolder() const noexcept { return m_recording.workFolder; }
    [[nodiscard]] RecordingForm* form() const noexcept { return m_panes->form(); }
    [[nodiscard]] RecordingBar* bar() const noexcept { return m_panes->bar(); }
    [[nodiscard]] MessageStrip* strip() const noexcept { return m_panes->strip(); }
    [[nodiscard]] UnfinishedBar* unfinishedBar() const noexcept { return m_panes->unfinished(); }
    [[nodiscard]] HealthCard* healthCard() const noexcept { return m_panes->health(); }
    [[nodiscard]] const RecordingSetup& setup() const noexcept { return m_setup; }

Q_SIGNALS:
    /// The window has closed for good. `rawFiles`: of a recording that was not saved; `problem`: why it is not complete
    /// or not there, in words, else empty.
    void ended(const QStringList& rawFiles, const QString& problem);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void connectActions();
    void connectFlows();
    void connectRecorder();

    // The form and the machine.
    void choiceChanged();
    void setupChanged();
    void copyCommand();
    void showDetails();

    // The recording.
    void recordOrStop();
    void startRecording();
    void folderIsThere(std::optional<bool> isUsable);
    void recordingAdopted(const recorder::JournalEntry& entry);
    void recordingStarted(const std::vector<etw::Limitation>& limitations);
    void mark();
    void recordingStopped(const recorder::Stopped& recording);
    void fail(const Error& error);
    void tellError(const Error& error);
    void check(const tracedeck::Status& status);
    void tellNoAnswer();
    /// Asks the machine again, and says so.
    void lookAgain();

    // Afterwards.
    void save(const SaveDialog::Answer& answer);
    void finished(const recorder::Outcome& outcome);
    void askToDiscard();

    void stateChanged(recorder::State state);
    /// While something runs or is about to.
    [[nodiscard]] QString stateText() const;
    /// The one place where a state becomes enabled controls and visible panes.
    void applyState();

    Services m_services;
    Machine m_machine;
    FolderProbe m_folder;
    RecordingSetup m_setup;
    ProfileModel m_profiles;
    QTimer m_folderTimer; ///< lets the folder's name be typed to its end before it is looked at

    RecordingAtHand m_recording;
    WindowActions* m_actions;
    SaveFlow* m_saving;
    CloseFlow* m_closing;
    UnfinishedFlow* m_unfinished = nullptr;
    WindowPanes* m_panes = nullptr;
    std::optional<SetupView> m_view; ///< from the moment there is a form

    std::optional<QString> m_obstacle; ///< what the bar said last while nothing ran
    bool m_isPreparing = false;        ///< Record was pressed, the folder is being created
    bool m_hasOutcome = false;
    bool m_wasReady = false;       ///< once
    bool m_isLookingAgain = false; ///< somebody waits for the machine's answer
    bool m_hasEnded = false;       ///< ended() was sent
    QString m_endProblem;
};

} // namespace tracedeck::ui
