// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tracedeck {

/// The provider of the recorder itself: how a recording was made is in events of this name, in every recording.
constexpr std::string_view kOwnProviderName = "Tracedeck-Recorder";

} // namespace tracedeck
