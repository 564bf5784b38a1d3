// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/health_card.h"
#include "ui/recording_bar.h"
#include "ui/stopped_panel.h"

#include <QCheckBox>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTest>

namespace tracedeck {
namespace {

/// In the folder of recordings and below it.
QStringList filesIn(const test::Stage& stage) {
    QStringList names;
    QDirIterator files(stage.folderPath(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        names << QFileInfo(files.next()).fileName();
    }
    return names;
}

void writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    REQUIRE(file.write(content) == content.size());
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

} // namespace

TEST_CASE("Escape goes back to the stopped recording, and nothing is thrown away", "[ui][saving]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    dialog->findChild<QPlainTextEdit*>(QStringLiteral("description"))->setPlainText(QStringLiteral("half a thought"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    CHECK(stage.recorder->state() == recorder::State::Stopped);
    auto* stopped = stage.window->findChild<ui::StoppedPanel*>();
    REQUIRE(stopped->isVisible());
    CHECK_FALSE(filesIn(stage).isEmpty());
    // And again: what was typed is still there.
    REQUIRE(test::waitFor([&] { return stage.window->findChild<ui::SaveDialog*>() == nullptr; }));
    QTest::mouseClick(stopped->saveButton(), Qt::LeftButton);
    dialog = stage.window->findChild<ui::SaveDialog*>();
    REQUIRE(dialog != nullptr);
    CHECK(dialog->answer().description == QStringLiteral("half a thought"));
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
}

TEST_CASE("An existing file is asked about before it is replaced", "[ui][saving]") {
    test::Stage stage;
    const QString path = stage.folderPath() + QStringLiteral("/test_cpu.etl");
    writeFile(path, "precious");
    stage.openReadyWindow();
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    QTest::keyClick(dialog, Qt::Key_Return);
    QPushButton* keep = test::waitForQuestion(dialog, QStringLiteral("Choose Another Name"));
    QTest::mouseClick(keep, Qt::LeftButton);
    CHECK(dialog->isVisible());
    CHECK(contentOf(path) == "precious");
    CHECK(stage.recorder->state() == recorder::State::Stopped);
    REQUIRE(test::waitFor([&] { return test::questionButton(dialog, QStringLiteral("Replace")) == nullptr; }));
    QTest::keyClick(dialog, Qt::Key_Return);
    QTest::mouseClick(test::waitForQuestion(dialog, QStringLiteral("Replace")), Qt::LeftButton);
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(contentOf(path).size() > 1000);
}

TEST_CASE("A name that is no name cannot be saved", "[ui][saving]") {
    test::needApplication();
    ui::SaveDialog dialog(QStringLiteral("/tmp"), QStringLiteral("a.etl"));
    dialog.show();
    auto* save = dialog.findChild<QPushButton*>(QStringLiteral("save"));
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileName"));
    CHECK(save->isEnabled());
    name->setText(QStringLiteral("  "));
    CHECK_FALSE(save->isEnabled());
    name->setText(QStringLiteral("a/b"));
    CHECK_FALSE(save->isEnabled());
    name->setText(QStringLiteral("a\\b"));
    CHECK_FALSE(save->isEnabled());
    name->setText(QStringLiteral("b"));
    CHECK(save->isEnabled());
    CHECK(dialog.answer().path == QStringLiteral("/tmp/b.etl"));
}

TEST_CASE("Shift+Enter starts a new line of the description, Enter saves", "[ui][saving]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    ui::SaveDialog dialog(QString::fromStdString(folder.path()), QStringLiteral("a.etl"));
    dialog.show();
    auto* description = dialog.findChild<QPlainTextEdit*>(QStringLiteral("description"));
    QTest::keyClicks(description, QStringLiteral("one"));
    QTest::keyClick(description, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(description, QStringLiteral("two"));
    CHECK(dialog.isVisible());
    QTest::keyClick(description, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return !dialog.isVisible(); }));
    CHECK(dialog.result() == QDialog::Accepted);
    CHECK(dialog.answer().description == QStringLiteral("one\ntwo"));
}

TEST_CASE("A save that fails goes back to the recording and says why", "[ui][saving]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    dialog->findChild<QLineEdit*>(QStringLiteral("fileName"))->setText(QStringLiteral("x").repeated(300));
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
    CHECK(stage.recorder->state() == recorder::State::Stopped);
    CHECK(stage.window->findChild<ui::StoppedPanel*>()->isVisible());
}

TEST_CASE("The folder is opened afterwards where that is wished", "[ui][saving]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    dialog->findChild<QCheckBox*>()->setChecked(true);
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.openedFolders == std::vector<std::string>{stage.folder.path()});
}

TEST_CASE("Discard asks, and then removes everything", "[ui][saving]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    QTest::keyClick(stage.stopRecording(), Qt::Key_Escape);
    auto* stopped = stage.window->findChild<ui::StoppedPanel*>();
    QTest::mouseClick(stopped->discardButton(), Qt::LeftButton);
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Keep")), Qt::LeftButton);
    CHECK(stage.recorder->state() == recorder::State::Stopped);
    CHECK_FALSE(filesIn(stage).isEmpty());
    REQUIRE(test::waitFor([&] { return test::questionButton(stage.window.get(), QStringLiteral("Keep")) == nullptr; }));
    QTest::mouseClick(stopped->discardButton(), Qt::LeftButton);
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Discard")), Qt::LeftButton);
    REQUIRE(stage.waitForState(recorder::State::Idle));
    CHECK(filesIn(stage).isEmpty());
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
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
    CHECK(stage.recorder->state() == recorder::State::Recording);
}

TEST_CASE("Stop and Save closes the window once the file is there", "[ui][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.window->close();
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Stop and Save…")), Qt::LeftButton);
    ui::SaveDialog* dialog = nullptr;
    REQUIRE(test::waitFor([&] { return (dialog = stage.window->findChild<ui::SaveDialog*>()) != nullptr; }));
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return !stage.window->isVisible(); }));
    CHECK(filesIn(stage) == QStringList{QStringLiteral("test_cpu.etl")});
}

TEST_CASE("Closing without saving keeps the raw files", "[ui][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.window->close();
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Close, Keep Raw Files")),
                      Qt::LeftButton);
    REQUIRE(test::waitFor([&] { return !stage.window->isVisible(); }));
    CHECK(stage.recorder->state() == recorder::State::Stopped);
    CHECK_FALSE(filesIn(stage).isEmpty());
}

} // namespace tracedeck
