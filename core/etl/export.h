// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace tracedeck::etl {

/// Csv: RFC 4180 (commas, lines that end in CR LF, a line of names first), UTF-8 without a mark. Columns: time_s
/// (seconds since the session's start, nine digits), time_utc, processor, process, thread (empty where nobody knows),
/// provider, event, level, keyword, fields (a JSON object). Names that a spreadsheet would take for a formula get an
/// apostrophe in front.
///
/// JsonLines: one object per line with the same members; process and thread are null where nobody knows, fields is an
/// object.
enum class ExportFormat : std::uint8_t { Csv, JsonLines };

struct ExportResult {
    std::uint64_t events = 0;
    std::uint64_t eventsUndecoded = 0; ///< with their payload as hexadecimal digits, in "@payload"
    std::uint64_t damaged = 0;         ///< places of the file that were left out
    std::uint64_t bytes = 0;           ///< written
};

/// Takes the text in pieces of about a megabyte. An error ends the export and is its error.
using ExportSink = std::function<Status(std::span<const char> text)>;
using ExportProgress = std::function<void(double fraction)>;

/// Writes every event of a file, in the order in which consumers see them: kernel events by the layouts of the kernel's
/// classes, self-describing ones by what they say of themselves, others with their header alone. The process of a
/// thread is known from the whole file, which is read twice.
///
/// Names in `fields` that begin with "@" are not the event's own: "@stack" (addresses that the event carries),
/// "@payload" (bytes that no layout is known of), "@rest" (bytes behind the known ones).
///
/// Memory: one buffer per processor. `progress` is called on the calling thread.
/// Errors: those of opening and reading, NotAnEtl, Cancelled, those of `sink`.
[[nodiscard]] Result<ExportResult> exportEvents(FileSystem& files, const std::string& input, ExportFormat format,
                                                const ExportSink& sink, std::stop_token stop = {},
                                                const ExportProgress& progress = {});

/// The same into a file, which appears under its name when it is whole; after an error there is none.
/// Errors, too: DiskFull, FileExists, those of writing.
[[nodiscard]] Result<ExportResult> exportToFile(FileSystem& files, const std::string& input, ExportFormat format,
                                                const std::string& output, FileSystem::Existing existing,
                                                std::stop_token stop = {}, const ExportProgress& progress = {});

} // namespace tracedeck::etl
