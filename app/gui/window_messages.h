// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/user_message.h"

namespace tracedeck::app {

/// The table of messages, translated.
[[nodiscard]] ui::MessageCatalog windowMessages();

} // namespace tracedeck::app
