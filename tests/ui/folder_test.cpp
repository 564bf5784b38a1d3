// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_probe.h"

#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/options_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QLineEdit>
#include <QTest>
#include <QThreadPool>

namespace tracedeck {

using FolderState = ui::FolderFacts::State;

TEST_CASE("Folders that do not answer hold up no other question", "[ui][folders]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path());
    test::DeadServer server;
    auto probe = std::make_unique<ui::FolderProbe>(server.access());
    int dead = 0;
    for (const char* name : {"/dead/1", "/dead/2", "/dead/3", "/dead/4"}) {
        probe->look(QLatin1String(name));
        server.loseHope(++dead);
        REQUIRE(test::waitFor([&] { return probe->facts().state == FolderState::NoAnswer; }));
    }
    CHECK(server.hanging() == 4);
    CHECK(QThreadPool::globalInstance()->activeThreadCount() == 0); // the program's end waits for that one
    // To ask once more for what hangs does not hang a second thread.
    probe->look(QStringLiteral("/dead/4"));
    probe->look(path);
    REQUIRE(test::waitFor([&] { return probe->facts().state == FolderState::Usable; }));
    CHECK(server.hanging() == 4);
    std::optional<std::optional<ui::FileKind>> kind;
    probe->fileAt(path, probe.get(), [&](std::optional<ui::FileKind> answer) { kind = answer; });
    REQUIRE(test::waitFor([&] { return kind.has_value(); }));
    CHECK(*kind == ui::FileKind::Other);
    std::optional<std::optional<bool>> isUsable;
    probe->create(QStringLiteral("/dead/5"), probe.get(), [&](std::optional<bool> answer) { isUsable = answer; });
    server.loseHope(5);
    REQUIRE(test::waitFor([&] { return isUsable.has_value(); }));
    CHECK_FALSE(isUsable->has_value());
    CHECK(server.hanging() == 5);
    probe.reset(); // waits for nobody
    CHECK(server.hanging() == 5);
}

TEST_CASE("The system's folders are waited for a few seconds", "[ui][folders]") {
    test::needApplication();
    test::DeadServer server;
    ui::FolderAccess access = ui::systemFolders();
    access.look = server.access().look;
    ui::FolderProbe probe(access);
    probe.look(QStringLiteral("/no/dead"));
    CHECK(probe.facts().state == FolderState::Unknown);
    REQUIRE(test::waitFor([&] { return probe.facts().state == FolderState::NoAnswer; }));
}

TEST_CASE("A folder that answers late is known after all", "[ui][folders]") {
    test::needApplication();
    test::DeadServer server;
    ui::FolderProbe probe(server.access());
    probe.look(QStringLiteral("/no/dead"));
    server.loseHope(1);
    REQUIRE(test::waitFor([&] { return probe.facts().state == FolderState::NoAnswer; }));
    server.comeBack();
    REQUIRE(test::waitFor([&] { return probe.facts().state == FolderState::Missing; }));
}

TEST_CASE("The form and the save dialog say that a folder does not answer", "[ui][folders]") {
    test::DeadServer server;
    test::Stage stage;
    stage.folders = server.access();
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    const QString usable = choice.folder;
    choice.folder = QStringLiteral("/dead/server");
    stage.window->form()->setChoice(choice);
    const QString words = QStringLiteral("This folder does not answer.");
    server.loseHope(1);
    REQUIRE(test::waitFor([&] { return test::visibleText(stage.window->form()->options()).contains(words); }));
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    choice.folder = usable;
    stage.window->form()->setChoice(choice);
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    auto* folder = dialog->findChild<QLineEdit*>(QStringLiteral("folder"));
    folder->setText(QStringLiteral("/dead/server"));
    server.loseHope(2);
    REQUIRE(test::waitFor([&] { return test::visibleText(dialog).contains(words); }));
    CHECK_FALSE(dialog->findChild<QPushButton*>(QStringLiteral("save"))->isEnabled());
    folder->setText(usable);
    dialog->accept();
    REQUIRE(stage.waitForState(recorder::State::Idle));
    CHECK(stage.files() == QStringList{QStringLiteral("test_cpu.etl")});
}

TEST_CASE("Record gives up on a folder that stops answering, and says so", "[ui][folders]") {
    test::DeadServer server;
    test::Stage stage;
    stage.folders = server.access();
    stage.folders.create = [create = stage.folders.create](const QString&) { return create(QStringLiteral("/dead")); };
    stage.openReadyWindow();
    QTest::mouseClick(stage.window->bar()->recordButton(), Qt::LeftButton);
    server.loseHope(1);
    REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
    CHECK(stage.window->strip()->plainText().contains(QStringLiteral("The folder does not answer.")));
    CHECK(stage.window->strip()->plainText().contains(stage.folderPath()));
    CHECK(stage.recorder->state() == recorder::State::Idle);
    server.comeBack();
    REQUIRE(test::waitFor([&] { return server.hanging() == 0; }));
    QCoreApplication::processEvents();
    CHECK(stage.recorder->state() == recorder::State::Idle); // the late answer starts nothing
}

} // namespace tracedeck
