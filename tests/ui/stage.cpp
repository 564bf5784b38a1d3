// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/stage.h"

#include "app/gui/window_messages.h"
#include "tests/support/catch.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QApplication>
#include <QDirIterator>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QTest>

#include <utility>

namespace tracedeck::test {

void needApplication() {
    if (QApplication::instance() != nullptr) {
        return;
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    // The offscreen platform says this of every window.
    static QtMessageHandler usual = nullptr;
    usual = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (!text.contains(QStringLiteral("propagateSizeHints"))) {
            usual(type, context, text);
        }
    });
    static int argc = 1;
    static char name[] = "ui_test";
    static char* argv[] = {name, nullptr};
    // Left to the end of the process: after main() Qt's own statics are gone.
    new QApplication(argc, argv);
}

bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor([&] { return condition(); }, kLongest);
}

bool waitForActive(QWidget& window) {
    return QTest::qWaitForWindowActive(&window, kLongest);
}

ui::FolderAccess patientFolders() {
    ui::FolderAccess access = ui::systemFolders();
    access.patience = [](QObject*, const std::function<void()>&) {};
    return access;
}

Stage::Stage(Sessions ofSessions) : sessions(ofSessions) {
    needApplication();
    engine = std::make_unique<etw::engine::Engine>(etw::engine::Engine::Environment{&clock, &systemFiles(), &kernel});
    recorder = std::make_unique<recorder::Recorder>(environment());
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
}

Stage::~Stage() = default;

recorder::Recorder::Environment Stage::environment() {
    recorder::Recorder::Environment all{engine.get(), engine.get(), &systemFiles(), &clock};
    all.journalFolder = journal.path();
    all.sessionsOutliveClient = sessions == Sessions::OutliveRecorder;
    return all;
}

void Stage::restart() {
    window.reset();
    recorder = nullptr;
    recorder = std::make_unique<recorder::Recorder>(environment());
}

void Stage::openWindow() {
    ui::MainWindow::Services services;
    services.recorder = recorder.get();
    services.clock = &clock;
    services.catalog = &catalog;
    services.capabilities = [this](etw::Completion<etw::Capabilities> done) {
        ++questions;
        if (holdsCapabilities) {
            heldAnswer = std::move(done);
        } else if (givenCapabilities) {
            done(*givenCapabilities);
        } else {
            engine->capabilities(std::move(done));
        }
    };
    services.messages = app::windowMessages();
    services.folders = folders;
    services.defaultFolder = folderPath();
    services.openFolder = [this](const QString& opened) { openedFolders.push_back(opened.toStdString()); };
    services.newFileName = [](const QString& label) { return QStringLiteral("test_%1.etl").arg(label); };
    services.noteCost = [this](const plan::RecordingPlan& plan, const etw::Capabilities&, const recorder::Stopped&) {
        notedCosts.push_back(plan);
    };
    window = std::make_unique<ui::MainWindow>(std::move(services));
    if (!preset.isEmpty()) {
        REQUIRE(window->form()->choosePreset(preset));
    }
    window->show();
    window->askMachine();
    window->lookForUnfinished();
}

bool Stage::waitForState(recorder::State state) {
    return waitFor([&] { return recorder->state() == state; });
}

void Stage::openReadyWindow() {
    openWindow();
    REQUIRE(waitFor([&] { return window->bar()->recordButton()->isEnabled(); }));
}

void Stage::startRecording() {
    QTest::mouseClick(window->bar()->recordButton(), Qt::LeftButton);
    REQUIRE(waitForState(recorder::State::Recording));
    REQUIRE(waitFor([&] { return window->bar()->markButton()->isEnabled(); }));
}

ui::SaveDialog* Stage::stopRecording() {
    QTest::mouseClick(window->bar()->recordButton(), Qt::LeftButton);
    ui::SaveDialog* dialog = waitForSaveDialog();
    REQUIRE(recorder->state() == recorder::State::Stopped);
    return dialog;
}

ui::SaveDialog* Stage::waitForSaveDialog() {
    ui::SaveDialog* dialog = nullptr;
    REQUIRE(waitFor([&] {
        for (ui::SaveDialog* found : window->findChildren<ui::SaveDialog*>()) {
            dialog = found->isVisible() ? found : dialog;
        }
        return dialog != nullptr;
    }));
    return dialog;
}

QStringList Stage::files() const {
    QStringList names;
    QDirIterator found(folderPath(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (found.hasNext()) {
        names << QFileInfo(found.next()).fileName();
    }
    names.sort();
    return names;
}

QAction* Stage::action(const QString& text) const {
    for (QAction* action : window->findChildren<QAction*>()) {
        if (action->text().remove(u'&') == text) {
            return action;
        }
    }
    FAIL("no command named " << text.toStdString());
    return nullptr;
}

QPushButton* questionButton(QWidget* parent, const QString& text) {
    for (QMessageBox* box : parent->findChildren<QMessageBox*>()) {
        for (QAbstractButton* button : box->buttons()) {
            if (box->isVisible() && button->text().remove(u'&') == text) {
                return qobject_cast<QPushButton*>(button);
            }
        }
    }
    return nullptr;
}

QPushButton* waitForQuestion(QWidget* parent, const QString& text) {
    REQUIRE(waitFor([&] { return questionButton(parent, text) != nullptr; }));
    return questionButton(parent, text);
}

QString visibleText(QWidget* parent) {
    QStringList texts;
    for (const QLabel* label : parent->findChildren<QLabel*>()) {
        if (label->isVisibleTo(parent)) {
            texts << label->text();
        }
    }
    return texts.join(u'\n');
}

DeadServer::DeadServer() = default;

DeadServer::~DeadServer() {
    comeBack();
    // The threads still hold what they were given; the next test is not to run beside them.
    CHECK(waitFor([&] { return hanging() == 0; }));
}

void DeadServer::loseHope(int questions) {
    // Each question has a thread and, from the same moment on, a patience.
    REQUIRE(waitFor([&] { return hanging() == questions; }));
    for (const Waiting& waiting : std::exchange(*m_waiting, {})) {
        if (!waiting.context.isNull()) {
            waiting.isOver();
        }
    }
}

void DeadServer::comeBack() {
    if (!std::exchange(m_isBack, true)) {
        m_release->set_value();
    }
}

ui::FolderAccess DeadServer::access() const {
    const auto hang = [released = m_released, hanging = m_hanging](const QString& path) {
        if (path.contains(QStringLiteral("dead"))) {
            ++*hanging;
            released.wait();
            --*hanging;
        }
    };
    const ui::FolderAccess system = ui::systemFolders();
    ui::FolderAccess access;
    access.look = [=](const QString& path) {
        hang(path);
        return system.look(path);
    };
    access.create = [=](const QString& path) {
        hang(path);
        return system.create(path);
    };
    access.fileAt = [=](const QString& path) {
        hang(path);
        return system.fileAt(path);
    };
    access.patience = [waiting = m_waiting](QObject* context, std::function<void()> isOver) {
        waiting->push_back({context, std::move(isOver)});
    };
    return access;
}

ui::MessageCatalog plainMessages() {
    ui::MessageCatalog catalog;
    catalog.forError = [](const Error& error) {
        return ui::UserMessage{QString::fromStdString(std::string(toString(error.code))), {}, {}, {}};
    };
    catalog.forLimitation = [](const etw::Limitation& limitation) {
        return ui::UserMessage{QString::fromStdString(std::string(toString(limitation.code))),
                               QString::fromStdString(limitation.detail),
                               {},
                               {}};
    };
    catalog.forLoss = [](etw::LossCause cause) {
        return ui::UserMessage{QString::fromStdString(std::string(toString(cause))), {}, {}, {}};
    };
    return catalog;
}

} // namespace tracedeck::test
