// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/etl/summary.h"
#include "core/plan/cost.h"
#include "core/recorder/recorder.h"

#include <string>
#include <string_view>
#include <vector>

/// What the command line says about a recording: pure functions from values to text.
namespace tracedeck::cli {

/// Before the start: profiles, where to, how long, what it costs.
[[nodiscard]] std::string announcement(const plan::RecordingPlan& plan, const RecordArguments& arguments,
                                       const std::string& output, const plan::Cost& cost);

[[nodiscard]] std::string costText(const plan::Cost& cost);

/// The disks run short, and what happens then.
[[nodiscard]] std::string shortDiskText(const recorder::DiskRoom& room);
/// "00:00:12  System 38 %, 12,345/s, lost 0 · Events …": one line while recording.
[[nodiscard]] std::string statusLine(const recorder::LiveStatus& status);
/// "Writing one file… 42 %"
[[nodiscard]] std::string progressLine(const recorder::Progress& progress);

/// Goes on after "stopped": "by you".
[[nodiscard]] std::string_view stopText(recorder::StopReason reason);

/// After saving.
[[nodiscard]] std::string outcomeText(const recorder::Outcome& outcome);

} // namespace tracedeck::cli
