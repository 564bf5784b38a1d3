// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals/signal_watcher.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"

#include <csignal>

namespace tracedeck {

using namespace std::chrono_literals;

TEST_CASE("Interrupts that follow each other at once are one request", "[cli][signals]") {
    test::needApplication();
    const auto oneRequest = GENERATE(std::chrono::milliseconds(1h), 0ms);
    const app::SignalWatcher watcher(oneRequest);
    int interrupts = 0;
    int ends = 0;
    QObject::connect(&watcher, &app::SignalWatcher::interrupted, [&] { ++interrupts; });
    QObject::connect(&watcher, &app::SignalWatcher::terminated, [&] { ++ends; });
    for (const int number : {SIGINT, SIGINT, SIGINT, SIGTERM, SIGHUP}) {
        REQUIRE(std::raise(number) == 0);
    }
    REQUIRE(test::waitFor([&] { return ends == 2; }));
    CHECK(interrupts == (oneRequest > 0ms ? 1 : 3));
}

} // namespace tracedeck
