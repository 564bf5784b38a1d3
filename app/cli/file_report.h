// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/health.h"
#include "core/etl/summary.h"

#include <string>

/// What the command line says about a file: pure functions from values to text.
namespace tracedeck::cli {

/// Whether it is worth sending, and why not.
[[nodiscard]] std::string checkText(const std::string& path, const etl::Summary& summary);
/// What is in it: counts by name and by processor.
[[nodiscard]] std::string summaryText(const std::string& path, const etl::Summary& summary);
/// One line per issue, "  warning  …"; names of one kind in one line. Empty where there is none.
[[nodiscard]] std::string issuesText(const etl::HealthReport& report);
/// "CPU 0: 2,149 (685/s)  CPU 1: …"
[[nodiscard]] std::string samplesText(const etl::Summary& summary);
/// "good: complete and in order, nothing lost"
[[nodiscard]] std::string verdictText(etl::HealthReport::Verdict verdict);

/// JSON with a line break at the end.
[[nodiscard]] std::string checkJson(const std::string& path, const etl::Summary& summary);
[[nodiscard]] std::string summaryJson(const std::string& path, const etl::Summary& summary);
/// The same for a file that could not be read: "file", and "error" with "code" and "detail".
[[nodiscard]] std::string errorJson(const std::string& path, const Error& error);

} // namespace tracedeck::cli
