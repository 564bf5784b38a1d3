// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/file_report.h"

#include "app/cli/format.h"
#include "app/cli/recording_report.h"
#include "app/messages/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tracedeck::cli {
namespace {

using etl::HealthIssue;
using Code = etl::HealthIssue::Code;

constexpr std::size_t kMostNames = 8;

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "0 %" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// The words for a cause that the file has by name; the name itself where a newer program wrote it.
std::string causeText(const std::string& cause) {
    for (std::size_t i = 0; i < etw::kLossCauses; ++i) {
        const auto known = static_cast<etw::LossCause>(i);
        if (etw::toString(known) == cause) {
            const messages::UserMessage message = messages::messageFor(known);
            return message.what + " " + message.action;
        }
    }
    return printable(cause);
}

/// " because …" for a reason to stop that the file has by name; the name itself where a newer program wrote it.
std::string endText(const std::string& cause) {
    using enum recorder::StopReason;
    for (const recorder::StopReason known : {DiskFull, WriteFailed, SourceFailed, RecorderEnded}) {
        if (recorder::toString(known) == cause) {
            return " " + std::string(stopText(known));
        }
    }
    return ": " + printable(cause);
}

std::string lostWith(const HealthIssue& issue) {
    std::string text;
    if (issue.bytes != 0) {
        text += ", " + size(Bytes{issue.bytes}) + " left out";
    }
    if (issue.events != 0) {
        text += ", about " + counted(issue.events, "event") + " with it";
    }
    return text;
}

std::string issueText(const HealthIssue& issue) {
    const std::string count = grouped(issue.count);
    switch (issue.code) {
    case Code::Damaged:
        return fmt::format("{} damaged{}: {}", issue.count == 1 ? "one place is" : count + " places are",
                           lostWith(issue), printable(issue.detail));
    case Code::OutOfOrder:
        return fmt::format("{} events are out of order: {}", counted(issue.count, "time"), printable(issue.detail));
    case Code::ProcessorOutOfRange:
        return fmt::format("{} of a processor that is not there: {}", counted(issue.count, "buffer is", "buffers are"),
                           printable(issue.detail));
    case Code::Truncated:
        return fmt::format("the file ends too early{}: {}", lostWith(issue), printable(issue.detail));
    case Code::NotClosed:
        return "the session was not closed: the recorder was ended before it could finish the file";
    case Code::PartsMissing:
        return fmt::format("{} missing or repeated{}: {}", counted(issue.count, "part is", "parts are"),
                           lostWith(issue), printable(issue.detail));
    case Code::CountMismatch:
        return printable(issue.detail);
    case Code::NoEvents:
        return "there are no events but those of the header";
    case Code::EventsLost:
        return counted(issue.events, "event") + " and " + counted(issue.count, "buffer") + " were lost";
    case Code::SessionLostEvents:
        return fmt::format("{} lost {}, {} {}: {}", printable(issue.object), counted(issue.events, "event"),
                           issue.events == 1 ? "at" : "the first at", dateTime(issue.time), causeText(issue.cause));
    case Code::StoppedEarly:
        return "the recording ended before its time" + endText(issue.cause);
    case Code::OldestOverwritten:
        return "the disk was short: " + counted(issue.events, "older event") + " made room for newer ones";
    case Code::ProviderSilent:
        return "said nothing: " + printable(issue.object);
    case Code::KeywordSilent:
        return "no events of the system keyword " + printable(issue.object);
    case Code::NoStacks:
        return "stacks were asked for, and there are none";
    case Code::StacksWithoutEvent:
        return fmt::format("{} of {} {} lost {} event", count, counted(issue.of, "stack"),
                           issue.count == 1 ? "has" : "have", issue.count == 1 ? "its" : "their");
    case Code::FewStacks:
        return fmt::format("only {} of {} samples and context switches {} a stack", count, grouped(issue.of),
                           issue.count == 1 ? "has" : "have");
    case Code::NoImages:
        return "stacks, but no images: their addresses cannot be named";
    case Code::NoImageIdentity:
        return "the images do not say which build they are: names of functions come from the same machine alone";
    case Code::ProcessorWithoutSamples:
        return fmt::format("{} of {} {} no samples, being off or left out: {}", count, counted(issue.of, "processor"),
                           issue.count == 1 ? "has" : "have", printable(issue.object));
    case Code::Limited:
        return fmt::format("the machine did not give all: {}{}{}", printable(issue.cause),
                           issue.object.empty() ? "" : ", " + printable(issue.object),
                           issue.count == 0 ? "" : ", " + count);
    case Code::NotByUs:
        return "what was turned on is not written down in the file: it was not recorded by tracedeck";
    }
    return {};
}

/// Issues of which there may be dozens, in one line.
std::string namesText(const etl::HealthReport& report, Code code, std::string_view what) {
    std::vector<std::string> names;
    for (const HealthIssue& issue : report.issues) {
        if (issue.code == code && issue.severity == HealthIssue::Severity::Note) {
            names.push_back(printable(code == Code::Limited && !issue.object.empty()
                                          ? issue.cause + " (" + issue.object + ")"
                                          : issue.object + (issue.object.empty() ? issue.cause : "")));
        }
    }
    return names.empty() ? std::string() : line("note", std::string(what) + listed(names, kMostNames));
}

std::string coverageText(const etl::HealthReport& report) {
    std::string text;
    if (report.samples != 0) {
        text += line("samples", fmt::format("{}, {} with a stack", grouped(report.samples),
                                            percent(report.samplesWithStack, report.samples)));
    }
    if (report.switches != 0) {
        text += line("switches", fmt::format("{}, {} with a stack", grouped(report.switches),
                                             percent(report.switchesWithStack, report.switches)));
    }
    if (report.images != 0) {
        text += line("images",
                     fmt::format("{}, {} with their build", grouped(report.images), grouped(report.imageIdentities)));
    }
    if (report.hasPlan) {
        text +=
            line("turned on", fmt::format("{}, {} silent; {}, {} silent", counted(report.providersEnabled, "provider"),
                                          report.providersSilent, counted(report.keywordsEnabled, "system keyword"),
                                          report.keywordsSilent));
    }
    return text;
}

std::string rangesText(const etl::Summary& summary) {
    constexpr std::size_t kMostRanges = 10;
    std::string text;
    for (std::size_t i = 0; i < summary.damagedRanges.size() && i < kMostRanges; ++i) {
        const etl::DamagedRange& range = summary.damagedRanges[i];
        text += line("left out", fmt::format("{} at offset {}: {}", size(Bytes{range.bytes}), grouped(range.offset),
                                             printable(range.reason)));
    }
    if (summary.damagedRanges.size() > kMostRanges) {
        text += line("left out",
                     "and " + counted(summary.damagedRanges.size() - kMostRanges, "more place") + "; --json has them");
    }
    return text;
}

std::string headText(const std::string& path, const etl::Summary& summary) {
    const etl::HeaderSummary& header = summary.header;
    std::string text = printable(path) + "\n";
    text += line("session", fmt::format("{}, {}, mode 0x{:08X}", printable(header.loggerName),
                                        counted(header.numberOfProcessors, "processor"), header.logFileMode));
    text += line("recorded", dateTime(header.startTime) + " to " + dateTime(header.endTime));
    text += line("file", fmt::format("{}, {} of {}", size(Bytes{summary.fileBytes}), counted(summary.buffers, "buffer"),
                                     size(Bytes{header.bufferSize})));
    text += line("span", fmt::format("{:.3f} s", summary.spanSeconds));
    text += line("events", fmt::format("{}, {}, {}", grouped(summary.events), counted(summary.stacks, "stack"),
                                       counted(summary.marks, "mark")));
    text += line("lost", counted(header.eventsLost, "event") + ", " + counted(header.buffersLost, "buffer"));
    return text;
}

/// What is for programs, or told otherwise.
bool isForPeople(const std::string& field) {
    for (const char* hidden : {".Plan", ".Keywords", ".Stacks", ".Providers", ".Limitations", ".EventsOverwritten"}) {
        if (field.ends_with(hidden)) {
            return false;
        }
    }
    return !field.starts_with("Loss.");
}

} // namespace

std::string samplesText(const etl::Summary& summary) {
    std::string text;
    for (std::size_t cpu = 0; cpu < summary.samplesPerProcessor.size(); ++cpu) {
        const auto samples = summary.samplesPerProcessor[cpu];
        text += fmt::format("{}CPU {}: {}", cpu == 0 ? "" : "  ", cpu, grouped(samples));
        if (summary.samplesSeconds > 0) {
            text += fmt::format(" ({:.0f}/s)", static_cast<double>(samples) / summary.samplesSeconds);
        }
    }
    return text;
}

std::string verdictText(etl::HealthReport::Verdict verdict) {
    switch (verdict) {
    case etl::HealthReport::Verdict::GoodToSend:
        return "good: complete and in order, nothing lost";
    case etl::HealthReport::Verdict::Incomplete:
        return "incomplete: readable, but something is missing";
    case etl::HealthReport::Verdict::Damaged:
        return "damaged: parts of it cannot be trusted";
    }
    return {};
}

std::string issuesText(const etl::HealthReport& report) {
    std::string text;
    for (const HealthIssue& issue : report.issues) {
        const bool isListed =
            issue.severity == HealthIssue::Severity::Note &&
            (issue.code == Code::ProviderSilent || issue.code == Code::KeywordSilent || issue.code == Code::Limited);
        if (!isListed) {
            text += line(etl::toString(issue.severity), issueText(issue));
        }
    }
    text += namesText(report, Code::ProviderSilent, "said nothing: ");
    text += namesText(report, Code::KeywordSilent, "no events of the system keywords ");
    return text + namesText(report, Code::Limited, "the machine did not give all: ");
}

std::string checkText(const std::string& path, const etl::Summary& summary) {
    const etl::HealthReport report = etl::judgeHealth(summary);
    std::string text = headText(path, summary) + coverageText(report);
    for (const auto& [field, value] : summary.recorder) {
        if (!value.empty() && isForPeople(field)) {
            text += line("about", printable(field) + ": " + printable(value));
        }
    }
    text += issuesText(report) + rangesText(summary);
    return text + line("verdict", verdictText(report.verdict()));
}

std::string summaryText(const std::string& path, const etl::Summary& summary) {
    std::string text = headText(path, summary);
    if (!summary.samplesPerProcessor.empty()) {
        text += line("samples", samplesText(summary));
    }
    text += "  by processor\n";
    for (std::size_t i = 0; i < summary.processors.size(); ++i) {
        const etl::ProcessorSummary& one = summary.processors[i];
        text += fmt::format("    {:>12}  CPU {}, {}\n", grouped(one.events), i, counted(one.buffers, "buffer"));
    }
    text += "  by name\n";
    for (const etl::EventCount& count : summary.names) {
        text += fmt::format("    {:>12}  {}\n", grouped(count.events), printable(count.name));
    }
    return text;
}

} // namespace tracedeck::cli
