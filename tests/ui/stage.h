// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/engine.h"
#include "core/profile/catalog.h"
#include "core/recorder/recorder.h"
#include "tests/engine/fake_kernel_source.h"
#include "tests/support/temporary_folder.h"
#include "ui/main_window.h"

#include <QAction>
#include <QPushButton>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tracedeck::test {

/// The application object that widgets need, made once, without a display.
void needApplication();

/// Runs the event loop until `condition` holds, 20 seconds at most.
[[nodiscard]] bool waitFor(const std::function<bool()>& condition);

/// The window on a real recorder and the embedded engine; only the kernel is the test's.
class Stage {
public:
    Stage();
    ~Stage();

    TemporaryFolder folder;
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

    void openWindow();
    [[nodiscard]] bool waitForState(recorder::State state);
    /// Opens the window and waits until Record can be pressed.
    void openReadyWindow();
    /// From there: presses Record and waits until it records.
    void startRecording();
    /// From there: presses Stop and waits for the save dialog.
    [[nodiscard]] ui::SaveDialog* stopRecording();

    [[nodiscard]] QString folderPath() const { return QString::fromStdString(folder.path()); }
    /// The command of this text, without its "&".
    [[nodiscard]] QAction* action(const QString& text) const;
};

/// The button of this text, without its "&", of a visible message box; null where there is none yet.
[[nodiscard]] QPushButton* questionButton(QWidget* parent, const QString& text);
[[nodiscard]] QPushButton* waitForQuestion(QWidget* parent, const QString& text);

/// A catalog of messages that shows the codes.
[[nodiscard]] ui::MessageCatalog plainMessages();

} // namespace tracedeck::test
