// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_code.h"
#include "app/messages/messages.h"
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tracedeck::cli {

/// Any thread, one at a time. The system's error where nobody takes it; see isOutputClosed().
[[nodiscard]] Status writeToStandardOutput(std::string_view text);
/// What was written so far reaches whoever reads it.
[[nodiscard]] Status flushStandardOutput();
/// Whoever read standard output has gone, as "| head" does: no failure to complain about.
[[nodiscard]] bool isOutputClosed(const Error& error) noexcept;

/// Standard output for results, standard error for everything on the way, and one line on a terminal that is written
/// over and over.
///
/// Threading: the main thread.
class Console {
public:
    Console();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// A result. Where it cannot be written that is kept for end(), and nothing more is written: a recording goes on.
    void print(const std::string& text);
    /// The exit code of a command that has ended with `code`, once all that it printed is written: OutputClosed or,
    /// with a complaint, FileError where that was not possible and nothing else was wrong.
    [[nodiscard]] ExitCode end(ExitCode code);
    /// A line on the way: always on standard error.
    void note(const std::string& line);
    /// The line that is written over; nothing where standard error is no terminal.
    void progress(const std::string& line);
    /// Three short lines: what, evidence, action.
    void error(const messages::UserMessage& message);
    void error(const Error& error);

private:
    void clearProgress();

    bool m_isTerminal = false;
    bool m_hasProgress = false;
    std::optional<Error> m_outputError; ///< the first one
};

} // namespace tracedeck::cli
