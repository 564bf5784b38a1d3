// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tracedeck {

/// UTF-8 to UTF-16. Bytes that are no UTF-8 (Linux names may hold any) become U+FFFD, one per byte.
std::u16string toUtf16(std::string_view utf8);

/// UTF-16 to UTF-8. Lone surrogates become U+FFFD.
std::string toUtf8(std::u16string_view utf16);

} // namespace tracedeck
