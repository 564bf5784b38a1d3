// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace tracedeck::app {

/// A line or a page for the terminal, and the exit code that goes with it.
struct Answer {
    QString text;
    int code = 0; ///< not 0: an error, for stderr
};

constexpr int kWrongArguments = 2;

/// What --help and --version answer, which needs no display; nothing where the arguments do not ask. `arguments` with
/// the program's name in front and with Qt's own options.
///
/// Needs an application object of any kind, for its name and version.
[[nodiscard]] std::optional<Answer> answerWithoutWindow(const QStringList& arguments);
/// Whether they do ask; needs no application object.
[[nodiscard]] bool asksForAnswer(int argc, const char* const* argv);

/// Why the arguments, without Qt's own options, are refused; nothing where they are in order.
[[nodiscard]] std::optional<Answer> refusalOf(const QStringList& arguments);

} // namespace tracedeck::app
