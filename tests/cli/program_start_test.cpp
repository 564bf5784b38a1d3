// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals/program_start.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

namespace tracedeck {
namespace {

/// What `run` returns, or 128 and the number of the signal that it dies of. It runs in a process of its own and may
/// call what a signal handler may.
int inChild(const std::function<int()>& run) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(run());
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool isNullDevice(int descriptor) {
    struct stat file {};
    return fstat(descriptor, &file) == 0 && S_ISCHR(file.st_mode) && file.st_rdev == makedev(1, 3);
}

} // namespace

TEST_CASE("Standard descriptors that are closed become the null device, others stay", "[cli][start]") {
    const unsigned closed = GENERATE(0b000U, 0b001U, 0b100U, 0b110U, 0b111U);
    CAPTURE(closed);
    const int wrong = inChild([&] {
        int pipes[2];
        if (pipe(pipes) != 0) {
            return -1;
        }
        for (int descriptor = 0; descriptor < 3; ++descriptor) {
            dup2(pipes[1], descriptor);
            if ((closed >> descriptor & 1U) != 0) {
                close(descriptor);
            }
        }
        app::prepareProgram();
        int count = 0;
        for (int descriptor = 0; descriptor < 3; ++descriptor) {
            const bool wasClosed = (closed >> descriptor & 1U) != 0;
            count += isNullDevice(descriptor) == wasClosed && fcntl(descriptor, F_GETFD) != -1 ? 0 : 1;
        }
        return count;
    });
    CHECK(wrong == 0);
}

TEST_CASE("Neither a broken pipe nor a limit on the size of files ends the program", "[cli][start]") {
    const bool isPrepared = GENERATE(false, true); // the first one shows that the test can fail
    const test::TemporaryFolder folder;
    const std::string path = folder.file("limited");
    const auto prepare = [&] {
        std::signal(SIGPIPE, SIG_DFL);
        std::signal(SIGXFSZ, SIG_DFL);
        if (isPrepared) {
            app::prepareProgram();
        }
    };
    CHECK(inChild([&] {
              prepare();
              int pipes[2];
              if (pipe(pipes) != 0 || close(pipes[0]) != 0) {
                  return -1;
              }
              return write(pipes[1], "x", 1) == -1 && errno == EPIPE ? 0 : 1;
          }) == (isPrepared ? 0 : 128 + SIGPIPE));
    CHECK(inChild([&] {
              prepare();
              const rlimit limit{0, 0};
              const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
              if (setrlimit(RLIMIT_CORE, &limit) != 0 || setrlimit(RLIMIT_FSIZE, &limit) != 0 || file == -1) {
                  return -1;
              }
              return write(file, "x", 1) == -1 && errno == EFBIG ? 0 : 1;
          }) == (isPrepared ? 0 : 128 + SIGXFSZ));
}

} // namespace tracedeck
