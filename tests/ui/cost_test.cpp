// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_costs.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/cost_words.h"
#include "ui/plan_panel.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QLocale>
#include <QSignalSpy>

namespace tracedeck {
namespace {

using namespace std::chrono_literals;
using ui::CostWords;

QString planText(const test::Stage& stage) {
    return test::visibleText(stage.window->form()->planPanel());
}

} // namespace

TEST_CASE("What a recording costs is on the screen before the start, and follows the mode", "[ui][costs]") {
    test::Stage stage;
    stage.openReadyWindow();
    CHECK(planText(stage).contains(QStringLiteral("Buffers take ")));
    CHECK(planText(stage).contains(QStringLiteral(" of one processor, if the machine is in ordinary use.")));
    CHECK(planText(stage).contains(QStringLiteral("Memory holds about the last ")));
    ui::RecordingChoice choice = stage.window->form()->choice();
    choice.mode = plan::LoggingMode::File;
    stage.window->form()->setChoice(choice);
    CHECK_FALSE(planText(stage).contains(QStringLiteral("Memory holds")));
    CHECK(planText(stage).contains(QStringLiteral("The disk lasts about ")));
    choice.maximumFileSizeMib = 64;
    stage.window->form()->setChoice(choice);
    CHECK(planText(stage).contains(QStringLiteral("The file is full after about ")));
    choice.timeLimit = 2s;
    stage.window->form()->setChoice(choice);
    CHECK(planText(stage).contains(QStringLiteral("The file gets about ")));
}

TEST_CASE("A recording's own cost is noted, and the next estimate is measured", "[ui][costs]") {
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.stopRecording()->reject();
    REQUIRE(stage.notedCosts.size() == 1);
    CHECK(stage.notedCosts.front().profiles == std::vector<std::string>{"CPU.Verbose.Memory"});
    plan::CostHistory history;
    history.add(stage.notedCosts.front(), stage.kernel.capabilities(), 3 * 1024 * 1024);
    stage.window->setCosts(history);
    CHECK(planText(stage).contains(QStringLiteral("About 3.0 MB/s and ")));
    CHECK(planText(stage).contains(QStringLiteral("of one processor, as measured on this machine.")));
}

TEST_CASE("What ends a recording in a file first is told", "[ui][costs]") {
    test::needApplication();
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    plan::Cost cost;
    cost.bytesPerSecond = 1024 * 1024;
    struct Row {
        CostWords::Ends ends;
        const char* text;
    };
    const auto row = GENERATE(Row{{}, ""}, Row{{mib(100), {}, 0s}, "The disk lasts about 1 min 40 s."},
                              Row{{mib(100), mib(50), 0s}, "The file is full after about 50 s."},
                              Row{{mib(100), mib(200), 0s}, "The disk lasts about 1 min 40 s."},
                              Row{{{}, mib(50), 0s}, "The file is full after about 50 s."},
                              Row{{mib(100), mib(50), 20s}, "The file gets about 20.0 MB in 20 s."},
                              Row{{mib(100), mib(50), 60s}, "The file is full after about 50 s."},
                              Row{{{}, {}, 600s}, "The file gets about 600.0 MB in 10 min."});
    CHECK(CostWords::reach(cost, row.ends).toStdString() == row.text);
    cost.held = 25s;
    CHECK(CostWords::reach(cost, row.ends) == QStringLiteral("Memory holds about the last 25 s."));
    cost.processors = 0.0001;
    CHECK(CostWords::rate(cost) ==
          QStringLiteral("About 1.0 MB/s and 1 % of one processor, if the machine is in ordinary use."));
    QLocale::setDefault(before);
}

TEST_CASE("The window's costs are kept in the file that the command line uses", "[ui][costs]") {
    test::Stage stage;
    const test::TemporaryFolder folder;
    const std::string path = folder.file("costs.txt");
    stage.openReadyWindow();
    const plan::RecordingPlan plan = **stage.window->setup().plan();
    const etw::Capabilities machine = stage.kernel.capabilities();
    recorder::Stopped recording;
    recording.length = 10s;
    recording.last.sessions.resize(1);
    recording.last.sessions[0].stats.bytesProduced = 2'000'000;
    app::WindowCosts(systemFiles(), path).note(plan, machine, recording); // its end waits until that is written
    CHECK(app::CostStore(systemFiles(), path).history().measured(plan) == Approx(200'000));
    app::WindowCosts costs(systemFiles(), path);
    QSignalSpy known(&costs, &app::WindowCosts::known);
    REQUIRE(test::waitFor([&] { return known.size() == 1; }));
    CHECK(known[0][0].value<plan::CostHistory>().measured(plan) == Approx(200'000));
    recording.last.sessions[0].stats.bytesProduced = 4'000'000;
    costs.note(plan, machine, recording);
    REQUIRE(test::waitFor([&] { return known.size() == 2; }));
    CHECK(known[1][0].value<plan::CostHistory>().measured(plan) == Approx(300'000));
    CHECK(app::CostStore(systemFiles(), path).history().measured(plan) == Approx(300'000));
}

} // namespace tracedeck
