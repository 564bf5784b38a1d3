// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

namespace tracedeck::profile {

/// The collectors that every version of WPR defines and files refer to without defining them
/// ("SystemCollector_WPRSystemCollectorInFile" …), with their published buffer sizes.
[[nodiscard]] const Document& builtinDefinitions();

} // namespace tracedeck::profile
