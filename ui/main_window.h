// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
        QString defaultFolder;
        std::function<void(const QString& folder)> openFolder;
        /// A new name for a recording of this preset or profile: "machine_cpu_2026-11-30_14-05-09.etl".
        std::function<QString(const QString& label)> newFileName;
    };
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Asks what the machine can do; to be called when the window is on the screen, since it may take a while.
    void askMachine() { m_machine.ask(); }
    [[nodiscard]] RecordingForm* form() const noexcept { return m_form; }
    [[nodiscard]] RecordingBar* bar() const noexcept { return m_bar; }
    [[nodiscard]] MessageStrip* strip() const noexcept { return m_strip; }
    [[nodiscard]] HealthCard* healthCard() const noexcept { return m_health; }
    [[nodiscard]] const RecordingSetup& setup() const noexcept { return m_setup; }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    /// What is to follow once the recording has reached the state that it waits for.
    enum class After { Nothing, SaveThenClose, KeepThenClose };

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
    void folderIsThere(bool isUsable);
    void mark();
    void showStatus(const recorder::LiveStatus& status);
    [[nodiscard]] QString diskText(const recorder::LiveStatus& status) const;
    void recordingStopped(const recorder::Stopped& recording);
    void fail(const Error& error);
    void check(const tracedeck::Status& status);

    // Afterwards.
    void openSaveDialog();
    void save(const SaveDialog::Answer& answer);
    void askToReplaceAndSave();
    void finished(const recorder::Outcome& outcome);
    void askToDiscard();
    void askBeforeClosing();
    void showAbout();

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
    plan::LoggingMode m_mode = plan::LoggingMode::Memory; ///< of the running recording
    std::optional<std::uint32_t> m_sizeLimitMib;
    std::chrono::milliseconds m_timeLimit{0};
    QString m_label;       ///< of the running recording, for its file's name
    QString m_workFolder;  ///< where its raw files lie
    QString m_description; ///< typed into the save dialog
    SaveDialog::Answer m_lastAnswer;
    int m_marks = 0;
    bool m_isPreparing = false; ///< Record was pressed, the folder is being created
    bool m_hasOutcome = false;
    bool m_wasReady = false;         ///< once
    double m_lastBytesPerSecond = 0; ///< mean of the last recording
    After m_after = After::Nothing;
    bool m_mayClose = false;
};

} // namespace tracedeck::ui
