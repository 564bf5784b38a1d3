// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/live_facts.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>

namespace tracedeck::linux_source {
namespace {

constexpr Ticks kSecond = 1'000'000'000;

/// A /proc of which process 7 is what the test says.
struct FactsBench {
    void become(const std::string& comm, const std::string& argument) const {
        std::filesystem::create_directories(folder.file("7"));
        std::ofstream(folder.file("7/cmdline"), std::ios::binary) << argument << '\0';
        std::ofstream(folder.file("7/stat")) << "7 (" << comm << ") S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5";
        std::ofstream(folder.file("7/status")) << "Uid:\t0\t1000\t0\t0\nCpus_allowed:\t3\n";
    }
    std::string commandLineOf(Ticks time, const std::string& comm) {
        const auto found = facts.takeExec(7, time, comm);
        return found ? found->commandLine : "none";
    }

    test::TemporaryFolder folder;
    ProcFiles proc{folder.path()};
    SystemLiveFacts facts{proc};
};

} // namespace

TEST_CASE("an exec gets what was read when the reader was woken for it", "[linux][facts]") {
    FactsBench bench;
    bench.become("sh", "sh");
    bench.facts.noteExec(7, 100'300'000); // the arguments are there a little after the exec's own record
    bench.facts.retry();
    CHECK_FALSE(bench.facts.retryIn());
    bench.become("true", "true");
    bench.facts.noteExec(7, 105'000'000);
    bench.facts.retry();
    CHECK(bench.commandLineOf(100'000'000, "sh") == "sh");
    CHECK(bench.commandLineOf(104'000'000, "true") == "true");
    CHECK(bench.facts.missed() == 0);
    CHECK(bench.commandLineOf(106'000'000, "true") == "none");
    CHECK(bench.facts.missed() == 1);
}

TEST_CASE("an exec does not get the facts of the next one or of one long ago", "[linux][facts]") {
    FactsBench bench;
    bench.become("true", "true"); // by the time it is looked at, the shell has gone on
    bench.facts.noteExec(7, 1 * kSecond);
    bench.facts.noteExec(7, 2 * kSecond);
    bench.facts.retry();
    CHECK(bench.commandLineOf(1 * kSecond, "sh") == "none");
    CHECK(bench.commandLineOf(2 * kSecond, "true") == "true");
    CHECK(bench.facts.missed() == 1);

    bench.facts.noteExec(7, 3 * kSecond);
    bench.facts.retry();
    CHECK(bench.commandLineOf(4 * kSecond, "true") == "none");
}

TEST_CASE("a program whose arguments are not there yet is asked again", "[linux][facts]") {
    FactsBench bench;
    std::filesystem::create_directories(bench.folder.file("7"));
    std::ofstream(bench.folder.file("7/cmdline")).flush();
    bench.facts.noteExec(7, kSecond);
    bench.facts.retry();
    CHECK(bench.facts.retryIn());
    bench.become("sh", "sh");
    bench.facts.retry();
    CHECK_FALSE(bench.facts.retryIn());
    CHECK(bench.commandLineOf(kSecond, "sh") == "sh");
}

} // namespace tracedeck::linux_source
