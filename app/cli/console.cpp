// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "app/cli/format.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace tracedeck::cli {
namespace {

constexpr std::size_t kUsualColumns = 80;

std::size_t terminalColumns() {
    winsize window{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1) {
        return window.ws_col;
    }
    return kUsualColumns;
}

} // namespace

Console::Console() : m_isTerminal(isatty(STDERR_FILENO) != 0) {}

Console::~Console() {
    clearProgress();
}

void Console::print(const std::string& text) {
    clearProgress();
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

void Console::note(const std::string& line) {
    clearProgress();
    std::fprintf(stderr, "%s\n", line.c_str());
}

void Console::progress(const std::string& line) {
    if (!m_isTerminal) {
        return;
    }
    // One column less than there are: a full line would make some terminals wrap.
    std::fprintf(stderr, "\r\033[K%s", fitted(line, terminalColumns() - 1).c_str());
    std::fflush(stderr);
    m_hasProgress = true;
}

void Console::clearProgress() {
    if (m_hasProgress) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        m_hasProgress = false;
    }
}

void Console::error(const messages::UserMessage& message) {
    note("tracedeck-cli: " + message.what + " [" + message.code + "]");
    if (!message.evidence.empty()) {
        note("  " + printable(message.evidence));
    }
    if (!message.action.empty()) {
        note("  " + message.action);
    }
}

void Console::error(const Error& error) {
    this->error(messages::messageFor(error));
}

} // namespace tracedeck::cli
