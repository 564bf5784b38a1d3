// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/summary.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/ui/stage.h"
#include "ui/health_card.h"
#include "ui/history_view.h"
#include "ui/profile_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"
#include "ui/session_gauges.h"

#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>

#include <map>

namespace tracedeck {
namespace {

constexpr int kSamples = 500;

std::map<std::string, std::uint64_t> eventsOf(const std::string& path) {
    const Result<etl::Summary> summary = etl::summarize(systemFiles(), path);
    REQUIRE(summary);
    CHECK(summary->verdict() == etl::Summary::Verdict::Good);
    std::map<std::string, std::uint64_t> counts;
    for (const etl::EventCount& count : summary->names) {
        counts[count.name] = count.events;
    }
    return counts;
}

} // namespace

TEST_CASE("Record, Mark, Stop and Save give a file that passes", "[ui][recording]") {
    const bool isFileMode = GENERATE(false, true);
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.mode = isFileMode ? plan::LoggingMode::File : plan::LoggingMode::Memory;
    stage.window->form()->setChoice(choice);
    stage.startRecording();
    CHECK_FALSE(stage.window->form()->profilePanel()->isEnabled());
    CHECK(stage.kernel.requests().back().isRing != isFileMode);
    for (int i = 0; i < kSamples; ++i) {
        REQUIRE(stage.kernel.emit(static_cast<std::uint32_t>(i % 2)));
    }
    QTest::mouseClick(stage.window->bar()->markButton(), Qt::LeftButton);
    auto* history = stage.window->findChild<ui::HistoryView*>();
    REQUIRE(test::waitFor([&] { return !history->history().samples().empty(); }));
    auto* gauges = stage.window->findChild<ui::SessionGauges*>();
    CHECK(test::waitFor([&] { return test::visibleText(gauges).contains(QStringLiteral("lost 0 of 5")); }));

    ui::SaveDialog* dialog = stage.stopRecording();
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileName"));
    CHECK(name->text() == QStringLiteral("test_cpu.etl"));
    name->setText(QStringLiteral("named"));
    dialog->findChild<QPlainTextEdit*>(QStringLiteral("description"))->setPlainText(QStringLiteral("Die Tür klemmt"));
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.recorder->state() == recorder::State::Idle);
    CHECK(stage.window->healthCard()->plainText().contains(QStringLiteral("good to send")));

    const std::string path = stage.folder.file("named.etl");
    CHECK(stage.window->healthCard()->path().toStdString() == path);
    auto counts = eventsOf(path);
    CHECK(counts["PerfInfo/SampledProfile"] + counts["PerfInfo/SampleProf"] == kSamples);
    CHECK(counts["Tracedeck-Recorder/Mark"] == 1);
    CHECK(counts["Tracedeck-Recorder/ProblemDescription"] == 1);
    const test::CheckerVerdict checked = test::runCheckers(path);
    INFO(checked.complaints);
    CHECK(checked.complaints.empty());
    // The window is ready for the next one.
    CHECK(stage.window->bar()->recordButton()->isEnabled());
    CHECK(QDir(stage.folderPath()).entryList(QDir::Files | QDir::Hidden) == QStringList{QStringLiteral("named.etl")});
}

TEST_CASE("While it records, the form cannot be changed", "[ui][recording]") {
    test::Stage stage;
    stage.openReadyWindow();
    CHECK(stage.action(QStringLiteral("Record"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Mark"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Save…"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Discard…"))->isEnabled());
    stage.startRecording();
    CHECK(stage.action(QStringLiteral("Stop"))->isEnabled());
    CHECK(stage.action(QStringLiteral("Mark"))->isEnabled());
    CHECK(stage.action(QStringLiteral("Discard…"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Save…"))->isEnabled());
    for (const QWidget* widget : stage.window->form()->findChildren<QLineEdit*>()) {
        CHECK_FALSE(widget->isEnabled());
    }
    stage.stopRecording()->reject();
    CHECK(stage.action(QStringLiteral("Save…"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Mark"))->isEnabled());
    CHECK_FALSE(stage.action(QStringLiteral("Record"))->isEnabled());
}

TEST_CASE("A time limit stops the recording by itself", "[ui][recording]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.timeLimit = std::chrono::seconds(1);
    stage.window->form()->setChoice(choice);
    stage.startRecording();
    REQUIRE(stage.waitForState(recorder::State::Stopped));
    REQUIRE(test::waitFor([&] { return stage.window->findChild<ui::SaveDialog*>() != nullptr; }));
    CHECK(test::visibleText(stage.window.get()).contains(QStringLiteral("The time that was set is over.")));
}

TEST_CASE("Loss is shown per session with its time, cause and remedy", "[ui][recording]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    for (int i = 0; i < kSamples; ++i) {
        REQUIRE(stage.kernel.emit(0));
    }
    stage.kernel.lose(etw::LossCause::SourceOverflow, 3);
    auto* gauges = stage.window->findChild<ui::SessionGauges*>();
    REQUIRE(test::waitFor([&] { return test::visibleText(gauges).contains(QStringLiteral("First loss at 00:00:0")); }));
    CHECK(test::visibleText(gauges).contains(QStringLiteral("Events are being lost.")));
    CHECK(test::visibleText(gauges).contains(QStringLiteral("The kernel's own buffer overflowed")));
    CHECK(test::waitFor([&] { return test::visibleText(gauges).contains(QStringLiteral("lost 3 of 50")); }));
    ui::SaveDialog* dialog = stage.stopRecording();
    QTest::keyClick(dialog, Qt::Key_Return);
    REQUIRE(test::waitFor([&] { return stage.window->healthCard()->isVisible(); }));
    CHECK(stage.window->healthCard()->plainText().contains(QStringLiteral("not complete")));
    CHECK(stage.window->healthCard()->plainText().contains(QStringLiteral("3 event(s) lost")));
}

} // namespace tracedeck
