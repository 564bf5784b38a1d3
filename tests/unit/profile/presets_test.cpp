// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/presets.h"

#include "core/plan/plan.h"
#include "core/profile/catalog.h"
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <set>
#include <string>
#include <tuple>

using namespace tracedeck;
using profile::Preset;

namespace {

profile::Catalog library() {
    profile::Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    return catalog;
}

} // namespace

TEST_CASE("The presets come as the file has them", "[profile][presets]") {
    const auto presets = profile::presets();
    REQUIRE(presets.size() == 12);
    CHECK(presets.front().id == "hang");
    CHECK(presets.back().id == "dotnet");
    const Preset* memory = profile::findPreset("memory");
    REQUIRE(memory != nullptr);
    CHECK(memory->label == "Memory grows");
    CHECK(memory->symptom == "A program takes more and more memory until the computer gets slow.");
    REQUIRE(memory->profiles.size() == 1);
    CHECK(memory->profiles[0] == "VirtualAllocation");
    CHECK(memory->detail == profile::DetailLevel::Verbose);
    CHECK(memory->mode == profile::LoggingMode::File);
    CHECK(memory->maximumFileSizeMib == 2048);
    CHECK(memory->timeLimit == std::chrono::minutes(30));
    CHECK_FALSE(memory->transition);
    CHECK(memory->icon == "memory");
    const Preset* general = profile::findPreset("general");
    REQUIRE(general != nullptr);
    CHECK(general->detail == profile::DetailLevel::Light);
    CHECK(general->mode == profile::LoggingMode::Memory);
    CHECK_FALSE(general->maximumFileSizeMib);
    CHECK_FALSE(general->timeLimit);
    const Preset* remote = profile::findPreset("remote");
    REQUIRE(remote != nullptr);
    REQUIRE(remote->profiles.size() == 2);
    CHECK(remote->profiles[0] == "Network");
    CHECK(remote->profiles[1] == "DesktopComposition");
    REQUIRE(profile::findPreset("boot") != nullptr);
    CHECK(profile::findPreset("boot")->transition == profile::Transition::Boot);
    CHECK(profile::findPreset("Hang") == nullptr);
    CHECK(profile::findPreset("") == nullptr);
}

TEST_CASE("Each preset can be planned with the library, and nothing of it is refused", "[profile][presets]") {
    const profile::Catalog catalog = library();
    const etw::Capabilities machine = test::windowsMachine();
    for (const Preset& preset : profile::presets()) {
        CAPTURE(std::string(preset.id));
        std::vector<plan::Selection> selections;
        for (const std::string_view name : preset.profiles) {
            CAPTURE(std::string(name));
            const auto entry = catalog.find(name);
            REQUIRE(entry);
            CHECK(entry->name == name);
            CHECK(entry->has(preset.detail, preset.mode));
            selections.push_back({entry->document, entry->name, std::nullopt});
        }
        plan::Overrides overrides;
        overrides.detail = preset.detail;
        overrides.mode = preset.mode;
        overrides.maximumFileSizeMib = preset.maximumFileSizeMib;
        const auto plan = plan::compose(selections, overrides, machine);
        REQUIRE(plan);
        CHECK(plan->profiles.size() == preset.profiles.size());
        CHECK(plan->mode == preset.mode);
        for (const plan::Diagnostic& diagnostic : plan->diagnostics) {
            CAPTURE(diagnostic.object, diagnostic.detail);
            CHECK(diagnostic.severity != plan::Severity::Error);
        }
    }
}

TEST_CASE("No two presets are the same recording", "[profile][presets]") {
    std::set<std::tuple<std::set<std::string_view>, int, int, std::uint32_t, std::chrono::seconds, bool>> seen;
    for (const Preset& preset : profile::presets()) {
        CAPTURE(std::string(preset.id));
        CHECK(seen.emplace(std::set(preset.profiles.begin(), preset.profiles.end()), static_cast<int>(preset.detail),
                           static_cast<int>(preset.mode), preset.maximumFileSizeMib.value_or(0),
                           preset.timeLimit.value_or(std::chrono::seconds(0)), preset.transition.has_value())
                  .second);
    }
}
