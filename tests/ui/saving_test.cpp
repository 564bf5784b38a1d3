// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/health_card.h"
#include "ui/recording_bar.h"
#include "ui/stopped_panel.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>

namespace tracedeck {
namespace {

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
    CHECK_FALSE(stage.files().isEmpty());
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
    ui::SaveDialog dialog({QStringLiteral("/tmp"), QStringLiteral("a.etl"), {}, false}, test::patientFolders());
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
    ui::SaveDialog dialog({QString::fromStdString(folder.path()), QStringLiteral("a.etl"), {}, false},
                          test::patientFolders());
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
    const QString before = stage.window->strip()->plainText();
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->strip()->plainText() != before; }));
    CHECK(stage.window->strip()->isVisible());
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
    CHECK_FALSE(stage.files().isEmpty());
    REQUIRE(test::waitFor([&] { return test::questionButton(stage.window.get(), QStringLiteral("Keep")) == nullptr; }));
    QTest::mouseClick(stopped->discardButton(), Qt::LeftButton);
    QTest::mouseClick(test::waitForQuestion(stage.window.get(), QStringLiteral("Discard")), Qt::LeftButton);
    REQUIRE(stage.waitForState(recorder::State::Idle));
    CHECK(stage.files().isEmpty());
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
}

TEST_CASE("A folder that cannot be used is said in the dialog while it is typed, and Save is off", "[ui][saving]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path());
    ui::FolderAccess access = test::patientFolders();
    // Permissions do not bind an administrator, who may run this test.
    access.look = [look = access.look](const QString& looked) {
        ui::FolderFacts facts = look(looked);
        if (looked.endsWith(QStringLiteral("/readonly"))) {
            facts.state = ui::FolderFacts::State::ReadOnly;
        }
        return facts;
    };
    ui::SaveDialog dialog({path, QStringLiteral("a.etl"), {}, false}, access);
    dialog.show();
    auto* save = dialog.findChild<QPushButton*>(QStringLiteral("save"));
    auto* typed = dialog.findChild<QLineEdit*>(QStringLiteral("folder"));
    REQUIRE(test::waitFor([&] { return test::visibleText(&dialog).contains(QStringLiteral(" free")); }));
    CHECK(save->isEnabled());
    typed->setText(path + QStringLiteral("/no/such/place"));
    REQUIRE(test::waitFor([&] { return !save->isEnabled(); }));
    CHECK(test::visibleText(&dialog).contains(QStringLiteral("This folder does not exist.")));
    CHECK(save->toolTip() == QStringLiteral("This folder does not exist."));
    typed->setText(path + QStringLiteral("/readonly"));
    CHECK(save->isEnabled()); // not known yet; Save looks for itself
    REQUIRE(test::waitFor([&] { return !save->isEnabled(); }));
    CHECK(test::visibleText(&dialog).contains(QStringLiteral("You cannot write to this folder.")));
    typed->setText(path);
    REQUIRE(test::waitFor([&] { return test::visibleText(&dialog).contains(QStringLiteral(" free")); }));
    CHECK(save->isEnabled());
    CHECK(save->toolTip().isEmpty());
}

TEST_CASE("Save looks before it leaves the dialog, however fast it is pressed", "[ui][saving]") {
    test::needApplication();
    const test::TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.path());
    ui::SaveDialog dialog({path + QStringLiteral("/no/such"), QStringLiteral("a.etl"), {}, false},
                          test::patientFolders());
    dialog.show();
    auto* save = dialog.findChild<QPushButton*>(QStringLiteral("save"));
    dialog.accept();
    REQUIRE(test::waitFor(
        [&] { return test::visibleText(&dialog).contains(QStringLiteral("This folder does not exist.")); }));
    CHECK(dialog.isVisible());
    CHECK_FALSE(save->isEnabled());
    // A name that a folder has is no name for a file.
    REQUIRE(QDir().mkpath(path + QStringLiteral("/a.etl")));
    dialog.findChild<QLineEdit*>(QStringLiteral("folder"))->setText(path);
    CHECK(save->isEnabled());
    dialog.accept();
    REQUIRE(test::waitFor([&] { return test::visibleText(&dialog).contains(QStringLiteral("that is no file")); }));
    CHECK(dialog.isVisible());
    // The last part of a folder's name is created, as the form does.
    dialog.findChild<QLineEdit*>(QStringLiteral("folder"))->setText(path + QStringLiteral("/new"));
    dialog.accept();
    REQUIRE(test::waitFor([&] { return !dialog.isVisible(); }));
    CHECK(dialog.result() == QDialog::Accepted);
    CHECK(QFileInfo(path + QStringLiteral("/new")).isDir());
}

TEST_CASE("A save that fails keeps what was typed, and says where the raw files are", "[ui][saving]") {
    test::Stage stage;
    const test::TemporaryFolder other;
    stage.openReadyWindow();
    stage.startRecording();
    ui::SaveDialog* dialog = stage.stopRecording();
    const QString name = QStringLiteral("x").repeated(300);
    dialog->findChild<QLineEdit*>(QStringLiteral("fileName"))->setText(name);
    dialog->findChild<QLineEdit*>(QStringLiteral("folder"))->setText(QString::fromStdString(other.path()));
    dialog->findChild<QPlainTextEdit*>(QStringLiteral("description"))->setPlainText(QStringLiteral("what I saw"));
    dialog->findChild<QCheckBox*>()->setChecked(true);
    dialog->accept();
    const QString lost = QStringLiteral("The recording is not lost");
    REQUIRE(test::waitFor([&] { return stage.window->strip()->plainText().contains(lost); }));
    CHECK(stage.window->strip()->isVisible());
    const QString raw = QStringLiteral("/.tracedeck-");
    CHECK(stage.window->strip()->plainText().contains(stage.folderPath() + raw));
    auto* stopped = stage.window->findChild<ui::StoppedPanel*>();
    CHECK(test::visibleText(stopped).contains(stage.folderPath() + raw));
    QTest::mouseClick(stopped->saveButton(), Qt::LeftButton);
    const ui::SaveDialog::Draft draft = stage.waitForSaveDialog()->draft();
    CHECK(draft.fileName == name);
    CHECK(draft.folder.toStdString() == other.path());
    CHECK(draft.description == QStringLiteral("what I saw"));
    CHECK(draft.opensFolder);
}

} // namespace tracedeck
