// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/stage.h"

#include "app/gui/window_messages.h"
#include "tests/support/catch.h"
#include "ui/recording_bar.h"

#include <QApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QTest>

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
    return QTest::qWaitFor([&] { return condition(); }, 20'000);
}

Stage::Stage() {
    needApplication();
    engine = std::make_unique<etw::engine::Engine>(etw::engine::Engine::Environment{&clock, &systemFiles(), &kernel});
    recorder = std::make_unique<recorder::Recorder>(
        recorder::Recorder::Environment{engine.get(), engine.get(), &systemFiles(), &clock});
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
}

Stage::~Stage() = default;

void Stage::openWindow() {
    ui::MainWindow::Services services;
    services.recorder = recorder.get();
    services.clock = &clock;
    services.catalog = &catalog;
    services.capabilities = [this](etw::Completion<etw::Capabilities> done) {
        if (holdsCapabilities) {
            heldAnswer = std::move(done);
        } else {
            engine->capabilities(std::move(done));
        }
    };
    services.messages = app::windowMessages();
    services.defaultFolder = folderPath();
    services.openFolder = [this](const QString& opened) { openedFolders.push_back(opened.toStdString()); };
    services.newFileName = [](const QString& label) { return QStringLiteral("test_%1.etl").arg(label); };
    window = std::make_unique<ui::MainWindow>(std::move(services));
    window->show();
    window->askMachine();
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
    ui::SaveDialog* dialog = nullptr;
    REQUIRE(waitFor([&] {
        dialog = window->findChild<ui::SaveDialog*>();
        return dialog != nullptr && dialog->isVisible();
    }));
    REQUIRE(recorder->state() == recorder::State::Stopped);
    return dialog;
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
