// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/health_card.h"
#include "ui/plan_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

namespace tracedeck {
namespace {

using etw::LimitationCode;

const QString kShortStacks = QStringLiteral("Stacks of code without frame pointers end early.");

etw::Capabilities refusing(const test::Stage& stage, etw::Limitation limitation) {
    etw::Capabilities capabilities = stage.kernel.capabilities();
    capabilities.kernelGroups = {};
    capabilities.limitations = {std::move(limitation)};
    return capabilities;
}

} // namespace

TEST_CASE("Only what is new is told again", "[ui][limitations]") {
    const std::vector<etw::Limitation> told{{LimitationCode::KeywordNotServed, "DiskIO", 0},
                                            {LimitationCode::NoPerfEvents, "errno 1", 0}};
    const std::vector<etw::Limitation> news =
        ui::untold({{LimitationCode::KeywordNotServed, "DiskIO", 0},
                    {LimitationCode::KeywordNotServed, "Power", 0},
                    {LimitationCode::NoPerfEvents, "errno 13", 0}, // another detail of the same reason
                    {LimitationCode::MlockLimit, "", 0}},
                   told);
    REQUIRE(news.size() == 2);
    CHECK(news[0].detail == "Power");
    CHECK(news[1].code == LimitationCode::MlockLimit);
}

TEST_CASE("What is found missing at the start is told in the strip and on the card", "[ui][limitations]") {
    test::Stage stage;
    const bool wasTold = GENERATE(false, true);
    CAPTURE(wasTold);
    if (wasTold) {
        stage.givenCapabilities = stage.kernel.capabilities();
        (*stage.givenCapabilities)->limitations = {{LimitationCode::ShortStacks, {}, 0}};
    }
    stage.openReadyWindow();
    REQUIRE(test::waitFor([&] { return test::visibleText(stage.window->form()).contains(kShortStacks) == wasTold; }));
    stage.startRecording(); // the kernel says at the start that stacks are short
    CHECK(stage.window->strip()->isVisible() == !wasTold);
    CHECK(stage.window->strip()->plainText().contains(kShortStacks) == !wasTold);
    stage.stopRecording()->accept();
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.window->healthCard()->plainText().contains(QStringLiteral("Missing: ") + kShortStacks) == !wasTold);
}

TEST_CASE("Several things that are missing share one strip", "[ui][limitations]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    Q_EMIT stage.recorder->started(
        {{LimitationCode::MlockLimit, "kernel.perf_event_mlock_kb", 0}, {LimitationCode::NoPerfEvents, "errno 1", 0}});
    const QString text = stage.window->strip()->plainText();
    CHECK(text.contains(QStringLiteral("buffers had to be made smaller")));
    CHECK(text.contains(QStringLiteral("gives no performance events")));
    CHECK(text.contains(QStringLiteral("MlockLimit, NoPerfEvents")));
}

TEST_CASE("The card tells what was not told before, counted or not", "[ui][limitations]") {
    test::needApplication();
    const ui::MessageCatalog messages = test::plainMessages();
    ui::HealthCard card(messages);
    recorder::Outcome outcome;
    outcome.recording.limitations = {{LimitationCode::MlockLimit, {}, 0}, {LimitationCode::EventsUnreported, "x", 3}};
    card.showOutcome(outcome, {});
    CHECK(card.plainText().contains(QStringLiteral("Missing: MlockLimit\nEventsUnreported (x)")));
    card.showOutcome(outcome, {{LimitationCode::EventsUnreported, {}, 0}});
    CHECK(card.plainText().contains(QStringLiteral("Missing: MlockLimit")));
    CHECK_FALSE(card.plainText().contains(QStringLiteral("EventsUnreported")));
    card.showOutcome(outcome, outcome.recording.limitations);
    CHECK_FALSE(card.plainText().contains(QStringLiteral("Missing:")));
}

TEST_CASE("A remedy is noticed when the window is activated again", "[ui][limitations]") {
    test::Stage stage;
    stage.givenCapabilities = refusing(stage, {LimitationCode::PerfEventParanoid, "3", 0});
    stage.openWindow();
    REQUIRE(test::waitFor([&] { return stage.window->setup().plan().has_value(); }));
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    CHECK(stage.window->form()->planPanel()->lookAgainButton()->isVisible());
    stage.givenCapabilities = stage.kernel.capabilities();
    QWidget terminal;
    terminal.show();
    terminal.activateWindow();
    REQUIRE(test::waitForActive(terminal));
    CHECK_FALSE(stage.window->bar()->recordButton()->isEnabled());
    stage.window->activateWindow();
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    CHECK_FALSE(stage.window->form()->planPanel()->lookAgainButton()->isVisible());
}

TEST_CASE("What the platform lacks is not asked for again", "[ui][limitations]") {
    test::Stage stage;
    stage.openReadyWindow(); // this kernel serves no context switches, which nobody can change
    QWidget other;
    other.show();
    other.activateWindow();
    REQUIRE(test::waitForActive(other));
    const int before = stage.questions;
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    QCoreApplication::processEvents();
    CHECK(stage.questions == before);
    CHECK_FALSE(stage.window->form()->planPanel()->lookAgainButton()->isVisible());
}

TEST_CASE("Why there is no plan is told in short, all of it on demand", "[ui][limitations]") {
    test::needApplication();
    ui::PlanPanel panel;
    const QString shown = QStringLiteral("keyword CSwitch (KeywordNotServed), stack CSwitch");
    const QString all = QString(shown + QStringLiteral(", ")).repeated(9) + QStringLiteral("the last");
    panel.showMessage({QStringLiteral("Nothing."), all, QStringLiteral("Choose."), {}});
    const QStringList lines = test::visibleText(&panel).split(u'\n');
    const qsizetype at = lines.indexOf(QStringLiteral("Nothing."));
    REQUIRE(at >= 0);
    REQUIRE(lines.size() > at + 2);
    CHECK(lines[at + 1].startsWith(shown));
    REQUIRE(lines[at + 1].endsWith(u'…'));
    CHECK(all.startsWith(lines[at + 1].chopped(1) + u' ')); // cut behind a word
    CHECK(lines[at + 1].size() <= 121);
    CHECK(lines[at + 2] == QStringLiteral("Choose."));
    const auto toolTips = [&] {
        QStringList texts;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            texts << label->toolTip() << label->accessibleDescription();
        }
        texts.removeAll(QString());
        return texts;
    };
    CHECK(toolTips() == QStringList{all, all});
    // What is short stands as it is.
    panel.showMessage({QStringLiteral("Nothing."), shown, {}, {}});
    CHECK(test::visibleText(&panel).contains(shown));
    CHECK(toolTips().isEmpty());
    panel.showMessage({QStringLiteral("Nothing."), all, {}, {}});
    panel.showPlan(QStringLiteral("Samples."), {});
    CHECK(toolTips().isEmpty());
}

TEST_CASE("Look Again asks the machine, and says when nothing has changed", "[ui][limitations]") {
    test::Stage stage;
    stage.givenCapabilities = tracedeck::fail(ErrorCode::AccessDenied, "the host refuses");
    stage.openWindow();
    auto* button = stage.window->form()->planPanel()->lookAgainButton();
    REQUIRE(test::waitFor([&] { return button->isVisible(); }));
    QTest::mouseClick(button, Qt::LeftButton);
    REQUIRE(
        test::waitFor([&] { return stage.window->bar()->noteText() == QStringLiteral("Nothing has changed since."); }));
    stage.givenCapabilities = stage.kernel.capabilities();
    QTest::mouseClick(button, Qt::LeftButton);
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    CHECK_FALSE(button->isVisible());
}

TEST_CASE("A feature that is carried out from now on changes the machine", "[ui][limitations]") {
    test::needApplication();
    etw::Capabilities capabilities;
    ui::Machine machine([&](etw::Completion<etw::Capabilities> done) { done(capabilities); });
    const QSignalSpy changed(&machine, &ui::Machine::changed);
    const QSignalSpy unchanged(&machine, &ui::Machine::unchanged);
    machine.ask();
    REQUIRE(test::waitFor([&] { return changed.size() == 1; }));
    machine.ask();
    REQUIRE(test::waitFor([&] { return unchanged.size() == 1; }));
    capabilities.features.push_back(static_cast<etw::Feature>(0));
    machine.ask();
    REQUIRE(test::waitFor([&] { return changed.size() + unchanged.size() == 3; }));
    CHECK(changed.size() == 2);
    CHECK(machine.capabilities()->features == capabilities.features);
}

TEST_CASE("A start that the machine refuses offers to look again", "[ui][limitations]") {
    test::Stage stage;
    stage.givenCapabilities = stage.kernel.capabilities();
    stage.openReadyWindow();
    const int before = stage.questions;
    Q_EMIT stage.recorder->failed({ErrorCode::KernelEventsRefused, "perf_event_open: errno 1", 0});
    REQUIRE(stage.window->strip()->isVisible());
    CHECK(stage.questions == before + 1); // the form is to say what holds now
    auto* button = stage.window->strip()->offeredButton();
    REQUIRE(button->isVisible());
    CHECK(button->text() == QStringLiteral("Look Again"));
    REQUIRE(test::waitFor([&] { return stage.window->bar()->recordButton()->isEnabled(); }));
    QCoreApplication::processEvents();
    QTest::mouseClick(button, Qt::LeftButton);
    CHECK(stage.questions == before + 2);
    // Any other failure does not.
    Q_EMIT stage.recorder->failed({ErrorCode::DiskFull, "/", 0});
    CHECK_FALSE(button->isVisible());
}

} // namespace tracedeck
