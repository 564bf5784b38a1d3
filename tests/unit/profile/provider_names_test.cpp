// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/provider_names.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

using namespace tracedeck;

TEST_CASE("Well-known providers are found by name and by id", "[profile][providers]") {
    const profile::KnownProvider* byName = profile::findProvider("microsoft-windows-TCPIP");
    REQUIRE(byName != nullptr);
    CHECK(toString(byName->guid) == "2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    CHECK(profile::findProvider(byName->guid) == byName);
    const profile::KnownProvider* runtime = profile::findProvider(*parseGuid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"));
    REQUIRE(runtime != nullptr);
    const auto keyword = std::find_if(runtime->keywords.begin(), runtime->keywords.end(),
                                      [](const profile::KnownKeyword& known) { return known.name == "JitKeyword"; });
    REQUIRE(keyword != runtime->keywords.end());
    CHECK(keyword->value == 0x10);
    CHECK(profile::findProvider("Nobody-Knows-Me") == nullptr);
    CHECK(profile::findProvider(Guid{}) == nullptr);
}

TEST_CASE("The table of providers is in order, without doubles, and every id is one", "[profile][providers]") {
    const auto providers = profile::knownProviders();
    CHECK(providers.size() > 100);
    std::set<std::string> names;
    std::string last;
    for (const profile::KnownProvider& provider : providers) {
        CAPTURE(provider.name);
        std::string name(provider.name);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        CHECK(names.insert(name).second);
        CHECK(last < name);
        last = name;
        CHECK_FALSE(provider.guid.isNull());
        CHECK(std::is_sorted(provider.keywords.begin(), provider.keywords.end(),
                             [](const auto& a, const auto& b) { return a.value < b.value; }));
    }
}
