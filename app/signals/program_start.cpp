// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals/program_start.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace tracedeck::app {
namespace {

/// From the lowest number on: open() gives the lowest one that is free.
void openStandardDescriptors() noexcept {
    for (const int descriptor : std::array{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) {
            continue;
        }
        // Where there is no /dev/null (a bare chroot), a folder keeps the number; writing to it fails.
        if (open("/dev/null", O_RDWR) == -1 && open("/", O_RDONLY | O_DIRECTORY) == -1) {
            _exit(1); // nobody could be told why
        }
    }
}

} // namespace

void prepareProgram() noexcept {
    openStandardDescriptors();
    std::signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);
#endif
}

} // namespace tracedeck::app
