// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracedeck {

/// UTF-8 to UTF-16. Bytes that are no UTF-8 (Linux names may hold any) become U+FFFD, one per byte.
std::u16string toUtf16(std::string_view utf8);

/// UTF-16 to UTF-8. Lone surrogates become U+FFFD.
std::string toUtf8(std::u16string_view utf16);

/// Copies text of up to `room` bytes with what is no UTF-8 replaced as toUtf16() does, and ends it before the first
/// character that does not fit. Neither allocates nor throws; `into` null: counts alone. The bytes of the copy.
std::size_t copyUtf8(std::string_view text, std::size_t room, char* into) noexcept;

} // namespace tracedeck
