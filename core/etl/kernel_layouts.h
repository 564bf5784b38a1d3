// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace tracedeck::etl {

/// The layouts of NT kernel events, one after the other: "HOOK[,HOOK…] VERSION [NAME:TYPE …]", where a line that begins
/// with a blank goes on with the one before it. Hook ids are hexadecimal; a version holds for all later ones up to the
/// next that is given.
///
/// Types: i8 u8 i16 u16 i32 u32 i64 u64, ptr (4 or 8 bytes, as the event's header says), guid, sid (TOKEN_USER and the
/// SID behind it; four zero bytes where there is none), filetime, ipv4, ipv6, be16 (a port), wstrz and astrz
/// (zero-terminated UTF-16 and bytes), wchars (UTF-16 of a fixed number of units), bytes. Behind the type: [N], [NAME]
/// of an earlier field, [*] to the end; ? where it may be missing at the end.
[[nodiscard]] std::span<const std::string_view> kernelLayoutTexts() noexcept;

/// The same for classic events: "CLASS TYPE VERSION [NAME:TYPE …]", type and version decimal.
[[nodiscard]] std::string_view classicLayoutText() noexcept;

} // namespace tracedeck::etl
