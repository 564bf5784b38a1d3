// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_report.h"

#include "app/cli/format.h"
#include "app/cli/recording_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tracedeck::cli {
namespace {

std::string labelled(std::string_view label, const std::string& value) {
    return fmt::format("{:<24}: {}\n", label, value);
}

std::string section(std::string_view title, const std::vector<std::string>& lines) {
    std::string text = fmt::format("{}\n", title);
    for (const std::string& line : lines) {
        text += "\t" + printable(line) + "\n";
    }
    return text;
}

std::string_view filterName(etw::EventFilter::Kind kind) {
    using enum etw::EventFilter::Kind;
    switch (kind) {
    case EventId:
        return "Events";
    case StackEventId:
        return "Stacks";
    case EventName:
        return "Events by name";
    case StackEventName:
        return "Stacks by name";
    case StackKeywordLevel:
        return "Stacks by keyword and level";
    case ExecutableName:
        return "Programs";
    case ProcessId:
        return "Processes";
    }
    return "Events";
}

std::string filterText(const etw::EventFilter& filter) {
    std::string what;
    if (!filter.ids.empty()) {
        what = fmt::format(" {}", fmt::join(filter.ids, ", "));
    } else if (!filter.names.empty()) {
        what = fmt::format(" {}", fmt::join(filter.names, ", "));
    }
    if (filter.keyword != 0 || filter.level != 0) {
        what += fmt::format(" keyword 0x{:x} level {}", filter.keyword, filter.level);
    }
    return fmt::format("{} filtered {}:{}", filterName(filter.kind), filter.isFilterIn ? "in" : "out", what);
}

/// "Microsoft-Windows-Win32k: 0x402000: 0xff : Stack"
std::string providerText(const etw::ProviderConfig& provider) {
    const std::string keyword =
        provider.matchAnyKeyword == 0 ? std::string() : fmt::format("0x{:x}", provider.matchAnyKeyword);
    std::string text = fmt::format("{}: {}: 0x{:02x}{}", provider.name, keyword, provider.level,
                                   provider.captureStack ? ": Stack" : "");
    for (const etw::EventFilter& filter : provider.filters) {
        text += "\n\t\t" + filterText(filter);
    }
    return text;
}

void addCapture(std::vector<std::string>& lines, const etw::ProviderConfig& provider,
                const std::optional<etw::CaptureState>& capture) {
    if (capture) {
        lines.push_back(fmt::format("{}: 0x{:x}: 0xff", provider.name, capture->keywords));
    }
}

std::string sessionText(const plan::PlannedSession& session) {
    std::string text = labelled("Collector Name", printable(session.config.name));
    text += labelled("Buffer Size (KB)", std::to_string(session.config.bufferSizeKib));
    text += labelled("Number of Buffers", std::to_string(session.config.maximumBuffers));
    std::vector<std::string> providers;
    std::vector<std::string> onStart;
    std::vector<std::string> onSave;
    std::vector<std::string> onDemand;
    for (const etw::ProviderConfig& provider : session.providers) {
        if (!provider.isCaptureOnly) {
            providers.push_back(providerText(provider));
        }
        addCapture(onStart, provider, provider.captureOnStart);
        addCapture(onSave, provider, provider.captureOnSave);
        addCapture(onDemand, provider, provider.captureOnDemand);
    }
    text += "Providers\n";
    for (const std::string& provider : providers) {
        text += "\t" + provider + "\n"; // its own line breaks stay
    }
    const auto capture = [&text](std::string_view title, const std::vector<std::string>& lines) {
        text += lines.empty() ? std::string() : section(title, lines);
    };
    capture("CaptureState Providers on Start", onStart);
    capture("CaptureState Providers on Save", onSave);
    capture("CaptureState Providers on Demand", onDemand);
    if (session.kind == plan::PlannedSession::Kind::System) {
        text += section("System Keywords", session.keywords);
        text += section("System Stacks", session.stacks);
        if (!session.config.poolTags.empty()) {
            text += section("Pool Tags", session.config.poolTags);
        }
    }
    if (session.kind == plan::PlannedSession::Kind::Heap) {
        text += session.heapProcesses.empty()
                    ? "Heap of every process that is marked for it\n"
                    : fmt::format("Heap Process Ids        : {}\n", fmt::join(session.heapProcesses, ", "));
    }
    return text;
}

} // namespace

std::string keepsText(const plan::RecordingPlan& plan) {
    if (plan.mode == plan::LoggingMode::Memory) {
        return "the newest events, in " + size(plan.bufferMemory()) + " of memory";
    }
    std::uint32_t limit = 0;
    bool isCircular = false;
    for (const plan::PlannedSession& session : plan.sessions) {
        limit = std::max(limit, session.config.maximumFileSizeMib);
        isCircular = isCircular || (session.config.logFileMode & etlformat::mode::kCircular) != 0;
    }
    if (isCircular) {
        return "the newest events, in files of at most " + size(mib(limit)) + " each";
    }
    return limit == 0 ? "everything, in a file" : "everything, in a file of at most " + size(mib(limit));
}

std::string costLines(const plan::RecordingPlan& plan, const plan::Cost& cost) {
    return labelled("Keeps", keepsText(plan)) +
           labelled(plan.mode == plan::LoggingMode::Memory ? "Memory" : "Memory (buffers)", size(cost.memory)) +
           labelled("Cost", costText(cost));
}

std::string detailsText(const plan::RecordingPlan& plan) {
    std::string text = labelled("Profile", printable(fmt::format("{}", fmt::join(plan.profiles, ", "))));
    for (const plan::PlannedSession& session : plan.sessions) {
        text += "\n" + sessionText(session);
    }
    return text;
}

} // namespace tracedeck::cli
