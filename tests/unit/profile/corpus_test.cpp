// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/document.h"

#include "tests/support/catch.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace tracedeck;

namespace {

/// A row of EXPECTED.tsv.
struct Expected {
    std::string file, outcome;
    std::size_t profiles = 0, collectors = 0, eventProviders = 0;
    std::uint32_t errorLine = 0;
};

std::vector<Expected> readExpected(const std::string& path) {
    std::vector<Expected> rows;
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line); // headings
    while (std::getline(stream, line)) {
        std::vector<std::string> cells;
        std::istringstream parts(line);
        for (std::string cell; std::getline(parts, cell, '\t');) {
            cells.push_back(cell);
        }
        if (cells.size() >= 7) {
            rows.push_back({cells[0], cells[1], std::stoul(cells[2]), std::stoul(cells[3]), std::stoul(cells[4]),
                            cells[5].empty() ? 0 : static_cast<std::uint32_t>(std::stoul(cells[5]))});
        }
    }
    return rows;
}

std::string outcomeOf(const profile::Parsed& parsed) {
    return parsed.document ? "accepted" : parsed.isWellFormed ? "invalid" : "malformed";
}

std::uint32_t firstErrorLine(const profile::Parsed& parsed) {
    const auto error = std::find_if(parsed.problems.begin(), parsed.problems.end(), [](const profile::Problem& p) {
        return p.severity == profile::Problem::Severity::Error;
    });
    return error == parsed.problems.end() ? 0 : error->place.line;
}

std::string contentOf(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t inPlaceEventProviders(const profile::Document& document) {
    std::size_t count = 0;
    for (const profile::Profile& profile : document.profiles) {
        for (const profile::CollectorList& list : profile.collectors) {
            for (const profile::CollectorRef& collector : list.collectors) {
                for (const profile::EventProviderList& providers : collector.eventProviders) {
                    for (const profile::EventProviderRef& provider : providers.providers) {
                        count += provider.inPlace && !provider.inPlace->id.empty() ? 1U : 0U;
                    }
                }
            }
        }
    }
    return count;
}

} // namespace

TEST_CASE("Public profiles load or fail as the schema check of the performance toolkit says", "[profile][corpus]") {
    const std::string shared = test::sharedFolder("public profiles against the parser");
    if (shared.empty()) {
        return;
    }
    const std::vector<Expected> rows = readExpected(shared + "/corpus/wprp/EXPECTED.tsv");
    REQUIRE(rows.size() > 100);
    std::size_t right = 0;
    for (const Expected& row : rows) {
        const std::string path = shared + "/corpus/wprp/" + row.file;
        const std::string content = contentOf(path);
        const profile::Parsed parsed = profile::parse(content, path);
        INFO(row.file);
        for (std::size_t i = 0; i < std::min<std::size_t>(parsed.problems.size(), 5); ++i) {
            UNSCOPED_INFO(profile::format(row.file, parsed.problems[i]));
        }
        CHECK(outcomeOf(parsed) == row.outcome);
        if (row.errorLine != 0) {
            CHECK(firstErrorLine(parsed) == row.errorLine);
        }
        if (parsed.document) {
            CHECK(parsed.document->profiles.size() == row.profiles);
            const std::size_t top = parsed.document->eventProviders.size();
            CHECK((row.eventProviders == top || row.eventProviders == top + inPlaceEventProviders(*parsed.document)));
        }
        right += outcomeOf(parsed) == row.outcome ? 1U : 0U;
    }
    std::cout << "public profiles judged as the schema judges them: " << right << " of " << rows.size() << '\n';
    CHECK(right == rows.size());
}
