// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tracedeck::etl {

/// "Thread/CSwitch" for 0x0524: the class of the kernel's MOF and its event. "Thread/0x4D" for an unknown type,
/// "0x2F/0x01" for an unknown group.
std::string hookName(std::uint16_t hookId);

} // namespace tracedeck::etl
