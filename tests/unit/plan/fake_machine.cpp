// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/plan/fake_machine.h"

#include "core/profile/system_keywords.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace tracedeck::test {

etw::Capabilities windowsMachine() {
    etw::Capabilities machine;
    machine.platform = "Windows 10.0.22631";
    machine.isElevated = true;
    machine.numberOfProcessors = 4;
    machine.physicalMemory = mib(16384);
    for (const profile::SystemKeyword& keyword : profile::systemKeywords()) {
        for (const std::uint32_t group : keyword.groups) {
            machine.kernelGroups.set(group);
        }
    }
    for (const profile::SystemStack& stack : profile::systemStacks()) {
        if (stack.hookId != 0) { // an id that is not public
            machine.stackHooks.push_back(stack.hookId);
        }
    }
    machine.hasWindowsProviders = true;
    for (std::size_t feature = 0; feature < etw::kFeatures; ++feature) {
        machine.features.push_back(static_cast<etw::Feature>(feature));
    }
    return machine;
}

profile::Document documentOf(const std::string& profiles) {
    profile::Parsed parsed = profile::parse("<WindowsPerformanceRecorder Version=\"1.0\"><Profiles>\n" + profiles +
                                                "</Profiles></WindowsPerformanceRecorder>",
                                            "test.wprp");
    for (const profile::Problem& problem : parsed.problems) {
        UNSCOPED_INFO(profile::format("test.wprp", problem));
    }
    REQUIRE(parsed.document);
    return *std::move(parsed.document);
}

profile::Document Pieces::document() const {
    const std::string collectors = R"(<Collectors><SystemCollectorId Value="SC"><SystemProviderId Value="SP"/>)"
                                   R"(</SystemCollectorId><EventCollectorId Value="EC"><EventProviders>)"
                                   R"(<EventProviderId Value="EP"/></EventProviders></EventCollectorId></Collectors>)";
    return documentOf(
        "<SystemCollector Id=\"SC\">" + systemBuffers +
        "</SystemCollector>\n<EventCollector Id=\"EC\" Name=\"Events\">" + eventBuffers +
        "</EventCollector>\n<SystemProvider Id=\"SP\">" +
        (keywords.empty() ? "" : "<Keywords>" + keywords + "</Keywords>") +
        (stacks.empty() ? "" : "<Stacks>" + stacks + "</Stacks>") + "</SystemProvider>\n" + provider + "\n" +
        R"(<Profile Id="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="File">)" +
        collectors + "</Profile>\n" +
        R"(<Profile Id="P.Verbose.Memory" Base="P.Verbose.File" Name="P" Description="" DetailLevel="Verbose" LoggingMode="Memory"/>)" +
        "\n" + moreProfiles);
}

const plan::PlannedSession& sessionOf(const plan::RecordingPlan& plan, plan::PlannedSession::Kind kind) {
    const auto isOfKind = [kind](const plan::PlannedSession& session) { return session.kind == kind; };
    REQUIRE(std::count_if(plan.sessions.begin(), plan.sessions.end(), isOfKind) == 1);
    return *std::find_if(plan.sessions.begin(), plan.sessions.end(), isOfKind);
}

const etw::ProviderConfig* providerOf(const plan::PlannedSession& session, std::string_view name) {
    const auto at = std::find_if(session.providers.begin(), session.providers.end(),
                                 [name](const etw::ProviderConfig& provider) { return provider.name == name; });
    return at == session.providers.end() ? nullptr : &*at;
}

std::vector<std::string> summary(const plan::RecordingPlan& plan) {
    std::vector<std::string> lines;
    for (const plan::Diagnostic& diagnostic : plan.diagnostics) {
        std::string line = diagnostic.severity == plan::Severity::Note      ? "note "
                           : diagnostic.severity == plan::Severity::Warning ? "warning "
                                                                            : "error ";
        line += diagnostic.object + ":";
        if (diagnostic.limitation) {
            line +=
                " " + std::string(toString(diagnostic.limitation->code)) + "(" + diagnostic.limitation->detail + ")";
        }
        line += diagnostic.detail.empty() ? "" : " " + diagnostic.detail;
        lines.push_back(line);
    }
    return lines;
}

} // namespace tracedeck::test
