// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/etl/recode.h"
#include "core/etl/repair.h"
#include "core/etl/trim.h"

#include <string>

/// What the command line says about files that are written from others: pure functions from values to text.
namespace tracedeck::cli {

/// "x-repaired.etl" for "x.etl": not "x.repaired.etl", which some readers of Windows take for a part of "x.etl".
[[nodiscard]] std::string nameBeside(const std::string& input, RewriteArguments::What what);

/// "Repairing… 42 %"
[[nodiscard]] std::string rewriteProgress(RewriteArguments::What what, double fraction);

[[nodiscard]] std::string repairText(const std::string& input, const std::string& output,
                                     const etl::RepairResult& result);
[[nodiscard]] std::string trimText(const std::string& output, const etl::TrimResult& result);
[[nodiscard]] std::string recodeText(const RewriteArguments& arguments, const std::string& output,
                                     const etl::RecodeResult& result);
[[nodiscard]] std::string mergeText(const RewriteArguments& arguments, const etl::MergeResult& result);

} // namespace tracedeck::cli
