// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/messages/messages.h"
#include "core/base/result.h"

#include <cstddef>
#include <string>

namespace tracedeck::cli {

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

    /// A result.
    void print(const std::string& text);
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
};

} // namespace tracedeck::cli
