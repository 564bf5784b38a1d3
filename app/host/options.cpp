// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace tracedeck::host {

std::variant<Options, Answer> parseOptions(std::vector<std::string> words) {
    Options options;
    std::uint64_t bufferMib = options.limits.bufferMemory.count >> 20U;
    std::uint64_t diskMib = options.limits.disk.count >> 20U;
    std::int64_t idleSeconds = -1;

    CLI::App app("Keeps recording sessions, so that they outlive the program that has started them.", "tracedeck-host");
    app.set_version_flag("--version", "tracedeck-host " TRACEDECK_VERSION);
    app.add_option("--socket", options.socket, "Listen here (default: /run/tracedeck/host.sock)")->type_name("PATH");
    app.add_option(
           "--ring-folder", options.ringFolder,
           "Keep recordings in memory here, so that they survive the host's end but not the machine's: a folder "
           "of memory that is root's alone (default: /dev/shm/tracedeck-host-0)")
        ->type_name("PATH");
    app.add_flag("--for-user", options.isForUser, "Serve only the user who has started it through pkexec");
    constexpr std::uint64_t kMostMib = std::uint64_t{1} << 40U;
    app.add_option("--sessions", options.limits.sessions, "Sessions that a user may run")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option(
           "--buffer-memory", bufferMib,
           "MiB of buffers that a user's sessions may have, with those that a killed host has left; 0: a quarter of "
           "the machine's memory")
        ->check(CLI::Range(std::uint64_t{0}, kMostMib))
        ->capture_default_str();
    app.add_option("--disk", diskMib, "MiB that a user's running sessions may write, 0: as much as there is")
        ->check(CLI::Range(std::uint64_t{0}, kMostMib))
        ->capture_default_str();
    app.add_option("--connections", options.limits.connections, "Connections that a user may have")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--idle-exit", idleSeconds,
                   "Seconds without a client and a session after which it ends, 0: never (default: 300 where it is "
                   "started again on demand, else never)")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{31'536'000}));
    app.add_flag("-v,--verbose", options.isVerbose, "Log more");
    app.footer("Exit status: 0 it was asked to end or had nothing to do any more, 1 it failed, 2 wrong options.");

    std::reverse(words.begin(), words.end()); // CLI11 takes them from the end
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream complaint;
        const bool isAnswer = app.exit(error, out, complaint) == 0;
        return Answer{isAnswer ? out.str() : complaint.str(), isAnswer ? ExitCode::Ok : ExitCode::Usage};
    }
    options.limits.bufferMemory = mib(bufferMib);
    options.limits.disk = mib(diskMib);
    if (idleSeconds >= 0) {
        options.idleExit = std::chrono::seconds(idleSeconds);
    }
    return options;
}

} // namespace tracedeck::host
