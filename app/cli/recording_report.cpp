// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/recording_report.h"

#include "app/cli/file_report.h"
#include "app/cli/format.h"
#include "app/cli/plan_report.h"
#include "app/messages/messages.h"
#include "core/recorder/raw_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace tracedeck::cli {

using recorder::StopReason;

std::string_view stopText(StopReason reason) {
    switch (reason) {
    case StopReason::User:
        return "by you";
    case StopReason::TimeLimit:
        return "at the time limit";
    case StopReason::DiskFull:
        return "because the disk was nearly full";
    case StopReason::SizeLimit:
        return "at the size limit";
    case StopReason::WriteFailed:
        return "because the disk failed";
    case StopReason::SourceFailed:
        return "because a session ended by itself";
    case StopReason::RecorderEnded:
        return "because the program that recorded was ended";
    }
    return "";
}

namespace {

std::string_view endingText(const recorder::Stopped& recording) {
    const bool isFileLimit = recording.reason == StopReason::DiskFull && recording.writeError &&
                             messages::isFileSizeLimit(*recording.writeError);
    return isFileLimit ? "because a file had the size that may be written at most" : stopText(recording.reason);
}

std::string lossText(const recorder::SessionStatus& session) {
    const etw::SessionStats& stats = session.stats;
    std::string text = fmt::format("lost {} of {}", grouped(stats.eventsLost), counted(stats.eventsProduced, "event"));
    if (stats.eventsOverwritten > 0) {
        text += ", " + counted(stats.eventsOverwritten, "older one") + " made room for newer";
    }
    text += "\n";
    for (const etw::LossCount& loss : stats.losses) {
        const messages::UserMessage message = messages::messageFor(loss.cause);
        text += fmt::format("              {}: {} [{}]\n              {}\n", grouped(loss.events), message.what,
                            message.code, message.action);
    }
    return text;
}

} // namespace

/// "about 1.2 MB/s and 3 % of a processor, as measured here; memory holds the last 17 s"
std::string costText(const plan::Cost& cost) {
    std::string text =
        fmt::format("about {}/s and {:.0f} % of a processor{}",
                    size(Bytes{static_cast<std::uint64_t>(cost.bytesPerSecond)}), std::max(1.0, cost.processors * 100),
                    cost.isMeasured ? ", as measured here" : ", if the machine is in ordinary use");
    if (cost.held) {
        text += "; memory holds the last " + length(std::chrono::duration_cast<std::chrono::milliseconds>(std::min(
                                                 *cost.held, std::chrono::duration<double>(std::chrono::hours(24)))));
    }
    return text;
}

std::string announcement(const plan::RecordingPlan& plan, const RecordArguments& arguments, const std::string& output,
                         const plan::Cost& cost) {
    std::string text = "To be recorded:\n";
    text += line("profiles", printable(fmt::format("{}", fmt::join(plan.profiles, ", "))));
    const bool isInFile = plan.mode == plan::LoggingMode::File;
    const bool keepsNewest = isInFile && arguments.whenDiskShort == recorder::WhenDiskShort::KeepNewest;
    text += line("keeps", keepsText(plan) + (keepsNewest ? "; when the disk runs short, the newest events" : "") +
                              (isInFile ? " (buffers: " + size(plan.bufferMemory()) + ")" : ""));
    text += line("costs", costText(cost));
    text += line("until",
                 arguments.timeLimit.count() > 0 ? length(arguments.timeLimit) + " have passed, or Ctrl+C" : "Ctrl+C");
    text += line("into", printable(output));
    return text;
}

std::string shortDiskText(const recorder::DiskRoom& room) {
    std::string text = room.isOfTarget ? "The disk where it will be saved runs short" : "The disk runs short";
    text += ": there is room for " + size(room.left);
    if (room.timeLeft && *room.timeLeft < std::chrono::hours(24)) {
        text += ", about " + length(*room.timeLeft);
    }
    return text + (room.keepsNewest ? "; then newer events take the place of the oldest."
                                    : "; then the recording stops and is saved.");
}

std::string statusLine(const recorder::LiveStatus& status) {
    std::string text = clockTime(status.elapsed);
    for (const recorder::SessionStatus& session : status.sessions) {
        text += fmt::format(
            "  {} {:.0f} %, {}/s, lost {}", recorder::kindName(session.kind), session.stats.bufferFill() * 100,
            grouped(static_cast<std::uint64_t>(session.eventsPerSecond)), grouped(session.stats.eventsLost));
    }
    return text + "  disk " + size(status.freeDisk);
}

std::string progressLine(const recorder::Progress& progress) {
    std::string_view stage = "Stopping";
    if (progress.stage == recorder::State::Saving) {
        stage = "Writing one file";
    } else if (progress.stage == recorder::State::Verifying) {
        stage = "Reading it back";
    }
    if (progress.fraction < 0) {
        return fmt::format("{}…", stage);
    }
    return fmt::format("{}… {:.0f} %", stage, progress.fraction * 100);
}

std::string outcomeText(const recorder::Outcome& outcome) {
    const etl::Summary& summary = outcome.summary;
    std::string text = "Saved " + printable(outcome.path) + "\n";
    text += line("size", size(Bytes{summary.fileBytes}));
    text +=
        line("length", length(outcome.recording.length) + ", stopped " + std::string(endingText(outcome.recording)));
    text += line("events", grouped(summary.events) + ", " + counted(summary.stacks, "stack"));
    for (const recorder::SessionStatus& session : outcome.recording.last.sessions) {
        text += fmt::format("  {:<10}  {}", recorder::kindName(session.kind), lossText(session));
    }
    if (outcome.merge.eventsMissing > 0) {
        text += line("missing", counted(outcome.merge.eventsMissing, "event, which was recorded and is not",
                                        "events, which were recorded and are not") +
                                    " in the raw files");
    }
    if (outcome.merge.stacksDropped > 0) {
        text += line("stacks", counted(outcome.merge.stacksDropped, "left out, whose event", "left out, whose events") +
                                   " made room for newer");
    }
    if (outcome.merge.buffersDamaged > 0) {
        text += line("buffers", counted(outcome.merge.buffersDamaged, "damaged one") + " left out");
    }
    if (!summary.samplesPerProcessor.empty()) {
        text += line("samples", samplesText(summary));
    }
    if (outcome.recording.writeError) {
        text += line("warning", printable(outcome.recording.writeError->detail));
    }
    etl::HealthReport report = etl::judgeHealth(summary);
    // It is ours, whatever a full ring has kept of what was said about it.
    std::erase_if(report.issues,
                  [](const etl::HealthIssue& one) { return one.code == etl::HealthIssue::Code::NotByUs; });
    text += issuesText(report);
    return text + line("verdict", verdictText(report.verdict()));
}

} // namespace tracedeck::cli
