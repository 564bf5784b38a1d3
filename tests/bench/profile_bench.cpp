// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long profiles take to read and to plan, printed; nothing is asserted. The least of many runs, since machines are
// shared: profile_bench [FOLDER with .wprp files]
#include "core/plan/capability.h"
#include "core/profile/catalog.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace tracedeck;
using Steady = std::chrono::steady_clock;

namespace {

constexpr int kRuns = 30;

template <class Function>
double leastMs(Function function) {
    double least = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        const Steady::time_point begin = Steady::now();
        function();
        least = std::min(least, std::chrono::duration<double, std::milli>(Steady::now() - begin).count());
    }
    return least;
}

/// One valid profile of about `bytes`: many providers.
std::string profileOf(std::size_t bytes) {
    std::string providers;
    std::string references;
    for (int i = 0; providers.size() + references.size() < bytes; ++i) {
        const std::string id = "EventProvider_Number" + std::to_string(i);
        providers += "    <EventProvider Id=\"" + id + "\" Name=\"*Company-Product-Component" + std::to_string(i) +
                     "\" Level=\"5\" Stack=\"true\">\n      <Keywords>\n        <Keyword Value=\"0x1F\"/>\n"
                     "      </Keywords>\n    </EventProvider>\n";
        references += "            <EventProviderId Value=\"" + id + "\"/>\n";
    }
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<WindowsPerformanceRecorder Version=\"1.0\">\n  <Profiles>\n"
           "    <EventCollector Id=\"EC\" Name=\"Events\"/>\n" +
           providers +
           "    <Profile Id=\"P.Verbose.File\" Name=\"P\" Description=\"\" DetailLevel=\"Verbose\" "
           "LoggingMode=\"File\">\n      <Collectors>\n        <EventCollectorId Value=\"EC\">\n          "
           "<EventProviders>\n" +
           references +
           "          </EventProviders>\n        </EventCollectorId>\n      </Collectors>\n    </Profile>\n  "
           "</Profiles>\n</WindowsPerformanceRecorder>\n";
}

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

int main(int argc, char** argv) {
    const std::string large = profileOf(100'000);
    std::size_t profiles = 0;
    const double parsing = leastMs([&] { profiles += profile::parse(large, "p.wprp").document ? 1U : 0U; });
    std::printf("parse a profile of %.0f KB: %.2f ms (%zu of %d valid)\n", static_cast<double>(large.size()) / 1000,
                parsing, profiles, kRuns);

    std::size_t entries = 0;
    const double loading = leastMs([&] {
        profile::Catalog catalog;
        if (catalog.addFolder(TRACEDECK_SOURCE_DIR "/profiles")) {
            entries = catalog.entries().size();
        }
    });
    std::printf("load the catalog of %zu profiles: %.2f ms\n", entries, loading);

    const profile::Parsed parsed = profile::parse(large, "p.wprp");
    if (parsed.document) {
        etw::Capabilities machine;
        machine.numberOfProcessors = 8;
        machine.physicalMemory = mib(16384);
        machine = plan::everythingServed(machine);
        const double planning = leastMs([&] {
            const auto plan =
                plan::compose({{&*parsed.document, "P", std::nullopt}},
                              {plan::DetailLevel::Verbose, plan::LoggingMode::File, {}, mib(200)}, machine);
            if (!plan) {
                std::printf("no plan: %s\n", plan.error().detail.c_str());
            }
        });
        std::printf("plan it: %.2f ms\n", planning);
    }
    if (argc > 1) {
        for (const auto& file : std::filesystem::directory_iterator(argv[1])) {
            if (file.path().extension() == ".wprp") {
                const std::string content = contentOf(file.path());
                const double ms = leastMs([&] { static_cast<void>(profile::parse(content, "p").problems.size()); });
                std::printf("%8.3f ms  %7zu bytes  %s\n", ms, content.size(), file.path().filename().c_str());
            }
        }
    }
    return 0;
}
