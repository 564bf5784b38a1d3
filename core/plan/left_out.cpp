// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/left_out.h"

#include <algorithm>
#include <set>

namespace tracedeck::plan {

namespace {

void noteMerge(const ResolvedMerge& merge, const std::string& profile, std::vector<Diagnostic>& diagnostics) {
    const auto note = [&](bool isAsked, const char* name, const char* consequence) {
        if (isAsked) {
            diagnostics.push_back({Severity::Note, profile, name, std::nullopt, consequence});
        }
    };
    note(merge.skipMerge, "SkipMerge", "is left out: a recording is always one file");
    note(merge.injectOnly, "InjectOnly", "is left out: a recording is always one file with all of its events");
    note(!merge.deletePreMergedTraceFiles, "DeletePreMergedTraceFiles",
         "is left out: raw files go once the saved file has been read back");
    const bool wantsEvents = std::any_of(merge.customEvents.begin(), merge.customEvents.end(),
                                         [](const profile::ListItem& event) { return event.value != "None"; });
    note(wantsEvents, "CustomEvents", "is left out: merging adds nothing to the events that were recorded");
}

void noteCollector(const ResolvedCollector& collector, const std::string& profile,
                   std::vector<Diagnostic>& diagnostics) {
    const auto note = [&](bool isAsked, Severity severity, const char* what, const char* consequence) {
        if (isAsked) {
            diagnostics.push_back(
                {severity, profile, std::string(what) + " of collector " + collector.id, std::nullopt, consequence});
        }
    };
    note(collector.flags.hostGuestCorrelation, Severity::Warning, "HostGuestCorrelation",
         "is left out: the events of a virtual machine and those of its host are not correlated");
    note(collector.flags.mergeAlone, Severity::Note, "MergeAlone",
         "is left out: the hypervisor's events are in the one file");
    note(collector.hasFileName, Severity::Note, "FileName", "is left out: the recorder names its files itself");
    note(collector.buffers.fileMax.has_value(), Severity::Note, "FileMax",
         "is left out: it counts the files of sessions that begin with the system, which are not planned");
    const std::optional<profile::Buffers>& buffers = collector.buffers.buffers;
    note(buffers && buffers->maximumBufferSpaceMib && !buffers->isPercentageOfTotalMemory, Severity::Note,
         "MaximumBufferSpace", "has no effect: it limits a percentage of memory, and there is none");
}

} // namespace

void noteLeftOut(const profile::Profile& profile, const ResolvedProfile& resolved,
                 std::vector<Diagnostic>& diagnostics) {
    if (profile.strict.value_or(false)) {
        // Microsoft's page of the element contradicts itself; that of strict providers is clear.
        diagnostics.push_back({Severity::Note, profile.name, "Strict of profile " + profile.name, std::nullopt,
                               "is left out: only what the profile calls strict by itself is"});
    }
    for (const ResolvedCollector& collector : resolved.collectors) {
        noteCollector(collector, profile.name, diagnostics);
    }
    noteMerge(resolved.merge, profile.name, diagnostics);
}

void noteLeftOut(const profile::Document& document, std::vector<Diagnostic>& diagnostics) {
    std::set<std::string> told;
    for (const profile::Problem& problem : document.warnings) {
        if (told.insert(problem.message).second) {
            diagnostics.push_back({Severity::Warning,
                                   {},
                                   "line " + std::to_string(problem.place.line) + " of " + document.path,
                                   std::nullopt,
                                   problem.message});
        }
    }
    for (const profile::OnOffTransition& transition : document.onOffTransitions) {
        diagnostics.push_back({Severity::Note,
                               {},
                               "transition " + transition.id,
                               std::nullopt,
                               "is left out: a recording neither begins nor goes on over a restart or sleep"});
    }
}

} // namespace tracedeck::plan
