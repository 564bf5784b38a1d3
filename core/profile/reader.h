// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"
#include "core/profile/text.h"

#include <pugixml.hpp>

namespace tracedeck::profile {

/// The document's values. `xml` has passed validate() without errors.
[[nodiscard]] Document readDocument(const pugi::xml_document& xml, const Places& places);

} // namespace tracedeck::profile
