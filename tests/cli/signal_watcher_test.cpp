// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals/signal_watcher.h"
#include "tests/recorder/stage.h"
#include "tests/support/catch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <set>
#include <string>

namespace tracedeck {
namespace {

using namespace std::chrono_literals;

constexpr std::array kWatched{SIGINT, SIGTERM, SIGHUP};

/// A watcher that counts, in a program whose signals do what `action` says.
struct Stage {
    explicit Stage(void (*action)(int), std::chrono::milliseconds oneRequest = 0ms) {
        test::needApplication();
        for (std::size_t i = 0; i < kWatched.size(); ++i) {
            before[i] = std::signal(kWatched[i], action);
        }
        watcher.emplace(oneRequest);
        QObject::connect(&*watcher, &app::SignalWatcher::interrupted, [this] { ++interrupts; });
        QObject::connect(&*watcher, &app::SignalWatcher::terminated, [this] { ++ends; });
    }
    ~Stage() {
        watcher.reset();
        for (std::size_t i = 0; i < kWatched.size(); ++i) {
            std::signal(kWatched[i], before[i]);
        }
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    std::array<void (*)(int), kWatched.size()> before{};
    std::optional<app::SignalWatcher> watcher;
    int interrupts = 0;
    int ends = 0;
};

/// Ends of pipes that can be written to.
std::set<int> writablePipes() {
    std::set<int> found;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
        struct stat file {};
        if (fstat(descriptor, &file) == 0 && S_ISFIFO(file.st_mode) &&
            (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            found.insert(descriptor);
        }
    }
    return found;
}

} // namespace

TEST_CASE("Interrupts that follow each other at once are one request", "[cli][signals]") {
    const auto oneRequest = GENERATE(std::chrono::milliseconds(1h), 0ms);
    const Stage stage(SIG_DFL, oneRequest);
    for (const int number : {SIGINT, SIGINT, SIGINT, SIGTERM, SIGHUP}) {
        REQUIRE(std::raise(number) == 0);
    }
    REQUIRE(test::waitFor([&] { return stage.ends == 2; }));
    CHECK(stage.interrupts == (oneRequest > 0ms ? 1 : 3));
}

TEST_CASE("A signal that was ignored when the program started stays ignored", "[cli][signals]") {
    const Stage stage(SIG_IGN);
    for (const int number : kWatched) {
        REQUIRE(std::raise(number) == 0);
    }
    QCoreApplication::processEvents(); // would read what a handler had written
    CHECK(stage.interrupts + stage.ends == 0);
}

TEST_CASE("What is no signal's number in the pipe is nobody's wish to end", "[cli][signals]") {
    test::needApplication();
    const std::set<int> before = writablePipes();
    const Stage stage(SIG_DFL);
    std::set<int> pipes = writablePipes();
    for (const int descriptor : before) {
        pipes.erase(descriptor);
    }
    REQUIRE(pipes.size() == 1);
    const std::string text = std::string("Recording.\n") + static_cast<char>(SIGUSR1);
    REQUIRE(write(*pipes.begin(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    REQUIRE(std::raise(SIGINT) == 0); // read behind them
    REQUIRE(test::waitFor([&] { return stage.interrupts == 1; }));
    CHECK(stage.ends == 0);
}

} // namespace tracedeck
