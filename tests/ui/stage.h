// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/engine.h"
#include "core/profile/catalog.h"
#include "core/recorder/recorder.h"
#include "tests/engine/fake_kernel_source.h"
#include "tests/support/temporary_folder.h"
#include "ui/main_window.h"

#include <QAction>
#include <QPointer>
#include <QPushButton>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// The application object that widgets need, made once, without a display.
void needApplication();

/// Nobody waits as long for anything that works, however busy the machine is.
constexpr int kLongest = 60'000; // ms

/// Runs the event loop until `condition` holds, kLongest at most.
[[nodiscard]] bool waitFor(const std::function<bool()>& condition);
/// Until `window` has the keyboard.
[[nodiscard]] bool waitForActive(QWidget& window);

/// Folders of the system, waited for as long as it takes.
[[nodiscard]] ui::FolderAccess patientFolders();

/// The window on a real recorder and the embedded engine; only the kernel is the test's.
class Stage {
public:
    enum class Sessions { EndWithRecorder, OutliveRecorder };
    explicit Stage(Sessions sessions = Sessions::EndWithRecorder);
    ~Stage();

    Sessions sessions;
    TemporaryFolder folder;
    TemporaryFolder journal; ///< of recordings that are not finished
    SystemClock clock;
    FakeKernelSource kernel{clock, 2};
    std::unique_ptr<etw::engine::Engine> engine;
    std::unique_ptr<recorder::Recorder> recorder;
    profile::Catalog catalog;
    std::unique_ptr<ui::MainWindow> window;
    std::vector<std::string> openedFolders;
    /// Answers that are held back until the test gives them.
    bool holdsCapabilities = false;
    std::function<void(Result<etw::Capabilities>)> heldAnswer;
    /// What the machine answers instead of the kernel's own, where the test says so.
    std::optional<Result<etw::Capabilities>> givenCapabilities;
    QString preset = QStringLiteral("cpu");      ///< chosen at the start; empty: what the window starts with
    std::vector<plan::RecordingPlan> notedCosts; ///< of recordings that have ended
    int questions = 0;                           ///< to the machine by the window
    ui::FolderAccess folders = patientFolders();

    void openWindow();
    /// The program ends without asking anybody, and is there again, without its window.
    void restart();
    [[nodiscard]] bool waitForState(recorder::State state);
    /// Opens the window and waits until Record can be pressed.
    void openReadyWindow();
    /// From there: presses Record and waits until it records.
    void startRecording();
    /// From there: presses Stop and waits for the save dialog.
    [[nodiscard]] ui::SaveDialog* stopRecording();
    [[nodiscard]] ui::SaveDialog* waitForSaveDialog();

    [[nodiscard]] recorder::Recorder::Environment environment();
    [[nodiscard]] QString folderPath() const { return QString::fromStdString(folder.path()); }
    /// Names of the files in the folder of recordings and below it.
    [[nodiscard]] QStringList files() const;
    /// The command of this text, without its "&".
    [[nodiscard]] QAction* action(const QString& text) const;
};

/// The button of this text, without its "&", of a visible message box; null where there is none yet.
[[nodiscard]] QPushButton* questionButton(QWidget* parent, const QString& text);
[[nodiscard]] QPushButton* waitForQuestion(QWidget* parent, const QString& text);

/// The texts of all labels that are seen.
[[nodiscard]] QString visibleText(QWidget* parent);

/// Look-ups that hang in folders whose name contains "dead", until this goes. No clock decides that a folder does not
/// answer, but the test does.
class DeadServer {
public:
    DeadServer();
    ~DeadServer();
    DeadServer(const DeadServer&) = delete;
    DeadServer& operator=(const DeadServer&) = delete;
    [[nodiscard]] ui::FolderAccess access() const;
    void comeBack();
    /// Waits until as many look-ups hang, then ends the patience of everything that was asked until now.
    void loseHope(int questions);
    [[nodiscard]] int hanging() const { return *m_hanging; }

private:
    struct Waiting {
        QPointer<QObject> context;
        std::function<void()> isOver;
    };
    std::shared_ptr<std::vector<Waiting>> m_waiting = std::make_shared<std::vector<Waiting>>();
    std::shared_ptr<std::promise<void>> m_release = std::make_shared<std::promise<void>>();
    std::shared_future<void> m_released = m_release->get_future().share();
    std::shared_ptr<std::atomic<int>> m_hanging = std::make_shared<std::atomic<int>>(0);
    bool m_isBack = false;
};

/// A catalog of messages that shows the codes.
[[nodiscard]] ui::MessageCatalog plainMessages();

} // namespace tracedeck::test
