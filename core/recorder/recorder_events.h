// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/own_provider.h"
#include "core/etl/merge.h"
#include "core/etlformat/trace_logging.h"
#include "core/recorder/recorder.h"

#include <string>

/// The events of the recorder's own provider: how a recording came about, kept inside it.
namespace tracedeck::recorder {

/// {Plan, Profiles, Note, Machine, Platform, Version}, and what etl::judgeHealth() asks for, one per line: {Keywords,
/// Stacks (WPR's names), Providers ("id name"), Limitations ("code count detail")}
[[nodiscard]] etlformat::TraceLoggingEvent recordingStarted(const Request& request, const std::string& platform,
                                                            const std::vector<etw::Limitation>& limitations);
/// {Text}
[[nodiscard]] etlformat::TraceLoggingEvent markEvent(const std::string& text);
/// {Session, Cause, Events, Time}; `first` is wall time.
[[nodiscard]] etlformat::TraceLoggingEvent lossEvent(const std::string& session, const etw::LossCount& loss,
                                                     FileTime first);
/// How a recording ended.
struct Ending {
    StopReason reason = StopReason::User;
    std::chrono::milliseconds length{0};
    std::uint64_t eventsOverwritten = 0; ///< in files, as was chosen for a short disk
};
/// {Reason, LengthMs, EventsOverwritten where there are any} and the fields of recordingStarted(), whose event a full
/// ring may have overwritten.
[[nodiscard]] etlformat::TraceLoggingEvent recordingStopped(const Request& request, const std::string& platform,
                                                            const Ending& ending,
                                                            const std::vector<etw::Limitation>& limitations);
/// {Text}
[[nodiscard]] etlformat::TraceLoggingEvent problemDescription(const std::string& text);
/// Of our own provider, for the merge to write, stamped `time`.
[[nodiscard]] etl::AddedEvent addedAt(Ticks time, const etlformat::TraceLoggingEvent& event);

} // namespace tracedeck::recorder
