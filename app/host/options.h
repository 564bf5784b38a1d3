// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/limits.h"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tracedeck::host {

enum class ExitCode : int {
    Ok = 0,     ///< asked to end, or idle
    Failed = 1, ///< it could not begin, or not go on; standard error says why
    Usage = 2,
};

struct Options {
    std::string socket;     ///< empty: the usual place
    std::string ringFolder; ///< empty: the usual one
    /// Serves the user who has authorised it through pkexec (PKEXEC_UID) and nobody else.
    bool isForUser = false;
    etw::remote::Limits limits;
    /// 0: never; nothing: five minutes where somebody starts it again when it is needed, else never.
    std::optional<std::chrono::seconds> idleExit;
    bool isVerbose = false;
};

/// Help, the version or a complaint.
struct Answer {
    std::string text;
    ExitCode code = ExitCode::Ok;
};

/// `words` without the program's name.
[[nodiscard]] std::variant<Options, Answer> parseOptions(std::vector<std::string> words);

} // namespace tracedeck::host
