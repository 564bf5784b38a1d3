// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/selection.h"
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/plan_panel.h"
#include "ui/recording_form.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QRegularExpression>

namespace tracedeck {
namespace {

using Names = std::vector<std::string>;

/// A window whose list holds a profile of the user's own, "Mine", beside those that come along.
struct OwnProfiles {
    test::Stage stage;
    test::TemporaryFolder folder;

    OwnProfiles() {
        const std::string path = folder.file("mine.wprp");
        QFile file(QString::fromStdString(path));
        REQUIRE(file.open(QIODevice::WriteOnly));
        const QByteArray text = R"(<?xml version="1.0" encoding="utf-8"?>
<WindowsPerformanceRecorder Version="1.0" Author="A test">
  <Profiles>
    <SystemCollector Id="C" Name="NT Kernel Logger"><BufferSize Value="1024"/><Buffers Value="20"/></SystemCollector>
    <SystemProvider Id="S"><Keywords><Keyword Value="SampledProfile"/></Keywords></SystemProvider>
    <Profile Id="Mine.Verbose.Memory" Name="Mine" Description="My own" LoggingMode="Memory" DetailLevel="Verbose">
      <Collectors><SystemCollectorId Value="C"><SystemProviderId Value="S"/></SystemCollectorId></Collectors>
    </Profile>
  </Profiles>
</WindowsPerformanceRecorder>)";
        REQUIRE(file.write(text) == text.size());
        file.close();
        REQUIRE(stage.catalog.addFile(path));
        stage.openReadyWindow();
    }

    void choose(const QStringList& profiles) {
        ui::RecordingChoice choice = stage.window->form()->choice();
        choice.profiles = profiles;
        stage.window->form()->setChoice(choice);
    }
    [[nodiscard]] const plan::RecordingPlan& plan() const {
        REQUIRE(stage.window->setup().plan());
        REQUIRE(stage.window->setup().plan()->has_value());
        return **stage.window->setup().plan();
    }
    [[nodiscard]] bool isSaid() const {
        return test::visibleText(stage.window->form()->planPanel())
            .contains(QStringLiteral("GeneralProfile is recorded too, as always together with profiles of your own."));
    }
    /// What "-p" names in the copied command.
    [[nodiscard]] QStringList copied() const {
        stage.action(QStringLiteral("Copy as Command"))->trigger();
        QStringList names;
        const QRegularExpression option(QStringLiteral(" -p (\\S+)"));
        for (auto found = option.globalMatch(QGuiApplication::clipboard()->text()); found.hasNext();) {
            names << found.next().captured(1);
        }
        return names;
    }
};

std::string withoutNotes(plan::RecordingPlan plan) {
    std::erase_if(plan.diagnostics, [](const plan::Diagnostic& diagnostic) {
        return diagnostic.object == "profile " + std::string(plan::kGeneralProfileName);
    });
    return plan::toJson(plan);
}

} // namespace

TEST_CASE("The general profile is recorded together with profiles of one's own, which is said", "[ui][own]") {
    OwnProfiles own;
    own.choose({QStringLiteral("Mine")});
    CHECK(own.plan().profiles == Names{"GeneralProfile.Verbose.Memory", "Mine.Verbose.Memory"});
    CHECK(own.isSaid());
    // The list stays as it was ticked, and the details name the addition.
    CHECK(own.stage.window->form()->choice().profiles == QStringList{QStringLiteral("Mine")});
    REQUIRE_FALSE(own.plan().diagnostics.empty());
    CHECK(own.plan().diagnostics.front().object == "profile GeneralProfile");
    CHECK(own.plan().diagnostics.front().severity == plan::Severity::Note);
}

TEST_CASE("The copied command names the general profile, since the command line adds nothing", "[ui][own]") {
    OwnProfiles own;
    own.choose({QStringLiteral("Mine"), QStringLiteral("CPU")});
    const QStringList names = own.copied();
    CHECK(names == QStringList{QStringLiteral("GeneralProfile"), QStringLiteral("CPU"), QStringLiteral("Mine")});
    // What the command line makes of these names.
    std::vector<plan::Selection> selections;
    for (const QString& name : names) {
        const auto entry = own.stage.catalog.find(name.toStdString());
        REQUIRE(entry);
        selections.push_back({entry->document, entry->name, std::nullopt});
    }
    const auto plan = plan::compose(selections, {}, own.stage.kernel.capabilities());
    REQUIRE(plan);
    CHECK(withoutNotes(*plan) == withoutNotes(own.plan()));
}

TEST_CASE("Nothing is added to the profiles that come along, nor to what is chosen already", "[ui][own]") {
    OwnProfiles own;
    own.choose({QStringLiteral("CPU"), QStringLiteral("DiskIO")});
    CHECK(own.plan().profiles == Names{"CPU.Verbose.Memory", "DiskIO.Verbose.Memory"});
    CHECK_FALSE(own.isSaid());
    CHECK(own.copied() == QStringList{QStringLiteral("CPU"), QStringLiteral("DiskIO")});
    own.choose({QStringLiteral("Mine"), QStringLiteral("GeneralProfile")});
    CHECK(own.plan().profiles.size() == 2);
    CHECK_FALSE(own.isSaid());
    CHECK(own.copied().size() == 2);
}

} // namespace tracedeck
