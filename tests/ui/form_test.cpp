// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/command_line.h"
#include "ui/live_pane.h"
#include "ui/options_panel.h"
#include "ui/plan_panel.h"
#include "ui/profile_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRadioButton>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

namespace tracedeck {
namespace {

template <class T>
T* childNamed(QWidget* parent, const QString& text) {
    for (T* child : parent->template findChildren<T*>()) {
        if (child->text().remove(u'&') == text) {
            return child;
        }
    }
    FAIL("nothing is called " << text.toStdString());
    return nullptr;
}

QString allText(QWidget* parent) {
    QStringList texts;
    for (const QLabel* label : parent->findChildren<QLabel*>()) {
        texts << label->text();
    }
    return texts.join(u'\n');
}

} // namespace

TEST_CASE("Record waits for what the machine can do", "[ui][form]") {
    test::Stage stage;
    stage.holdsCapabilities = true;
    stage.openWindow();
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    CHECK(stage.window->bar()->noteText().contains(QStringLiteral("what this machine can record")));
    stage.heldAnswer(stage.kernel.capabilities());
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    CHECK(stage.window->bar()->stateText() == QStringLiteral("Ready"));
}

TEST_CASE("Keeping the newest can be chosen for a file without a size", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    auto* panel = stage.window->findChild<ui::OptionsPanel*>();
    auto* keepsNewest = panel->findChild<QCheckBox*>();
    REQUIRE(keepsNewest != nullptr);
    CHECK_FALSE(keepsNewest->isEnabled()); // in memory it is so anyway
    childNamed<QRadioButton>(panel, QStringLiteral("In a file, at most"))->click();
    CHECK_FALSE(keepsNewest->isEnabled());
    childNamed<QRadioButton>(panel, QStringLiteral("In a file"))->click();
    REQUIRE(keepsNewest->isEnabled());
    CHECK_FALSE(stage.window->form()->choice().keepsNewest);
    keepsNewest->click();
    CHECK(stage.window->form()->choice().keepsNewest);
    std::optional<recorder::LiveStatus> last;
    QObject::connect(stage.recorder.get(), &recorder::Recorder::statusChanged, stage.window.get(),
                     [&](const recorder::LiveStatus& status) { last = status; });
    stage.startRecording();
    REQUIRE(test::waitFor([&] { return last && last->disk; }));
    CHECK(last->disk->keepsNewest);
    stage.stopRecording()->reject();
}

TEST_CASE("The window says that the disk runs short, and what happens then", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    auto* live = stage.window->findChild<ui::LivePane*>();
    REQUIRE(live != nullptr);
    live->begin({plan::LoggingMode::File, std::nullopt, std::chrono::milliseconds(0)});
    recorder::LiveStatus status;
    status.elapsed = std::chrono::seconds(10);
    status.sessions.resize(1);
    status.sessions[0].bytesPerSecond = 1024;
    status.sessions[0].stats.fileSize = mib(3);
    CHECK(live->showStatus(status).isEmpty()); // nothing can be told
    recorder::DiskRoom room;
    room.left = mib(1);
    const auto said = [&] {
        status.disk = room;
        return live->showStatus(status);
    };
    CHECK(said().contains(QStringLiteral("disk lasts about 17 min")));
    room.isShort = true;
    room.timeLeft = std::chrono::seconds(90);
    CHECK(said() == QStringLiteral("the disk runs short: stops in about 1 min 30 s"));
    room.isOfTarget = true;
    CHECK(said() == QStringLiteral("the disk where it will be saved runs short: stops in about 1 min 30 s"));
    room.keepsNewest = true;
    CHECK(said().contains(QStringLiteral("in about 1 min 30 s newer events take the place")));
    room.isOverwriting = true;
    CHECK(said() == QStringLiteral("the disk is short: newer events take the place of the oldest"));
}

TEST_CASE("A machine that does not answer is told, and Record stays off", "[ui][form]") {
    test::Stage stage;
    stage.holdsCapabilities = true;
    stage.openWindow();
    stage.heldAnswer(tracedeck::fail(ErrorCode::AccessDenied, "the host refuses"));
    REQUIRE(test::waitFor(
        [&] { return allText(stage.window->form()->planPanel()).contains(QStringLiteral("the host refuses")); }));
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
}

TEST_CASE("An answer that comes after the window is gone is dropped", "[ui][form]") {
    test::Stage stage;
    stage.holdsCapabilities = true;
    stage.openWindow();
    stage.window.reset();
    stage.heldAnswer(stage.kernel.capabilities());
    QCoreApplication::processEvents();
    SUCCEED("nothing was touched");
}

TEST_CASE("What cannot be recorded here is said before the start", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    const QString text = allText(stage.window->form()->limitationPanel());
    CHECK(text.contains(QStringLiteral("CSwitch")));
    CHECK(text.contains(QStringLiteral("not recorded by this version")));
    CHECK(stage.window->form()->limitationPanel()->isVisible());
}

TEST_CASE("Nothing chosen, nothing to record", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.profiles.clear();
    stage.window->form()->setChoice(choice);
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    CHECK(stage.window->bar()->noteText() == QStringLiteral("Tick a profile first."));
}

TEST_CASE("A folder that cannot be used is said at once", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.folder = stage.folderPath() + QStringLiteral("/no/such/place");
    stage.window->form()->setChoice(choice);
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    REQUIRE(test::waitFor([&] {
        return allText(stage.window->form()->options()).contains(QStringLiteral("This folder does not exist."));
    }));
    CHECK(stage.window->setup().obstacle() == ui::RecordingSetup::Obstacle::FolderUnusable);
}

TEST_CASE("Only the last part of a folder's name is created", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.folder = stage.folderPath() + QStringLiteral("/new");
    stage.window->form()->setChoice(choice);
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    stage.startRecording();
    CHECK(QFileInfo(choice.folder).isDir());
}

TEST_CASE("The copied command creates a folder that is not there yet", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    const auto copied = [&] {
        stage.action(QStringLiteral("Copy as Command"))->trigger();
        return QGuiApplication::clipboard()->text();
    };
    CHECK(copied() == QStringLiteral("tracedeck-cli record -p CPU -o %1/test_cpu.etl").arg(stage.folderPath()));
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.folder = stage.folderPath() + QStringLiteral("/it's new");
    stage.window->form()->setChoice(choice);
    const QString quoted = ui::shellQuoted(choice.folder);
    const QString expected = QStringLiteral("mkdir -p %1 && tracedeck-cli record -p CPU -o %2")
                                 .arg(quoted, ui::shellQuoted(choice.folder + QStringLiteral("/test_cpu.etl")));
    CHECK(copied() == expected); // not looked at yet: to create it does no harm
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    CHECK(copied() == expected);
    // The first half does what it says.
    const QStringList shell{QStringLiteral("-c"), expected.section(QStringLiteral(" && "), 0, 0)};
    REQUIRE(QProcess::execute(QStringLiteral("/bin/sh"), shell) == 0);
    CHECK(QFileInfo(choice.folder).isDir());
}

TEST_CASE("Changing what a preset chose says so", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    auto* form = stage.window->form();
    auto* preset = childNamed<QToolButton>(form, QStringLiteral("Slow or busy"));
    CHECK(preset->isChecked());
    QTest::mouseClick(childNamed<QRadioButton>(form, QStringLiteral("In a file")), Qt::LeftButton);
    CHECK_FALSE(preset->isChecked());
    CHECK(allText(form).contains(QStringLiteral("modified from “Slow or busy”")));
    QTest::mouseClick(preset, Qt::LeftButton);
    CHECK(preset->isChecked());
    CHECK(form->choice().mode == plan::LoggingMode::Memory);
    CHECK_FALSE(allText(form).contains(QStringLiteral("modified")));
}

TEST_CASE("The filter finds profiles by either name", "[ui][form]") {
    test::Stage stage;
    stage.openReadyWindow();
    auto* panel = stage.window->form()->profilePanel();
    const auto visible = [&] {
        QStringList names;
        const QAbstractItemModel* model = panel->view()->model();
        for (int i = 0; i < model->rowCount(); ++i) {
            const QModelIndex category = model->index(i, 0);
            for (int j = 0; j < model->rowCount(category); ++j) {
                names << model->index(j, 0, category).data(ui::ProfileModel::kNameRole).toString();
            }
        }
        return names;
    };
    CHECK(visible().size() == 29); // the whole library
    QTest::keyClicks(panel->filter(), QStringLiteral("generalpro"));
    CHECK(visible() == QStringList{QStringLiteral("GeneralProfile")});
    panel->filter()->clear();
    QTest::keyClicks(panel->filter(), QStringLiteral("cpu us"));
    CHECK(visible() == QStringList{QStringLiteral("CPU")});
}

TEST_CASE("Every shortcut works", "[ui][shortcuts]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(stage.window.get(), key, modifiers);
    };
    press(Qt::Key_F, Qt::ControlModifier);
    CHECK(stage.window->form()->profilePanel()->filter()->hasFocus());
    press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(QGuiApplication::clipboard()->text() ==
          QStringLiteral("tracedeck-cli record -p CPU -o %1/test_cpu.etl").arg(stage.folderPath()));
    press(Qt::Key_D, Qt::ControlModifier);
    auto* details = stage.window->findChild<QDialog*>();
    REQUIRE(details != nullptr);
    CHECK(details->isVisible());
    details->reject();
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    press(Qt::Key_F9);
    REQUIRE(stage.waitForState(recorder::State::Recording));
    REQUIRE(test::waitFor([&] { return stage.window->bar()->markButton()->isEnabled(); }));
    press(Qt::Key_F8);
    CHECK(stage.window->bar()->noteText() == QStringLiteral("1 mark(s) set"));
    press(Qt::Key_F9);
    REQUIRE(stage.waitForState(recorder::State::Stopped));
    REQUIRE(test::waitFor([&] { return stage.window->findChild<ui::SaveDialog*>() != nullptr; }));
    QTest::keyClick(stage.window->findChild<ui::SaveDialog*>(), Qt::Key_Escape);
    REQUIRE(test::waitFor([&] { return stage.window->findChild<ui::SaveDialog*>() == nullptr; }));
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    press(Qt::Key_S, Qt::ControlModifier);
    REQUIRE(stage.window->findChild<ui::SaveDialog*>() != nullptr);
    QTest::keyClick(stage.window->findChild<ui::SaveDialog*>(), Qt::Key_Escape);
    REQUIRE(test::waitFor([&] { return stage.window->findChild<ui::SaveDialog*>() == nullptr; }));
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    press(Qt::Key_Q, Qt::ControlModifier);
    CHECK(test::waitForQuestion(stage.window.get(), QStringLiteral("Go Back")) != nullptr);
    CHECK(stage.window->isVisible());
}

} // namespace tracedeck
