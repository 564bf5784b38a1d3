// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/marks.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/format.h"
#include "ui/health_card.h"
#include "ui/live_pane.h"
#include "ui/recording_bar.h"
#include "ui/stopped_panel.h"
#include "ui/unfinished_bar.h"

#include <QAccessible>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QTest>

#include <filesystem>

namespace tracedeck {
namespace {

using recorder::State;

enum class Left { CutOff, Running };

/// A stage on which an earlier run has left recordings.
struct LeftStage : test::Stage {
    explicit LeftStage(std::vector<Left> recordings) : Stage(Sessions::OutliveRecorder) {
        for (const Left how : recordings) {
            openReadyWindow();
            startRecording();
            if (how == Left::Running) {
                REQUIRE(recorder->mark("Mark 1"));
                REQUIRE(recorder->detach());
                REQUIRE(waitForState(State::Idle));
            }
            restart();
        }
        notedCosts.clear();
    }
    /// Takes each recording into its hands for a moment: not while the recorder looks for them.
    [[nodiscard]] std::vector<recorder::JournalEntry> left() const { return recorder::Journal(journal.path()).left(); }
    [[nodiscard]] ui::UnfinishedBar* offer() const { return window->unfinishedBar(); }
    [[nodiscard]] QString text() const { return test::visibleText(offer()); }
    /// Opens the window and waits until it offers something.
    void openOffering() {
        openReadyWindow();
        REQUIRE(waitForOffer());
    }
    [[nodiscard]] bool waitForOffer() {
        return test::waitFor([&] { return offer()->isVisible(); });
    }
    /// The journal has been looked at, and nothing was to be offered.
    [[nodiscard]] bool offersNothing() {
        bool hasAnswered = false;
        const auto connection = QObject::connect(recorder.get(), &recorder::Recorder::unfinishedListed, window.get(),
                                                 [&](const std::vector<recorder::Unfinished>&) { hasAnswered = true; });
        window->lookForUnfinished();
        const bool isAnswered = test::waitFor([&] { return hasAnswered; });
        QObject::disconnect(connection);
        return isAnswered && !offer()->isVisible();
    }
    [[nodiscard]] bool waitForDiscarded() {
        return test::waitFor(
            [&] { return window->bar()->noteText() == QStringLiteral("The recording was discarded."); });
    }
    static void click(QPushButton* button) {
        REQUIRE(button->isVisible());
        REQUIRE(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void pressDiscard(const QString& answer) {
        click(offer()->discardButton());
        QTest::mouseClick(test::waitForQuestion(window.get(), answer), Qt::LeftButton);
    }
};

std::string plain(const QPushButton* button) {
    return button->text().remove(u'&').toStdString();
}

} // namespace

TEST_CASE("A window that finds nothing unfinished says nothing of it", "[ui][unfinished]") {
    LeftStage stage({});
    stage.openReadyWindow();
    CHECK(stage.offersNothing());
}

TEST_CASE("A recording that was cut off is offered and saved", "[ui][unfinished]") {
    LeftStage stage({Left::CutOff});
    const recorder::JournalEntry entry = stage.left().at(0);
    stage.openOffering();
    CHECK(stage.text().contains(QStringLiteral("not saved: CPU usage")));
    CHECK(stage.text().contains(QStringLiteral("The program was ended before it was saved.")));
    CHECK(stage.text().contains(ui::Format::moment(entry.begun)));
    CHECK_FALSE(stage.text().contains(QStringLiteral("1 of 1")));
    CHECK(plain(stage.offer()->takeUpButton()) == "Save…");
    CHECK(stage.window->bar()->recordButton()->isEnabled()); // it is in nobody's way

    stage.click(stage.offer()->takeUpButton());
    ui::SaveDialog* dialog = stage.waitForSaveDialog();
    CHECK_FALSE(stage.offer()->isVisible());
    CHECK_FALSE(stage.window->findChild<ui::LivePane*>()->isVisible());
    const QString seen = test::visibleText(stage.window.get());
    CHECK(seen.contains(QStringLiteral("The program was ended before the recording was saved.")));
    CHECK_FALSE(seen.contains(QStringLiteral("00:00:00"))); // nobody knows how long it was
    CHECK_FALSE(seen.contains(QStringLiteral("events of")));
    dialog->reject();
    CHECK(stage.recorder->state() == State::Stopped);
    CHECK(stage.left().empty()); // this window has it
    stage.click(stage.window->findChild<ui::StoppedPanel*>()->saveButton());
    stage.waitForSaveDialog()->accept();
    REQUIRE(stage.waitForState(State::Idle));
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.files() == QStringList{QStringLiteral("test_cpu.etl")});
    CHECK(stage.window->healthCard()->plainText().contains(QStringLiteral("the newest part may be missing")));
    CHECK(stage.notedCosts.empty()); // it tells nothing about this version and machine
    CHECK(stage.offersNothing());
    CHECK(stage.left().empty());
}

TEST_CASE("A recording that still runs is gone on with", "[ui][unfinished]") {
    LeftStage stage({Left::Running});
    stage.openOffering();
    CHECK(stage.text().contains(QStringLiteral("still runs: CPU usage")));
    CHECK(stage.text().contains(QStringLiteral("It is still recording.")));
    CHECK(plain(stage.offer()->takeUpButton()) == "Go On");
    stage.click(stage.offer()->takeUpButton());
    REQUIRE(stage.waitForState(State::Recording));
    REQUIRE(test::waitFor([&] { return stage.window->bar()->markButton()->isEnabled(); }));
    CHECK_FALSE(stage.offer()->isVisible());
    CHECK(stage.window->findChild<ui::LivePane*>()->isVisible());
    CHECK(stage.window->bar()->stateText() == QStringLiteral("Recording in memory"));
    QTest::mouseClick(stage.window->bar()->markButton(), Qt::LeftButton);
    CHECK(stage.window->bar()->noteText().contains(QStringLiteral("2 mark")));
    stage.stopRecording()->accept();
    REQUIRE(stage.waitForState(State::Idle));
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.files() == QStringList{QStringLiteral("test_cpu.etl")});
    const auto marks = etl::readMarks(systemFiles(), stage.folder.file("test_cpu.etl"));
    REQUIRE(marks);
    CHECK(etl::findMark(*marks, "Mark 1"));
    CHECK(etl::findMark(*marks, "Mark 2")); // numbered on, by another program
    CHECK(stage.notedCosts.empty());
    CHECK(stage.offersNothing());

    // What is recorded next is this machine's own again.
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    stage.startRecording();
    stage.stopRecording()->reject();
    CHECK(stage.notedCosts.size() == 1);
}

TEST_CASE("An unfinished recording is discarded without being shown", "[ui][unfinished]") {
    const Left how = GENERATE(Left::CutOff, Left::Running);
    CAPTURE(static_cast<int>(how));
    LeftStage stage({how});
    stage.openOffering();
    stage.pressDiscard(QStringLiteral("Keep"));
    CHECK(stage.offer()->isVisible());
    CHECK(stage.left().size() == 1);

    bool wasShown = false;
    QStringList states;
    QObject::connect(stage.recorder.get(), &recorder::Recorder::stateChanged, stage.window.get(), [&] {
        wasShown = wasShown || stage.window->findChild<ui::LivePane*>()->isVisible() ||
                   stage.window->findChild<ui::StoppedPanel*>()->isVisible() ||
                   stage.window->bar()->recordButton()->isEnabled();
        states << stage.window->bar()->stateText();
        if (stage.recorder->state() == State::Idle) {
            wasShown = false; // Record can be pressed again
        }
    });
    stage.pressDiscard(QStringLiteral("Discard"));
    CHECK_FALSE(stage.offer()->isVisible());
    REQUIRE(stage.waitForDiscarded());
    CHECK_FALSE(wasShown);
    CHECK(states.front() == QStringLiteral("Discarding…"));
    CHECK(stage.recorder->state() == State::Idle);
    CHECK(stage.files().isEmpty());
    CHECK(stage.left().empty());
    CHECK(stage.offersNothing());
    CHECK(stage.window->findChildren<ui::SaveDialog*>().isEmpty());
}

TEST_CASE("Several unfinished recordings are offered one after another", "[ui][unfinished]") {
    LeftStage stage({Left::CutOff, Left::CutOff, Left::CutOff});
    stage.openOffering();
    CHECK(stage.text().contains(QStringLiteral("1 of 3")));
    stage.pressDiscard(QStringLiteral("Discard"));
    REQUIRE(test::waitFor([&] { return stage.text().contains(QStringLiteral("2 of 3")); }));
    CHECK(stage.left().size() == 2);
    stage.click(stage.offer()->laterButton());
    CHECK(stage.text().contains(QStringLiteral("3 of 3")));

    // They wait while something else is recorded.
    stage.startRecording();
    CHECK_FALSE(stage.offer()->isVisible());
    stage.stopRecording()->accept();
    REQUIRE(stage.waitForState(State::Idle));
    REQUIRE(stage.waitForOffer());
    CHECK(stage.text().contains(QStringLiteral("3 of 3")));
    stage.click(stage.offer()->laterButton());
    CHECK_FALSE(stage.offer()->isVisible());
    CHECK(stage.window->focusWidget() == stage.window->bar()->recordButton());
    CHECK(stage.offersNothing()); // for this run
    CHECK(stage.left().size() == 2);
    stage.restart();
    stage.openOffering();
    CHECK(stage.text().contains(QStringLiteral("1 of 2")));
}

TEST_CASE("An unfinished recording that cannot be taken over is told about, and the next one offered",
          "[ui][unfinished]") {
    LeftStage stage({Left::CutOff, Left::CutOff});
    const recorder::JournalEntry entry = stage.left().at(0);
    stage.openOffering();
    std::unique_ptr<recorder::Journal::Hold> other;
    SECTION("nothing is left of it") {
        std::filesystem::remove_all(entry.rawFolders.at(0));
        stage.click(stage.offer()->takeUpButton());
        REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
        CHECK(stage.window->strip()->plainText().contains(QStringLiteral("Nothing is left of this recording.")));
    }
    SECTION("another process has it") {
        auto hold = recorder::Journal(stage.journal.path()).take(entry.id);
        REQUIRE(hold.has_value());
        other = std::move(*hold);
        stage.click(stage.offer()->takeUpButton());
        REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
        CHECK(stage.window->strip()->plainText().contains(QStringLiteral("open in another window")));
    }
    SECTION("another process has saved it") {
        {
            const auto hold = recorder::Journal(stage.journal.path()).take(entry.id);
            REQUIRE(hold.has_value());
            REQUIRE((*hold)->forget());
        }
        stage.pressDiscard(QStringLiteral("Discard"));
        REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
        CHECK(stage.window->strip()->plainText().contains(QStringLiteral("saved or discarded somewhere else")));
    }
    CHECK(stage.recorder->state() == State::Idle);
    REQUIRE(stage.waitForOffer());
    CHECK(stage.text().contains(QStringLiteral("2 of 2")));
    CHECK(stage.left().size() == 1);
    CHECK(stage.window->bar()->recordButton()->isEnabled());
    CHECK_FALSE(stage.window->strip()->isOffering()); // looking at the machine again would not help
}

TEST_CASE("An unfinished recording that cannot be taken over now is offered again, after the others",
          "[ui][unfinished]") {
    class FullDisk final : public etw::Rescue {
    public:
        Result<bool> save(const Guid&, const std::string& target) override { return fail(ErrorCode::DiskFull, target); }
        Status discard(const Guid&) override { return {}; }
    } rescue;
    LeftStage stage({Left::CutOff, Left::CutOff});
    recorder::Recorder::Environment environment = stage.environment();
    environment.rescue = &rescue;
    stage.recorder = nullptr;
    stage.recorder = std::make_unique<recorder::Recorder>(environment);
    const std::vector<recorder::JournalEntry> left = stage.left();
    for (const recorder::JournalEntry::Session& session : left.at(0).sessions) {
        std::filesystem::remove(session.rawFile); // so that it is only in memory
    }
    stage.openOffering();
    stage.click(stage.offer()->takeUpButton());
    REQUIRE(test::waitFor([&] { return stage.window->strip()->isVisible(); }));
    CHECK(stage.window->strip()->plainText().contains(QStringLiteral("The recording is kept, and offered again.")));
    REQUIRE(stage.waitForOffer());
    CHECK(stage.left() == left);
    CHECK(stage.text().contains(QStringLiteral("1 of 2")));
    stage.pressDiscard(QStringLiteral("Discard"));
    REQUIRE(test::waitFor([&] { return stage.text().contains(QStringLiteral("2 of 2")); }));
    REQUIRE(stage.left().size() == 1);
    CHECK(stage.left().at(0) == left.at(0));
}

TEST_CASE("A running recording can be let go on when the window closes", "[ui][unfinished][closing]") {
    const bool isAdopted = GENERATE(true, false);
    CAPTURE(isAdopted);
    LeftStage stage(isAdopted ? std::vector{Left::Running} : std::vector<Left>{});
    stage.openReadyWindow();
    if (isAdopted) {
        REQUIRE(stage.waitForOffer());
        stage.click(stage.offer()->takeUpButton());
        REQUIRE(stage.waitForState(State::Recording));
        REQUIRE(test::waitFor([&] { return stage.window->bar()->markButton()->isEnabled(); }));
    } else {
        stage.startRecording();
    }
    bool hasEnded = false;
    QObject::connect(stage.window.get(), &ui::MainWindow::ended, stage.window.get(),
                     [&](const QStringList& rawFiles, const QString& problem) {
                         hasEnded = rawFiles.isEmpty() && problem.isEmpty();
                     });
    stage.window->close();
    QPushButton* letGoOn = test::waitForQuestion(stage.window.get(), QStringLiteral("Let It Go On"));
    CHECK(test::visibleText(letGoOn->window()).contains(QStringLiteral("offered again")));
    QTest::mouseClick(letGoOn, Qt::LeftButton);
    REQUIRE(test::waitFor([&] { return !stage.window->isVisible(); }));
    CHECK(hasEnded);
    REQUIRE(stage.left().size() == 1);

    stage.restart();
    stage.openOffering();
    CHECK(plain(stage.offer()->takeUpButton()) == "Go On");
    stage.pressDiscard(QStringLiteral("Discard"));
    REQUIRE(stage.waitForDiscarded());
    CHECK(stage.left().empty());
    CHECK(stage.files().isEmpty());
}

TEST_CASE("A recording that ends with the program is not let go on", "[ui][unfinished][closing]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.window->close();
    CHECK(test::waitForQuestion(stage.window.get(), QStringLiteral("Stop and Save…"))->isVisible());
    CHECK(test::questionButton(stage.window.get(), QStringLiteral("Let It Go On")) == nullptr);
}

TEST_CASE("Closing while an unfinished recording is being taken over loses nothing", "[ui][unfinished][closing]") {
    LeftStage stage({Left::CutOff});
    stage.openOffering();
    stage.click(stage.offer()->takeUpButton());
    REQUIRE(stage.recorder->state() == State::Starting);
    stage.window->closeKeepingRawFiles();
    REQUIRE(test::waitFor([&] { return !stage.window->isVisible(); }));
    stage.restart();
    CHECK(stage.left().size() == 1);
    CHECK(stage.files().contains(QStringLiteral("events.etl")));
}

TEST_CASE("What is offered can be read aloud and reached by the keyboard", "[ui][unfinished][accessibility]") {
    LeftStage stage({Left::CutOff});
    stage.openOffering();
    const auto labels = stage.offer()->findChildren<QLabel*>();
    CHECK(std::any_of(labels.begin(), labels.end(), [](QLabel* label) {
        return QAccessible::queryAccessibleInterface(label)
            ->text(QAccessible::Name)
            .contains(QStringLiteral("A recording from earlier is not saved"));
    }));
    for (const QWidget* widget : stage.offer()->tabOrder()) {
        CHECK(widget->isVisible());
        CHECK((widget->focusPolicy() & Qt::TabFocus) != 0);
    }
    QTest::keyClick(stage.window.get(), Qt::Key_S, Qt::AltModifier);
    stage.waitForSaveDialog()->reject();
    CHECK(stage.recorder->state() == State::Stopped);
}

} // namespace tracedeck
