// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
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

/// Writes text up to its first zero as UTF-16 and a zero behind it, as far as `into` goes, which has room for the zero
/// at least; ends it before the first character that does not fit. Bytes that are no UTF-8 become U+FFFD as in
/// toUtf16(). Neither allocates nor throws. What is written, the zero included.
std::span<const char16_t> copyUtf16(std::string_view utf8, std::span<char16_t> into) noexcept;

} // namespace tracedeck
