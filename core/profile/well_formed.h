// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"
#include "core/profile/text.h"

#include <string_view>
#include <vector>

namespace tracedeck::profile {

/// What makes `text` no well-formed XML 1.0, in the order of the file.
struct WellFormedness {
    std::vector<Problem> problems;
    bool canContinue = true; ///< the structure is sound enough to look for further problems
};

/// Checks what the XML library lets pass: "--" in comments, anything before the XML declaration, document type
/// definitions (refused: a profile has none, and entities could make a small file huge), elements that are not closed
/// or nested deeper than 64, duplicate attributes, unknown entities, text or a second element beside the root.
[[nodiscard]] WellFormedness checkWellFormed(std::string_view text, const Places& places);

} // namespace tracedeck::profile
