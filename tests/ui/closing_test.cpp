// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/close_wish.h"

#include "app/gui/program_end.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"
#include "ui/stopped_panel.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

namespace tracedeck {
namespace {

using recorder::State;
using ui::CloseStep;
using ui::CloseWish;

/// Presses the buttons of the questions that come, as somebody does who has decided.
class Visitor {
public:
    Visitor(test::Stage& stage, QString answer) : m_stage(stage), m_answer(std::move(answer)) {}

    /// Closes the window now and answers.
    void closeAndAnswer() {
        m_hasAsked = true;
        m_stage.window->close();
        QPushButton* button = test::questionButton(m_stage.window.get(), m_answer);
        if (button == nullptr && m_answer == QStringLiteral("Stop and Save…")) {
            button = test::questionButton(m_stage.window.get(), QStringLiteral("Save…"));
        }
        m_hasAnswered = button != nullptr;
        if (button != nullptr) {
            button->click();
        }
    }
    /// Goes through what follows until the window is closed.
    [[nodiscard]] bool isClosed() {
        return test::waitFor([&] {
            if (!m_stage.window->isVisible()) {
                return true;
            }
            if (QPushButton* close = test::questionButton(m_stage.window.get(), QStringLiteral("Close"))) {
                m_told = test::visibleText(close->window());
                close->click();
            }
            for (ui::SaveDialog* dialog : m_stage.window->findChildren<ui::SaveDialog*>()) {
                if (dialog->isVisible()) {
                    dialog->accept();
                }
            }
            return false;
        });
    }
    [[nodiscard]] bool hasAsked() const { return m_hasAsked; }
    [[nodiscard]] bool hasAnswered() const { return m_hasAnswered; }
    [[nodiscard]] const QString& told() const { return m_told; }

private:
    test::Stage& m_stage;
    QString m_answer;
    QString m_told;
    bool m_hasAsked = false;
    bool m_hasAnswered = false;
};

bool isRaw(const QStringList& files) {
    return files.contains(QStringLiteral("events.etl"));
}

bool isSaved(const QStringList& files) {
    return files == QStringList{QStringLiteral("test_cpu.etl")};
}

} // namespace

TEST_CASE("Each state has one step for each wish to close", "[ui][closing]") {
    struct Row {
        State state;
        CloseStep save;
        CloseStep keep;
        CloseStep letGoOn;
    };
    const auto row = GENERATE(Row{State::Idle, CloseStep::Close, CloseStep::Close, CloseStep::Close},
                              Row{State::Starting, CloseStep::Wait, CloseStep::Wait, CloseStep::Wait},
                              Row{State::Recording, CloseStep::Stop, CloseStep::Stop, CloseStep::LetGoOn},
                              Row{State::Stopping, CloseStep::Wait, CloseStep::Wait, CloseStep::Wait},
                              Row{State::Stopped, CloseStep::AskWhereToSave, CloseStep::Close, CloseStep::Close},
                              Row{State::Saving, CloseStep::Wait, CloseStep::CancelSave, CloseStep::CancelSave},
                              Row{State::Verifying, CloseStep::Wait, CloseStep::CancelSave, CloseStep::CancelSave});
    CAPTURE(static_cast<int>(row.state));
    CHECK(ui::nextStep(CloseWish::None, row.state) == CloseStep::Wait);
    CHECK(ui::nextStep(CloseWish::SaveThenClose, row.state) == row.save);
    CHECK(ui::nextStep(CloseWish::KeepThenClose, row.state) == row.keep);
    CHECK(ui::nextStep(CloseWish::LetGoOnThenClose, row.state) == row.letGoOn);
}

TEST_CASE("Closing works in every state with every answer", "[ui][closing]") {
    const State when =
        GENERATE(State::Starting, State::Recording, State::Stopping, State::Stopped, State::Saving, State::Verifying);
    const QString answer = GENERATE(as<QString>(), QStringLiteral("Stop and Save…"),
                                    QStringLiteral("Close, Keep Raw Files"), QStringLiteral("Go Back"));
    CAPTURE(toString(when), answer.toStdString());
    test::Stage stage;
    stage.openReadyWindow();
    Visitor visitor(stage, answer);
    QObject::connect(stage.recorder.get(), &recorder::Recorder::stateChanged, stage.window.get(), [&](State state) {
        if (state == when && !visitor.hasAsked()) {
            visitor.closeAndAnswer();
        }
    });
    QTest::mouseClick(stage.window->bar()->recordButton(), Qt::LeftButton);
    const bool isBefore = when == State::Starting || when == State::Recording;
    if (!isBefore) {
        REQUIRE(stage.waitForState(State::Recording));
        REQUIRE(test::waitFor([&] { return stage.window->bar()->markButton()->isEnabled(); }));
        QTest::mouseClick(stage.window->bar()->recordButton(), Qt::LeftButton);
    }
    if (when == State::Saving || when == State::Verifying) {
        stage.waitForSaveDialog()->accept();
    }
    REQUIRE(test::waitFor([&] { return visitor.hasAsked(); }));
    CHECK(visitor.hasAnswered());
    if (answer == QStringLiteral("Go Back")) {
        if (isBefore) {
            REQUIRE(stage.waitForState(State::Recording));
            stage.stopRecording()->accept();
        } else if (when == State::Stopping || when == State::Stopped) {
            stage.waitForSaveDialog()->accept();
        }
        REQUIRE(stage.waitForState(State::Idle));
        CHECK(stage.window->isVisible());
        CHECK(isSaved(stage.files()));
        return;
    }
    REQUIRE(visitor.isClosed());
    if (answer == QStringLiteral("Stop and Save…")) {
        CHECK(isSaved(stage.files()));
    } else if (when == State::Saving || when == State::Verifying) {
        CHECK((isRaw(stage.files()) || isSaved(stage.files()))); // the file may have been complete already
    } else {
        CHECK(isRaw(stage.files()));
        CHECK(stage.recorder->state() == State::Stopped);
    }
}

TEST_CASE("A wish to close that was taken back does not come back with the next recording", "[ui][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.window->close();
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Stop and Save…")), Qt::LeftButton);
    stage.waitForSaveDialog()->reject();
    auto* stopped = stage.window->findChild<ui::StoppedPanel*>();
    QTest::mouseClick(stopped->saveButton(), Qt::LeftButton);
    stage.waitForSaveDialog()->accept();
    REQUIRE(stage.waitForState(State::Idle));
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    CHECK(stage.window->isVisible());
    stage.startRecording();
    stage.stopRecording()->reject();
    CHECK(stage.window->isVisible());
}

TEST_CASE("Closing while it records asks once; going back records on", "[ui][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.window->close();
    stage.window->close();
    QPushButton* back = test::waitForQuestion(stage.window.get(), QStringLiteral("Go Back"));
    CHECK(stage.window->findChildren<QMessageBox*>().size() == 1);
    QTest::mouseClick(back, Qt::LeftButton);
    CHECK(stage.window->isVisible());
    CHECK(stage.recorder->state() == State::Recording);
}

TEST_CASE("Closing without saving names the raw files", "[ui][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    const QString raw = stage.folderPath() + QStringLiteral("/.tracedeck-");
    SECTION("before they are there, when they are there") {
        stage.window->close();
        QPushButton* keep = test::waitForQuestion(stage.window.get(), QStringLiteral("Close, Keep Raw Files"));
        CHECK(test::visibleText(keep->window()).contains(QStringLiteral("hidden folder in ") + stage.folderPath()));
        QTest::mouseClick(keep, Qt::LeftButton);
        QPushButton* copy = test::waitForQuestion(stage.window.get(), QStringLiteral("Copy and Close"));
        CHECK(test::visibleText(copy->window()).contains(raw));
        CHECK(test::visibleText(copy->window()).contains(QStringLiteral("events.etl")));
        CHECK(stage.window->isVisible());
        QTest::mouseClick(copy, Qt::LeftButton);
        CHECK(QGuiApplication::clipboard()->text().contains(raw));
    }
    SECTION("in the question, where they are there already") {
        stage.stopRecording()->reject();
        stage.window->close();
        QPushButton* keep = test::waitForQuestion(stage.window.get(), QStringLiteral("Close, Keep Raw Files"));
        CHECK(test::visibleText(keep->window()).contains(raw));
        QTest::mouseClick(keep, Qt::LeftButton);
    }
    REQUIRE(test::waitFor([&] { return !stage.window->isVisible(); }));
    CHECK(stage.recorder->state() == State::Stopped);
    CHECK(isRaw(stage.files()));
}

TEST_CASE("Closing while the folder is being created closes, and records nothing", "[ui][closing]") {
    test::DeadServer server;
    test::Stage stage;
    stage.folders = server.access();
    stage.folders.create = [create = stage.folders.create](const QString&) { return create(QStringLiteral("/dead")); };
    stage.openReadyWindow();
    QTest::mouseClick(stage.window->bar()->recordButton(), Qt::LeftButton);
    REQUIRE(test::waitFor([&] { return server.hanging() == 1; }));
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    stage.window->close();
    CHECK_FALSE(stage.window->isVisible());
    server.comeBack();
    REQUIRE(test::waitFor([&] { return server.hanging() == 0; }));
    QCoreApplication::processEvents();
    CHECK(stage.recorder->state() == State::Idle);
}

TEST_CASE("Closing while the recording is being discarded closes when it is gone", "[ui][closing]") {
    const bool isRunning = GENERATE(true, false);
    const QString answer =
        GENERATE(as<QString>(), QStringLiteral("Stop and Save…"), QStringLiteral("Close, Keep Raw Files"));
    CAPTURE(isRunning, answer.toStdString());
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    if (!isRunning) {
        stage.stopRecording()->reject();
    }
    stage.action(QStringLiteral("Discard…"))->trigger();
    test::waitForQuestion(stage.window.get(), QStringLiteral("Discard"))->click();
    Visitor visitor(stage, answer);
    visitor.closeAndAnswer();
    CHECK(visitor.hasAnswered());
    REQUIRE(visitor.isClosed());
    CHECK_FALSE(stage.window->strip()->plainText().contains(QStringLiteral("not possible at the moment")));
    CHECK(stage.files().isEmpty());
}

namespace {

/// The program's end on a stage: what it tells, and whether it has come.
struct EndStage {
    test::Stage stage;
    QStringList told;
    bool hasQuit = false;
    bool hasEndedAtOnce = false;
    std::unique_ptr<app::ProgramEnd> end;

    void watch() {
        app::ProgramEnd::Ways ways;
        ways.tell = [this](const QString& line) { told << line; };
        ways.quit = [this] { hasQuit = true; };
        ways.close = [this] { return stage.recorder->close(); };
        ways.endAtOnce = [this] {
            hasEndedAtOnce = true;
            stage.window.reset();
        };
        end = std::make_unique<app::ProgramEnd>(*stage.window, std::move(ways));
    }
};

} // namespace

TEST_CASE("A signal stops the recording, keeps its raw files and says where they are", "[ui][closing][signals]") {
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    const State when = GENERATE(State::Recording, State::Stopped, State::Idle);
    CAPTURE(signal, toString(when));
    EndStage ending;
    test::Stage& stage = ending.stage;
    stage.openReadyWindow();
    ending.watch();
    if (when != State::Idle) {
        stage.startRecording();
    }
    if (when == State::Stopped) {
        CHECK(stage.stopRecording()->isVisible()); // nobody has to answer it
    }
    REQUIRE(std::raise(signal) == 0);
    REQUIRE(test::waitFor([&] { return ending.hasQuit; }));
    CHECK_FALSE(stage.window->isVisible());
    if (when == State::Idle) {
        CHECK(ending.told.isEmpty());
        return;
    }
    CHECK(stage.recorder->state() == State::Idle); // closed
    REQUIRE(ending.told.size() >= 2);
    for (const QString& line : ending.told.mid(1)) {
        CAPTURE(line.toStdString());
        CHECK(QFileInfo(line.trimmed()).isFile());
    }
    CHECK(ending.told.back().contains(QStringLiteral("/.tracedeck-")));
}

TEST_CASE("A session that ends is held while a recording would be lost", "[ui][closing][signals]") {
    EndStage ending;
    test::Stage& stage = ending.stage;
    stage.openReadyWindow();
    ending.watch();
    bool wasAsked = false;
    const auto canAsk = [&](bool answer) {
        return [&wasAsked, answer] {
            wasAsked = true;
            return answer;
        };
    };
    SECTION("nothing to lose") {
        CHECK(ending.end->sessionEnds(canAsk(true)) == app::ProgramEnd::LogOut::GoesOn);
        CHECK_FALSE(wasAsked);
        CHECK(stage.window->isVisible());
    }
    SECTION("the user can be asked") {
        stage.startRecording();
        CHECK(ending.end->sessionEnds(canAsk(true)) == app::ProgramEnd::LogOut::IsHeld);
        CHECK(test::questionButton(stage.window.get(), QStringLiteral("Stop and Save…")) != nullptr);
        CHECK(stage.recorder->state() == State::Recording);
    }
    SECTION("nobody can be asked") {
        stage.startRecording();
        CHECK(ending.end->sessionEnds(canAsk(false)) == app::ProgramEnd::LogOut::GoesOn);
        CHECK(ending.hasEndedAtOnce);
        CHECK(isRaw(stage.files()));
        REQUIRE(ending.told.size() >= 3);
        CHECK(ending.told.front().contains(stage.folderPath()));
        CHECK(QFileInfo(ending.told.back().trimmed()).isFile());
    }
}

TEST_CASE("A display that goes away stops the recording and says where its raw files are", "[ui][closing][signals]") {
    const bool isRecording = GENERATE(true, false);
    EndStage ending;
    test::Stage& stage = ending.stage;
    stage.openReadyWindow();
    ending.watch();
    if (isRecording) {
        stage.startRecording();
    }
    ending.end->displayIsGone();
    CHECK(isRaw(stage.files()) == isRecording);
    if (isRecording) {
        REQUIRE(ending.told.size() >= 3);
        CHECK(QFileInfo(ending.told.back().trimmed()).isFile());
    } else {
        CHECK(ending.told.isEmpty());
    }
}

} // namespace tracedeck
