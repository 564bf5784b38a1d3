// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/health.h"

#include "core/base/guid.h"
#include "core/base/own_provider.h"
#include "core/etl/keyword_events.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace tracedeck::etl {
namespace {

namespace hook = etlformat::hook;
using Code = HealthIssue::Code;
using Severity = HealthIssue::Severity;

/// Fewer samples than this for each processor say nothing about one that has none.
constexpr std::uint64_t kTellingSamples = 50;
/// A share below which stacks are few: not even every second event that was to have one has it.
constexpr double kFewStacks = 0.5;

constexpr std::array<std::string_view, 22> kCodeNames{"Damaged",
                                                      "OutOfOrder",
                                                      "ProcessorOutOfRange",
                                                      "Truncated",
                                                      "NotClosed",
                                                      "PartsMissing",
                                                      "CountMismatch",
                                                      "NoEvents",
                                                      "EventsLost",
                                                      "SessionLostEvents",
                                                      "StoppedEarly",
                                                      "OldestOverwritten",
                                                      "ProviderSilent",
                                                      "KeywordSilent",
                                                      "NoStacks",
                                                      "StacksWithoutEvent",
                                                      "FewStacks",
                                                      "NoImages",
                                                      "NoImageIdentity",
                                                      "ProcessorWithoutSamples",
                                                      "Limited",
                                                      "NotByUs"};
static_assert(kCodeNames.size() == static_cast<std::size_t>(Code::NotByUs) + 1);

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end != 0) {
            lines.push_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Goes through what the file was found to hold, one question after the other.
class Judge {
public:
    explicit Judge(const Summary& summary) : m_summary(summary) {}

    HealthReport run() {
        takeFacts();
        judgeFindings();
        judgeLoss();
        judgeEnd();
        judgePlan();
        judgeStacks();
        judgeSamples();
        judgeLimitations();
        std::stable_sort(m_report.issues.begin(), m_report.issues.end(),
                         [](const HealthIssue& a, const HealthIssue& b) { return a.severity > b.severity; });
        return std::move(m_report);
    }

private:
    HealthIssue& add(Severity severity, Code code) {
        HealthIssue issue;
        issue.severity = severity;
        issue.code = code;
        m_report.issues.push_back(std::move(issue));
        return m_report.issues.back();
    }
    /// A field of the recorder's events: what was said at the stop, else at the start, which a ring may have lost.
    [[nodiscard]] std::string_view said(const std::string& field) const {
        for (const char* event : {"RecordingStopped.", "RecordingStarted."}) {
            if (const auto found = m_summary.recorder.find(event + field); found != m_summary.recorder.end()) {
                return found->second;
            }
        }
        return {};
    }
    [[nodiscard]] HookCount count(std::uint16_t hookId) const {
        const auto found = std::lower_bound(m_summary.hooks.begin(), m_summary.hooks.end(), hookId,
                                            [](const HookCount& one, std::uint16_t id) { return one.hookId < id; });
        return found != m_summary.hooks.end() && found->hookId == hookId ? *found : HookCount{hookId};
    }

    void takeFacts();
    void judgeFindings();
    void judgeLoss();
    void judgeEnd();
    void judgePlan();
    void judgeProviders();
    void judgeKeywords();
    void judgeStacks();
    void judgeSamples();
    void judgeLimitations();

    const Summary& m_summary;
    HealthReport m_report;
    bool m_wantsStacks = false;
    bool m_wantsImages = false;
};

void Judge::takeFacts() {
    m_report.seconds = m_summary.spanSeconds;
    m_report.bytes = m_summary.fileBytes;
    m_report.events = m_summary.events;
    m_report.eventsLost = m_summary.header.eventsLost;
    m_report.buffersLost = m_summary.header.buffersLost;
    m_report.marks = m_summary.marks;
    m_report.stacks = m_summary.stacks;
    m_report.imageIdentities = m_summary.imageIdentities;
    const HookCount samples = count(hook::kSampledProfile);
    const HookCount switches = count(hook::kCSwitch);
    m_report.samples = samples.events;
    m_report.samplesWithStack = samples.withStack;
    m_report.switches = switches.events;
    m_report.switchesWithStack = switches.withStack;
    for (const std::uint16_t id : {hook::kImageLoad, hook::kImageDcStart, hook::kImageDcEnd}) {
        m_report.images += count(id).events;
    }
}

Code codeOf(Finding::Code code) {
    switch (code) {
    case Finding::Code::NotClosed:
        return Code::NotClosed;
    case Finding::Code::Truncated:
        return Code::Truncated;
    case Finding::Code::DamagedBuffer:
        return Code::Damaged;
    case Finding::Code::TimeDisorder:
        return Code::OutOfOrder;
    case Finding::Code::SequenceGap:
        return Code::PartsMissing;
    case Finding::Code::CountMismatch:
        return Code::CountMismatch;
    case Finding::Code::StackWithoutEvent:
        return Code::StacksWithoutEvent;
    case Finding::Code::EventsLost:
        return Code::EventsLost;
    case Finding::Code::NoEvents:
        return Code::NoEvents;
    case Finding::Code::ProcessorOutOfRange:
        return Code::ProcessorOutOfRange;
    }
    return Code::Damaged;
}

void Judge::judgeFindings() {
    for (const Finding& finding : m_summary.findings) {
        Severity severity = Severity::Note;
        if (finding.severity != Finding::Severity::Note) {
            severity = finding.severity == Finding::Severity::Error ? Severity::Error : Severity::Warning;
        }
        HealthIssue& issue = add(severity, codeOf(finding.code));
        issue.count = finding.count;
        issue.events = finding.eventsEstimated;
        issue.bytes = finding.bytes;
        issue.detail = finding.detail + ", at offset " + std::to_string(finding.offset);
        if (finding.code == Finding::Code::EventsLost) {
            issue.events = m_summary.header.eventsLost;
            issue.count = m_summary.header.buffersLost;
        } else if (finding.code == Finding::Code::StackWithoutEvent) {
            issue.of = m_summary.stacks;
        }
    }
}

void Judge::judgeLoss() {
    for (const LossRecord& loss : m_summary.losses) {
        HealthIssue& issue = add(Severity::Warning, Code::SessionLostEvents);
        issue.events = loss.events;
        issue.time = loss.first;
        issue.object = loss.session;
        issue.cause = loss.cause;
    }
}

void Judge::judgeEnd() {
    const std::string_view reason = said("Reason");
    if (reason == "DiskFull" || reason == "WriteFailed" || reason == "SourceFailed" || reason == "RecorderEnded") {
        add(Severity::Warning, Code::StoppedEarly).cause = reason;
    }
    const std::string_view overwritten = said("EventsOverwritten");
    std::uint64_t events = 0;
    std::from_chars(overwritten.data(), overwritten.data() + overwritten.size(), events);
    if (events != 0) {
        add(Severity::Note, Code::OldestOverwritten).events = events;
    }
}

void Judge::judgePlan() {
    m_report.hasPlan = !said("Providers").empty();
    if (!m_report.hasPlan) {
        add(Severity::Note, Code::NotByUs);
        return;
    }
    judgeProviders();
    judgeKeywords();
    m_wantsStacks = !said("Stacks").empty();
}

void Judge::judgeProviders() {
    const Guid own = guidFromProviderName(kOwnProviderName);
    for (const std::string_view line : linesOf(said("Providers"))) {
        constexpr std::size_t kIdLength = 36;
        const auto id = parseGuid(line.substr(0, kIdLength));
        if (!id || *id == own) {
            continue;
        }
        ++m_report.providersEnabled;
        const auto& all = m_summary.providers;
        const auto found =
            std::lower_bound(all.begin(), all.end(), *id,
                             [](const ProviderCount& one, const Guid& guid) { return one.provider < guid; });
        if (found == all.end() || found->provider != *id) {
            ++m_report.providersSilent;
            const bool hasName = line.size() > kIdLength + 1;
            add(Severity::Note, Code::ProviderSilent).object = hasName ? line.substr(kIdLength + 1) : line;
        }
    }
}

void Judge::judgeKeywords() {
    for (const std::string_view keyword : linesOf(said("Keywords"))) {
        m_wantsImages = m_wantsImages || keyword == "Loader";
        const auto hooks = eventsOfKeyword(keyword);
        if (hooks.empty()) {
            continue;
        }
        ++m_report.keywordsEnabled;
        if (std::any_of(hooks.begin(), hooks.end(), [&](std::uint16_t id) { return count(id).events != 0; })) {
            continue;
        }
        ++m_report.keywordsSilent;
        // A machine that runs switches threads, and its processes are there from the start.
        const bool isAlwaysThere = keyword == "CSwitch" || keyword == "ProcessThread" || keyword == "Loader";
        add(isAlwaysThere ? Severity::Warning : Severity::Note, Code::KeywordSilent).object = keyword;
    }
}

void Judge::judgeStacks() {
    const std::uint64_t events = m_report.samples + m_report.switches;
    if (m_report.stacks == 0) {
        if (m_wantsStacks && events != 0) {
            add(Severity::Warning, Code::NoStacks);
        }
        return;
    }
    // Of the events that have stacks at all: a plan may want them of samples alone.
    std::uint64_t wanted = 0;
    std::uint64_t with = 0;
    for (const std::uint16_t id : {hook::kSampledProfile, hook::kCSwitch}) {
        const HookCount one = count(id);
        wanted += one.withStack != 0 ? one.events : 0;
        with += one.withStack;
    }
    if (static_cast<double>(with) < kFewStacks * static_cast<double>(wanted)) {
        HealthIssue& issue = add(Severity::Note, Code::FewStacks);
        issue.count = with;
        issue.of = wanted;
    }
    if (m_report.images == 0) {
        add(m_wantsImages ? Severity::Warning : Severity::Note, Code::NoImages);
    } else if (m_report.imageIdentities == 0) {
        add(Severity::Note, Code::NoImageIdentity).count = m_report.images;
    }
}

void Judge::judgeSamples() {
    const std::vector<std::uint64_t>& samples = m_summary.samplesPerProcessor;
    if (m_report.samples < kTellingSamples * samples.size()) {
        return;
    }
    std::string without;
    std::uint64_t count = 0;
    for (std::size_t processor = 0; processor < samples.size(); ++processor) {
        if (samples[processor] == 0) {
            without += (without.empty() ? "" : ", ") + std::to_string(processor);
            ++count;
        }
    }
    if (count != 0) {
        HealthIssue& issue = add(Severity::Note, Code::ProcessorWithoutSamples);
        issue.count = count;
        issue.of = samples.size();
        issue.object = std::move(without);
    }
}

/// Lines "Code count detail".
void Judge::judgeLimitations() {
    for (const std::string_view line : linesOf(said("Limitations"))) {
        const std::size_t first = std::min(line.find(' '), line.size());
        const std::size_t second = std::min(line.find(' ', std::min(first + 1, line.size())), line.size());
        HealthIssue& issue = add(Severity::Note, Code::Limited);
        issue.cause = line.substr(0, first);
        for (const char c : line.substr(std::min(first + 1, line.size()), second - std::min(first + 1, second))) {
            if (c >= '0' && c <= '9') {
                issue.count = issue.count * 10 + static_cast<std::uint64_t>(c - '0');
            }
        }
        issue.object = line.substr(std::min(second + 1, line.size()));
    }
}

} // namespace

HealthReport::Verdict HealthReport::verdict() const noexcept {
    Verdict result = Verdict::GoodToSend;
    for (const HealthIssue& issue : issues) {
        if (issue.severity == Severity::Error) {
            return Verdict::Damaged;
        }
        if (issue.severity == Severity::Warning) {
            result = Verdict::Incomplete;
        }
    }
    return result;
}

HealthReport judgeHealth(const Summary& summary) {
    return Judge(summary).run();
}

std::string_view toString(HealthIssue::Code code) noexcept {
    return kCodeNames[static_cast<std::size_t>(code)];
}

std::string_view toString(HealthIssue::Severity severity) noexcept {
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "error";
}

std::string_view toString(HealthReport::Verdict verdict) noexcept {
    switch (verdict) {
    case HealthReport::Verdict::GoodToSend:
        return "good";
    case HealthReport::Verdict::Incomplete:
        return "incomplete";
    case HealthReport::Verdict::Damaged:
        return "damaged";
    }
    return "damaged";
}

} // namespace tracedeck::etl
