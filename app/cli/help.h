// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tracedeck::cli {

/// What --help prints: of a command, or of the program for anything else.
[[nodiscard]] std::string_view helpText(std::string_view command) noexcept;

} // namespace tracedeck::cli
