// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace tracedeck::cli {

/// Refuses a file now that could not be written later: a folder, one that is there without `replace`, a device or a
/// pipe, a name that no file can have.
[[nodiscard]] Status checkOutput(const std::string& output, bool replace);

/// The same for what is made of `input`, which must be another file.
[[nodiscard]] Status checkOutput(const std::string& output, bool replace, const std::string& input);

} // namespace tracedeck::cli
