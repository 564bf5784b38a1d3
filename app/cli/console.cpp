// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "app/cli/format.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
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

Status writeToStandardOutput(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) {
        return {};
    }
    return fail(errnoError(errno, "write to standard output", ErrorCode::WriteFailed));
}

Status flushStandardOutput() {
    if (std::fflush(stdout) == 0) {
        return {};
    }
    return fail(errnoError(errno, "write to standard output", ErrorCode::WriteFailed));
}

bool isOutputClosed(const Error& error) noexcept {
    return error.code == ErrorCode::WriteFailed && error.native == EPIPE;
}

Console::Console() : m_isTerminal(isatty(STDERR_FILENO) != 0) {}

Console::~Console() {
    clearProgress();
}

void Console::print(const std::string& text) {
    clearProgress();
    if (m_outputError) {
        return;
    }
    Status written = writeToStandardOutput(text);
    if (written) {
        written = flushStandardOutput();
    }
    if (!written) {
        m_outputError = written.error();
    }
}

ExitCode Console::end(ExitCode code) {
    clearProgress();
    if (const Status flushed = flushStandardOutput(); !flushed && !m_outputError) {
        m_outputError = flushed.error();
    }
    if (!m_outputError || code != ExitCode::Ok) {
        return code;
    }
    if (isOutputClosed(*m_outputError)) {
        return ExitCode::OutputClosed;
    }
    error(*m_outputError);
    return exitCodeOf(*m_outputError);
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
