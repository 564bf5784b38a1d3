// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/recorder_events.h"

#include "core/platform/paths.h"
#include "core/platform/privileges.h"

namespace tracedeck::recorder {
namespace {

etlformat::TraceLoggingEvent named(std::string name) {
    etlformat::TraceLoggingEvent event;
    event.name = std::move(name);
    return event;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : "; ") + name;
    }
    return text;
}

/// One per line, as etl/health.h reads them.
void describePlan(etlformat::TraceLoggingEvent& event, const plan::RecordingPlan& plan,
                  const std::vector<etw::Limitation>& limitations) {
    std::string keywords;
    std::string stacks;
    std::string providers;
    for (const plan::PlannedSession& session : plan.sessions) {
        for (const std::string& keyword : session.keywords) {
            keywords += keyword + "\n";
        }
        for (const std::string& stack : session.stacks) {
            stacks += stack + "\n";
        }
        for (const etw::ProviderConfig& provider : session.providers) {
            providers += toString(provider.provider) + (provider.name.empty() ? "" : " " + provider.name) + "\n";
        }
    }
    std::string missing;
    for (const etw::Limitation& limitation : limitations) {
        missing += std::string(toString(limitation.code)) + " " + std::to_string(limitation.count) + " " +
                   limitation.detail + "\n";
    }
    event.fields.emplace_back("Keywords", std::move(keywords));
    event.fields.emplace_back("Stacks", std::move(stacks));
    event.fields.emplace_back("Providers", std::move(providers));
    event.fields.emplace_back("Limitations", std::move(missing));
}

void describe(etlformat::TraceLoggingEvent& event, const Request& request, const std::string& platform,
              const std::vector<etw::Limitation>& limitations) {
    event.fields.emplace_back("Profiles", joined(request.plan.profiles));
    event.fields.emplace_back("Note", request.note);
    event.fields.emplace_back("Machine", platform::hostName());
    event.fields.emplace_back("Platform", platform);
    event.fields.emplace_back("Version", std::string(TRACEDECK_VERSION));
    describePlan(event, request.plan, limitations);
    // Last, because it is the longest: a text that must be cut is cut here.
    event.fields.emplace_back("Plan", request.planText.empty() ? plan::toJson(request.plan) : request.planText);
}

} // namespace

etlformat::TraceLoggingEvent recordingStarted(const Request& request, const std::string& platform,
                                              const std::vector<etw::Limitation>& limitations) {
    etlformat::TraceLoggingEvent event = named("RecordingStarted");
    describe(event, request, platform, limitations);
    return event;
}

etlformat::TraceLoggingEvent markEvent(const std::string& text) {
    etlformat::TraceLoggingEvent event = named("Mark");
    event.fields.emplace_back("Text", text);
    return event;
}

etlformat::TraceLoggingEvent lossEvent(const std::string& session, const etw::LossCount& loss, FileTime first) {
    etlformat::TraceLoggingEvent event = named("Loss");
    event.level = 3;
    event.fields.emplace_back("Session", session);
    event.fields.emplace_back("Cause", std::string(toString(loss.cause)));
    event.fields.emplace_back("Events", loss.events);
    event.fields.emplace_back("Time", etlformat::TraceLoggingEvent::FileTimeValue{first});
    return event;
}

etlformat::TraceLoggingEvent recordingStopped(const Request& request, const std::string& platform, const Ending& ending,
                                              const std::vector<etw::Limitation>& limitations) {
    etlformat::TraceLoggingEvent event = named("RecordingStopped");
    event.fields.emplace_back("Reason", std::string(toString(ending.reason)));
    event.fields.emplace_back("LengthMs", static_cast<std::uint64_t>(ending.length.count()));
    if (ending.eventsOverwritten != 0) {
        event.fields.emplace_back("EventsOverwritten", ending.eventsOverwritten);
    }
    describe(event, request, platform, limitations);
    return event;
}

etlformat::TraceLoggingEvent problemDescription(const std::string& text) {
    etlformat::TraceLoggingEvent event = named("ProblemDescription");
    event.fields.emplace_back("Text", text);
    return event;
}

etl::AddedEvent addedAt(Ticks time, const etlformat::TraceLoggingEvent& event) {
    return {0, time,
            etlformat::encode(event, guidFromProviderName(kOwnProviderName), std::string(kOwnProviderName), time,
                              platform::currentProcessId(), platform::currentThreadId())};
}

} // namespace tracedeck::recorder
