// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capability.h"
#include "core/plan/export.h"
#include "core/profile/catalog.h"
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

using namespace tracedeck;

namespace {

/// Processor time of the fastest of three runs: other programs do not count.
double secondsOf(const std::function<void()>& work) {
    double least = 1e9;
    for (int run = 0; run < 3; ++run) {
        const std::clock_t start = std::clock();
        work();
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

/// `count` providers, each with its own collector too, in the first of as many profiles.
profile::Document documentOf(int count) {
    std::string collectors;
    std::string providers;
    std::string references;
    std::string sessions;
    std::string profiles;
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        collectors += "<EventCollector Id=\"C" + number + "\" Name=\"C" + number + "\"/>\n";
        providers += "<EventProvider Id=\"E" + number + "\" Name=\"Unknown-Provider" + number + "\"/>\n";
        references += "<EventProviderId Value=\"E" + number + "\"/>\n";
        sessions += "<EventCollectorId Value=\"C" + number + "\"/>\n";
        profiles += "<Profile Id=\"Q" + number + ".Verbose.File\" Base=\"P.Verbose.File\" Name=\"Q" + number +
                    "\" Description=\"\" DetailLevel=\"Verbose\" LoggingMode=\"File\"/>\n";
    }
    return test::documentOf(
        collectors + providers +
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File"><Collectors>)" +
        R"(<EventCollectorId Value="C0"><EventProviders>)" + references + "</EventProviders></EventCollectorId>" +
        sessions + "</Collectors></Profile>\n" + profiles);
}

} // namespace

// Ten times as much may take ten times as long; a search of all for each would take a hundred times.
TEST_CASE("A large profile is planned in time that grows with its size", "[plan][scale]") {
    constexpr int kSmall = 1000;
    constexpr int kLarge = 10'000;
    constexpr double kMost = 40;
    const profile::Document small = documentOf(kSmall);
    const profile::Document large = documentOf(kLarge);
    const plan::Overrides overrides{plan::DetailLevel::Verbose, plan::LoggingMode::File, std::nullopt, mib(200)};
    const auto machine = GENERATE(as<std::string>(), "here", "everything");
    const etw::Capabilities capabilities =
        machine == "here" ? test::windowsMachine() : plan::everythingServed(test::linuxMachine());
    CAPTURE(machine);
    const auto planOf = [&](const profile::Document& document) {
        const auto plan = plan::compose({{&document, "P", std::nullopt}}, overrides, capabilities);
        REQUIRE(plan);
        CHECK(plan->sessions.front().providers.size() == document.eventProviders.size() + 1);
        CHECK(profile::entriesOf(document).size() == document.profiles.size());
        CHECK(plan::exportProfile(*plan).size() > document.eventProviders.size());
    };
    const double before = secondsOf([&] { planOf(small); });
    const double after = secondsOf([&] { planOf(large); });
    CAPTURE(before, after);
    CHECK(after < before * kMost);
}
