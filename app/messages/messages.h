// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/types.h"

#include <string>

/// What the programs say about errors, limitations and loss: one table for the window and the command line.
///
/// Threading: stateless, any thread.
namespace tracedeck::messages {

/// Context of the texts in translation files. The texts below are the source texts; a program that has translations
/// looks `what` and `action` up with this context.
constexpr const char* kTranslationContext = "messages";

/// One thing to tell a person.
struct UserMessage {
    std::string what;     ///< one sentence: what happened, or what is missing
    std::string evidence; ///< one line, not translated: the object, the value, the failing call; may be empty
    std::string action;   ///< one sentence: what to do next
    std::string code;     ///< "DiskFull", "PerfEventParanoid": to copy into a report
};

/// Whether not the disk was full but the file as large as this program may write (ulimit -f): both are DiskFull.
[[nodiscard]] bool isFileSizeLimit(const Error& error) noexcept;

[[nodiscard]] UserMessage messageFor(const Error& error);
[[nodiscard]] UserMessage messageFor(const etw::Limitation& limitation);
[[nodiscard]] UserMessage messageFor(etw::LossCause cause);

} // namespace tracedeck::messages
