// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presets.h"

#include "core/plan/capability.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/guidance_panel.h"
#include "ui/options_panel.h"
#include "ui/plan_panel.h"
#include "ui/preset_row.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"

#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>

namespace tracedeck {
namespace {

using namespace std::chrono_literals;
using Kind = ui::PresetOutlook::Kind;

std::size_t indexOf(const test::Stage& stage, const char* id) {
    const std::vector<ui::Preset>& presets = stage.window->form()->presets();
    for (std::size_t i = 0; i < presets.size(); ++i) {
        if (presets[i].id == QLatin1String(id)) {
            return i;
        }
    }
    FAIL("there is no preset " << id);
    return 0;
}

/// As somebody does: presses its button, or takes it from the menu.
void choose(const test::Stage& stage, std::size_t preset) {
    ui::PresetRow* row = stage.window->form()->presetRow();
    if (row->button(preset)->isVisible()) {
        QTest::mouseClick(row->button(preset), Qt::LeftButton);
    } else {
        REQUIRE(row->action(preset)->isVisible());
        row->action(preset)->trigger();
    }
}

QString guidance(const test::Stage& stage) {
    return test::visibleText(stage.window->findChild<ui::GuidancePanel*>());
}

/// A machine that gives all that the profiles ask for.
etw::Capabilities everything(const test::Stage& stage) {
    etw::Capabilities machine = plan::everythingServed(stage.kernel.capabilities());
    machine.hasWindowsProviders = true;
    machine.limitations.clear();
    machine.features.clear();
    for (std::size_t i = 0; i < etw::kFeatures; ++i) {
        machine.features.push_back(static_cast<etw::Feature>(i));
    }
    return machine;
}

QStringList sorted(QStringList names) {
    names.sort();
    return names;
}

} // namespace

TEST_CASE("Each preset sets all that it says and tells what to do meanwhile", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow();
    const std::vector<ui::Preset> presets = stage.window->form()->presets();
    REQUIRE(presets.size() == profile::presets().size());
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const profile::Preset& expected = profile::presets()[i];
        CAPTURE(std::string(expected.id));
        if (expected.transition) {
            continue;
        }
        choose(stage, i);
        ++chosen;
        const ui::RecordingChoice choice = stage.window->form()->choice();
        QStringList profiles;
        for (const std::string_view name : expected.profiles) {
            profiles << QString::fromStdString(std::string(name));
        }
        CHECK(sorted(choice.profiles) == sorted(profiles));
        CHECK(choice.detail == expected.detail);
        CHECK(choice.mode == expected.mode);
        CHECK(choice.maximumFileSizeMib == expected.maximumFileSizeMib);
        CHECK(choice.timeLimit == expected.timeLimit.value_or(0s));
        CHECK(choice.folder == stage.folderPath());
        // It is the one that is on, and no other is.
        for (std::size_t j = 0; j < presets.size(); ++j) {
            CHECK(stage.window->form()->presetRow()->button(j)->isChecked() == (i == j));
            CHECK(stage.window->form()->presetRow()->action(j)->isChecked() == (i == j));
        }
        CHECK_FALSE(stage.window->form()->isModified());
        CHECK(stage.window->form()->label().toStdString() == expected.id);
        CHECK(test::visibleText(stage.window->form()).contains(presets[i].symptom));
        CHECK(guidance(stage).contains(presets[i].meanwhile));
        CHECK(guidance(stage).contains(presets[i].howLong));
    }
    CHECK(chosen == 11);
}

TEST_CASE("The window starts with the first preset", "[ui][presets]") {
    test::Stage stage;
    stage.preset.clear();
    stage.openReadyWindow();
    CHECK(stage.window->form()->label() == QStringLiteral("hang"));
    CHECK(stage.window->form()->presetRow()->button(0)->isChecked());
}

TEST_CASE("What to do stays on the screen while it records", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow();
    const ui::Preset preset = stage.window->form()->presets()[indexOf(stage, "cpu")];
    CHECK(guidance(stage).contains(preset.meanwhile));
    stage.startRecording();
    auto* panel = stage.window->findChild<ui::GuidancePanel*>();
    CHECK(panel->isVisible());
    CHECK(guidance(stage).contains(preset.meanwhile));
    CHECK(guidance(stage).contains(preset.howLong));
    stage.stopRecording()->reject();
    CHECK_FALSE(panel->isVisible());
}

TEST_CASE("Whatever is changed, the preset is modified; the folder is not part of it", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::RecordingForm* form = stage.window->form();
    const std::size_t power = indexOf(stage, "power");
    choose(stage, power);
    const ui::Preset preset = form->presets()[power];
    const QString modified = QStringLiteral("modified from “Battery drains”");
    const ui::RecordingChoice chosen = form->choice();
    struct Row {
        const char* what;
        std::function<void(ui::RecordingChoice&)> change;
        bool isSameRecipe; ///< what to do meanwhile still holds
    };
    const std::vector<Row> rows{
        {"detail", [](ui::RecordingChoice& c) { c.detail = plan::DetailLevel::Light; }, true},
        {"mode", [](ui::RecordingChoice& c) { c.mode = plan::LoggingMode::Memory; }, true},
        {"size", [](ui::RecordingChoice& c) { c.maximumFileSizeMib = 512; }, true},
        {"no size", [](ui::RecordingChoice& c) { c.maximumFileSizeMib.reset(); }, true},
        {"time", [](ui::RecordingChoice& c) { c.timeLimit = 60s; }, true},
        {"by hand", [](ui::RecordingChoice& c) { c.timeLimit = 0s; }, true},
        {"profile", [](ui::RecordingChoice& c) { c.profiles << QStringLiteral("CPU"); }, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        form->setChoice(chosen);
        CHECK_FALSE(test::visibleText(form).contains(modified));
        ui::RecordingChoice other = chosen;
        row.change(other);
        form->setChoice(other);
        CHECK(form->isModified());
        CHECK(test::visibleText(form).contains(modified));
        CHECK_FALSE(form->presetRow()->button(power)->isChecked());
        CHECK_FALSE(guidance(stage).contains(preset.howLong)); // its limits are others now
        CHECK(guidance(stage).contains(preset.meanwhile) == row.isSameRecipe);
        CHECK(guidance(stage).contains(QStringLiteral("Press Record, do what is slow")) != row.isSameRecipe);
        CHECK((form->label() == QStringLiteral("power")) == row.isSameRecipe);
    }
    ui::RecordingChoice elsewhere = chosen;
    elsewhere.folder = QStringLiteral("/somewhere/else");
    form->setChoice(elsewhere);
    CHECK_FALSE(form->isModified());
    CHECK_FALSE(test::visibleText(form).contains(QStringLiteral("modified")));
    CHECK(form->presetRow()->button(power)->isChecked());
}

TEST_CASE("A preset that this machine serves in part says what is missing and what helps", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow(); // this kernel serves samples alone
    ui::RecordingForm* form = stage.window->form();
    const QToolButton* button = form->presetRow()->button(indexOf(stage, "cpu"));
    CHECK(button->isEnabled());
    for (const QString& text : {button->toolTip(), button->accessibleDescription()}) {
        CHECK(text.contains(QStringLiteral("the processors are busy")));
        CHECK(text.contains(QStringLiteral("Only a part of it can be recorded on this machine.")));
        CHECK(text.contains(QStringLiteral("CSwitch")));
        CHECK(text.contains(QStringLiteral("not recorded by this version")));
        CHECK(text.contains(QStringLiteral("Record the rest; a later version may add it.")));
    }
    CHECK(form->planPanel()->title() == QStringLiteral("What this records (on this machine only in part)"));
}

TEST_CASE("A preset that this machine serves as a whole says nothing more", "[ui][presets]") {
    test::Stage stage;
    stage.givenCapabilities = everything(stage);
    stage.openReadyWindow();
    ui::RecordingForm* form = stage.window->form();
    const QToolButton* button = form->presetRow()->button(indexOf(stage, "cpu"));
    CHECK(button->accessibleDescription() == form->presets()[indexOf(stage, "cpu")].symptom);
    CHECK(form->planPanel()->title() == QStringLiteral("What this records"));
}

TEST_CASE("A preset of which nothing can be recorded stays, with the reason and the remedy", "[ui][presets]") {
    test::Stage stage;
    stage.givenCapabilities = stage.kernel.capabilities();
    (*stage.givenCapabilities)->kernelGroups = {};
    (*stage.givenCapabilities)->limitations = {{etw::LimitationCode::PerfEventParanoid, "3", 0}};
    stage.openWindow();
    REQUIRE(test::waitFor([&] { return stage.window->setup().plan().has_value(); }));
    ui::RecordingForm* form = stage.window->form();
    const QToolButton* button = form->presetRow()->button(indexOf(stage, "cpu"));
    CHECK(button->isVisible());
    CHECK(button->isEnabled());
    const QString text = button->accessibleDescription();
    CHECK(text.contains(QStringLiteral("It cannot be recorded on this machine now.")));
    CHECK(text.contains(QStringLiteral("The kernel lets only administrators record system activity.")));
    CHECK(text.contains(QStringLiteral("sysctl kernel.perf_event_paranoid=-1")));
    CHECK(button->toolTip().contains(QStringLiteral("sysctl kernel.perf_event_paranoid=-1")));
    CHECK_FALSE(text.contains(QStringLiteral("CSwitch"))); // not all that is missing: why
    // The remedy is followed.
    stage.givenCapabilities = stage.kernel.capabilities();
    CHECK(test::waitFor([&] {
        stage.window->askMachine(); // a question that was under way is answered first
        return button->accessibleDescription().contains(QStringLiteral("Only a part of it"));
    }));
}

TEST_CASE("What lies across a restart is shown but cannot be chosen, and says why", "[ui][presets]") {
    test::Stage stage;
    stage.holdsCapabilities = true; // known without the machine
    stage.openWindow();
    stage.window->resize(1200, 760);
    QCoreApplication::processEvents();
    ui::RecordingForm* form = stage.window->form();
    const std::size_t boot = indexOf(stage, "boot");
    const QToolButton* button = form->presetRow()->button(boot);
    CHECK(button->isVisible());
    CHECK_FALSE(button->isEnabled());
    CHECK_FALSE(form->presetRow()->action(boot)->isEnabled());
    for (const QString& text : {button->toolTip(), button->accessibleDescription()}) {
        CHECK(text.contains(QStringLiteral("while the computer restarts, which this version cannot do yet")));
    }
    CHECK_FALSE(form->choosePreset(QStringLiteral("boot")));
    CHECK(form->label() == QStringLiteral("cpu"));
    // The same choices by hand are not it.
    form->setChoice(form->presets()[boot].applyTo(form->choice()));
    CHECK_FALSE(button->isChecked());
    CHECK(form->isModified());
}

TEST_CASE("A preset whose profile is not there names it", "[ui][presets]") {
    test::needApplication();
    const std::vector<ui::Preset> presets = ui::translatedPresets();
    const std::vector<ui::ProfileEntry> profiles{{QStringLiteral("generalPROFILE"), {}, {}, nullptr}};
    const ui::PresetOutlook outlook = ui::outlookOf(presets[2], profiles, nullptr, test::plainMessages());
    CHECK(presets[2].id == QStringLiteral("disk"));
    CHECK(outlook.kind == Kind::Unavailable);
    CHECK(ui::outlookOf(presets[0], profiles, nullptr, test::plainMessages()).kind == Kind::Unknown);
}

TEST_CASE("What has no room as a button is in the menu, and nothing is in both", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::PresetRow* row = stage.window->form()->presetRow();
    const std::size_t count = stage.window->form()->presets().size();
    const auto buttonsAt = [&](int width) {
        stage.window->resize(width, 760);
        QCoreApplication::processEvents();
        std::size_t buttons = 0;
        for (std::size_t i = 0; i < count; ++i) {
            CAPTURE(width, i);
            CHECK(row->button(i)->isVisible() != row->action(i)->isVisible());
            if (row->button(i)->isVisible()) {
                CHECK(buttons == i); // the first ones
                CHECK(row->rect().contains(row->button(i)->geometry()));
                CHECK_FALSE(row->button(i)->geometry().intersects(row->moreButton()->geometry()));
                ++buttons;
            }
        }
        CHECK(row->moreButton()->isVisible());
        CHECK(row->rect().contains(row->moreButton()->geometry()));
        return buttons;
    };
    const std::size_t narrow = buttonsAt(stage.window->minimumSizeHint().width());
    const std::size_t usual = buttonsAt(1024);
    CHECK(narrow < usual);
    CHECK(usual >= 7);
    CHECK(buttonsAt(3000) == ui::PresetRow::kMostButtons);
    CHECK(buttonsAt(1024) == usual);
}

TEST_CASE("A preset of the menu is chosen like the others, and More says which", "[ui][presets]") {
    test::Stage stage;
    stage.openReadyWindow();
    ui::PresetRow* row = stage.window->form()->presetRow();
    const std::size_t general = indexOf(stage, "general");
    REQUIRE(row->action(general)->isVisible());
    CHECK_FALSE(row->moreButton()->isChecked());
    row->action(general)->trigger();
    CHECK(stage.window->form()->label() == QStringLiteral("general"));
    CHECK(stage.window->form()->choice().detail == plan::DetailLevel::Light);
    CHECK(row->moreButton()->isChecked());
    CHECK(row->moreButton()->accessibleDescription().contains(QStringLiteral("Chosen: First look.")));
    // Once more, or its button pressed twice: it stays.
    row->action(general)->trigger();
    CHECK(row->action(general)->isChecked());
    QTest::mouseClick(row->button(0), Qt::LeftButton);
    QTest::mouseClick(row->button(0), Qt::LeftButton);
    CHECK(row->button(0)->isChecked());
    CHECK_FALSE(row->moreButton()->isChecked());
}

} // namespace tracedeck
