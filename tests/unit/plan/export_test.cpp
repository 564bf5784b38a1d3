// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/profile/catalog.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tracedeck;
using plan::DetailLevel;
using plan::LoggingMode;
using plan::RecordingPlan;

namespace {

plan::Overrides overridesOf(DetailLevel detail, LoggingMode mode) {
    return {detail, mode, std::nullopt, mib(200)};
}

/// The plan without what an export cannot know: where it came from.
std::string contentOf(RecordingPlan plan) {
    plan.profiles.clear();
    plan.diagnostics.clear();
    return plan::toJson(plan);
}

/// Exports, loads and plans again, twice; false where the profiles give no plan at all.
bool isFixedPoint(const std::vector<plan::Selection>& selections, const plan::Overrides& overrides) {
    const etw::Capabilities machine = plan::everythingServed(test::linuxMachine());
    const auto first = plan::compose(selections, overrides, machine);
    if (!first) {
        CHECK(first.error().code == ErrorCode::NothingToRecord);
        return false;
    }
    const std::string text = plan::exportProfile(*first);
    const profile::Parsed parsed = profile::parse(text, "exported.wprp");
    INFO(text);
    for (const profile::Problem& problem : parsed.problems) {
        UNSCOPED_INFO(profile::format("exported.wprp", problem));
    }
    CHECK(parsed.problems.empty());
    REQUIRE(parsed.document);
    REQUIRE(parsed.document->profiles.size() == 1);
    const auto second = plan::compose({{&*parsed.document, parsed.document->profiles.front().name, std::nullopt}},
                                      overridesOf(first->detail, first->mode), machine);
    REQUIRE(second);
    CHECK(contentOf(*second) == contentOf(*first));
    CHECK(plan::exportProfile(*second) == text);
    return true;
}

/// Every variant of every profile of a document.
std::size_t checkDocument(const profile::Document& document) {
    std::size_t plans = 0;
    for (const profile::CatalogEntry& entry : profile::entriesOf(document)) {
        for (const profile::CatalogEntry::Variant& variant : entry.variants) {
            CAPTURE(document.path, entry.name, toString(variant.detail), toString(variant.mode));
            plans += isFixedPoint({{&document, entry.name, variant.detail}}, overridesOf(variant.detail, variant.mode))
                         ? 1U
                         : 0U;
        }
    }
    return plans;
}

} // namespace

TEST_CASE("Every profile that comes along gives the same plan after an export", "[plan][export]") {
    profile::Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    REQUIRE(catalog.refused().empty());
    std::vector<const profile::Document*> documents;
    for (const profile::CatalogEntry& entry : catalog.entries()) {
        if (std::find(documents.begin(), documents.end(), entry.document) == documents.end()) {
            documents.push_back(entry.document);
            CHECK(checkDocument(*entry.document) >= 2);
        }
    }
    CHECK(documents.size() >= 29);
}

TEST_CASE("Several profiles are exported as one", "[plan][export]") {
    profile::Catalog catalog;
    REQUIRE(catalog.addFolder(std::string(TRACEDECK_SOURCE_DIR) + "/profiles"));
    std::vector<plan::Selection> selections;
    for (const char* name : {"CPU", "DiskIO", "Heap", "GPU"}) {
        const auto entry = catalog.find(name);
        REQUIRE(entry);
        selections.push_back({entry->document, entry->name, std::nullopt});
    }
    const auto mode = GENERATE(LoggingMode::File, LoggingMode::Memory);
    CHECK(isFixedPoint(selections, overridesOf(DetailLevel::Verbose, mode)));
    const auto plan = plan::compose(selections, overridesOf(DetailLevel::Verbose, mode),
                                    plan::everythingServed(test::linuxMachine()));
    REQUIRE(plan);
    CHECK(plan::exportProfile(*plan).find("Name=\"CPU_DiskIO_Heap_GPU\"") != std::string::npos);
    CHECK(plan::exportProfile(*plan, "My own").find("Id=\"My_own.Verbose.") != std::string::npos);
    CHECK(plan::exportProfile(*plan).find("Tracedeck-Recorder") == std::string::npos);
}

TEST_CASE("Every public profile gives the same plan after an export", "[plan][export][corpus]") {
    const std::string shared = test::sharedFolder("public profiles exported and planned again");
    if (shared.empty()) {
        return;
    }
    std::size_t plans = 0;
    for (const auto& file : std::filesystem::directory_iterator(shared + "/corpus/wprp")) {
        if (file.path().extension() != ".wprp") {
            continue;
        }
        const auto document = profile::load(file.path().string());
        if (document) {
            plans += checkDocument(*document);
        }
    }
    CHECK(plans > 300);
}
