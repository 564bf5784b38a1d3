// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/close_wish.h"
#include "ui/controls.h"
#include "ui/folder_probe.h"
#include "ui/machine.h"
#include "ui/message_strip.h"
#include "ui/profile_list.h"
#include "ui/profile_model.h"
#include "ui/recording_setup.h"
#include "ui/save_dialog.h"
#include "ui/user_message.h"

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

class QAction;
class QLabel;

namespace tracedeck::ui {

class HealthCard;
class HistoryView;
class ProgressPanel;
class RecordingBar;
class RecordingForm;
class SessionGauges;
class StoppedPanel;

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
        /// A new name for a recording of this preset or profile: "machine_cpu_2026-11-30_14-05-09.etl".
        std::function<QString(const QString& label)> newFileName;
    };
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Asks what the machine can do; to be called when the window is on the screen, since it may take a while.
    void askMachine() { m_machine.ask(); }
    /// There is something that would be lost or left behind if the program ended now.
    [[nodiscard]] bool holdsRecording() const;
    /// Closes without asking, as "Close, Keep Raw Files" does: for a program that is told to end. ended() follows, when
    /// nothing runs any more.
    void closeKeepingRawFiles();
    /// Of the recording at hand.
    [[nodiscard]] const QString& workFolder() const noexcept { return m_workFolder; }
    [[nodiscard]] RecordingForm* form() const noexcept { return m_form; }
    [[nodiscard]] RecordingBar* bar() const noexcept { return m_bar; }
    [[nodiscard]] MessageStrip* strip() const noexcept { return m_strip; }
    [[nodiscard]] HealthCard* healthCard() const noexcept { return m_health; }
    [[nodiscard]] const RecordingSetup& setup() const noexcept { return m_setup; }

Q_SIGNALS:
    /// The window has closed for good. `rawFiles`: of a recording that was not saved; `problem`: why it is not complete
    /// or not there, in words, else empty.
    void ended(const QStringList& rawFiles, const QString& problem);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createActions();
    void createMenus();
    void createContents();
    void connectRecorder();
    void setTabOrders();

    // The form and the machine.
    void choiceChanged();
    void setupChanged();
    void showPlan();
    [[nodiscard]] QString costText(const plan::RecordingPlan& plan) const;
    [[nodiscard]] QString obstacleText() const;
    void copyCommand();
    void showDetails();

    // The recording.
    void recordOrStop();
    void startRecording();
    void folderIsThere(std::optional<bool> isUsable);
    void recordingStarted(const std::vector<etw::Limitation>& limitations);
    void mark();
    void showStatus(const recorder::LiveStatus& status);
    [[nodiscard]] QString diskText(const recorder::LiveStatus& status) const;
    void recordingStopped(const recorder::Stopped& recording);
    void fail(const Error& error);
    void tellError(const Error& error);
    void check(const tracedeck::Status& status);
    void tellNoAnswer();
    /// Asks the machine again, and says so.
    void lookAgain();

    // Afterwards.
    void openSaveDialog();
    void save(const SaveDialog::Answer& answer);
    void askToReplaceAndSave();
    void finished(const recorder::Outcome& outcome);
    void askToDiscard();

    // Closing.
    void stateChanged(recorder::State state);
    void askBeforeClosing();
    void wishToClose(CloseWish wish);
    /// Does what the wish to close needs in the state that the recorder is in; called again when that has changed.
    void followWish();
    void closeForGood();
    [[nodiscard]] QString rawFilesText() const;

    /// The one place where a state becomes enabled controls and visible panes.
    void applyState();

    Services m_services;
    Machine m_machine;
    FolderProbe m_folder;
    RecordingSetup m_setup;
    ProfileModel m_profiles;
    QTimer m_folderTimer; ///< lets the folder's name be typed to its end before it is looked at

    QAction* m_recordAction = nullptr;
    QAction* m_markAction = nullptr;
    QAction* m_saveAction = nullptr;
    QAction* m_discardAction = nullptr;
    QAction* m_copyAction = nullptr;
    QAction* m_lookAgainAction = nullptr;
    QAction* m_detailsAction = nullptr;
    QAction* m_filterAction = nullptr;
    QAction* m_openFolderAction = nullptr;
    QAction* m_quitAction = nullptr;

    RecordingForm* m_form = nullptr;
    MessageStrip* m_strip = nullptr;
    RecordingBar* m_bar = nullptr;
    QLabel* m_hint = nullptr;
    QWidget* m_live = nullptr;
    SessionGauges* m_gauges = nullptr;
    HistoryView* m_history = nullptr;
    StoppedPanel* m_stoppedPanel = nullptr;
    ProgressPanel* m_progress = nullptr;
    HealthCard* m_health = nullptr;
    QPointer<SaveDialog> m_saveDialog;
    QPointer<QWidget> m_closeQuestion;

    std::vector<etw::Limitation> m_limitations;           ///< of the plan at hand
    std::vector<etw::Limitation> m_told;                  ///< of the running recording, before its start
    plan::LoggingMode m_mode = plan::LoggingMode::Memory; ///< of the running recording
    std::optional<std::uint32_t> m_sizeLimitMib;
    std::chrono::milliseconds m_timeLimit{0};
    std::optional<QString> m_obstacle;          ///< what the bar said last while nothing ran
    QString m_label;                            ///< of the running recording, for its file's name
    QString m_workFolder;                       ///< where its raw files lie
    std::optional<recorder::Stopped> m_stopped; ///< the recording that waits to be saved
    std::optional<SaveDialog::Draft> m_draft;   ///< typed into the save dialog of this recording
    SaveDialog::Answer m_lastAnswer;
    int m_marks = 0;
    bool m_isPreparing = false; ///< Record was pressed, the folder is being created
    bool m_hasOutcome = false;
    bool m_wasReady = false;         ///< once
    double m_lastBytesPerSecond = 0; ///< mean of the last recording
    bool m_isDiscarding = false;     ///< until discarded() or failed()
    bool m_isLookingAgain = false;   ///< somebody waits for the machine's answer
    CloseWish m_closeWish = CloseWish::None;
    bool m_isEnding = false;        ///< nobody is there to be asked or told
    bool m_hasToldRawFiles = false; ///< by name, in the question before closing
    bool m_mayClose = false;
    bool m_hasEnded = false; ///< ended() was sent
    QString m_endProblem;
};

} // namespace tracedeck::ui
